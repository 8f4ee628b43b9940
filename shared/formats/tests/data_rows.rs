//! Every rule by at least one case of our own; the cases are the rows of `tests/data`.

#![allow(clippy::unwrap_used, reason = "tests")]

use registrar_formats::json_text::{Dialect, Json, KeyOrder};
use registrar_formats::{NamedText, Schema, SchemaError, Strictness, compatibility, parse};
use registrar_model::SchemaType;

/// Runs `check` on the columns of every row and fails with all rows that do not hold.
fn each_row(data: &str, check: impl Fn(&[&str]) -> Result<(), String>) {
    let rows: Vec<Vec<&str>> =
        data.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    let failures: Vec<String> = rows
        .iter()
        .filter_map(|row| check(&row[1..]).err().map(|difference| format!("{}: {difference}", row[0])))
        .collect();
    assert!(!rows.is_empty());
    assert!(failures.is_empty(), "{} rows:\n{}", failures.len(), failures.join("\n"));
}

fn same(what: &str, actual: &str, expected: &str) -> Result<(), String> {
    if actual == expected {
        return Ok(());
    }
    Err(format!("{what}\n  is       {actual}\n  expected {expected}"))
}

/// A column, where `=` repeats the one before.
fn column<'a>(row: &[&'a str], index: usize) -> &'a str {
    match row[index] {
        "=" => column(row, index - 1),
        text => text,
    }
}

fn new_schema(text: &str, references: &[NamedText]) -> Result<Schema, String> {
    parse(SchemaType::Avro, text, references, Strictness::New).map_err(|error| error.to_string())
}

fn check_normalized(schema: &Schema, expected: &str) -> Result<(), String> {
    match (schema.normalized(), expected) {
        (Ok(normalized), "!") => Err(format!("normalizes to {}", normalized.text())),
        (Err(_), "!") => Ok(()),
        (Ok(normalized), _) => same("normalized", normalized.text(), expected),
        (Err(error), _) => Err(format!("normalizing: {error}")),
    }
}

#[test]
fn avro_texts() {
    each_row(include_str!("data/avro_texts.tsv"), |row| {
        let schema = new_schema(row[0], &[])?;
        same("stored", schema.text(), column(row, 1))?;
        check_normalized(&schema, column(row, 2))?;
        let again = new_schema(schema.text(), &[])?;
        same("equality text of the stored text", &again.equality_text(), &schema.equality_text())
    });
}

#[test]
fn avro_references() {
    each_row(include_str!("data/avro_references.tsv"), |row| {
        let references: Vec<NamedText> = row[0]
            .split(" ;; ")
            .enumerate()
            .map(|(index, text)| NamedText { name: format!("reference {index}"), text: text.to_owned() })
            .collect();
        let schema = new_schema(row[1], &references)?;
        same("stored", schema.text(), column(row, 2))?;
        check_normalized(&schema, column(row, 3))?;
        same("resolved", &schema.formatted("Resolved"), column(row, 4))?;
        same("another format", &schema.formatted("native"), schema.text())?;
        let inlined = new_schema(&schema.formatted("resolved"), &[])?;
        same("equality text of the resolved text", &inlined.equality_text(), &schema.equality_text())
    });
}

#[test]
fn avro_validity() {
    each_row(include_str!("data/avro_validity.tsv"), |row| {
        for (strictness, expected) in [(Strictness::New, row[1]), (Strictness::Existing, row[2])] {
            let outcome = parse(SchemaType::Avro, row[0], &[], strictness);
            let message = outcome.as_ref().map_or_else(SchemaError::message, |_| "ok");
            if !message.contains(expected) || (message == "ok") != (expected == "ok") {
                return Err(format!("{strictness:?}\n  is       {message}\n  expected {expected}"));
            }
        }
        Ok(())
    });
}

#[test]
fn avro_compatibility() {
    each_row(include_str!("data/avro_compat.tsv"), |row| {
        let differences = compatibility(&new_schema(row[0], &[])?, &new_schema(row[1], &[])?);
        let found: Vec<String> =
            differences.iter().map(|one| format!("{} | {} | {}", one.kind, one.path, one.info)).collect();
        same("differences", &found.join("\n"), &row[2..].join("\n"))
    });
}

#[test]
fn avro_equality() {
    each_row(include_str!("data/avro_equality.tsv"), |row| {
        let equal = new_schema(row[0], &[])?.equality_text() == new_schema(row[1], &[])?.equality_text();
        same("equal", if equal { "yes" } else { "no" }, row[2])
    });
}

#[test]
fn json_texts() {
    each_row(include_str!("data/json_text.tsv"), |row| {
        let dialect = Dialect { comments: row[0] == "+", non_finite: row[0] == "+" };
        let outcome = Json::parse(row[1], dialect).map(|json| json.root().to_text(KeyOrder::Kept));
        match (outcome, row[2].strip_prefix("! ")) {
            (Ok(written), None) => same("written", &written, row[2]),
            (Err(error), Some(expected)) if error.to_string().contains(expected) => Ok(()),
            (outcome, _) => Err(format!("{outcome:?}")),
        }
    });
}

#[test]
fn messages() {
    let reader = r#"{"type":"record","name":"R","fields":[
        {"name":"a","type":"int"},
        {"name":"b","type":"int"},
        {"name":"c","type":["null"]},
        {"name":"d","type":{"type":"fixed","name":"F","size":1}},
        {"name":"e","type":{"type":"enum","name":"E","symbols":["A"]}}]}"#;
    let writer = r#"{"type":"record","name":"S","fields":[
        {"name":"b","type":"string"},
        {"name":"c","type":"int"},
        {"name":"d","type":{"type":"fixed","name":"F","size":2}},
        {"name":"e","type":{"type":"enum","name":"E","symbols":["A","B"]}}]}"#;
    let differences = compatibility(&new_schema(reader, &[]).unwrap(), &new_schema(writer, &[]).unwrap());
    let messages: Vec<String> = differences.iter().map(|one| one.message("new", "old")).collect();
    let expected = [
        "{errorType:'NAME_MISMATCH', description:'The name of the schema has changed (path '/name')', \
         additionalInfo:'expected: S'}",
        "{errorType:'READER_FIELD_MISSING_DEFAULT_VALUE', description:'The field 'a' at path '/fields/0' in the new \
         schema has no default value and is missing in the old schema', additionalInfo:'a'}",
        "{errorType:'TYPE_MISMATCH', description:'The type (path '/fields/1/type') of a field in the new schema does \
         not match with the old schema', additionalInfo:'reader type: INT not compatible with writer type: STRING'}",
        "{errorType:'MISSING_UNION_BRANCH', description:'The new schema is missing a type inside a union field at \
         path '/fields/2/type' in the old schema', additionalInfo:'reader union lacking writer type: INT'}",
        "{errorType:'FIXED_SIZE_MISMATCH', description:'The size of FIXED type field at path '/fields/3/type/size' in \
         the new schema does not match with the old schema', additionalInfo:'expected: 2, found: 1'}",
        "{errorType:'MISSING_ENUM_SYMBOLS', description:'The new schema is missing enum symbols '[B]' at path \
         '/fields/4/type/symbols' in the old schema', additionalInfo:'[B]'}",
    ];
    assert_eq!(messages, expected);
}

#[test]
fn the_message_of_an_exception() {
    let reader = r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int","aliases":["b"]}]}"#;
    let writer = r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"},{"name":"b","type":"int"}]}"#;
    let differences = compatibility(&new_schema(reader, &[]).unwrap(), &new_schema(writer, &[]).unwrap());
    assert_eq!(differences.len(), 1);
    let expected = format!(
        "Unexpected exception during compatibility check: Reader record field a type:INT pos:0 matches multiple fields \
         in writer record schema {writer}"
    );
    assert_eq!(differences[0].message("new", "old"), expected);
}

#[test]
fn a_reference_that_does_not_parse_is_named() {
    let references = [NamedText { name: "r.E".to_owned(), text: "\"Missing\"".to_owned() }];
    let error = parse(SchemaType::Avro, "\"int\"", &references, Strictness::New).unwrap_err();
    assert_eq!(error.message(), "Undefined schema: Missing (at /), in the reference r.E");
}

#[test]
fn comments_end_with_their_line() {
    let schema = new_schema("// a\n{\"type\": // b\r\n\"int\"}\n\n", &[]).unwrap();
    assert_eq!(schema.text(), "\"int\"");
}

/// The dot says "no namespace"; Java does not store it, so that the alias is another when it is read again.
#[test]
fn an_alias_without_namespace_is_stored_with_its_dot() {
    let schema = new_schema(r#"{"type":"fixed","name":"n.F","size":1,"aliases":[".G","G",".int","A"]}"#, &[]).unwrap();
    assert_eq!(
        schema.text(),
        r#"{"type":"fixed","name":"F","namespace":"n","size":1,"aliases":[".G","G",".int","A"]}"#
    );
    let again = new_schema(schema.text(), &[]).unwrap();
    assert_eq!((again.text(), again.equality_text()), (schema.text(), schema.equality_text()));
    let normalized = schema.normalized().unwrap();
    assert_eq!(
        normalized.text(),
        r#"{"type":"fixed","name":"F","namespace":"n","size":1,"aliases":[".G",".int","A","G"]}"#
    );
}

#[test]
fn fields_at_the_top() {
    let record = r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"},{"name":"b","type":"int"}]}"#;
    assert_eq!(new_schema(record, &[]).unwrap().top_level_fields(), ["a", "b"]);
    assert!(new_schema("\"int\"", &[]).unwrap().top_level_fields().is_empty());
}

/// Stored hashes depend on it: a change here is a change of stored data.
#[test]
fn the_shape_of_the_equality_text() {
    let text = r#"{"type":"record","name":"n.R","aliases":["B","A"],"doc":"d","z":1,"a":2.50,"fields":[
        {"name":"e","type":{"type":"enum","name":"E","symbols":["S"],"default":"S"},"default":"S","doc":"f"},
        {"name":"f","type":{"type":"fixed","name":"F","size":2},"aliases":["g"]},
        {"name":"u","type":["null","R",{"type":"array","items":{"type":"map","values":"E"}}],"order":"ignore","p":{"y":1,"x":2}}]}"#;
    let expected = concat!(
        r#"{"type":"record","name":"n.R","doc":"d","aliases":["n.A","n.B"],"fields":["#,
        r#"{"name":"e","type":{"type":"enum","name":"n.E","symbols":["S"],"default":"S"},"#,
        r#""order":"ascending","doc":"f","default":"S"},"#,
        r#"{"name":"f","type":{"type":"fixed","name":"n.F","size":2},"order":"ascending","aliases":["g"]},"#,
        r#"{"name":"u","type":[{"type":"null"},"n.R",{"type":"array","of":{"type":"map","of":"n.E"}}],"#,
        r#""order":"ignore","props":{"p":{"x":2,"y":1}}}],"props":{"a":2.5,"z":1}}"#,
    );
    assert_eq!(new_schema(text, &[]).unwrap().equality_text(), expected);
}
