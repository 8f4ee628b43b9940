//! Protobuf over the vectors of `../shared`, computed by the reference implementations.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{check_all, same, text, vectors};
use registrar_formats::protobuf::{Report, Rules};
use registrar_formats::{Difference, NamedText, Schema, SchemaError, Strictness, compatibility, parse};
use registrar_model::{Reference, SchemaType};
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

/// With what the references point to.
fn targets(row: &Value, key: &str) -> Vec<Reference> {
    let list = row[key].as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .map(|reference| Reference {
            name: text(reference, "name").to_owned(),
            subject: text(reference, "subject").to_owned(),
            version: reference["version"].as_i64().unwrap().try_into().unwrap(),
        })
        .collect()
}

fn strings(list: &Value) -> Vec<String> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|item| item.as_str().unwrap().to_owned()).collect()
}

fn sorted(list: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut list: Vec<String> = list.into_iter().collect();
    list.sort();
    list
}

fn shown(differences: &[Difference]) -> Vec<String> {
    sorted(differences.iter().map(|one| format!("{} {}", one.kind, one.path)))
}

#[test]
fn compatibility_of_pairs() {
    let Some(rows) = vectors("protobuf-compat.jsonl") else { return };
    check_all("protobuf-compat.jsonl", &rows, |row| {
        let read = |key, references| {
            let schema = read(row, key, references).map_err(|error| error.to_string())?;
            Ok::<_, String>(schema.with_references(&targets(row, references)))
        };
        let (reader, writer) = (read("reader", "references")?, read("writer", "writer_references")?);
        let found = compatibility(&reader, &writer);
        same("compatible", &found.is_empty(), &row["backward_compatible"].as_bool().unwrap())?;
        same("incompatibilities", &shown(&found), &sorted(strings(&row["incompatibilities"])))?;
        let messages = sorted(found.iter().map(|one| one.message("%s", "%s")));
        same("messages", &messages, &sorted(strings(&row["messages"])))?;
        let (Schema::Protobuf(reader), Schema::Protobuf(writer)) = (&reader, &writer) else {
            return Err("no Protobuf".to_owned());
        };
        let all = reader.differences_from(writer, Rules::Newest, Report::All);
        same("differences", &shown(&all), &sorted(strings(&row["differences"])))?;
        let older = row.get("v8_1_1").unwrap_or(row);
        let all = reader.differences_from(writer, Rules::V8_1_1, Report::All);
        same("older differences", &shown(&all), &sorted(strings(&older["differences"])))?;
        let found = reader.differences_from(writer, Rules::V8_1_1, Report::Incompatible);
        same("older verdict", &found.is_empty(), &older["backward_compatible"].as_bool().unwrap())?;
        same("older incompatibilities", &shown(&found), &sorted(strings(&older["incompatibilities"])))
    });
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
