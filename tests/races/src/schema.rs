//! The schemas that clients use.

use registrar_harness::schemas::{record, record_of, request};
use registrar_registry::{ReferenceRequest, SchemaRequest};

/// A text that does not compress takes more than one item from 400,000 bytes on.
const LARGE: usize = 600_000;

/// A schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A record; all of them are compatible with each other.
    Record(usize),
    /// A record with a field of this type; none of them may follow another.
    Typed(&'static str),
    /// A record with a field whose type is in a version of another subject.
    Holder(&'static str, i32),
    /// A record with a field whose type is a `Holder` of another subject, which refers to a third.
    Outer(&'static str, i32),
    /// A record that is stored in chunks.
    Large(usize),
}

/// As a request has it.
pub fn schema(content: Content) -> SchemaRequest {
    match content {
        Content::Record(number) => request(record(number)),
        Content::Large(number) => request(record_of(LARGE, number)),
        Content::Typed(kind) => {
            request(format!(r#"{{"type":"record","name":"Reading","fields":[{{"name":"{kind}","type":"{kind}"}}]}}"#))
        }
        Content::Holder(target, version) => referring("Holder", "Reading", target, version),
        Content::Outer(target, version) => referring("Outer", "Holder", target, version),
    }
}

fn referring(name: &str, of: &str, target: &str, version: i32) -> SchemaRequest {
    let text = format!(r#"{{"type":"record","name":"{name}","fields":[{{"name":"held","type":"{of}"}}]}}"#);
    let reference =
        ReferenceRequest { name: Some(of.to_owned()), subject: Some(target.to_owned()), version: Some(version) };
    SchemaRequest { references: vec![reference], ..request(text) }
}
