//! What every answer of the server is held to, whatever was asked.

use bytes::Bytes;
use http::header::{ALLOW, CONTENT_ENCODING, CONTENT_LENGTH};
use http::{HeaderMap, Method, Request, StatusCode};
use registrar_http::{ErrorCode, HttpService};
use serde_json::Value;

use crate::block_on;

/// An answer taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    /// The body as JSON; null if it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// Asks, and checks the answer.
pub(crate) fn ask(service: &HttpService, request: Request<Bytes>) -> Answer {
    let (method, target) = (request.method().clone(), request.uri().clone());
    let (parts, body) = block_on(service.answer(request)).into_parts();
    let answer = Answer { status: parts.status, headers: parts.headers, body };
    if let Err(wrong) = check(&method, &answer) {
        panic!("{method} {target}: {wrong}: {answer:?}");
    }
    answer
}

fn check(method: &Method, answer: &Answer) -> Result<(), &'static str> {
    if !answer.headers.contains_key("x-request-id") {
        return Err("no request id");
    }
    if answer.status.is_server_error() {
        return Err("an error of the server");
    }
    let told = answer.headers.contains_key(ALLOW);
    if (answer.status == StatusCode::METHOD_NOT_ALLOWED || *method == Method::OPTIONS && answer.status.is_success())
        && !told
    {
        return Err("methods are not told");
    }
    if *method == Method::HEAD {
        let sized = answer.headers.contains_key(CONTENT_LENGTH);
        return if answer.body.is_empty() && sized { Ok(()) } else { Err("not an answer to HEAD") };
    }
    if answer.headers.contains_key(CONTENT_ENCODING) || answer.status.is_success() {
        return Ok(());
    }
    check_error(answer)
}

/// A refusal has a known code, whose first digits are the status, and a message.
fn check_error(answer: &Answer) -> Result<(), &'static str> {
    let body = answer.json();
    let code = body["error_code"].as_u64().ok_or("no error_code")?;
    let known = ErrorCode::ALL.into_iter().find(|known| u64::from(known.number()) == code);
    if known.is_none_or(|known| known.status() != answer.status) {
        return Err("an error_code that does not go with the status");
    }
    let message = body["message"].as_str().ok_or("no message")?;
    if message.is_empty() { Err("an empty message") } else { Ok(()) }
}
