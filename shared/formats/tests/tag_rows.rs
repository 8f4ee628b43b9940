//! Tags of Avro and Protobuf, found and changed; the cases are the rows of `tests/data`. Those of JSON Schema are in
//! `json_rows.rs`, since their paths follow other rules.

#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "common/rows.rs"]
mod rows;

use registrar_formats::{EntityKind, NamedText, Schema, Strictness, TagEdit, parse};
use registrar_model::SchemaType;
use rows::{column, each_row, same};

fn read(schema_type: SchemaType, text: &str, references: &[NamedText]) -> Result<Schema, String> {
    parse(schema_type, text, references, Strictness::New).map_err(|error| error.to_string())
}

/// The columns: a text, its tags, then what is tagged.
fn check_entities(schema_type: SchemaType, row: &[String]) -> Result<(), String> {
    let schema = read(schema_type, &row[0], &[])?;
    let inline = schema.inline_tags();
    if row[1] == "!" {
        return inline.map_or(Ok(()), |tags| Err(format!("{tags:?}")));
    }
    same("inline", &inline.map_err(|error| error.to_string())?.join(" "), &row[1])?;
    let entities = schema.tagged_entities().map_err(|error| error.to_string())?;
    let found: Vec<String> =
        entities.iter().map(|one| format!("{} {} {}", one.kind.name(), one.path, one.tags.join(","))).collect();
    same("entities", &found.join("\n"), &row[2..].join("\n"))
}

fn edit(words: &str) -> TagEdit {
    let list = |text: &str| text.split(',').filter(|tag| !tag.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let words: Vec<&str> = words.split(' ').collect();
    let kind = EntityKind::ALL.into_iter().find(|kind| kind.name() == words[0]).unwrap();
    let (add, remove) = words[2].split_once('-').unwrap_or((words[2], ""));
    let add = list(add.trim_start_matches('+'));
    TagEdit { path: words[1].to_owned(), kind, add, remove: list(remove) }
}

/// The columns: a text, edits, then the text that comes of it, or `!` and the message.
fn check_edits(schema_type: SchemaType, row: &[String]) -> Result<(), String> {
    let schema = read(schema_type, &row[0], &[])?;
    let edits: Vec<TagEdit> = row[1..row.len() - 1].iter().map(|words| edit(words)).collect();
    let expected = column(row, row.len() - 1);
    match (schema.with_tags(&edits), expected.strip_prefix('!')) {
        (Ok(changed), None) => {
            same("text", changed.text(), expected)?;
            same("stored again", read(schema_type, changed.text(), &[])?.text(), expected)?;
            changed.validate(true).map_err(|error| error.to_string())
        }
        (Err(error), Some(expected)) => same("error", error.message(), expected),
        (outcome, _) => Err(format!("{outcome:?}")),
    }
}

#[test]
fn avro_entities() {
    each_row(include_str!("data/avro_tags.tsv"), |row| check_entities(SchemaType::Avro, row));
}

#[test]
fn avro_edits() {
    each_row(include_str!("data/avro_tag_edits.tsv"), |row| check_edits(SchemaType::Avro, row));
}

#[test]
fn protobuf_entities() {
    each_row(include_str!("data/protobuf_tags.tsv"), |row| check_entities(SchemaType::Protobuf, row));
}

#[test]
fn protobuf_edits() {
    each_row(include_str!("data/protobuf_tag_edits.tsv"), |row| check_edits(SchemaType::Protobuf, row));
}

#[test]
fn records_of_references_are_found_but_not_changed() {
    let text =
        r#"{"type":"record","name":"R","namespace":"n","fields":[{"name":"a","type":"int","confluent:tags":["T"]}]}"#;
    let references = [NamedText { name: "r".to_owned(), text: text.to_owned() }];
    let schema = read(SchemaType::Avro, r#"{"type":"array","items":"n.R"}"#, &references).unwrap();
    assert_eq!(schema.tagged_entities().unwrap()[0].path, "n.R.a");
    assert_eq!(schema.inline_tags().unwrap(), [""; 0]);
    let error = schema.with_tags(&[edit("sr_field n.R.a -T")]).unwrap_err();
    assert_eq!(error.message(), "No matching path 'n.R.a' found in the schema");
}

#[test]
fn a_namespace_with_a_dot_first() {
    let text = r#"{"type":"record","name":"A","namespace":".n","fields":[{"name":"x","type":"int"}]}"#;
    let schema = parse(SchemaType::Avro, text, &[], Strictness::Existing).unwrap();
    let changed = schema.with_tags(&[edit("sr_field .n.A.x +T")]).unwrap();
    assert_eq!(changed.tagged_entities().unwrap()[0].path, ".n.A.x");
}

#[test]
fn references_stay_with_the_schema() {
    let references = [NamedText { name: "r.proto".to_owned(), text: "message R {}".to_owned() }];
    let text = "import \"r.proto\"; message A { optional R r = 1; }";
    let schema = read(SchemaType::Protobuf, text, &references).unwrap();
    let changed = schema.with_tags(&[edit("sr_record A +T")]).unwrap();
    changed.validate(true).unwrap();
    assert_eq!(changed.tagged_entities().unwrap()[0].path, ".A");
    let references =
        [NamedText { name: "r".to_owned(), text: r#"{"type":"enum","name":"E","symbols":[]}"#.to_owned() }];
    let text = r#"{"type":"record","name":"A","fields":[{"name":"e","type":"E"}]}"#;
    let changed = read(SchemaType::Avro, text, &references).unwrap().with_tags(&[edit("sr_field A.e +T")]).unwrap();
    assert_eq!(changed.text(), text.replace("\"E\"}", "\"E\",\"confluent:tags\":[\"T\"]}"));
}
