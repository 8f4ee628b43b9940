//! Protobuf: every rule by at least one case of our own; the cases are the rows of `tests/data`.

#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "common/rows.rs"]
mod rows;

use registrar_formats::protobuf::{ProtobufSchema, Report, Rules};
use registrar_formats::{NamedText, Schema, SchemaError, Strictness, parse};
use registrar_model::{Reference, SchemaType};
use rows::{column, each_row, same};

fn read(text: &str, references: &[NamedText]) -> Result<Schema, SchemaError> {
    parse(SchemaType::Protobuf, text, references, Strictness::New)
}

fn read_alone(text: &str) -> Result<Schema, String> {
    read(text, &[]).map_err(|error| error.to_string())
}

/// References as `NAME TEXT`, divided by ` ;; `.
fn references(column: &str) -> Vec<NamedText> {
    let parts = column.split(" ;; ").filter(|part| !part.is_empty());
    let named = parts.map(|part| part.split_once(' ').unwrap());
    named.map(|(name, text)| NamedText { name: name.to_owned(), text: text.to_owned() }).collect()
}

fn verdict(outcome: Result<(), SchemaError>) -> String {
    outcome.map_or_else(|error| error.to_string(), |()| "ok".to_owned())
}

#[test]
fn texts() {
    each_row(include_str!("data/protobuf_texts.tsv"), |row| {
        let schema = read_alone(&row[0])?;
        same("stored", schema.text(), column(row, 1))?;
        let normalized = schema.normalized().map_err(|error| error.to_string())?;
        same("normalized", normalized.text(), column(row, 2))?;
        same("stored again", read_alone(schema.text())?.text(), schema.text())?;
        same("equality text", &schema.equality_text(), schema.text())?;
        let again = read_alone(normalized.text())?.normalized().map_err(|error| error.to_string())?;
        // The line of an empty oneof or extend is gone the second time.
        let lines = |text: &str| text.split('\n').filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
        same("normalized again", &lines(again.text()), &lines(normalized.text()))
    });
}

#[test]
fn validity() {
    each_row(include_str!("data/protobuf_validity.tsv"), |row| {
        let schema = read(&row[0], &[]);
        let validate = |strict| verdict(schema.clone().and_then(|schema| schema.validate(strict)));
        same("verdict", &validate(false), column(row, 1))?;
        same("strict verdict", &validate(true), column(row, 2))
    });
}

#[test]
fn imports() {
    each_row(include_str!("data/protobuf_references.tsv"), |row| {
        let schema = read(&row[1], &references(&row[0]));
        let validate = |strict| verdict(schema.clone().and_then(|schema| schema.validate(strict)));
        same("verdict", &validate(false), column(row, 2))?;
        same("strict verdict", &validate(true), column(row, 3))?;
        let normalized = schema.and_then(|schema| schema.normalized());
        let text = normalized.as_ref().map_or("!", Schema::text);
        same("normalized", text, column(row, 4))
    });
}

#[test]
fn descriptors() {
    each_row(include_str!("data/protobuf_descriptors.tsv"), |row| {
        let serialized = read_alone(&row[0])?.formatted("Serialized");
        let schema = read_alone(&serialized)?;
        same("text of the descriptor", schema.text(), &row[1])?;
        same(
            "the descriptor of that text",
            &schema.formatted("serialized"),
            &read_alone(&row[1])?.formatted("serialized"),
        )
    });
}

#[test]
fn without_extensions() {
    each_row(include_str!("data/protobuf_without_extensions.tsv"), |row| {
        let schema = read_alone(&row[0])?;
        same("without extensions", &schema.formatted("IGNORE_extensions"), &row[1])?;
        same("another format", &schema.formatted("native"), schema.text())
    });
}

fn differences(reader: &ProtobufSchema, writer: &ProtobufSchema, rules: Rules) -> String {
    let mut found: Vec<String> = reader
        .differences_from(writer, rules, Report::All)
        .iter()
        .map(|one| format!("{} {}", one.kind, one.path))
        .collect();
    found.sort();
    if found.is_empty() { "none".to_owned() } else { found.join(" ; ") }
}

#[test]
fn compatibility() {
    each_row(include_str!("data/protobuf_compat.tsv"), |row| {
        let (Schema::Protobuf(reader), Schema::Protobuf(writer)) = (read_alone(&row[0])?, read_alone(&row[1])?) else {
            return Err("no Protobuf".to_owned());
        };
        same("differences", &differences(&reader, &writer, Rules::Newest), column(row, 2))?;
        same("older differences", &differences(&reader, &writer, Rules::V8_1_1), column(row, 3))
    });
}

#[test]
fn compatibility_across_references() {
    each_row(include_str!("data/protobuf_compat_references.tsv"), |row| {
        let side = |at: usize| {
            let targets: Vec<Reference> = references(&row[at])
                .into_iter()
                .map(|named| {
                    // A name such as `o.proto@2` is that of version 2 of the subject `o.proto`.
                    let (name, version) = named.name.split_once('@').unwrap();
                    Reference { name: name.to_owned(), subject: name.to_owned(), version: version.parse().unwrap() }
                })
                .collect();
            let mut references = references(&row[at]);
            for named in &mut references {
                named.name.truncate(named.name.find('@').unwrap());
            }
            match read(&row[at + 1], &references).map(|schema| schema.with_references(&targets)) {
                Ok(Schema::Protobuf(schema)) => Ok(schema),
                other => Err(format!("{other:?}")),
            }
        };
        same("differences", &differences(&side(0)?, &side(2)?, Rules::Newest), &row[4])
    });
}

#[test]
fn messages() {
    let reader = "syntax = \"proto2\"; package n; message R { required int32 a = 1; optional string s = 3; \
                  optional Q q = 4; optional sint32 k = 5; repeated int32 l = 6; oneof o { int32 x = 7; int32 y = 8; } \
                  oneof p { int32 z = 9; int32 w = 10; int32 v = 12; } } message Q {}";
    let writer = "syntax = \"proto2\"; package o; message R { required int32 b = 2; optional Q s = 3; \
                  optional R q = 4; optional int32 k = 5; optional int32 l = 6; optional int32 x = 7; \
                  optional int32 y = 8; optional int32 z = 9; oneof q { int32 w = 10; int32 u = 11; } } message Q {} \
                  message Gone {}";
    let (reader, writer) = (read_alone(reader).unwrap(), read_alone(writer).unwrap());
    let found = registrar_formats::compatibility(&reader, &writer);
    let messages: Vec<String> = found.iter().map(|one| one.message("new", "old")).collect();
    let expected = [
        "{errorType:\"PACKAGE_CHANGED\", description:\"The package at '#/' in the new schema does not match the package \
         in the old schema\"}",
        "{errorType:\"MESSAGE_REMOVED\", description:\"The new schema is missing a MESSAGE type at path '#/Gone' in the \
         old schema\"}",
        "{errorType:\"MULTIPLE_FIELDS_MOVED_TO_ONEOF\", description:\"Multiple fields in the oneof at path '#/R/o' in \
         the new schema are outside a oneof in the old schema\"}",
        "{errorType:\"FIELD_MOVED_TO_EXISTING_ONEOF\", description:\"A field in the oneof at path '#/R/p' in the new \
         schema is outside an existing oneof in the old schema\"}",
        "{errorType:\"REQUIRED_FIELD_ADDED\", description:\"A required field  at path '#/R/1' in the new schema is \
         missing in the old schema\"}",
        "{errorType:\"REQUIRED_FIELD_REMOVED\", description:\"The new schema is missing a required field at path: \
         '#/R/2' in the old schema\"}",
        "{errorType:\"FIELD_KIND_CHANGED\", description:\"The type of a field at path '#/R/3' in the new schema does \
         not match the old schema\"}",
        "{errorType:\"FIELD_NAMED_TYPE_CHANGED\", description:\"The type of a MESSAGE field at path '#/R/4' in the new \
         schema does not match its type in the old schema\"}",
        "{errorType:\"FIELD_SCALAR_KIND_CHANGED\", description:\"The kind of a SCALAR field at path '#/R/5' in the new \
         schema does not match its kind in the old schema\"}",
        "{errorType:\"FIELD_NUMERIC_LABEL_CHANGED\", description:\"The label for a NUMERIC field at path '#/R/6' in the \
         new schema does not match its label in the old schema\"}",
        "{errorType:\"ONEOF_FIELD_REMOVED\", description:\"The new schema is missing a oneof field at path '#/R/q/11' \
         in the old schema\"}",
    ];
    assert_eq!(messages, expected);
}

#[test]
fn the_fields_at_the_top() {
    let schema = read_alone(
        "syntax = \"proto3\"; message A { int32 a = 1; oneof o { int32 b = 2; } message B { int32 c = 1; } } enum E { X = 0; } \
         message C { int32 d = 1; }",
    );
    let schema = schema.unwrap();
    assert_eq!(schema.top_level_fields(), ["a", "d"]);
    assert_eq!(schema.schema_type(), SchemaType::Protobuf);
}

#[test]
fn base64_only_of_what_is_no_text() {
    // A descriptor in which only the name of the package is set, "ab": CgA= would be another.
    let schema = read_alone("EgJhYg==").unwrap();
    assert_eq!(schema.text(), "package ab;\n");
    // Java's decoder does not ask for padding, but for nothing else than base64.
    assert_eq!(read_alone("EgJhYg").unwrap().text(), "package ab;\n");
    for text in ["EgJhYg==\n", " EgJhYg==", "EgJhYg=", "EgJh*g==", "Eg9hYg=="] {
        assert!(read_alone(text).unwrap_err().starts_with("Could not parse Protobuf - Syntax error"), "{text}");
    }
    // A text that can be both is text: it is empty here.
    assert_eq!(read_alone("").unwrap().text(), "");
}
