//! Protobuf over the vectors of `../shared`, computed by the reference implementations.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{check_all, same, text, vectors};
use registrar_formats::{NamedText, Schema, SchemaError, Strictness, parse};
use registrar_model::SchemaType;
use serde_json::Value;

fn references(row: &Value, key: &str) -> Vec<NamedText> {
    let list = row[key].as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .map(|reference| NamedText {
            name: text(reference, "name").to_owned(),
            text: text(reference, "schema").to_owned(),
        })
        .collect()
}

fn read(row: &Value, key: &str, references_key: &str) -> Result<Schema, SchemaError> {
    parse(SchemaType::Protobuf, text(row, key), &references(row, references_key), Strictness::New)
}

#[test]
fn canonical() {
    let Some(rows) = vectors("protobuf-canonical.jsonl") else { return };
    check_all("protobuf-canonical.jsonl", &rows, |row| {
        let schema = read(row, "input", "references").map_err(|error| error.to_string())?;
        same("stored", &schema.text(), &text(row, "stored"))?;
        let normalized = schema.normalized().map_err(|error| format!("normalizing failed: {error}"))?;
        same("normalized", &normalized.text(), &text(row, "normalized"))?;
        for format in ["ignore_extensions", "serialized"] {
            if let Some(expected) = row[format].as_str() {
                same(format, &schema.formatted(format).as_str(), &expected)?;
            }
        }
        Ok(())
    });
}
