//! An answer before it is dressed: status and body, then the headers every answer has.

use crate::error::{ErrorBody, Refusal};
use crate::{encoding, media_type, request_id};
use bytes::Bytes;
use http::header::{ALLOW, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, VARY};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode};

pub(crate) struct Reply {
    status: StatusCode,
    media_type: &'static str,
    allow: Option<String>,
    body: Bytes,
}

impl Reply {
    /// A success with status 200.
    pub(crate) fn ok(media_type: &'static str, body: Bytes) -> Self {
        Self::success(StatusCode::OK, media_type, body)
    }

    /// A success.
    pub(crate) fn success(status: StatusCode, media_type: &'static str, body: Bytes) -> Self {
        Self { status, media_type, allow: None, body }
    }

    /// The answer to OPTIONS.
    pub(crate) fn options(parts: &Parts, allow: String) -> Self {
        Self::ok(negotiated(&parts.headers), Bytes::new()).allow(allow)
    }

    /// An error. What the client must not see goes to the log.
    pub(crate) fn error(parts: &Parts, refusal: Refusal) -> Self {
        if let Some(detail) = &refusal.detail {
            let request_id = request_id::of(&parts.headers);
            let path = parts.uri.path();
            tracing::error!(?request_id, method = %parts.method, path, answer = refusal.message, detail, "failed");
        }
        let (status, body) = refusal.into_parts();
        Self::of_body(parts, status, &body)
    }

    /// An error outside the table of `error`.
    pub(crate) fn plain_error(parts: &Parts, status: StatusCode, message: &str) -> Self {
        Self::of_body(parts, status, &ErrorBody { error_code: status.as_u16(), message: message.to_owned() })
    }

    fn of_body(parts: &Parts, status: StatusCode, body: &ErrorBody) -> Self {
        // A number and a string always serialise.
        let body = serde_json::to_vec(body).unwrap_or_default();
        Self { status, media_type: negotiated(&parts.headers), allow: None, body: Bytes::from(body) }
    }

    /// How long the body is.
    pub(crate) fn len(&self) -> usize {
        self.body.len()
    }

    pub(crate) fn allow(self, methods: String) -> Self {
        Self { allow: Some(methods), ..self }
    }

    pub(crate) fn media_type(self, media_type: &'static str) -> Self {
        Self { media_type, ..self }
    }

    /// Adds the headers, compresses where asked to, and leaves HEAD without a body.
    pub(crate) fn finish(self, parts: &Parts, gzip: bool) -> Response<Bytes> {
        let mut headers = HeaderMap::with_capacity(5);
        if self.status != StatusCode::NO_CONTENT {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.media_type));
        }
        headers.insert(request_id::NAME, request_id::of(&parts.headers));
        if let Some(allow) = self.allow.and_then(|allow| HeaderValue::try_from(allow).ok()) {
            headers.insert(ALLOW, allow);
        }
        let mut body = self.body;
        if gzip && body.len() >= encoding::MIN_BYTES {
            headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
            let wanted = encoding::accepts_gzip(&parts.headers);
            if let Some(compressed) = wanted.then(|| encoding::gzip(&body)).flatten() {
                headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                body = compressed;
            }
        }
        if parts.method == Method::HEAD {
            headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
            body = Bytes::new();
        }
        tracing::debug!(method = %parts.method, path = parts.uri.path(), status = self.status.as_u16(), "answered");
        let mut response = Response::new(body);
        *response.status_mut() = self.status;
        *response.headers_mut() = headers;
        response
    }
}

/// The type of an error, which is sent even to a client that takes none on offer.
fn negotiated(headers: &HeaderMap) -> &'static str {
    media_type::negotiate(headers).unwrap_or(media_type::PREFERRED)
}
