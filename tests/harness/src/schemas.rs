//! Schemas and requests for tests.

use registrar_model::{ContextName, Subject, Version, VersionSpec};
use registrar_registry::{
    AssociationInfo, AssociationOp, AssociationRequest, MutateOptions, ReferenceRequest, RegisterOptions, Registered,
    Registry, RegistryError, SchemaRequest,
};

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

/// A create of an association of the topic `topic` in the namespace `c`, whose id is its name: STRONG where a schema
/// comes with it, WEAK otherwise.
pub fn association(
    topic: &str,
    association_type: &str,
    subject: Option<&str>,
    schema: Option<String>,
) -> AssociationRequest {
    let info = AssociationInfo {
        subject: subject.map(str::to_owned),
        association_type: Some(association_type.to_owned()),
        schema: schema.map(request),
        ..AssociationInfo::default()
    };
    AssociationRequest {
        resource_name: Some(topic.to_owned()),
        resource_namespace: Some("c".to_owned()),
        resource_id: Some(topic.to_owned()),
        resource_type: None,
        ops: vec![AssociationOp::Create(info)],
    }
}

/// The subject that belongs to the values of a topic of [`association`].
pub fn own_subject(topic: &str) -> String {
    format!(":.c:{topic}-value")
}

/// Makes an association.
pub async fn associate(registry: &Registry, request: &AssociationRequest) -> Result<(), RegistryError> {
    let options = MutateOptions { context: ContextName::default_context(), dry_run: false };
    Box::pin(registry.change_associations(request, &options)).await.map(drop)
}
