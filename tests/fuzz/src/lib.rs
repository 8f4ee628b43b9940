//! What the fuzz targets do with an input. A broken rule is a panic.
//!
//! The tests of `registrar-formats` include this file and replay the kept inputs in `tests/fuzz/corpus`.

#![allow(unreachable_pub, reason = "the functions are public in one of the two crates that this belongs to")]

mod avro;
mod json;
mod protobuf;
mod protobuf_normal;
mod regex;
mod tags;

use std::borrow::Cow;

use registrar_formats::{Budget, Difference, NamedText, ProtobufRules, Schema, compatibility_within};
use registrar_model::Policy;

pub use avro::{avro_pairs, avro_text};
pub use json::{json_pairs, json_text};
pub use protobuf::{protobuf_base64, protobuf_pairs, protobuf_text};
pub use regex::regex;

/// A target: its name, which is that of the folder of its kept inputs, and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 8] = [
    ("protobuf_text", protobuf_text),
    ("protobuf_base64", protobuf_base64),
    ("protobuf_pairs", protobuf_pairs),
    ("avro_text", avro_text),
    ("avro_pairs", avro_pairs),
    ("json_text", json_text),
    ("json_pairs", json_pairs),
    ("regex", regex),
];

/// What stands between the texts of one input: the record separator of ASCII.
const SEPARATOR: char = '\u{1e}';

/// The texts of an input; bytes that are not UTF-8 become replacement characters.
fn texts(data: &[u8]) -> Vec<String> {
    let text: Cow<'_, str> = String::from_utf8_lossy(data);
    text.split(SEPARATOR).map(str::to_owned).collect()
}

/// References, each a name and a text with a blank between.
fn references<'a>(parts: impl IntoIterator<Item = &'a String>) -> Vec<NamedText> {
    let named = parts.into_iter().map(|part| part.split_once(' ').unwrap_or(("a", part)));
    named.map(|(name, text)| NamedText { name: name.to_owned(), text: text.to_owned() }).collect()
}

/// The differences that a check finds; none where it takes more than a check may.
fn differences(policy: Policy, reader: &Schema, writer: &Schema) -> Option<Vec<Difference>> {
    compatibility_within(&mut Budget::default(), policy, ProtobufRules::default(), reader, writer).ok()
}

/// The references of one of two schemas: those whose part begins with its mark, and those without a mark.
fn references_of(mark: char, parts: &[String]) -> Vec<NamedText> {
    let unmarked = |part: &&str| !part.starts_with(['<', '>']);
    let own = |part: &str| part.strip_prefix(mark).map(str::to_owned);
    let parts =
        parts.iter().filter_map(|part| own(part).or_else(|| Some(part.as_str()).filter(unmarked).map(str::to_owned)));
    references(&parts.collect::<Vec<_>>())
}
