//! The bodies of requests and answers (rest-api.md §3).

pub(super) mod association;
pub(super) mod schema;
pub(super) mod server;
pub(super) mod settings;
