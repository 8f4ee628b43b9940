//! A whole registry in memory, with a meter and faults under it.

use std::collections::HashMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region, SharedCredentialsProvider};
use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use registrar_embedded::Embedded;
use registrar_model::Subject;
use registrar_registry::{Registry, Settings};
use registrar_store::{Connection, Key, Runtime, Store};

use crate::{Audit, Faults, Meter};

const TABLE: &str = "registrar";
const REGION: &str = "us-east-1";
/// Most items of one `BatchWriteItem`.
const BATCH: usize = 25;
const ENDPOINT: &str = "http://embedded.invalid";

/// A registry over an embedded database that nobody else has. Calls go through the meter, then the faults.
#[derive(Clone)]
pub struct InMemory {
    /// The registry.
    pub registry: Registry,
    /// What its calls cost.
    pub meter: Meter,
    /// What goes wrong with them.
    pub faults: Faults,
    /// The table seen from the side: neither counted nor failing.
    pub audit: Audit,
    /// A plain client of the table, neither counted nor failing.
    pub client: Client,
    /// The registry's store, metered and failing as the registry's calls are.
    pub store: Store,
    embedded: Embedded,
}

/// An empty registry with the default settings, its table made, the meter at zero.
///
/// # Panics
/// If the embedded database cannot be used.
pub async fn in_memory_registry(runtime: Runtime) -> InMemory {
    let embedded = match Embedded::in_memory() {
        Ok(embedded) => embedded,
        Err(error) => panic!("{error}"),
    };
    let faults = Faults::around(embedded.http_client());
    let meter = Meter::around(faults.http_client());
    let store = connect(meter.http_client(), runtime.clone());
    for made in [store.create_table().await, store.check_layout(true).await] {
        if let Err(error) = made {
            panic!("{error}");
        }
    }
    meter.take();
    faults.reset();
    let client = client(embedded.http_client(), &runtime);
    let audit = Audit::new(connect(embedded.http_client(), runtime), client.clone(), TABLE);
    let registry = Registry::new(store.clone(), Settings::default());
    InMemory { registry, meter, faults, audit, client, store, embedded }
}

impl InMemory {
    /// The same table seen by a second process with settings of its own.
    pub fn registry_with(&self, settings: Settings) -> Registry {
        Registry::new(self.store.clone(), settings)
    }

    /// The same table seen by a process of its own, whose calls go through what `wrap` puts around the database; they
    /// are not counted.
    pub fn store_through(&self, runtime: Runtime, wrap: impl FnOnce(SharedHttpClient) -> SharedHttpClient) -> Store {
        connect(wrap(self.embedded.http_client()), runtime)
    }

    /// Enters subjects into the directory and nothing else, so that a long list is quickly made.
    ///
    /// # Panics
    /// If the table cannot be written.
    pub async fn list_subjects(&self, subjects: &[Subject]) {
        for some in subjects.chunks(BATCH) {
            let puts = some.iter().map(directory_entry).collect();
            let sent = self.client.batch_write_item().request_items(TABLE, puts).send().await;
            assert!(sent.is_ok_and(|answer| answer.unprocessed_items.is_none_or(|left| left.is_empty())));
        }
    }
}

/// A subject with a live version, as the store lists it.
fn directory_entry(subject: &Subject) -> WriteRequest {
    let key = Key::Directory(subject.clone());
    let attributes = [("pk", key.pk()), ("sk", key.sk()), ("st", "L".to_owned())];
    let item = attributes.map(|(name, value)| (name.to_owned(), AttributeValue::S(value)));
    match PutRequest::builder().set_item(Some(HashMap::from(item))).build() {
        Ok(put) => WriteRequest::builder().put_request(put).build(),
        Err(error) => panic!("{error}"),
    }
}

fn connect(http_client: SharedHttpClient, runtime: Runtime) -> Store {
    let connection = Connection {
        table: TABLE.to_owned(),
        endpoint: Some(ENDPOINT.to_owned()),
        region: Some(REGION.to_owned()),
        credentials: Some(SharedCredentialsProvider::new(credentials())),
        http_client: Some(http_client),
    };
    Store::connect(connection, runtime)
}

fn client(http_client: SharedHttpClient, runtime: &Runtime) -> Client {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(REGION))
        .credentials_provider(credentials())
        .endpoint_url(ENDPOINT)
        .retry_config(RetryConfig::disabled())
        .sleep_impl(runtime.sleep.clone())
        .time_source(runtime.clock.clone())
        .http_client(http_client);
    Client::from_conf(config.build())
}

fn credentials() -> Credentials {
    Credentials::new("embedded", "embedded", None, None, "test")
}
