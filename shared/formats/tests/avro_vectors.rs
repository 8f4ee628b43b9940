//! Avro over the vectors of `../shared`, computed by the reference implementations.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{check_all, same, text, vectors};
use registrar_formats::{NamedText, Schema, SchemaError, Strictness, compatibility, parse};
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

fn read(row: &Value, key: &str, references_key: &str, strictness: Strictness) -> Result<Schema, SchemaError> {
    parse(SchemaType::Avro, text(row, key), &references(row, references_key), strictness)
}

fn strictness(row: &Value) -> Strictness {
    match row["validate_as_new"].as_bool() {
        Some(false) => Strictness::Existing,
        _ => Strictness::New,
    }
}

#[test]
fn canonical() {
    let Some(rows) = vectors("avro-canonical.jsonl") else { return };
    check_all("avro-canonical.jsonl", &rows, |row| {
        let schema = read(row, "input", "references", strictness(row)).map_err(|error| error.to_string())?;
        same("stored", &schema.text(), &text(row, "stored"))?;
        if let Some(resolved) = row["resolved"].as_str() {
            same("resolved", &schema.formatted("RESOLVED").as_str(), &resolved)?;
        }
        let normalized = schema.normalized();
        match row["normalized"].as_str() {
            Some(expected) => {
                let normalized = normalized.map_err(|error| format!("normalizing failed: {error}"))?;
                same("normalized", &normalized.text(), &expected)?;
            }
            None => same("normalizing fails", &normalized.is_err(), &true)?,
        }
        // What is stored is read back without change.
        let stored = parse(SchemaType::Avro, schema.text(), &references(row, "references"), Strictness::Existing)
            .map_err(|error| format!("stored text: {error}"))?;
        same("equality text of the stored text", &stored.equality_text(), &schema.equality_text())
    });
}

#[test]
fn compatibility_of_pairs() {
    let Some(rows) = vectors("avro-compat.jsonl") else { return };
    check_all("avro-compat.jsonl", &rows, |row| {
        let reader = read(row, "reader", "references", Strictness::Existing).map_err(|error| error.to_string())?;
        let writer =
            read(row, "writer", "writer_references", Strictness::Existing).map_err(|error| error.to_string())?;
        let differences = compatibility(&reader, &writer);
        same("compatible", &differences.is_empty(), &row["backward_compatible"].as_bool().unwrap())?;
        let messages = sorted(differences.iter().map(|difference| difference.message("%s", "%s")).collect());
        same("messages", &messages, &sorted(strings(&row["messages"])))?;
        if row.get("exception").is_some() {
            return Ok(());
        }
        let kinds = sorted(differences.iter().map(|difference| difference.kind.to_owned()).collect());
        same("types", &kinds, &sorted(strings(&row["incompatibilities"])))?;
        let details = differences.iter().map(|one| format!("{} {} {}", one.kind, one.path, one.info)).collect();
        let expected = row["details"].as_array().unwrap();
        let expected = expected
            .iter()
            .map(|one| format!("{} {} {}", text(one, "type"), text(one, "path"), text(one, "message")))
            .collect();
        same("details", &sorted(details), &sorted(expected))
    });
}

#[test]
fn validity() {
    let Some(rows) = vectors("avro-protobuf-validity.jsonl") else { return };
    let rows: Vec<Value> = rows.into_iter().filter(|row| row["type"] == "AVRO").collect();
    check_all("avro-protobuf-validity.jsonl", &rows, |row| {
        let schema = read(row, "input", "references", strictness(row));
        let verdict = schema.as_ref().map(Schema::text).map_err(SchemaError::message);
        match row["valid"].as_bool() {
            Some(true) => same("stored", &verdict, &Ok(text(row, "stored"))),
            _ => same("refused", &verdict.is_err(), &true),
        }
    });
}

fn strings(list: &Value) -> Vec<String> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|item| item.as_str().unwrap().to_owned()).collect()
}

fn sorted(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list
}
