//! The stored text: what was posted, compact, with numbers as Java prints them (json-canonical.md, stored text).

use super::number;
use crate::SchemaError;
use crate::json_text::{Dialect, Json, KeyOrder, Kind};

/// What Confluent's JSON library reads beyond standard JSON: `NaN` and the infinities, which it stores as strings.
const DIALECT: Dialect = Dialect { comments: false, non_finite: true };

/// Reads the text of a schema. What follows the first value is dropped without a word.
pub(super) fn read(text: &str) -> Result<Json, SchemaError> {
    if text.trim_matches(|c: char| c <= ' ').is_empty() {
        return Err(SchemaError::new("Empty schema"));
    }
    let (json, _) = Json::parse_prefix(text, DIALECT).map_err(|error| SchemaError::new(error.to_string()))?;
    if !matches!(json.root().kind(), Kind::Object | Kind::Bool) {
        let found = format!("{:?}", json.root().kind()).to_uppercase();
        return Err(SchemaError::new(format!("expected an object or boolean at the root, found {found}")));
    }
    let stored = json.root().to_json(number::stored);
    if !text.contains("NaN") && !text.contains("Infinity") {
        return Ok(stored);
    }
    // As strings they count as strings everywhere, also where a number is expected.
    Json::parse(&print(&stored), DIALECT).map_err(|error| SchemaError::new(error.to_string()))
}

/// The stored text of a tree that [`read`] gave.
pub(super) fn print(json: &Json) -> String {
    json.root().to_text(KeyOrder::Kept)
}
