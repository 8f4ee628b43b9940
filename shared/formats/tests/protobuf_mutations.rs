//! Damaged Protobuf schemas: whatever a slip of the keyboard makes of a schema, it is refused or read, and what is valid
//! is stored in a text that is read back as the same; damaged descriptors likewise.

#![allow(clippy::unwrap_used, reason = "tests")]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use registrar_formats::{Strictness, compatibility, parse};
use registrar_model::SchemaType;

/// What is put in the place of a character.
const SLIPS: [&str; 14] = ["", "{", "}", "[", "]", "(", "\"", ",", ";", ".", "0", "\\", "/", "é"];

/// A schema with everything in it.
const FULL: &str = r#"syntax = "proto2"; package p.q; import "google/protobuf/descriptor.proto"; import public "a.proto";
option java_package = "j"; /* c */ option (o) = { a: 1, b { c: [X, 0x1F] } [p.q.e]: "s" };
message A { reserved 5, 7 to max, "n"; option deprecated = true; optional B b = 1 [default = X, json_name = "j"]; // d
map<string, A> m = 2; oneof o { string s = 3; group G = 4 { required .p.q.A x = 1; } } extensions 100 to 200;
extend A { repeated int32 y = 100 [packed = true, (o).b.c = 2]; } enum B { X = 0; Y = -1; } }
service S { rpc M (stream A) returns (A) { option idempotency_level = IDEMPOTENT; } }"#;

fn check(text: &str) {
    let read = |text: &str| parse(SchemaType::Protobuf, text, &[], Strictness::New);
    let Ok(schema) = read(text) else { return };
    let _ = schema.validate(true);
    let _ = schema.formatted("serialized");
    // The reference does not escape reserved names: one with a line end is another one when it is read back.
    if schema.validate(false).is_err() || schema.text().contains("reserved \"\n") {
        return;
    }
    let again = read(schema.text()).unwrap_or_else(|error| panic!("{text}\nis stored as\n{}\n{error}", schema.text()));
    assert_eq!(again.text(), schema.text(), "{text}");
    assert!(compatibility(&again, &schema).is_empty(), "{text}");
    let normalized = schema.normalized().unwrap();
    assert!(normalized.validate(false).is_ok(), "{text}\nis normalized as\n{}", normalized.text());
    assert!(compatibility(&normalized, &schema).is_empty(), "{text}\nis normalized as\n{}", normalized.text());
}

fn texts() -> impl Iterator<Item = String> {
    let rows = include_str!("data/protobuf_texts.tsv").lines().filter(|line| !line.starts_with('#'));
    let rows = rows.filter_map(|row| row.split('\t').nth(1)).filter(|text| text.len() < 160);
    rows.map(|text| text.replace('¶', "\n")).chain([FULL.to_owned()])
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
fn one_byte_of_a_descriptor_is_another() {
    let schema = parse(SchemaType::Protobuf, FULL, &[], Strictness::New).unwrap();
    let bytes = STANDARD.decode(schema.formatted("serialized")).unwrap();
    for at in 0..bytes.len() {
        check(&STANDARD.encode(&bytes[..at]));
        for other in [0, 1, 0x0a, 0x12, 0x7f, 0x80, 0xff, bytes[at] ^ 1, bytes[at] ^ 8] {
            let mut damaged = bytes.clone();
            damaged[at] = other;
            check(&STANDARD.encode(&damaged));
        }
    }
}
