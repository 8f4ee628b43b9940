//! Values of sensitive metadata at rest: what lies in the table, and what a process without the right key can do.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::large_futures, reason = "a test may copy a few kilobytes")]

use aws_sdk_dynamodb::types::AttributeValue;
use registrar_harness::schemas::{number, record, record_of, request, subject};
use registrar_harness::{InMemory, in_memory_registry, instant_runtime};
use registrar_model::{Config, ConfigUpdate, Metadata, SchemaId, Update};
use registrar_registry::{
    IdQuery, LookupOptions, RegisterOptions, Registry, RegistryError, SchemaRequest, Settings, VersionFilter,
    VersionOptions,
};
use registrar_store::{DataKey, Keyring, StoreError};

/// No part of any other text here.
const SECRET: &str = "correct-horse-battery-staple";

async fn registry() -> InMemory {
    in_memory_registry(instant_runtime(7)).await
}

fn key(name: &str, byte: u8) -> DataKey {
    DataKey::new(name, &[byte; 32]).unwrap()
}

/// A process with these keys, the first of which seals.
fn with_keys(at: &InMemory, keys: impl IntoIterator<Item = DataKey>) -> Registry {
    Registry::new(at.store.clone().with_keys(Keyring::new(keys).unwrap()), Settings::default())
}

fn metadata(value: &str) -> Metadata {
    let properties = [("owner".into(), "team-a".into()), ("password".into(), value.into())].into();
    Metadata { properties, sensitive: ["password".into(), "absent".into()].into(), ..Metadata::default() }
}

fn secret_request(schema: String) -> SchemaRequest {
    SchemaRequest { metadata: Some(metadata(SECRET)), ..request(schema) }
}

async fn register(registry: &Registry, name: &str, schema: String) -> Result<SchemaId, RegistryError> {
    let registered = registry.register(&subject(name), secret_request(schema), &RegisterOptions::default()).await?;
    assert_eq!(registered.content.metadata, Some(metadata(SECRET)), "answered in clear");
    Ok(registered.id)
}

async fn read(registry: &Registry, name: &str) -> Result<Option<Metadata>, RegistryError> {
    let found = registry.version(&subject(name), number(1), &VersionOptions::default()).await?;
    Ok(found.content.metadata)
}

fn locked<T: std::fmt::Debug>(result: Result<T, RegistryError>) -> String {
    match result {
        Err(RegistryError::Store(StoreError::Locked(why))) => why,
        other => panic!("{other:?}"),
    }
}

/// Every text and every run of bytes in the table, bodies expanded.
async fn raw(at: &InMemory) -> Vec<Vec<u8>> {
    let mut pages = at.client.scan().table_name("registrar").consistent_read(true).into_paginator().send();
    let mut found = Vec::new();
    while let Some(page) = pages.next().await {
        let items = page.unwrap().items.unwrap_or_default();
        found.extend(items.into_iter().flatten().flat_map(|(name, value)| parts(&name, &value)));
    }
    found
}

fn parts(name: &str, value: &AttributeValue) -> Vec<Vec<u8>> {
    match value {
        AttributeValue::S(text) => vec![text.clone().into_bytes()],
        AttributeValue::N(_) | AttributeValue::Bool(_) => Vec::new(),
        // A chunk of a body does not expand by itself.
        AttributeValue::B(bytes) if name == "bd" => {
            let expanded = zstd::bulk::decompress(bytes.as_ref(), 64 << 20).unwrap_or_default();
            vec![bytes.as_ref().to_vec(), expanded]
        }
        AttributeValue::B(bytes) => vec![bytes.as_ref().to_vec()],
        other => panic!("{name}: {other:?}"),
    }
}

async fn shows(at: &InMemory, text: &str) -> bool {
    raw(at).await.iter().any(|part| part.windows(text.len()).any(|window| window == text.as_bytes()))
}

/// Everything that may hold metadata: a small schema, one in an item of its own, and every kind of configuration.
async fn fill(registry: &Registry) {
    register(registry, "small", record(1)).await.unwrap();
    register(registry, ":.c:large", record_of(300_000, 2)).await.unwrap();
    let update = ConfigUpdate {
        default_metadata: Update::Set(metadata(SECRET)),
        override_metadata: Update::Set(metadata(SECRET)),
        ..ConfigUpdate::default()
    };
    for target in ["configured", ":.d:", ":.__GLOBAL:"].map(subject) {
        registry.set_config(Some(&target), update.clone()).await.unwrap();
    }
    registry.set_config(None, update).await.unwrap();
}

#[tokio::test]
async fn the_table_does_not_show_what_is_sensitive() {
    let clear = registry().await;
    fill(&clear.registry).await;
    assert!(shows(&clear, SECRET).await, "without a key everything is in clear");
    let sealed = registry().await;
    fill(&with_keys(&sealed, [key("k", 1)])).await;
    assert!(!shows(&sealed, SECRET).await);
    assert!(shows(&sealed, "team-a").await, "only what is sensitive is sealed");
}

#[tokio::test]
async fn what_is_sealed_is_answered_in_clear() {
    let at = registry().await;
    let registry = with_keys(&at, [key("k", 1)]);
    fill(&registry).await;
    assert_eq!(read(&registry, "small").await.unwrap(), Some(metadata(SECRET)));
    assert_eq!(read(&registry, ":.c:large").await.unwrap(), Some(metadata(SECRET)));
    let by_id = registry.schema_by_id(SchemaId::new(1).unwrap(), &IdQuery::default()).await.unwrap();
    assert_eq!(by_id.content.metadata, Some(metadata(SECRET)));
    for target in [Some("configured"), Some(":.d:"), Some(":.__GLOBAL:"), None].map(|name| name.map(subject)) {
        let Config { default_metadata, override_metadata, .. } = registry.config(target.as_ref(), false).await.unwrap();
        assert_eq!((default_metadata, override_metadata), (Some(metadata(SECRET)), Some(metadata(SECRET))));
    }
}

#[tokio::test]
async fn hashes_are_those_of_the_clear_values() {
    let (clear, sealed) = (registry().await, registry().await);
    let with_key = with_keys(&sealed, [key("k", 1)]);
    let options = RegisterOptions::default();
    let one = clear.registry.register(&subject("s"), secret_request(record(1)), &options).await.unwrap();
    let two = with_key.register(&subject("s"), secret_request(record(1)), &options).await.unwrap();
    assert_eq!((one.guid, one.id), (two.guid, two.id));
    // The same content registered elsewhere has the same id, whatever the nonces.
    assert_eq!(register(&with_key, "t", record(1)).await.unwrap(), two.id);
    let other = SchemaRequest { metadata: Some(metadata("another")), ..request(record(1)) };
    assert_ne!(with_key.register(&subject("t"), other, &options).await.unwrap().id, two.id);
}

#[tokio::test]
async fn without_the_key_what_is_sealed_cannot_be_read_and_all_else_works() {
    let at = registry().await;
    register(&with_keys(&at, [key("2026-01", 1)]), "s", record(1)).await.unwrap();
    let wrong = with_keys(&at, [key("2026-01", 2)]);
    let why = locked(read(&wrong, "s").await);
    assert!(why.contains("'password' does not open with this server's key '2026-01'"), "{why}");
    for without in [&at.registry, &with_keys(&at, [key("2026-02", 1)])] {
        let expected = "metadata property 'password' is encrypted with key '2026-01', which this server does not have";
        assert_eq!(locked(read(without, "s").await), expected);
        let id = SchemaId::new(1).unwrap();
        assert_eq!(locked(without.schema_by_id(id, &IdQuery::default()).await), expected);
        // Lookups and registrations of what is there compare hashes.
        assert_eq!(register(without, "s", record(1)).await.unwrap(), id);
        let found = without.lookup(&subject("s"), secret_request(record(1)), &LookupOptions::default()).await.unwrap();
        assert_eq!(found.id, id);
        assert_eq!(without.versions(&subject("s"), VersionFilter::default()).await.unwrap(), [1]);
    }
    at.registry.delete_subject(&subject("s"), false).await.unwrap();
    at.registry.delete_subject(&subject("s"), true).await.unwrap();
    assert_eq!(at.audit.violations(&[subject("s")]).await, [""; 0], "what cannot be read can be deleted");
}

#[tokio::test]
async fn keys_can_be_changed() {
    let at = registry().await;
    register(&at.registry, "clear", record(1)).await.unwrap();
    register(&with_keys(&at, [key("old", 1)]), "old", record(2)).await.unwrap();
    let both = with_keys(&at, [key("new", 2), key("old", 1)]);
    register(&both, "new", record(3)).await.unwrap();
    for name in ["clear", "old", "new"] {
        assert_eq!(read(&both, name).await.unwrap(), Some(metadata(SECRET)), "{name}");
    }
    let newer = with_keys(&at, [key("new", 2)]);
    assert_eq!(read(&newer, "new").await.unwrap(), Some(metadata(SECRET)));
    assert!(locked(read(&newer, "old").await).contains("'old'"));
}

#[tokio::test]
async fn a_value_moved_to_another_schema_is_not_opened() {
    let at = registry().await;
    let registry = with_keys(&at, [key("k", 1)]);
    register(&registry, "from", record(1)).await.unwrap();
    register(&registry, "to", record(2)).await.unwrap();
    let mut pages = at.client.scan().table_name("registrar").consistent_read(true).into_paginator().send();
    let page = pages.next().await.unwrap().unwrap();
    let row = |subject: &str| {
        let pk = AttributeValue::S(format!("./S/{subject}"));
        let items = page.items().iter();
        items.clone().find(|item| item["pk"] == pk && item.contains_key("bd")).cloned().unwrap()
    };
    let (from, mut to) = (row("from"), row("to"));
    to.insert("bd".to_owned(), from["bd"].clone());
    at.client.put_item().table_name("registrar").set_item(Some(to)).send().await.unwrap();
    assert!(locked(read(&registry, "to").await).contains("'password' does not open"));
    assert_eq!(read(&registry, "from").await.unwrap(), Some(metadata(SECRET)));
}
