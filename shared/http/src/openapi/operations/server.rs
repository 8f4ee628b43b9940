//! The root and what the server says about itself (rest-api.md §4.8).

use crate::openapi::operation::{Body, Operation};
use crate::openapi::shape::Shape::{Any, Map, Object, Text};
use crate::openapi::types::server::{CLUSTER as CLUSTER_ID, DEPLOYMENT as ATTRIBUTES, EMPTY, VERSION as NUMBER};

const GROUP: &str = "Server";

pub(super) static ROOT: Operation =
    Operation::new("getRoot", GROUP, "Ask whether the server answers", "It does.", Object(&EMPTY)).without_table();

pub(super) static POST_ROOT: Operation = Operation {
    body: Some(Body { shape: Map(&Text), required: false, example: "{}" }),
    ..Operation::new("postRoot", GROUP, "Ask whether the server takes a body", "It does.", Object(&EMPTY))
        .without_table()
};

pub(super) static OPENAPI: Operation =
    Operation::new("getOpenApi", GROUP, "Read this document", "An OpenAPI 3.1 document.", Map(&Any)).without_table();

pub(super) static CLUSTER: Operation =
    Operation::new("getClusterId", GROUP, "Read the cluster id", "The id.", Object(&CLUSTER_ID)).without_table();

pub(super) static VERSION: Operation =
    Operation::new("getServerVersion", GROUP, "Read the server's version", "The version.", Object(&NUMBER))
        .without_table();

pub(super) static DEPLOYMENT: Operation =
    Operation::new("getDeployment", GROUP, "Read about the deployment", "Its attributes.", Object(&ATTRIBUTES))
        .without_table();
