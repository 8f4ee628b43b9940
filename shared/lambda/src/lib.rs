//! Lambda events to the HTTP service and back.

use registrar_http::HttpService;
use serde_json::Value;

/// How events are read and answered.
#[derive(Clone, Debug)]
pub struct EventConfig {
    /// Longest answer in bytes that the platform carries; a longer one is replaced by an error.
    pub max_answer_bytes: usize,
}

impl Default for EventConfig {
    fn default() -> Self {
        // Lambda refuses synchronous answers over 6 MB (6,291,556 bytes).
        Self { max_answer_bytes: 6 * 1024 * 1024 }
    }
}

/// An event that is no HTTP request.
#[derive(Debug, PartialEq, Eq)]
pub struct Error(String);

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// Answers one event of a REST API, a function URL or an ALB.
pub async fn handle(_service: &HttpService, _config: &EventConfig, _event: Value) -> Result<Value, Error> {
    Err(Error("not yet".to_owned()))
}
