//! Why a text is not a schema.

use std::fmt;

/// A text that is no valid schema, or a schema that cannot be normalized.
///
/// The message says what is wrong and where, in the words of the parser and without a prefix; callers put it into
/// the answer's 42201 text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    message: String,
}

impl SchemaError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }

    /// What is wrong, and where.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SchemaError {}
