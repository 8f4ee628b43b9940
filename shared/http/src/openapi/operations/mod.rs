//! What each route takes and answers, by method and path.

mod associations;
mod compatibility;
mod config;
mod contexts;
mod mode;
mod schemas;
mod server;
mod subjects;
mod versions;

use super::Operation;

/// All of them, in the order of the route table.
pub(super) static ALL: &[(&str, &str, &Operation)] = &[
    ("GET", "/", &server::ROOT),
    ("POST", "/", &server::POST_ROOT),
    ("GET", "/associations", &associations::FIND),
    ("POST", "/associations", &associations::CREATE),
    ("GET", "/associations/resources/{resourceId}", &associations::OF_RESOURCE),
    ("PUT", "/associations/resources/{resourceId}", &associations::UPSERT),
    ("DELETE", "/associations/resources/{resourceId}", &associations::DELETE),
    ("GET", "/associations/resources/{resourceNamespace}/{resourceName}", &associations::OF_NAME),
    ("GET", "/associations/subjects/{subject}", &associations::OF_SUBJECT),
    ("POST", "/associations:batchGet", &associations::BATCH_GET),
    ("POST", "/associations:batchMutate", &associations::BATCH_MUTATE),
    ("POST", "/compatibility/subjects/{subject}/versions", &compatibility::ALL),
    ("POST", "/compatibility/subjects/{subject}/versions/{version}", &compatibility::ONE),
    ("GET", "/config", &config::GET_TOP),
    ("PUT", "/config", &config::PUT_TOP),
    ("DELETE", "/config", &config::DELETE_TOP),
    ("GET", "/config/{subject}", &config::GET),
    ("PUT", "/config/{subject}", &config::PUT),
    ("DELETE", "/config/{subject}", &config::DELETE),
    ("GET", "/contexts", &contexts::LIST),
    ("POST", "/contexts", &contexts::CREATE),
    ("GET", "/contexts/{context}", &contexts::GET),
    ("DELETE", "/contexts/{context}", &contexts::DELETE),
    ("GET", "/mode", &mode::GET_TOP),
    ("PUT", "/mode", &mode::PUT_TOP),
    ("DELETE", "/mode", &mode::DELETE_TOP),
    ("GET", "/mode/{subject}", &mode::GET),
    ("PUT", "/mode/{subject}", &mode::PUT),
    ("DELETE", "/mode/{subject}", &mode::DELETE),
    ("GET", "/openapi.json", &server::OPENAPI),
    ("GET", "/schemas", &schemas::LIST),
    ("GET", "/schemas/guids/{guid}", &schemas::BY_GUID),
    ("GET", "/schemas/guids/{guid}/ids", &schemas::IDS),
    ("GET", "/schemas/ids/{id}", &schemas::BY_ID),
    ("GET", "/schemas/ids/{id}/schema", &schemas::TEXT_BY_ID),
    ("GET", "/schemas/ids/{id}/subjects", &schemas::SUBJECTS),
    ("GET", "/schemas/ids/{id}/versions", &schemas::VERSIONS),
    ("GET", "/schemas/types", &schemas::TYPES),
    ("GET", "/subjects", &subjects::LIST),
    ("POST", "/subjects/{subject}", &subjects::LOOKUP),
    ("DELETE", "/subjects/{subject}", &subjects::DELETE),
    ("GET", "/subjects/{subject}/metadata", &subjects::WITH_METADATA),
    ("GET", "/subjects/{subject}/versions", &versions::LIST),
    ("POST", "/subjects/{subject}/versions", &versions::REGISTER),
    ("GET", "/subjects/{subject}/versions/{version}", &versions::GET),
    ("DELETE", "/subjects/{subject}/versions/{version}", &versions::DELETE),
    ("GET", "/subjects/{subject}/versions/{version}/referencedby", &versions::REFERENCED_BY),
    ("GET", "/subjects/{subject}/versions/{version}/schema", &versions::TEXT),
    ("POST", "/subjects/{subject}/versions/{version}/tags", &versions::TAG),
    ("GET", "/v1/metadata/deployment", &server::DEPLOYMENT),
    ("GET", "/v1/metadata/id", &server::CLUSTER),
    ("GET", "/v1/metadata/version", &server::VERSION),
];

/// A schema to post.
const SCHEMA_EXAMPLE: &str = r#"{"schemaType":"AVRO","schema":"{\"type\":\"record\",\"name\":\"Order\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"}]}"}"#;
