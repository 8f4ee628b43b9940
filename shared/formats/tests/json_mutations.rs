//! Damaged JSON Schemas: whatever a slip of the keyboard makes of a schema, it is refused or read, and what is read is
//! stored in a text that is read back as the same, and compared with others without a panic.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;

use registrar_formats::{NamedText, Schema, Strictness, TagEdit, compatibility, compatibility_with, parse};
use registrar_model::{Policy, SchemaType};

/// What is put in the place of a character.
const SLIPS: [&str; 6] = ["", "{", "\"", ",", "0", "\\"];

/// An old schema with everything in it.
const CLASSIC: &str = r##"{"$schema":"http://json-schema.org/draft-07/schema#","$id":"http://x.test/m.json","title":"t",
    "type":["object","null"],"properties":{"a":{"$ref":"#/definitions/A"},"b":{"$ref":"r.json#/$defs/R"},"c":{"type":
    "array","items":[{"const":1.50},{"enum":[1,"x",null]}],"additionalItems":{"not":{"type":"integer"}},"contains":true},
    "d":{"oneOf":[{"minimum":1,"multipleOf":0.5},{"type":"string","pattern":"^[a-z]+(?<n>x)$","default":"q"}],
    "confluent:tags":["PII"]},"e":{"$ref":"#"}},"required":["a"],"patternProperties":{"^x\\d":{"if":{"maxLength":2},
    "then":false}},"additionalProperties":{"$ref":"m.json"},"dependencies":{"a":["b"],"c":{"minProperties":1}},
    "definitions":{"A":{"allOf":[{"type":"object","properties":{"n":{"$ref":"#/definitions/A"}}},{"title":"u"}]}}}"##;

/// A newer schema with everything in it.
const MODERN: &str = r##"{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"http://x.test/m.json","type":
    "object","properties":{"a":{"$ref":"#/$defs/A","maxLength":3},"b":{"$ref":"r.json"},"c":{"prefixItems":[true,{}],
    "items":{"type":["string","null"],"minLength":1},"contains":{"type":"null"},"minContains":2,"unevaluatedItems":false},
    "d":{"$ref":"#x","confluent:tags":["PII"]},"e":{"$dynamicRef":"c.json#y"}},"dependentRequired":{"a":["b"]},
    "dependentSchemas":{"a":{"maxProperties":9}},"unevaluatedProperties":{"not":{}},"if":{"required":["a"]},"else":true,
    "$defs":{"A":{"type":"string","format":"date","anyOf":[{"$ref":"#/$defs/B"},{"readOnly":true}]},
    "B":{"$anchor":"x","exclusiveMaximum":1e2},"C":{"$id":"c.json","$dynamicAnchor":"y"}},"definitions":{"D":{}}}"##;

fn references() -> [NamedText; 1] {
    let text = r##"{"definitions":{"R":{"type":"string"}},"items":{"$ref":"#/definitions/R"}}"##;
    [NamedText { name: "r.json".to_owned(), text: text.to_owned() }]
}

fn check(text: &str, others: &[Schema]) {
    let Ok(schema) = parse(SchemaType::Json, text, &references(), Strictness::New) else {
        let _ = parse(SchemaType::Json, text, &references(), Strictness::Existing);
        return;
    };
    let again = parse(SchemaType::Json, schema.text(), &references(), Strictness::New)
        .unwrap_or_else(|error| panic!("{text}\nis stored as\n{}\n{error}", schema.text()));
    assert_eq!(again.text(), schema.text(), "{text}");
    assert_eq!(compatibility(&again, &schema), [], "{text}");
    let normalized = schema.normalized().unwrap();
    assert_eq!(normalized.normalized().unwrap().text(), normalized.text(), "{text}");
    for other in others {
        compatibility_with(Policy::Strict, registrar_formats::ProtobufRules::default(), &schema, other);
        compatibility_with(Policy::Lenient, registrar_formats::ProtobufRules::default(), other, &schema);
    }
    let Schema::Json(schema) = schema else { panic!("{schema:?}") };
    for entity in schema.tagged_entities().unwrap() {
        let edit = TagEdit { path: entity.path, kind: entity.kind, add: Vec::new(), remove: entity.tags };
        // Two entities whose paths are spelled alike are one.
        schema.with_tags(&[edit]).unwrap();
    }
}

fn others() -> Vec<Schema> {
    [CLASSIC, MODERN]
        .iter()
        .map(|text| parse(SchemaType::Json, text, &references(), Strictness::New).unwrap())
        .collect()
}

#[test]
fn one_character_is_another() {
    let others = others();
    for text in [CLASSIC, MODERN] {
        for (at, old) in text.char_indices() {
            let (before, after) = (&text[..at], &text[at + old.len_utf8()..]);
            // Every third slip at a place: all of them somewhere, in a third of the time.
            for slip in SLIPS.iter().skip(at % 3).step_by(3) {
                check(&format!("{before}{slip}{after}"), &others);
            }
        }
    }
}

#[test]
fn the_text_ends_early() {
    for text in [CLASSIC, MODERN] {
        for (at, _) in text.char_indices() {
            check(&text[..at], &[]);
        }
    }
}

#[test]
fn one_word_is_another() {
    let others = others();
    let (classic, modern) = (&others[..1], &others[1..]);
    for text in [CLASSIC, MODERN] {
        let words: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
        for (index, old) in words.iter().enumerate() {
            for new in words.iter().collect::<BTreeSet<_>>() {
                let mut parts: Vec<&str> = text.split('"').collect();
                assert_eq!(parts[2 * index + 1], *old);
                parts[2 * index + 1] = new;
                // With the other of the two, so that drafts meet as well.
                check(&parts.join("\""), if text == CLASSIC { modern } else { classic });
            }
        }
    }
}
