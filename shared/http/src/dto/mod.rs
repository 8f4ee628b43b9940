//! Bodies: what requests may hold (rest-api.md §1.4) and what answers hold in which order (§3).
//!
//! Requests are read by hand from a lossless tree, because the rules are a Java mapper's: scalars turn into one
//! another, the text of a number counts, absent and null differ. Answers are written by serde from borrowed values.

pub(crate) mod associations;
pub(crate) mod config;
pub(crate) mod context;
pub(crate) mod metadata;
pub(crate) mod mode;
pub(crate) mod read;
pub(crate) mod rule_set;
pub(crate) mod schema;
pub(crate) mod schema_request;
pub(crate) mod server;
pub(crate) mod tags;
