//! JSON Schema: texts and pairs.

use registrar_formats::json::JsonSchema;
use registrar_formats::{Difference, NamedText, Schema, Strictness, parse};
use registrar_model::{Policy, SchemaType};

use super::tags::tag;
use super::{differences, references, references_of, texts};

const POLICIES: [Policy; 2] = [Policy::Strict, Policy::Lenient];

fn read(text: &str, references: &[NamedText], strictness: Strictness) -> Option<JsonSchema> {
    match parse(SchemaType::Json, text, references, strictness) {
        Ok(Schema::Json(schema)) => Some(schema),
        _ => None,
    }
}

/// A text, and texts it may refer to.
pub fn json_text(data: &[u8]) {
    let texts = texts(data);
    let Some((text, others)) = texts.split_first() else { return };
    let references = references(others);
    for strictness in [Strictness::New, Strictness::Existing] {
        if let Some(schema) = read(text, &references, strictness) {
            exercise(&schema, &references, strictness);
        }
    }
}

/// A new schema, an old one, and texts that one of them or both may refer to.
pub fn json_pairs(data: &[u8]) {
    let texts = texts(data);
    let [new, old, others @ ..] = texts.as_slice() else { return };
    let read = |text, mark| read(text, &references_of(mark, others), Strictness::Existing);
    let (Some(new), Some(old)) = (read(new, '<'), read(old, '>')) else { return };
    compare(&new, &old);
    compare(&old, &new);
    same(&new, &new);
    same(&old, &old);
}

/// Compares by both policies. What the strict one accepts the lenient one must accept, and for what one of them refuses
/// there must be an advice.
fn compare(reader: &JsonSchema, writer: &JsonSchema) {
    let found = POLICIES.map(|policy| compatibility(policy, reader, writer));
    for (policy, differences) in POLICIES.into_iter().zip(&found) {
        let Some(differences) = differences else { continue };
        let all = reader.all_differences_from(writer, policy);
        assert!(differences.is_empty() || !all.is_empty(), "{differences:?}\nis not among all differences");
        let messages: Vec<String> = differences.iter().map(|one| one.message("new", "old")).collect();
        for advice in
            [reader.advice_as_reader(writer, policy, differences), writer.advice_as_writer(reader, policy, differences)]
        {
            assert_eq!(advice.is_some(), !messages.is_empty(), "{messages:?}\n{advice:?}");
        }
    }
    let [Some(strict), Some(lenient)] = found else { return };
    assert!(
        !strict.is_empty() || lenient.is_empty(),
        "{}\nreads only strictly\n{}\n{lenient:?}",
        reader.text(),
        writer.text()
    );
}

fn compatibility(policy: Policy, reader: &JsonSchema, writer: &JsonSchema) -> Option<Vec<Difference>> {
    let [reader, writer] = [reader, writer].map(|schema| Schema::Json(schema.clone()));
    differences(policy, &reader, &writer)
}

/// Does everything that can be done with a schema, and checks that what is stored is read back as the same.
fn exercise(schema: &JsonSchema, references: &[NamedText], strictness: Strictness) {
    let _ = schema.field_names();
    let _ = schema.validate(true);
    let text = schema.text();
    let Some(again) = read(text, references, strictness) else { panic!("{text}\ncannot be read back") };
    assert_eq!(again.text(), text, "what is read back is another text");
    same(&again, schema);
    same(schema, &again);
    let (Ok(normalized), Ok(second)) = (schema.normalized(), again.normalized()) else {
        panic!("{text}\nis not normalized")
    };
    assert_eq!(normalized.text(), second.text(), "what is read back is normalized as another text");
    let Some(again) = read(normalized.text(), references, strictness) else {
        panic!("{}\nis normalized and cannot be read back", normalized.text())
    };
    assert!(schema.validate(false).is_err() || again.validate(false).is_ok(), "{text}\nis valid, normalized it is not");
    same(&again, schema);
    same(schema, &again);
    assert_eq!(again.text(), normalized.text(), "the normalized text is read back as another one");
    match again.normalized() {
        Ok(twice) => assert_eq!(twice.text(), normalized.text(), "normalized twice is another text"),
        Err(error) => panic!("{}\nis normalized and cannot be again: {error}", normalized.text()),
    }
    tag(&Schema::Json(schema.clone()), references);
}

/// Checks that one schema reads what the other wrote, unless there is no model or the check takes too much.
fn same(new: &JsonSchema, old: &JsonSchema) {
    for policy in POLICIES {
        let Some(differences) = compatibility(policy, new, old) else { continue };
        let holds = differences.is_empty() || old.validate(false).is_err();
        assert!(holds, "{}\nis not compatible with\n{}\n{differences:?}", new.text(), old.text());
    }
}
