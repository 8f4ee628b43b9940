//! Reading the keywords of one object, with errors that say where something else stands than what was expected.

use super::number;
use crate::SchemaError;
use crate::json_text::{Json, KeyOrder, Kind, Value};

/// Where errors are reported: a document and its name, which is empty for the schema itself.
#[derive(Clone, Copy)]
pub(super) struct Reader<'j> {
    pub(super) json: &'j Json,
    pub(super) name: &'j str,
}

/// The keywords of one object.
#[derive(Clone, Copy)]
pub(super) struct Fields<'j> {
    pub(super) reader: Reader<'j>,
    pub(super) source: Value<'j>,
}

impl Reader<'_> {
    /// An error about the place `value`.
    pub(super) fn error(self, value: Value<'_>, what: &str) -> SchemaError {
        let pointer = self.json.root().pointer_to(value.id());
        SchemaError::new(format!("{}#{pointer}: {what}", self.name))
    }

    /// The error that says what was expected instead of `value`.
    pub(super) fn expected(self, value: Value<'_>, what: &str) -> SchemaError {
        self.error(value, &format!("expected {what}, found {}", name_of(value.kind())))
    }

    pub(super) fn string(self, value: Value<'_>) -> Result<&str, SchemaError> {
        value.as_str().ok_or_else(|| self.expected(value, "a string"))
    }

    pub(super) fn strings(self, value: Value<'_>) -> Result<Vec<&str>, SchemaError> {
        self.of_kind(value, Kind::Array)?.items().map(|item| self.string(item)).collect()
    }

    pub(super) fn of_kind(self, value: Value<'_>, kind: Kind) -> Result<Value<'_>, SchemaError> {
        if value.kind() == kind { Ok(value) } else { Err(self.expected(value, name_of(kind))) }
    }
}

impl<'j> Fields<'j> {
    pub(super) fn get(self, key: &str) -> Option<Value<'j>> {
        self.source.get(key)
    }

    pub(super) fn text(self, key: &str) -> Result<Option<String>, SchemaError> {
        self.get(key).map(|value| self.reader.string(value).map(str::to_owned)).transpose()
    }

    pub(super) fn boolean(self, key: &str) -> Result<Option<bool>, SchemaError> {
        let read = |value: Value<'_>| value.as_bool().ok_or_else(|| self.reader.expected(value, "a boolean"));
        self.get(key).map(read).transpose()
    }

    /// The text of a number.
    pub(super) fn number(self, key: &str) -> Result<Option<String>, SchemaError> {
        let read = |value: Value<'_>| {
            value.as_number().map(str::to_owned).ok_or_else(|| self.reader.expected(value, "a number"))
        };
        self.get(key).map(read).transpose()
    }

    /// An integer of 32 bits that is written as one.
    pub(super) fn int(self, key: &str) -> Result<Option<i64>, SchemaError> {
        let read = |value: Value<'_>| {
            let text = value.as_number().ok_or_else(|| self.reader.expected(value, "an integer"))?;
            let what = || format!("expected an integer of 32 bits, found {text}");
            number::as_int(text).ok_or_else(|| self.reader.error(value, &what()))
        };
        self.get(key).map(read).transpose()
    }

    /// The items of an array; none if there is no such keyword.
    pub(super) fn array(self, key: &str) -> Result<Option<Vec<Value<'j>>>, SchemaError> {
        let read = |value| self.reader.of_kind(value, Kind::Array).map(|list| list.items().collect());
        self.get(key).map(read).transpose()
    }

    /// The members of an object; none at all if there is no such keyword.
    pub(super) fn members(self, key: &str) -> Result<Vec<(&'j str, Value<'j>)>, SchemaError> {
        match self.get(key) {
            Some(value) => Ok(self.reader.of_kind(value, Kind::Object)?.members().collect()),
            None => Ok(Vec::new()),
        }
    }
}

/// A value by which it is compared: as JSON with sorted members.
pub(super) fn sorted(value: Value<'_>) -> String {
    value.to_text(KeyOrder::Sorted)
}

fn name_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Bool => "a boolean",
        Kind::Number => "a number",
        Kind::String => "a string",
        Kind::Array => "an array",
        Kind::Object => "an object",
    }
}
