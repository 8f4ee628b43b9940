//! Protobuf: texts, descriptors and pairs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use registrar_formats::protobuf::{ProtobufSchema, Report, Rules};
use registrar_formats::{NamedText, Schema, SchemaError, Strictness, compatibility, parse};
use registrar_model::{Policy, SchemaType};

use super::protobuf_normal::{differ_in_properties, without_places, without_sign_of_zero};
use super::tags::tag;
use super::{differences, references, references_of, texts};

fn read(text: &str, references: &[NamedText]) -> Result<Schema, SchemaError> {
    parse(SchemaType::Protobuf, text, references, Strictness::New)
}

/// A text, and what it may import.
pub fn protobuf_text(data: &[u8]) {
    let texts = texts(data);
    let Some((text, others)) = texts.split_first() else { return };
    let references = references(others);
    let Ok(schema) = read(text, &references) else { return };
    exercise(&schema, &references);
}

/// The bytes of a descriptor, which a client sends as base64.
pub fn protobuf_base64(data: &[u8]) {
    let Ok(schema) = read(&STANDARD.encode(data), &[]) else { return };
    exercise(&schema, &[]);
}

/// A new schema, an old one, and what one of them or both may import.
pub fn protobuf_pairs(data: &[u8]) {
    let texts = texts(data);
    let [new, old, others @ ..] = texts.as_slice() else { return };
    let new = read(new, &references_of('<', others));
    let (Ok(new), Ok(old)) = (new, read(old, &references_of('>', others))) else { return };
    for (reader, writer) in [(&new, &old), (&old, &new)] {
        if let (Schema::Protobuf(reader), Schema::Protobuf(writer)) = (reader, writer) {
            compare(reader, writer);
        }
    }
    for one in [&new, &old] {
        if one.validate(false).is_ok() {
            same(one, one);
        }
    }
}

/// What is found must not depend on whether compatible differences are reported, too.
fn compare(reader: &ProtobufSchema, writer: &ProtobufSchema) {
    let found = |report| reader.differences_from(writer, Rules::default(), report);
    let (incompatible, all) = (found(Report::Incompatible), found(Report::All));
    assert!(incompatible.len() <= all.len() || all.len() >= registrar_formats::protobuf::MAX_DIFFERENCES / 2);
}

/// Does everything that can be done with one schema.
fn everything(schema: &Schema) {
    let _ = schema.validate(false);
    let _ = schema.validate(true);
    let _ = schema.normalized();
    let _ = schema.top_level_fields();
    let _ = compatibility(schema, schema);
    for format in ["", "ignore_extensions", "SERIALIZED"] {
        let _ = schema.formatted(format);
    }
}

/// Does everything, and checks that what is valid is stored in a text that is read back as the same.
fn exercise(schema: &Schema, references: &[NamedText]) {
    everything(schema);
    let descriptor = read(&schema.formatted("serialized"), references);
    if let Ok(descriptor) = descriptor {
        everything(&descriptor);
    }
    if schema.validate(false).is_err() {
        return;
    }
    let text = schema.text();
    let again = match read(text, references) {
        Ok(again) if again.text() == text => again,
        Ok(again) => panic!("{text}\nis read back as\n{}", again.text()),
        Err(error) => panic!("{text}\ncannot be read back: {error}"),
    };
    same(&again, schema);
    same(schema, &again);
    normalize(schema, references);
    tag(schema, references);
}

/// Checks that the normalized text of a valid schema is valid, is read back as the same, is its own normalized text, and
/// that it and the schema read what the other wrote.
fn normalize(schema: &Schema, references: &[NamedText]) {
    let text = schema.text();
    let Ok(normalized) = schema.normalized() else { panic!("{text}\nis valid, but not normalized") };
    let normal = normalized.text();
    let again = match read(normal, references) {
        Ok(again) => again,
        Err(error) => panic!("{text}\nis normalized as\n{normal}\nwhich cannot be read back: {error}"),
    };
    if let Err(error) = again.validate(false) {
        panic!("{text}\nis normalized as\n{normal}\nwhich is not valid: {error}");
    }
    same(&again, schema);
    same(schema, &again);
    let expected = without_places(normal);
    let holds = again.text() == expected || differ_in_properties(again.text(), &expected);
    assert!(holds, "{normal}\nis read back as\n{}", again.text());
    let Ok(twice) = again.normalized() else { panic!("{normal}\nis normalized and cannot be again") };
    let holds = without_sign_of_zero(twice.text()) == without_sign_of_zero(&expected);
    assert!(holds, "{normal}\nis normalized again as\n{}", twice.text());
    let Ok(thrice) = twice.normalized() else { panic!("{normal}\nis normalized twice and cannot be again") };
    assert_eq!(thrice.text(), twice.text(), "normalized three times is another text");
}

/// Checks that one schema reads what the other wrote. Of several fields with one tag, or types with one name, the last one
/// counts, so with those, which only strict validation refuses, a oneof may seem to have got a field of another one.
fn same(new: &Schema, old: &Schema) {
    let Some(differences) = differences(Policy::Strict, new, old) else { return };
    let holds = differences.is_empty() || [new, old].iter().any(|one| one.validate(true).is_err());
    assert!(holds, "{}\nis not compatible with\n{}\n{differences:?}", new.text(), old.text());
}
