//! Confluent's wire format over the registry: what a client sees is decided here and nowhere else.
//!
//! [`service`] gives one [`tower::Service`] that `registrar serve`, the Lambda functions and the tests all run. It
//! takes the path raw, matches decoded segments against one [route table](ROUTES), turns the request into the types
//! of `registrar-registry`, and the answer or the error back into JSON.

mod options;
mod service;

pub use options::{Access, HttpOptions};
pub use service::{HttpService, service};
