//! Which set of keywords holds: decided by `$schema` at the root alone (json-diff-rules.md §0).

use crate::SchemaError;
use crate::json_text::{Kind, Value};

/// A set of keywords, and with it one of the two ways in which the model is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dialect {
    Draft4,
    Draft6,
    /// Also everything without a `$schema` that is known
    Draft7,
    /// 2019-09 and 2020-12, both by the rules of the latter
    Modern,
}

impl Dialect {
    /// The dialect of a document.
    pub(super) fn of(root: Value<'_>) -> Result<Self, SchemaError> {
        let Some(schema) = root.get("$schema") else {
            return Ok(Self::Draft7);
        };
        match schema.as_str() {
            Some(uri) => Ok(Self::from_uri(uri)),
            // Confluent takes null for "not there".
            None if schema.kind() == Kind::Null => Ok(Self::Draft7),
            None => Err(SchemaError::new("#/$schema: expected a string")),
        }
    }

    fn from_uri(uri: &str) -> Self {
        let uri = uri.strip_suffix('#').unwrap_or(uri);
        let path = uri.strip_prefix("http://").or_else(|| uri.strip_prefix("https://")).unwrap_or(uri);
        match path {
            "json-schema.org/draft-04/schema" | "json-schema.org/schema" => Self::Draft4,
            "json-schema.org/draft-06/schema" => Self::Draft6,
            "json-schema.org/draft/2019-09/schema" | "json-schema.org/draft/2020-12/schema" => Self::Modern,
            _ => Self::Draft7,
        }
    }

    /// The keyword that gives a schema its URI.
    pub(super) fn id_keyword(self) -> &'static str {
        if self == Self::Draft4 { "id" } else { "$id" }
    }

    /// Whether the meta-schema `uri`, which has no fragment, comes with the implementation and can be referred to.
    ///
    /// Draft-04's cannot be read by the rules of 2020-12, and the older drafts do not know the newer ones.
    pub(super) fn knows_meta_schema(self, uri: &str) -> bool {
        let path = uri.strip_prefix("http://").or_else(|| uri.strip_prefix("https://"));
        match path {
            Some("json-schema.org/draft-04/schema") => self != Self::Modern,
            Some("json-schema.org/draft-06/schema" | "json-schema.org/draft-07/schema") => true,
            Some("json-schema.org/draft/2019-09/schema" | "json-schema.org/draft/2020-12/schema") => {
                self == Self::Modern
            }
            _ => false,
        }
    }
}
