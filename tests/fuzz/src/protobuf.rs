//! Protobuf: texts, descriptors and pairs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use registrar_formats::protobuf::{ProtobufSchema, Report, Rules};
use registrar_formats::{NamedText, Schema, SchemaError, Strictness, compatibility, parse};
use registrar_model::SchemaType;

use super::tags::tag;
use super::{references, references_of, texts};

fn read(text: &str, references: &[NamedText]) -> Result<Schema, SchemaError> {
    parse(SchemaType::Protobuf, text, references, Strictness::New)
}

/// A text, and what it may import.
pub fn protobuf_text(data: &[u8]) {
    let texts = texts(data);
    let Some((text, others)) = texts.split_first() else { return };
    let references = references(others);
    let Ok(schema) = read(text, &references) else { return };
    if is_base64(text) {
        everything(&schema);
    } else {
        exercise(text, &schema, &references);
    }
}

/// Whether a text that was read can only be that of a descriptor, whose names may be anything.
fn is_base64(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
}

/// The bytes of a descriptor, which a client sends as base64.
pub fn protobuf_base64(data: &[u8]) {
    let Ok(schema) = read(&STANDARD.encode(data), &[]) else { return };
    everything(&schema);
    // Names may be anything here, so only what is stored is held to the rules for texts.
    if let Ok(again) = read(schema.text(), &[]) {
        exercise(schema.text(), &again, &[]);
    }
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
fn exercise(source: &str, schema: &Schema, references: &[NamedText]) {
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
        _ if may_have_odd_names(source) => return,
        Ok(again) => panic!("{text}\nis read back as\n{}", again.text()),
        Err(error) => panic!("{text}\ncannot be read back: {error}"),
    };
    same(&again, schema);
    let Ok(normalized) = schema.normalized() else { panic!("{text}\nis valid, but not normalized") };
    assert!(normalized.validate(false).is_ok(), "{text}\nis normalized as\n{}", normalized.text());
    same(&normalized, schema);
    tag(schema, references);
}

/// Whether a text may have a reserved name or an import path with a line end, a quotation mark or a backslash in it. The
/// reference does not escape those, so what is stored is another text when it is read back, or none.
fn may_have_odd_names(text: &str) -> bool {
    let has_names = text.contains("reserved") || text.contains("import");
    let has_odd_line = || text.split('\n').any(|line| line.matches('"').count() % 2 != 0);
    has_names && (text.contains(['\'', '\\']) || has_odd_line())
}

/// Checks that one schema reads what the other wrote. Of several fields with one tag the last one counts, so with those,
/// which only strict validation refuses, a oneof may seem to have got a field of another one.
fn same(new: &Schema, old: &Schema) {
    let differences = compatibility(new, old);
    let holds = differences.is_empty() || old.validate(true).is_err();
    assert!(holds, "{}\nis not compatible with\n{}\n{differences:?}", new.text(), old.text());
}
