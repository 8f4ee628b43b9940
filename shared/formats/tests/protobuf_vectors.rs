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
        same("not strict", &schema.validate(false), &Ok(()))?;
        let strict = schema.validate(true).map_err(|error| error.to_string());
        same("builds descriptors", &strict.is_ok(), &row["builds_descriptor"].as_bool().unwrap())?;
        if let Some(expected) = row["descriptor_error"].as_str() {
            same("what is wrong with descriptors", &strict, &Err(without_class(expected)))?;
        }
        // What is stored is read back without change.
        let again = read_text(schema.text(), row)?;
        same("stored text of the stored text", &again.text(), &schema.text())?;
        same("equality text", &again.equality_text(), &schema.equality_text())?;
        read_text(normalized.text(), row).map(|_| ())
    });
}

fn read_text(text: &str, row: &Value) -> Result<Schema, String> {
    parse(SchemaType::Protobuf, text, &references(row, "references"), Strictness::Existing)
        .map_err(|error| error.to_string())
}

/// A message without the class of the exception that it is of.
fn without_class(message: &str) -> String {
    message.split_once(": ").map_or(message, |(_, message)| message).to_owned()
}

#[test]
fn validity() {
    let Some(rows) = vectors("avro-protobuf-validity.jsonl") else { return };
    let rows: Vec<Value> = rows.into_iter().filter(|row| row["type"] == "PROTOBUF").collect();
    check_all("avro-protobuf-validity.jsonl", &rows, |row| {
        let schema = read(row, "input", "references");
        let verdict = schema.as_ref().map_err(Clone::clone).and_then(|schema| schema.validate(false));
        if row["valid"] == true {
            same("verdict", &verdict, &Ok(()))?;
            let schema = schema.map_err(|error| error.to_string())?;
            same("stored", &schema.text(), &text(row, "stored"))?;
            let expected = row["strict_validate_fields_would_reject"].as_str().map(without_class);
            let strict = schema.validate(true).map_err(|error| error.to_string());
            return same("strict", &strict.err(), &expected);
        }
        // What is empty is refused before it is read.
        let refused = if row["stage"] == "empty" { verdict.is_ok() } else { verdict.is_err() };
        same("refused", &refused, &true)?;
        if row["stage"] == "empty" {
            return Ok(());
        }
        let parsed = if row["stage"] == "parse" { schema.is_err() } else { true };
        same("refused when it is read", &parsed, &true)?;
        let message = verdict.map_err(|error| error.to_string());
        same("message", &message, &Err(without_class(text(row, "detail"))))
    });
}
