//! What the server says about itself, verdicts and errors (rest-api.md §3.10).

use crate::openapi::shape::Shape::{Flag, Integer, List, Object, Text};
use crate::openapi::shape::{Type, always, nullable, sometimes};

pub(in crate::openapi) static EMPTY: Type = Type { name: "Empty", meaning: "An object without members.", members: &[] };

pub(in crate::openapi) static ERROR: Type = Type {
    name: "Error",
    meaning: "Why there is no answer. The HTTP status is the first three digits of the code.",
    members: &[
        always("error_code", Integer(400), "The number of the error; programs go by it."),
        always("message", Text, "What is wrong, for people."),
    ],
};

pub(in crate::openapi) static VERDICT: Type = Type {
    name: "CompatibilityCheckResponse",
    meaning: "The result of a compatibility check.",
    members: &[
        always("is_compatible", Flag, "Whether the schema may follow."),
        sometimes("messages", List(&Text), "The reasons; there, even if empty, if and only if asked for."),
    ],
};

pub(in crate::openapi) static CLUSTER: Type = Type {
    name: "ServerClusterId",
    meaning: "Which cluster this is.",
    members: &[always("scope", Object(&SCOPE), "Where the server stands.")],
};

static SCOPE: Type = Type {
    name: "Scope",
    meaning: "Where the server stands.",
    members: &[
        always("path", List(&Text), "Always empty."),
        always("clusters", Object(&CLUSTERS), "The clusters by their kinds."),
    ],
};

static CLUSTERS: Type = Type {
    name: "Clusters",
    meaning: "Names of clusters, as configured.",
    members: &[
        always("kafka-cluster", Text, "The Kafka cluster; empty where none is configured."),
        always("schema-registry-cluster", Text, "The group of registries."),
    ],
};

pub(in crate::openapi) static VERSION: Type = Type {
    name: "SchemaRegistryServerVersion",
    meaning: "The server's version.",
    members: &[
        always("version", Text, "Its number."),
        sometimes("commitId", Text, "The commit it was built from, where known."),
    ],
};

pub(in crate::openapi) static DEPLOYMENT: Type = Type {
    name: "SchemaRegistryDeployment",
    meaning: "What is configured about the deployment.",
    members: &[always("attributes", List(&Text), "As configured.")],
};

pub(in crate::openapi) static CONTEXT: Type = Type {
    name: "Context",
    meaning: "A context.",
    members: &[
        sometimes("name", Text, "Its name with a dot in front."),
        sometimes("description", Text, "What it is for, where that was said."),
    ],
};

pub(in crate::openapi) static CONTEXT_REQUEST: Type = Type {
    name: "ContextCreateRequest",
    meaning: "A context to create or to describe.",
    members: &[
        always("name", Text, "Its name, with or without its dot."),
        nullable("description", Text, "What it is for."),
    ],
};
