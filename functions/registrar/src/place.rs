//! Opening the data: an embedded database or a table.

use crate::arguments::Place;
use aws_config::{BehaviorVersion, Region};
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use registrar_embedded::{Embedded, OpenError};
use registrar_store::{Connection, Runtime, Store, StoreError};
use std::fmt;

/// Nothing resolves this; calls never leave the process.
const EMBEDDED_ENDPOINT: &str = "http://embedded.invalid";
const EMBEDDED_TABLE: &str = "registrar";

/// A store ready for use, and what must live as long.
pub(crate) struct Opened {
    pub(crate) store: Store,
    /// Holds the lock on the folder.
    pub(crate) embedded: Option<Embedded>,
}

impl fmt::Display for Place {
    /// As the ready line names it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => folder.display().fmt(f),
            Self::Memory => f.write_str("in memory"),
            Self::Table { name, .. } => write!(f, "table {name}"),
        }
    }
}

impl Place {
    /// Opens the data, or says in one line why not.
    pub(crate) async fn open(&self) -> Result<Opened, String> {
        match self {
            Self::Folder(folder) => embedded(Embedded::open(folder)).await,
            Self::Memory => embedded(Embedded::in_memory()).await,
            Self::Table { name, endpoint, region, create } => {
                let store = Store::connect(connection(name, endpoint.clone(), region.clone()).await, Runtime::system());
                let failed = |error: StoreError| format!("table {name}: {error}");
                prepare(&store, *create).await.map_err(failed)?;
                Ok(Opened { store, embedded: None })
            }
        }
    }
}

async fn embedded(opened: Result<Embedded, OpenError>) -> Result<Opened, String> {
    let embedded = opened.map_err(|error| error.to_string())?;
    // The engine asks nobody's name, but the SDK signs every call.
    let credentials = Credentials::new("embedded", "embedded", None, None, "embedded");
    let connection = Connection {
        table: EMBEDDED_TABLE.to_owned(),
        endpoint: Some(EMBEDDED_ENDPOINT.to_owned()),
        region: None,
        credentials: Some(SharedCredentialsProvider::new(credentials)),
        http_client: Some(embedded.http_client()),
    };
    let store = Store::connect(connection, Runtime::system());
    prepare(&store, true).await.map_err(|error| error.to_string())?;
    Ok(Opened { store, embedded: Some(embedded) })
}

async fn prepare(store: &Store, create: bool) -> Result<(), StoreError> {
    // Of a table that can be read nothing more is asked: an embedded one would count its items first.
    if create && store.check_layout(false).await.is_err() {
        store.create_table().await?;
    }
    store.check_layout(true).await
}

/// Credentials and region where the AWS command line would find them.
async fn connection(table: &str, endpoint: Option<String>, region: Option<String>) -> Connection {
    let http_client =
        aws_smithy_http_client::Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https();
    let mut loader = aws_config::defaults(BehaviorVersion::latest()).http_client(http_client.clone());
    if let Some(region) = region {
        loader = loader.region(Region::new(region));
    }
    let config = loader.load().await;
    Connection {
        table: table.to_owned(),
        endpoint,
        region: config.region().map(ToString::to_string),
        credentials: config.credentials_provider(),
        http_client: Some(http_client),
    }
}
