//! Damaged schemas: whatever a slip of the keyboard makes of a schema, it is refused or read, and what is read is
//! stored in a text that is read back as the same.

#![allow(clippy::unwrap_used, reason = "tests")]

use registrar_formats::{Strictness, compatibility, parse};
use registrar_model::SchemaType;

/// What is put in the place of a character.
const SLIPS: [&str; 12] = ["", "{", "}", "[", "]", "\"", ",", ":", ".", "0", "\\", "é"];

/// A schema with everything in it.
const FULL: &str = r#"{"type":"record","name":"n.R","doc":"d","aliases":["A","m.B"],"p":{"b":[1,-2.5e3,null,true]},"fields":[
    {"name":"a","type":{"type":"enum","name":"E","symbols":["A","B"],"default":"A"},"default":"B","order":"ignore"},
    {"name":"b","type":["null","R",{"type":"fixed","name":"m.F","size":16,"logicalType":"uuid"}],"default":null},
    {"name":"c","type":{"type":"array","items":{"type":"map","values":"Later"}},"default":[],"aliases":["x"]},
    {"name":"d","type":{"type":"record","name":"Later","namespace":"","fields":[{"name":"f","type":"m.F"}]}},
    {"name":"e","type":"double","default":"NaN"}]}"#;

fn check(text: &str) {
    for strictness in [Strictness::New, Strictness::Existing] {
        let Ok(schema) = parse(SchemaType::Avro, text, &[], strictness) else {
            continue;
        };
        let again = parse(SchemaType::Avro, schema.text(), &[], Strictness::Existing)
            .unwrap_or_else(|error| panic!("{text}\nis stored as\n{}\n{error}", schema.text()));
        // An alias without namespace is stored without its dot and may then be like another one.
        if !text.contains("\".") {
            assert_eq!(again.text(), schema.text(), "{text}");
        }
        assert_eq!(again.equality_text(), schema.equality_text(), "{text}");
        assert!(compatibility(&again, &schema).is_empty(), "{text}");
        if let Ok(normalized) = schema.normalized() {
            let twice = normalized.normalized().unwrap_or_else(|error| panic!("{text}\n{error}"));
            assert_eq!(twice.text(), normalized.text(), "{text}");
        }
    }
}

fn texts() -> impl Iterator<Item = &'static str> {
    let rows = include_str!("data/avro_texts.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| row.split('\t').nth(1)).filter(|text| text.len() < 200).chain([FULL])
}

#[test]
fn one_character_is_another() {
    for text in texts() {
        for (at, old) in text.char_indices() {
            let (before, after) = (&text[..at], &text[at + old.len_utf8()..]);
            for slip in SLIPS {
                check(&format!("{before}{slip}{after}"));
            }
        }
    }
}

#[test]
fn the_text_ends_early() {
    for text in texts() {
        for (at, _) in text.char_indices() {
            check(&text[..at]);
        }
    }
}

#[test]
fn one_word_is_another() {
    let words: Vec<&str> = FULL.split('"').skip(1).step_by(2).collect();
    for (index, old) in words.iter().enumerate() {
        for new in &words {
            let mut parts: Vec<&str> = FULL.split('"').collect();
            assert_eq!(parts[2 * index + 1], *old);
            parts[2 * index + 1] = new;
            check(&parts.join("\""));
        }
    }
}
