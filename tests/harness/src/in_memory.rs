//! A whole registry over a table of its own, with a meter and faults under it.

use std::collections::HashMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region, SharedCredentialsProvider};
use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use registrar_model::Subject;
use registrar_registry::{Registry, Settings};
use registrar_store::{Connection, Key, Runtime, Store};

use crate::database::Database;
use crate::{Audit, Faults, Meter};

const TABLE: &str = "registrar";
/// Most items of one `BatchWriteItem`.
const BATCH: usize = 25;

/// A registry over a database that nobody else has: an embedded one, or a table elsewhere if the environment names one
/// (`docs/SECOND-OPINION.md`). Calls go through the meter, then the faults.
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
    database: Database,
}

/// An empty registry with the default settings, its table made, the meter at zero.
///
/// # Panics
/// If the database cannot be used.
pub async fn in_memory_registry(runtime: Runtime) -> InMemory {
    let at = new_table(runtime);
    for made in [at.store.create_table().await, at.store.check_layout(true).await] {
        if let Err(error) = made {
            panic!("{error}");
        }
    }
    at.meter.take();
    at.faults.reset();
    at
}

/// The same before its first start: there is no table.
///
/// # Panics
/// If the database cannot be used.
pub fn new_table(runtime: Runtime) -> InMemory {
    let database = Database::new();
    let faults = Faults::around(database.http_client());
    let meter = Meter::around(faults.http_client());
    let store = connect(&database, meter.http_client(), runtime.clone());
    let client = client(&database, database.http_client(), &runtime);
    let audit = Audit::new(connect(&database, database.http_client(), runtime), client.clone(), TABLE);
    let registry = Registry::new(store.clone(), Settings::default());
    InMemory { registry, meter, faults, audit, client, store, database }
}

impl InMemory {
    /// The same table seen by a second process with settings of its own.
    pub fn registry_with(&self, settings: Settings) -> Registry {
        Registry::new(self.store.clone(), settings)
    }

    /// The same table seen by a process of its own, whose calls go through what `wrap` puts around the database; they
    /// are not counted.
    pub fn store_through(&self, runtime: Runtime, wrap: impl FnOnce(SharedHttpClient) -> SharedHttpClient) -> Store {
        connect(&self.database, wrap(self.database.http_client()), runtime)
    }

    /// A plain client of the database, through what is put around it.
    pub fn client_through(&self, http_client: SharedHttpClient) -> Client {
        client(&self.database, http_client, self.store.runtime())
    }

    /// What carries calls to the database, neither counted nor failing.
    pub fn http_client(&self) -> SharedHttpClient {
        self.database.http_client()
    }

    /// Enters subjects into the directory and nothing else, so that a long list is quickly made.
    ///
    /// # Panics
    /// If the table cannot be written.
    pub async fn list_subjects(&self, subjects: &[Subject]) {
        self.put_items(subjects.iter().map(directory_entry)).await;
    }

    /// Puts items into the table as they are, neither counted nor failing.
    ///
    /// # Panics
    /// If the table cannot be written.
    pub async fn put_items(&self, items: impl IntoIterator<Item = HashMap<String, AttributeValue>>) {
        let puts: Vec<WriteRequest> = items.into_iter().map(put).collect();
        for some in puts.chunks(BATCH) {
            let sent = self.client.batch_write_item().request_items(TABLE, some.to_vec()).send().await;
            assert!(sent.is_ok_and(|answer| answer.unprocessed_items.is_none_or(|left| left.is_empty())));
        }
    }
}

/// A subject with a live version, as the store lists it.
fn directory_entry(subject: &Subject) -> HashMap<String, AttributeValue> {
    let key = Key::Directory(subject.clone());
    let attributes = [("pk", key.pk()), ("sk", key.sk()), ("st", "L".to_owned())];
    attributes.map(|(name, value)| (name.to_owned(), AttributeValue::S(value))).into()
}

fn put(item: HashMap<String, AttributeValue>) -> WriteRequest {
    match PutRequest::builder().set_item(Some(item)).build() {
        Ok(put) => WriteRequest::builder().put_request(put).build(),
        Err(error) => panic!("{error}"),
    }
}

fn connect(database: &Database, http_client: SharedHttpClient, runtime: Runtime) -> Store {
    let connection = Connection {
        table: TABLE.to_owned(),
        endpoint: Some(database.endpoint().to_owned()),
        region: Some(database.region().to_owned()),
        credentials: Some(SharedCredentialsProvider::new(credentials())),
        http_client: Some(http_client),
    };
    Store::connect(connection, runtime)
}

fn client(database: &Database, http_client: SharedHttpClient, runtime: &Runtime) -> Client {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(database.region().to_owned()))
        .credentials_provider(credentials())
        .endpoint_url(database.endpoint())
        .retry_config(RetryConfig::disabled())
        .sleep_impl(runtime.sleep.clone())
        .time_source(runtime.clock.clone())
        .http_client(http_client);
    Client::from_conf(config.build())
}

fn credentials() -> Credentials {
    Credentials::new("embedded", "embedded", None, None, "test")
}
