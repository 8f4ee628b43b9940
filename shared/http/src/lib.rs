//! Confluent's wire format over the registry: what a client sees is decided here and nowhere else.
//!
//! [`service`] gives one [`tower::Service`] that `registrar serve`, the Lambda functions and the tests all run. It
//! takes the path raw, matches its decoded segments against one [route table](ROUTES), turns the request into the
//! types of `registrar-registry`, and the answer or the error back into JSON. Handlers cannot retry and know no keys.

mod body;
mod call;
mod context_prefix;
mod dto;
mod encoding;
mod environment;
mod error;
mod in_flight;
mod media_type;
mod openapi;
mod options;
mod page;
mod path;
mod posted;
mod query;
mod reply;
mod request_id;
mod routes;
mod service;

pub use environment::{ServerSettings, SettingError, VARIABLES, Variable};
pub use error::ErrorCode;
pub use openapi::{DOCUMENT, document};
pub use options::{Access, HttpOptions, Transport};
pub use page::Limits;
pub use path::strip_base;
pub use routes::{ROUTES, Route};
pub use service::{HttpService, Received, error_response, service};
