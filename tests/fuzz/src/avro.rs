//! Avro: texts and pairs.

use registrar_formats::{NamedText, Schema, Strictness, compatibility, parse};
use registrar_model::{Policy, SchemaType};

use super::tags::tag;
use super::{differences, references, references_of, texts};

fn read(text: &str, references: &[NamedText], strictness: Strictness) -> Option<Schema> {
    parse(SchemaType::Avro, text, references, strictness).ok()
}

/// A text, and texts whose types it may use.
pub fn avro_text(data: &[u8]) {
    let texts = texts(data);
    let Some((text, others)) = texts.split_first() else { return };
    let references = references(others);
    for strictness in [Strictness::New, Strictness::Existing] {
        if let Some(schema) = read(text, &references, strictness) {
            exercise(&schema, &references, strictness);
        }
    }
}

/// A new schema, an old one, and texts whose types one of them or both may use.
pub fn avro_pairs(data: &[u8]) {
    let texts = texts(data);
    let [new, old, others @ ..] = texts.as_slice() else { return };
    let read = |text, mark| read(text, &references_of(mark, others), Strictness::Existing);
    let (Some(new), Some(old)) = (read(new, '<'), read(old, '>')) else { return };
    let _ = compatibility(&new, &old);
    let _ = compatibility(&old, &new);
    same(&new, &new);
    same(&old, &old);
}

/// Does everything that can be done with a schema, and checks that what is stored is read back as the same.
fn exercise(schema: &Schema, references: &[NamedText], strictness: Strictness) {
    let _ = schema.top_level_fields();
    let _ = schema.formatted("resolved");
    let text = schema.text();
    let Some(again) = read(text, references, Strictness::Existing) else { panic!("{text}\ncannot be read back") };
    assert_eq!(again.text(), text, "what is read back is another text");
    // Beside references, the text may mean others: a type of a reference that is defined again, say with other documentation,
    // is stored as its name, and a record that mentions itself is not known yet, so that a reference of its simple name is.
    let same_types = again.equality_text() == schema.equality_text();
    assert!(same_types || !references.is_empty(), "{text}");
    if same_types {
        same(&again, schema);
        same(schema, &again);
    }
    tag(schema, references);
    if let Ok(normalized) = schema.normalized() {
        check_normalized(&normalized, schema, references, strictness);
    }
}

/// Checks that a normalized text is read back as the same, is its own normalized text, and that it and the schema read
/// what the other wrote.
fn check_normalized(normalized: &Schema, schema: &Schema, references: &[NamedText], strictness: Strictness) {
    let text = normalized.text();
    let again = match parse(SchemaType::Avro, text, references, strictness) {
        Ok(again) => again,
        Err(error) => panic!("{text}\nis normalized and cannot be read back: {error}"),
    };
    assert_eq!(again.text(), text, "the normalized text is read back as another one");
    let twice = match again.normalized() {
        Ok(twice) => twice,
        Err(error) => panic!("{text}\nis normalized and cannot be again: {error}"),
    };
    // A type without namespace moves into that of the record around, as in the reference, and its aliases with it: then they
    // are sorted by other names.
    let moved = schema.text().contains("\"namespace\":\"\"") && sorted_parts(twice.text()) == sorted_parts(text);
    assert!(twice.text() == text || moved, "{text}\nis normalized again as\n{}", twice.text());
    match twice.normalized() {
        Ok(thrice) => assert_eq!(thrice.text(), twice.text(), "normalized three times is another text"),
        Err(error) => panic!("{text}\nis normalized twice and cannot be again: {error}"),
    }
    same(&again, schema);
    same(schema, &again);
}

/// What stands between brackets and commas, in order of text.
fn sorted_parts(text: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = text.split(['[', ']', ',']).collect();
    parts.sort_unstable();
    parts
}

/// Checks that one schema reads what the other wrote. The reference fails with an exception where a field has its own name
/// or that of another field as an alias.
fn same(new: &Schema, old: &Schema) {
    let Some(differences) = differences(Policy::Strict, new, old) else { return };
    let holds = differences.iter().all(|one| one.info.contains("matches multiple fields in writer record schema"));
    assert!(holds, "{}\nis not compatible with\n{}\n{differences:?}", new.text(), old.text());
}
