//! The root and what the server says about itself (rest-api.md §4.8).

use crate::call::{Answer, Call, json};
use crate::dto::read::map;
use crate::dto::read::{Body, Members, Mismatch, parse, string};
use crate::dto::server::{ClusterDto, DeploymentDto, EmptyDto, VersionDto};
use crate::error::Failure;
use crate::openapi::DOCUMENT;
use bytes::Bytes;

/// `GET /`
pub(super) fn root() -> Answer {
    json(&EmptyDto {})
}

/// `POST /`: any object of texts, or nothing.
pub(super) fn echo(call: &Call) -> Answer {
    let texts = |Mismatch(message)| Failure::BadRequest(message);
    if let Body::Present(body) = parse(&call.body).map_err(texts)? {
        Members::of(body.root(), "Map").and_then(|_| map(body.root(), string)).map_err(texts)?;
    }
    json(&EmptyDto {})
}

/// `GET /openapi.json`
pub(super) fn openapi() -> Bytes {
    Bytes::from_static(DOCUMENT.as_bytes())
}

/// `GET /v1/metadata/id`
pub(super) fn cluster(call: &Call) -> Answer {
    json(&ClusterDto::from(call.options()))
}

/// `GET /v1/metadata/version`
pub(super) fn version(call: &Call) -> Answer {
    json(&VersionDto::from(call.options()))
}

/// `GET /v1/metadata/deployment`
pub(super) fn deployment(call: &Call) -> Answer {
    json(&DeploymentDto::from(call.options()))
}
