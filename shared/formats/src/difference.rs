//! What keeps one schema from reading what another wrote.

use crate::Exceeded;

/// One difference between a reader and a writer that makes them incompatible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The type of the difference, such as `TYPE_MISMATCH` (rest-api.md §6.8).
    pub kind: &'static str,
    /// Where in the reader, as a JSON pointer; `/` is the whole schema.
    pub path: String,
    /// The `additionalInfo` of the message: names, sizes, symbols.
    pub info: String,
}

/// The kind of a check that could not be finished; its message has a shape of its own.
pub(crate) const UNEXPECTED_EXCEPTION: &str = "UNEXPECTED_EXCEPTION";

/// A check that was given up, as its only difference.
pub(crate) fn exceeded(what: Exceeded) -> Vec<Difference> {
    vec![Difference { kind: UNEXPECTED_EXCEPTION, path: "#/".to_owned(), info: what.to_string() }]
}

impl Difference {
    /// The full message (rest-api.md §6.8); the roles are what the caller calls the two schemas, such as `new`, `old`.
    pub fn message(&self, reader_role: &str, writer_role: &str) -> String {
        let Self { kind, path, info } = self;
        if let Some(message) = crate::json::message(kind, path, reader_role, writer_role) {
            return message;
        }
        if let Some(description) = crate::protobuf::description(kind, path, reader_role, writer_role) {
            return format!("{{errorType:\"{kind}\", description:\"{description}\"}}");
        }
        let description = match *kind {
            UNEXPECTED_EXCEPTION => return format!("Unexpected exception during compatibility check: {info}"),
            "FIXED_SIZE_MISMATCH" => format!(
                "The size of FIXED type field at path '{path}' in the {reader_role} schema does not match with the \
                 {writer_role} schema"
            ),
            "TYPE_MISMATCH" => format!(
                "The type (path '{path}') of a field in the {reader_role} schema does not match with the \
                 {writer_role} schema"
            ),
            "NAME_MISMATCH" => format!("The name of the schema has changed (path '{path}')"),
            "MISSING_ENUM_SYMBOLS" => format!(
                "The {reader_role} schema is missing enum symbols '{info}' at path '{path}' in the {writer_role} schema"
            ),
            "MISSING_UNION_BRANCH" => format!(
                "The {reader_role} schema is missing a type inside a union field at path '{path}' in the \
                 {writer_role} schema"
            ),
            "READER_FIELD_MISSING_DEFAULT_VALUE" => format!(
                "The field '{info}' at path '{path}' in the {reader_role} schema has no default value and is missing \
                 in the {writer_role} schema"
            ),
            _ => String::new(),
        };
        format!("{{errorType:'{kind}', description:'{description}', additionalInfo:'{info}'}}")
    }
}
