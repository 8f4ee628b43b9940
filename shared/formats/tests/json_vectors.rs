//! JSON Schema over the vectors of `../shared`, computed by the reference implementations.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::collections::HashMap;

use common::{check_all, lines, same, specification, text, vectors};
use registrar_formats::json_text::{Dialect, Json, KeyOrder};
use registrar_formats::{Difference, NamedText, Schema, SchemaError, Strictness, compatibility_with, parse};
use registrar_model::{Policy, SchemaType};
use serde_json::Value;

fn read(text: &str, references: &[NamedText]) -> Result<Schema, SchemaError> {
    parse(SchemaType::Json, text, references, Strictness::New)
}

fn references(row: &Value) -> Vec<NamedText> {
    let list = row["references"].as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .map(|one| NamedText { name: text(one, "name").to_owned(), text: text(one, "schema").to_owned() })
        .collect()
}

#[test]
fn canonical() {
    let Some(rows) = vectors("json-canonical.jsonl") else { return };
    check_all("json-canonical.jsonl", &rows, |row| {
        let references = references(row);
        let strictness = if row["registrable"] == true { Strictness::New } else { Strictness::Existing };
        let schema =
            parse(SchemaType::Json, text(row, "input"), &references, strictness).map_err(|error| error.to_string())?;
        same("stored", &schema.text(), &text(row, "stored"))?;
        let normalized = schema.normalized().map_err(|error| error.to_string())?;
        same("normalized", &normalized.text(), &text(row, "normalized"))?;
        let again =
            parse(SchemaType::Json, schema.text(), &references, strictness).map_err(|error| error.to_string())?;
        same("stored text of the stored text", &again.equality_text(), &schema.equality_text())
    });
}

#[test]
fn validity() {
    let Some(rows) = vectors("json-validity.jsonl") else { return };
    check_all("json-validity.jsonl", &rows, |row| {
        let schema = read(text(row, "input"), &references(row));
        let verdict = |ok: bool| if ok { "accept" } else { "reject" };
        let message = schema.as_ref().err().map(ToString::to_string);
        same(&format!("verdict ({message:?})"), &verdict(schema.is_ok()), &text(row, "expect"))?;
        match (schema, row["expect_with_validateFields"].as_str()) {
            (Ok(schema), Some(expected)) => same("strict", &verdict(schema.validate(true).is_ok()), &expected),
            _ => Ok(()),
        }
    });
}

#[test]
fn tags() {
    let Some(rows) = vectors("json-tags.jsonl") else { return };
    check_all("json-tags.jsonl", &rows, |row| {
        let Schema::Json(schema) = read(text(row, "input"), &[]).map_err(|error| error.to_string())? else {
            unreachable!()
        };
        let strings = |list: &Value| -> Vec<String> {
            list.as_array().unwrap().iter().map(|one| one.as_str().unwrap().to_owned()).collect()
        };
        let inline = schema.inline_tags().map_err(|error| error.to_string())?;
        same("inline tags", &inline, &strings(&row["inlineTags"]))?;
        let entities = schema.tagged_entities().map_err(|error| error.to_string())?;
        let found = entities.iter().map(|one| format!("{} {} {:?}", one.kind.name(), one.path, one.tags)).collect();
        let expected = row["taggedEntities"].as_array().unwrap();
        let expected = expected
            .iter()
            .map(|one| format!("{} {} {:?}", text(one, "type"), text(one, "path"), strings(&one["tags"])))
            .collect();
        same("entities", &sorted(found), &sorted(expected))
    });
}

/// The messages of all types of differences, and that our own rows leave none out.
#[test]
fn types_of_differences() {
    let Some(types) = specification("json-diff-types.json") else { return };
    let rows = include_str!("data/json_compat.tsv");
    for row in types.as_array().unwrap() {
        let kind: &'static str = text(row, "type").to_owned().leak();
        if row["emitted_by_schema_diff"] == false {
            continue;
        }
        assert!(rows.contains(&format!("\t{kind} #/")), "{kind} has no row");
        if row["strict_compatible"] == false {
            let difference = Difference { kind, path: "<path>".to_owned(), info: String::new() };
            assert_eq!(difference.message("%s", "%s"), text(row, "message_template"));
        }
    }
}

/// The two schemas of a row with their references, from the text of the line.
fn pair(line: &str) -> Result<(Schema, Schema), String> {
    let row = Json::parse(line, Dialect::default()).unwrap();
    let read_side = |side: &str| {
        let text = row.root().get(side).unwrap().to_text(KeyOrder::Kept);
        let references: Vec<NamedText> = row
            .root()
            .get("references")
            .unwrap()
            .items()
            .filter(|one| one.get("applies_to").unwrap().as_str() == Some(side))
            .map(|one| NamedText {
                name: one.get("name").unwrap().as_str().unwrap().to_owned(),
                text: one.get("schema").unwrap().to_text(KeyOrder::Kept),
            })
            .collect();
        read(&text, &references).map_err(|error| format!("{side}: {error}"))
    };
    Ok((read_side("original")?, read_side("update")?))
}

#[test]
fn compatibility_of_pairs() {
    let Some(lines) = lines("json-compat.jsonl") else { return };
    let rows: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let by_id: HashMap<&str, &String> = rows.iter().map(|row| text(row, "id")).zip(&lines).collect();
    check_all("json-compat.jsonl", &rows, |row| {
        let (original, update) = pair(by_id[text(row, "id")])?;
        let with_paths = row["unstable_paths"] != true;
        for policy in [Policy::Strict, Policy::Lenient] {
            let lenient = policy == Policy::Lenient;
            let (key, list) = match lenient {
                true if row.get("differences_lenient").is_some() => {
                    ("backward_compatible_lenient", "differences_lenient")
                }
                true => ("backward_compatible_lenient", "differences"),
                false => ("backward_compatible", "differences"),
            };
            let incompatible =
                compatibility_with(policy, registrar_formats::ProtobufRules::default(), &update, &original);
            same(&format!("{policy:?}"), &incompatible.is_empty(), &row[key].as_bool().unwrap())?;
            let (Schema::Json(new), Schema::Json(old)) = (&update, &original) else { unreachable!() };
            let all = new.all_differences_from(old, policy);
            same(&format!("differences {policy:?}"), &found(&all, with_paths), &expected(&row[list], with_paths))?;
            if let (Policy::Strict, true, Some(messages)) = (policy, with_paths, row["messages"].as_array()) {
                let expected = messages.iter().map(|one| one.as_str().unwrap().to_owned()).collect();
                let messages = incompatible.iter().map(|one| one.message("%s", "%s")).collect();
                same("messages", &sorted(messages), &sorted(expected))?;
            }
        }
        Ok(())
    });
}

fn found(differences: &[Difference], with_paths: bool) -> Vec<String> {
    let print = |one: &Difference| format!("{} {}", one.kind, if with_paths { one.path.as_str() } else { "" });
    sorted(differences.iter().map(print).collect())
}

fn expected(differences: &Value, with_paths: bool) -> Vec<String> {
    let print = |one: &Value| {
        let path = if with_paths { text(one, "path") } else { "" };
        format!("{} {path}", text(one, "type"))
    };
    sorted(differences.as_array().unwrap().iter().map(print).collect())
}

fn sorted(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list
}
