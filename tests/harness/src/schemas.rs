//! Schemas and requests for tests.

use registrar_model::{Subject, Version, VersionSpec};
use registrar_registry::{ReferenceRequest, RegisterOptions, Registered, Registry, RegistryError, SchemaRequest};

/// An Avro record of exactly `bytes` bytes (100 or more), one for each number; all are compatible with each other. The
/// text hardly compresses, as the worst case of its size, and is not in normal form: that sorts the properties.
pub fn record_of(bytes: usize, number: usize) -> String {
    let (head, tail) = (r#"{"type":"record","name":"Reading","doc":""#, r#"","fields":[],"b":1,"a":2}"#);
    let mut state = number as u64 + 1;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[(state >> 58) as usize])
    });
    let doc: String = noise.take(bytes.saturating_sub(head.len() + tail.len())).collect();
    format!("{head}{doc}{tail}")
}

/// A small record; one for each number, all compatible with each other.
pub fn record(number: usize) -> String {
    record_of(100, number)
}

/// A request to register or look up an Avro schema.
pub fn request(schema: impl Into<String>) -> SchemaRequest {
    SchemaRequest { schema: Some(schema.into()), ..SchemaRequest::default() }
}

/// A record with a field of the type `Reading`, found in version 1 of the subject `target`.
pub fn referring(target: &str) -> SchemaRequest {
    let text = r#"{"type":"record","name":"Holder","fields":[{"name":"reading","type":"Reading"}]}"#;
    let reference =
        ReferenceRequest { name: Some("Reading".into()), subject: Some(target.to_owned()), version: Some(1) };
    SchemaRequest { references: vec![reference], ..request(text) }
}

/// A subject by its text form.
pub fn subject(name: &str) -> Subject {
    Subject::parse(name)
}

/// A version by its number; 0 and less stand for the first.
pub fn number(version: i64) -> VersionSpec {
    VersionSpec::Number(Version::new(version).unwrap_or(Version::FIRST))
}

/// Registers an Avro schema without options. Boxed: tests that do it often in one function would need a large stack.
pub async fn register(registry: &Registry, name: &str, schema: String) -> Result<Registered, RegistryError> {
    Box::pin(registry.register(&subject(name), request(schema), &RegisterOptions::default())).await
}
