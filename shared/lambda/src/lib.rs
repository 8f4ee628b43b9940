//! Lambda events to the HTTP service and back, byte for byte what `registrar serve` answers.
//!
//! Events of a REST API, a function URL and a load balancer (ALB) are served. An **HTTP API** hands its path over
//! decoded, so that `/subjects/a%2Fb` and `/subjects/a/b` are one, and a DELETE could hit another subject: its events
//! are answered with 501 before anything is read or written.
//!
//! The events are read here and not by `lambda_http`, because its request is no longer what the client sent: it puts
//! the stage in front of the path, resolves `..`, re-encodes the query and panics on characters it does not expect.
//! What is left of it is `lambda_runtime`, which this crate uses directly, and five dependencies fewer.

mod answer;
mod event;
mod keys;
mod kms;
mod request;
mod run;

pub use event::Error;
pub use run::{InitError, run};

use event::{Event, Front};
use http::{Method, StatusCode};
use registrar_http::{HttpService, error_response};
use serde_json::Value;

/// How events are answered.
#[derive(Clone, Debug)]
pub struct EventConfig {
    /// Base path a custom domain puts in front, such as `/registry`. Stripped where it is there: the function's own
    /// domain comes without.
    pub base_path: String,
    /// Longest answer in bytes of JSON that Lambda carries; a longer one becomes an error that says so.
    pub max_answer_bytes: usize,
    /// The same for a load balancer.
    pub max_alb_answer_bytes: usize,
}

impl Default for EventConfig {
    /// Lambda's own quotas: 6 MB for a synchronous answer, 1 MB behind a load balancer.
    fn default() -> Self {
        Self { base_path: String::new(), max_answer_bytes: 6 * 1024 * 1024, max_alb_answer_bytes: 1024 * 1024 }
    }
}

/// Answers one event: event JSON in, answer JSON out. Only what is no HTTP request at all is an error.
pub async fn handle(service: &HttpService, config: &EventConfig, event: Value) -> Result<Value, Error> {
    let event = Event::read(event)?;
    let front = event.front();
    let headers = event.headers();
    let method = event.method().and_then(|name| Method::from_bytes(name.as_bytes()).ok()).unwrap_or_default();
    let refuse = |status, message: &str| error_response(status, message, &method, &headers);
    if front == Front::HttpApi {
        return Ok(answer::write(front, &refuse(StatusCode::NOT_IMPLEMENTED, HTTP_API)));
    }
    let response = match request::build(event, config, headers.clone())? {
        Ok(request) => service.answer(request).await,
        Err(refused) => refuse(refused.status(), refused.message()),
    };
    let limit = if front == Front::Alb { config.max_alb_answer_bytes } else { config.max_answer_bytes };
    let value = answer::write(front, &response);
    if answer::fits(&response, &value, limit) {
        return Ok(value);
    }
    Ok(answer::write(front, &refuse(StatusCode::UNPROCESSABLE_ENTITY, &answer::too_long(limit))))
}

const HTTP_API: &str = "Events of an HTTP API are not served, since it decodes the path; use a REST API, a function \
                        URL or a load balancer";
