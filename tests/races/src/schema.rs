//! The schemas that clients use.

use registrar_formats::Strictness;
use registrar_harness::schemas::{record, record_of, request};
use registrar_model::{Guid, SchemaContent, SchemaType};
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

/// The guid of a content without references.
pub fn guid_of(content: Content) -> Guid {
    let posted = schema(content).schema.unwrap_or_default();
    let parsed = registrar_formats::parse(SchemaType::Avro, &posted, &[], Strictness::Existing);
    let text = parsed.map_or(posted, |schema| schema.text().to_owned());
    let (references, metadata, rule_set) = (Vec::new(), None, None);
    registrar_formats::guid(&SchemaContent { schema_type: SchemaType::Avro, text, references, metadata, rule_set })
}

fn referring(name: &str, of: &str, target: &str, version: i32) -> SchemaRequest {
    let text = format!(r#"{{"type":"record","name":"{name}","fields":[{{"name":"held","type":"{of}"}}]}}"#);
    let reference =
        ReferenceRequest { name: Some(of.to_owned()), subject: Some(target.to_owned()), version: Some(version) };
    SchemaRequest { references: vec![reference], ..request(text) }
}
