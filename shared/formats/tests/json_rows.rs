//! JSON Schema: every rule by at least one case of our own; the cases are the rows of `tests/data`.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

use std::collections::HashSet;

use registrar_formats::json::JsonSchema;
use registrar_formats::{
    Difference, EntityKind, NamedText, Schema, Strictness, TagEdit, compatibility, compatibility_with, parse,
};
use registrar_model::{Policy, SchemaType};

/// How many types of differences there are.
const TYPES: usize = 129;

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

fn new_schema(text: &str, references: &[NamedText]) -> Result<JsonSchema, String> {
    match parse(SchemaType::Json, text, references, Strictness::New) {
        Ok(Schema::Json(schema)) => Ok(schema),
        Ok(other) => Err(format!("{other:?}")),
        Err(error) => Err(error.to_string()),
    }
}

/// The schema with the `$schema` of a draft.
fn in_draft(draft: &str, text: &str) -> String {
    let uri = match draft {
        "-" => return text.to_owned(),
        "2019" | "2020" => {
            format!("https://json-schema.org/draft/{}/schema", if draft == "2019" { "2019-09" } else { "2020-12" })
        }
        _ => format!("http://json-schema.org/draft-0{draft}/schema#"),
    };
    let rest = text.strip_prefix('{').unwrap();
    let comma = if rest == "}" { "" } else { "," };
    format!("{{\"$schema\":\"{uri}\"{comma}{rest}")
}

/// Checks that a schema is accepted, or refused with a message, in each of the drafts.
fn check_verdict(drafts: &str, text: &str, references: &[NamedText], expected: &str) -> Result<(), String> {
    drafts.split(',').try_for_each(|draft| match new_schema(&in_draft(draft, text), references) {
        Ok(_) if expected == "ok" => Ok(()),
        Ok(_) => Err(format!("in {draft}: accepted, expected {expected}")),
        Err(message) if expected != "ok" && message.contains(expected) => Ok(()),
        Err(message) => Err(format!("in {draft}: {message}\n  expected {expected}")),
    })
}

#[test]
fn texts() {
    each_row(include_str!("data/json_texts.tsv"), |row| {
        let schema = new_schema(row[0], &[])?;
        same("stored", schema.text(), column(row, 1))?;
        let normalized = schema.normalized().map_err(|error| error.to_string())?;
        same("normalized", normalized.text(), column(row, 2))?;
        same("stored again", new_schema(schema.text(), &[])?.text(), schema.text())?;
        let schema = Schema::Json(schema);
        same("another format", &schema.formatted("resolved"), schema.text())?;
        same("equality text", &schema.equality_text(), schema.text())
    });
}

#[test]
fn validity() {
    each_row(include_str!("data/json_validity.tsv"), |row| {
        check_verdict(row[0], row[1].trim_start_matches('~'), &[], row[2])
    });
}

#[test]
fn references() {
    each_row(include_str!("data/json_references.tsv"), |row| {
        let references: Vec<NamedText> = row[1..row.len() - 2]
            .iter()
            .map(|one| one.split_once(" := ").unwrap())
            .map(|(name, text)| NamedText { name: name.to_owned(), text: text.to_owned() })
            .collect();
        check_verdict(row[0], row[row.len() - 2], &references, row[row.len() - 1])
    });
}

fn printed(differences: &[Difference]) -> String {
    differences.iter().map(|one| format!("{} {}", one.kind, one.path)).collect::<Vec<_>>().join("\n")
}

#[test]
fn differences() {
    each_row(include_str!("data/json_compat.tsv"), |row| {
        let (old, new) = (new_schema(row[0], &[])?, new_schema(column(row, 1), &[])?);
        let all = new.all_differences_from(&old, Policy::Strict);
        same("differences", &printed(&all), &row[3..].join("\n"))?;
        let (old, new) = (Schema::Json(old), Schema::Json(new));
        let strict = compatibility(&new, &old);
        let lenient = compatibility_with(Policy::Lenient, registrar_formats::ProtobufRules::default(), &new, &old);
        let verdict = match (strict.is_empty(), lenient.is_empty()) {
            (true, true) => "yes",
            (false, true) => "lenient",
            (false, false) => "no",
            (true, false) => "only strictly",
        };
        same("verdict", verdict, row[2])?;
        let listed: HashSet<String> = printed(&all).lines().map(str::to_owned).collect();
        match strict.iter().find(|one| !listed.contains(&printed(&[(*one).clone()]))) {
            Some(one) => Err(format!("{one:?} is not among all differences")),
            None => Ok(()),
        }
    });
}

/// How many rows there are, of which kinds, is printed.
#[test]
fn every_type_of_difference_has_a_row() {
    let rows = |data: &'static str| data.lines().filter(|line| !line.starts_with('#'));
    let compat = include_str!("data/json_compat.tsv");
    let types: HashSet<&str> = rows(compat)
        .flat_map(|line| line.split('\t').skip(4))
        .filter_map(|difference| difference.split(' ').next())
        .collect();
    let loading = rows(include_str!("data/json_validity.tsv")).chain(rows(include_str!("data/json_references.tsv")));
    let (good, bad): (Vec<&str>, Vec<&str>) = loading.partition(|line| line.ends_with("\tok"));
    println!(
        "own rows of JSON Schema: {} of pairs, with {} of {TYPES} types of differences; {} of loading, {} of them refused",
        rows(compat).count(),
        types.len(),
        good.len() + bad.len(),
        bad.len()
    );
    assert_eq!(types.len(), TYPES);
}

#[test]
fn messages() {
    let rows = [
        (
            r#"{"type":"string"}"#,
            r#"{"type":"null"}"#,
            "A type at path '#/' is different between the new schema and the old schema",
        ),
        ("{}", r#"{"type":"null"}"#, "A type at path '#/' is different between the new schema and the old schema"),
        (r#"{"type":"array"}"#, r#"{"type":"array","items":{}}"#, ""),
        (
            r#"{"maxLength":1}"#,
            r#"{"maxLength":0}"#,
            "The value at path '#/maxLength' in the new schema is less than its value in the old schema",
        ),
        (
            r#"{"minLength":0}"#,
            r#"{"minLength":1}"#,
            "The value at path '#/minLength' in the new schema is more than its value in the old schema",
        ),
        (
            r#"{"pattern":"a"}"#,
            r#"{"pattern":"b"}"#,
            "The value at path '#/pattern' is different between the new and old schema",
        ),
        (
            r#"{"type":"string"}"#,
            r#"{"pattern":"b"}"#,
            "The keyword at path '#/pattern' in the new schema is not present in the old schema",
        ),
        (
            r#"{"enum":[1,2]}"#,
            r#"{"enum":[1]}"#,
            "An array or combined type at path '#/enum' has fewer elements in the new schema than the old schema",
        ),
        (
            r#"{"not":{"type":"integer"}}"#,
            r#"{"not":{"type":"number"}}"#,
            "An array or combined type at path '#/not' has more elements in the new schema than the old schema",
        ),
        (
            r#"{"type":"object"}"#,
            r#"{"properties":{"NEW PATH":{"type":"null"}}}"#,
            "The new schema has an open content model and has a property or item at path '#/properties/NEW PATH' which is missing in the old schema",
        ),
        (
            r#"{"additionalProperties":false}"#,
            r#"{"properties":{"%s":{"type":"null"}},"required":["%s"],"additionalProperties":false}"#,
            "The new schema has an unopen content model and has a required property at path '#/properties/%s' which is missing in the old schema",
        ),
        (
            r#"{"properties":{"a":{}},"additionalProperties":false}"#,
            r#"{"additionalProperties":false}"#,
            "The new has a closed content model and is missing a property or item present at path '#/properties/a' in the old schema",
        ),
        (
            r#"{"items":[{"type":"null"}],"additionalItems":{"not":{}}}"#,
            r#"{"items":[],"additionalItems":{"not":{}}}"#,
            "A type at path '#/items/0' is different between the new schema and the old schema",
        ),
    ];
    for (old, new, description) in rows {
        let read = |text| parse(SchemaType::Json, text, &[], Strictness::New).unwrap();
        let differences = compatibility(&read(new), &read(old));
        let first = differences.first().unwrap();
        let expected = format!("{{errorType:\"{}\", description:\"{description}'}}", first.kind);
        assert_eq!(first.message("new", "old"), expected);
    }
}

#[test]
fn messages_about_what_is_covered() {
    for (old, new, expected) in [
        (
            r#"{"properties":{"a":{"type":"string"}},"additionalProperties":{"type":"number"}}"#,
            r#"{"properties":{},"additionalProperties":{"type":"number"}}"#,
            "{errorType:\"PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL\", description:\"A property or \
             item is missing in the old schema but present at path '#/properties/a' in the new schema and is not \
             covered by its partially open content model'}",
        ),
        (
            r#"{"type":"object","additionalProperties":{"type":"integer"}}"#,
            r#"{"properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer"}}"#,
            "{errorType:\"PROPERTY_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL\", description:\"The old schema \
             has a property or item at path '#/properties/a' which is missing in the new schema and is not covered by \
             its partially open content model'}",
        ),
    ] {
        let read = |text| parse(SchemaType::Json, text, &[], Strictness::New).unwrap();
        // Forwards: the old schema reads.
        let differences = compatibility(&read(new), &read(old));
        assert_eq!(differences.last().unwrap().message("old", "new"), expected);
    }
}

fn compared(policy: Policy, reader: &str, writer: &str) -> (JsonSchema, JsonSchema, Vec<Difference>) {
    let (reader, writer) = (new_schema(reader, &[]).unwrap(), new_schema(writer, &[]).unwrap());
    let (new, old) = (Schema::Json(reader.clone()), Schema::Json(writer.clone()));
    let found = compatibility_with(policy, registrar_formats::ProtobufRules::default(), &new, &old);
    (reader, writer, found)
}

#[test]
fn advice_to_a_reader() {
    for (policy, old, new, expected) in [
        (
            Policy::Strict,
            r#"{"type":"object"}"#,
            r#"{"properties":{"a":{"type":"null"}}}"#,
            "This would be accepted by the LENIENT compatibility policy, and so would the property at '#/properties/a' \
             be if its object had had additionalProperties: false before.",
        ),
        (
            Policy::Strict,
            r#"{"type":"object"}"#,
            r#"{"additionalProperties":false}"#,
            "This would be accepted by the LENIENT compatibility policy.",
        ),
        (
            Policy::Lenient,
            r#"{"additionalProperties":false}"#,
            r#"{"properties":{"a":{"type":"null"}},"required":["a"],"additionalProperties":false}"#,
            "This would be accepted: the property at '#/properties/a' with a default, or not required.",
        ),
        (
            Policy::Strict,
            r#"{"maxLength":5}"#,
            r#"{"maxLength":4}"#,
            "This would be accepted: the value at '#/maxLength' as it was, or one that allows more.",
        ),
        (
            Policy::Strict,
            r#"{"type":"string"}"#,
            r#"{"type":"string","pattern":"a"}"#,
            "This would be accepted: the keyword at '#/pattern' as it was.",
        ),
    ] {
        let (new, old, found) = compared(policy, new, old);
        assert_eq!(new.advice_as_reader(&old, policy, &found).as_deref(), Some(expected));
        assert_eq!(new.advice_as_reader(&old, policy, &[]), None);
    }
}

#[test]
fn advice_to_a_writer() {
    for (policy, old, new, expected) in [
        (
            Policy::Strict,
            r#"{"properties":{"a":{"type":"null"}}}"#,
            r#"{"type":"object"}"#,
            "This would be accepted by the LENIENT compatibility policy.",
        ),
        (
            Policy::Lenient,
            r#"{"properties":{"a":{"type":"null"}},"required":["a"],"additionalProperties":false}"#,
            r#"{"additionalProperties":false}"#,
            "This would be accepted: the property at '#/properties/a' kept.",
        ),
        (
            Policy::Strict,
            r#"{"enum":["a"]}"#,
            r#"{"enum":["a","b"]}"#,
            "This would be accepted: no value added at '#/enum'.",
        ),
        (
            Policy::Strict,
            r#"{"type":"integer"}"#,
            r#"{"type":"string"}"#,
            "This would be accepted: a type at '#/' that the old one covers.",
        ),
        (
            Policy::Strict,
            r#"{"maxLength":4}"#,
            r#"{"maxLength":5}"#,
            "This would be accepted: the value at '#/maxLength' as it was, or one that allows less.",
        ),
    ] {
        let (old, new, found) = compared(policy, old, new);
        assert_eq!(new.advice_as_writer(&old, policy, &found).as_deref(), Some(expected));
        assert_eq!(new.advice_as_writer(&old, policy, &[]), None);
    }
}

fn entity(words: &str) -> (EntityKind, &str, &str) {
    let (kind, rest) = words.split_once(' ').unwrap();
    let (path, rest) = rest.split_once(' ').unwrap();
    let kind = if kind == EntityKind::Field.name() { EntityKind::Field } else { EntityKind::Record };
    (kind, path, rest)
}

#[test]
fn tags() {
    each_row(include_str!("data/json_tags.tsv"), |row| {
        let schema = new_schema(row[0], &[])?;
        if row[1] == "!" {
            return schema.inline_tags().map_or(Ok(()), |tags| Err(format!("{tags:?}")));
        }
        let inline = schema.inline_tags().map_err(|error| error.to_string())?;
        same("inline", &inline.join(" "), row[1])?;
        let mut found: Vec<String> = schema
            .tagged_entities()
            .map_err(|error| error.to_string())?
            .iter()
            .map(|one| format!("{} {} {}", one.kind.name(), one.path, one.tags.join(",")))
            .collect();
        let mut expected: Vec<String> = row[2..].iter().map(|one| (*one).to_owned()).collect();
        found.sort();
        expected.sort();
        same("entities", &found.join("\n"), &expected.join("\n"))
    });
}

#[test]
fn edits_of_tags() {
    let list = |text: &str| text.split(',').filter(|tag| !tag.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    each_row(include_str!("data/json_tag_edits.tsv"), |row| {
        let edits: Vec<TagEdit> = row[1..row.len() - 1]
            .iter()
            .map(|words| entity(words))
            .map(|(kind, path, change)| {
                let (add, remove) = change.split_once('-').unwrap_or((change, ""));
                TagEdit { path: path.to_owned(), kind, add: list(add.trim_start_matches('+')), remove: list(remove) }
            })
            .collect();
        let outcome = new_schema(row[0], &[])?.with_tags(&edits);
        match (outcome, row[row.len() - 1].strip_prefix('!')) {
            (Ok(schema), None) => same("text", schema.text(), row[row.len() - 1]),
            (Err(error), Some(expected)) if error.message().contains(expected) => Ok(()),
            (outcome, _) => Err(format!("{outcome:?}")),
        }
    });
}

#[test]
fn reserved_names_of_fields() {
    let refused = |text: &str| {
        let schema = Schema::Json(new_schema(text, &[]).unwrap());
        schema.validate(false).unwrap();
        schema.validate(true).err().map(|error| error.message().to_owned())
    };
    let plain = r#"{"type":"object","properties":{"$a":{},"$$b":{}}}"#;
    assert_eq!(refused(plain).unwrap(), "#/properties/$$b: Field names cannot start with $$ prefix");
    assert_eq!(refused(r#"{"type":"object","properties":{"$a":{"properties":{"$$b":{}}}}}"#), None);
    assert_eq!(refused(r#"{"type":["object","null"],"properties":{"$$b":{}}}"#), None);
    let avro = parse(SchemaType::Avro, "\"int\"", &[], Strictness::New).unwrap();
    assert_eq!(avro.validate(true), Ok(()));
}

#[test]
fn fields_at_the_top() {
    let names = |text: &str| Schema::Json(new_schema(text, &[]).unwrap()).top_level_fields();
    assert_eq!(names(r#"{"properties":{"b":{},"a":{"properties":{"c":{}}}}}"#), ["b", "a"]);
    assert_eq!(names(r#"{"oneOf":[{"properties":{"b":{}}}]}"#), [""; 0]);
    assert_eq!(names("true"), [""; 0]);
}

/// What was stored without being checked is read, served and compared as far as that goes.
#[test]
fn schemas_that_were_not_checked() {
    let existing = |text: &str| parse(SchemaType::Json, text, &[], Strictness::Existing).unwrap();
    let bad = existing(r#"{"type" : "str"}"#);
    assert_eq!(bad.text(), r#"{"type":"str"}"#);
    assert_eq!(bad.normalized().unwrap().text(), bad.text());
    assert!(bad.validate(false).is_err());
    let good = existing("{}");
    let messages = |reader: &Schema, writer: &Schema| -> Vec<String> {
        compatibility(reader, writer).iter().map(|one| one.message("new", "old")).collect()
    };
    let expected = "Unexpected exception during compatibility check: #/type: unknown type: [str]";
    assert_eq!(messages(&good, &bad), [expected]);
    assert_eq!(messages(&bad, &good), [expected]);
    let remote = existing(r#"{"$ref":"http://x.test/a.json"}"#);
    assert_eq!(messages(&good, &remote), ["A previous schema version contains an unsupported external reference"]);
}

#[test]
fn schemas_of_different_types_are_not_compared() {
    let avro = parse(SchemaType::Avro, "\"int\"", &[], Strictness::New).unwrap();
    let json = Schema::Json(new_schema("{}", &[]).unwrap());
    assert_eq!(compatibility(&avro, &json), []);
    assert_eq!(compatibility(&json, &avro), []);
}
