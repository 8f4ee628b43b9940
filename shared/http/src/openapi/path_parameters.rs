//! The parameters in paths (rest-api.md §2).

use super::shape::Shape;

/// What stands between slashes.
pub(super) struct PathParameter {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    pub(super) meaning: &'static str,
    /// JSON text.
    pub(super) example: &'static str,
}

/// All of them; each name means the same in every path.
pub(super) static PATH_PARAMETERS: &[PathParameter] = &[
    PathParameter {
        name: "subject",
        shape: Shape::Text,
        meaning: "A subject: `orders-value`, or `:.context:orders-value` in a context. For settings also a context, \
                  `:.context:`, or all contexts, `:.__GLOBAL:`.",
        example: "\"orders-value\"",
    },
    PathParameter {
        name: "version",
        shape: Shape::Text,
        meaning: "A version: a number from 1, or `latest` or `-1` for the highest that is not deleted.",
        example: "\"latest\"",
    },
    PathParameter { name: "id", shape: Shape::Integer(0), meaning: "The id of a schema in its context.", example: "1" },
    PathParameter {
        name: "guid",
        shape: Shape::Text,
        meaning: "The hash of a schema, as a UUID or as 32 hexadecimal digits.",
        example: "\"095d71cf-1255-6b9d-5e33-0ad575b3df5d\"",
    },
    PathParameter {
        name: "context",
        shape: Shape::Text,
        meaning: "A context, with or without its dot.",
        example: "\"orders\"",
    },
    PathParameter { name: "resourceId", shape: Shape::Text, meaning: "The id of a topic.", example: "\"5c4a1d2e\"" },
    PathParameter {
        name: "resourceNamespace",
        shape: Shape::Text,
        meaning: "The namespace of a topic, its Kafka cluster; `-` for any.",
        example: "\"-\"",
    },
    PathParameter {
        name: "resourceName",
        shape: Shape::Text,
        meaning: "The name of a topic; `-` for any.",
        example: "\"orders\"",
    },
];
