//! From an event to the request the client sent, its path and query still encoded.

use crate::EventConfig;
use crate::event::{Error, Event, Front};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode, Uri};
use registrar_http::{ROUTES, strip_base};
use std::fmt::Write;

/// What stays as it is in a path.
const PATH: &[u8] = b"/%+&=";

/// Why an event cannot become a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The body says it is base64 and is not.
    NotBase64,
    /// The path and query are too long to be a URI.
    UriTooLong,
}

impl Refused {
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Self::NotBase64 => StatusCode::BAD_REQUEST,
            Self::UriTooLong => StatusCode::URI_TOO_LONG,
        }
    }

    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::NotBase64 => "The request body is not base64",
            Self::UriTooLong => "HTTP 414 URI Too Long",
        }
    }
}

/// The request; the outer error is for an event that is none.
pub(crate) fn build(
    event: Event,
    config: &EventConfig,
    headers: HeaderMap,
) -> Result<Result<Request<Bytes>, Refused>, Error> {
    let method = method(&event)?;
    let path = raw_path(&event, &config.base_path)?;
    let query = raw_query(&event);
    let base64 = event.is_base64();
    Ok(body(event.body, base64).and_then(|body| {
        let target = if query.is_empty() { path } else { format!("{path}?{query}") };
        let mut request = Request::new(body);
        *request.method_mut() = method;
        *request.uri_mut() = Uri::try_from(target).map_err(|_| Refused::UriTooLong)?;
        *request.headers_mut() = headers;
        Ok(request)
    }))
}

fn method(event: &Event) -> Result<Method, Error> {
    let name = event.method().ok_or_else(|| Error("not an HTTP event: it names no method".to_owned()))?;
    Method::from_bytes(name.as_bytes()).map_err(|_| Error(format!("not an HTTP event: {name:?} is no method")))
}

/// The path as sent. Characters a URI may not hold, which no gateway passes on, are escaped rather than refused.
fn raw_path(event: &Event, base_path: &str) -> Result<String, Error> {
    let path = match event.front() {
        Front::FunctionUrl => event.raw_path.as_deref(),
        Front::Rest | Front::Alb | Front::HttpApi => event.path.as_deref(),
    };
    let path = path.ok_or_else(|| Error("not an HTTP event: it has no path".to_owned()))?;
    let stage = event.request_context.as_ref().and_then(|context| context.stage.as_deref());
    let path = without_stage(path, stage);
    let path = escape(strip_base(path, base_path).unwrap_or(path), PATH);
    Ok(if path.starts_with('/') { path } else { format!("/{path}") })
}

/// A custom domain whose mapping names no stage leaves the stage in the path; elsewhere it is not there. A stage that
/// is called as a part of the API is left alone.
fn without_stage<'a>(path: &'a str, stage: Option<&str>) -> &'a str {
    let Some(stage) = stage.filter(|stage| !stage.is_empty() && !is_root(stage)) else { return path };
    match path.strip_prefix('/').and_then(|path| path.strip_prefix(stage)) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => rest,
        _ => path,
    }
}

fn is_root(name: &str) -> bool {
    name == "contexts" || ROUTES.iter().any(|route| route.pattern.split('/').nth(1) == Some(name))
}

/// A REST API decodes the query, so it is encoded again; the others pass on what was sent.
fn raw_query(event: &Event) -> String {
    match event.front() {
        Front::FunctionUrl => escape(event.raw_query_string.as_deref().unwrap_or_default(), b"%&=+/?"),
        Front::Rest => join(event, b""),
        Front::Alb | Front::HttpApi => join(event, b"%+/?="),
    }
}

fn join(event: &Event, kept: &[u8]) -> String {
    let pair = |(name, value): (&str, &str)| format!("{}={}", escape(name, kept), escape(value, kept));
    event.parameters().into_iter().map(pair).collect::<Vec<_>>().join("&")
}

/// Escapes all but letters, digits, what never needs it, and `kept`.
fn escape(text: &str, kept: &[u8]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$'()*,;:@".contains(&byte) || kept.contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}

fn body(body: Option<String>, base64: bool) -> Result<Bytes, Refused> {
    let body = body.unwrap_or_default();
    if !base64 {
        return Ok(Bytes::from(body));
    }
    STANDARD.decode(body).map(Bytes::from).map_err(|_| Refused::NotBase64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_stripped_where_they_are_in_the_path() {
        for (path, stage, expected) in [
            ("/prod/subjects", Some("prod"), "/subjects"),
            ("/prod", Some("prod"), ""),
            ("/subjects/prod", Some("prod"), "/subjects/prod"),
            ("/production/subjects", Some("prod"), "/production/subjects"),
            ("/subjects/x", Some("subjects"), "/subjects/x"),
            ("/mode", Some("mode"), "/mode"),
            ("/contexts/.c/subjects", Some("contexts"), "/contexts/.c/subjects"),
            ("/subjects", Some("$default"), "/subjects"),
            ("/subjects", None, "/subjects"),
        ] {
            assert_eq!(without_stage(path, stage), expected, "{path} in {stage:?}");
        }
    }

    #[test]
    fn what_is_encoded_stays_and_what_may_not_stand_is_escaped() {
        for (path, expected) in [
            ("/subjects/a%2Fb%3Av%20x%2B+", "/subjects/a%2Fb%3Av%20x%2B+"),
            ("/subjects/:.ctx:s", "/subjects/:.ctx:s"),
            ("/subjects/a b?c#d", "/subjects/a%20b%3Fc%23d"),
            ("/subjects/é/../100%", "/subjects/%C3%A9/../100%"),
        ] {
            assert_eq!(escape(path, PATH), expected);
        }
    }
}
