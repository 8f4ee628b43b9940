//! The handle on the table, and how it is reached.

use crate::safeguard::Safeguard;
use crate::{Keyring, Race, Runtime};
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Region, StalledStreamProtectionConfig};
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use registrar_model::IdRange;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// One attempt at one call: a lost packet must not eat the whole time a client waits.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// Where the table is and how to get there.
#[derive(Clone, Debug, Default)]
pub struct Connection {
    /// The table's name.
    pub table: String,
    /// Another endpoint than the region's.
    pub endpoint: Option<String>,
    /// The region; `us-east-1` where none is given, which only an explicit endpoint makes sense with.
    pub region: Option<String>,
    /// Who asks. Without any, requests are refused before they are sent.
    pub credentials: Option<SharedCredentialsProvider>,
    /// What carries the calls; HTTPS over the network where absent.
    pub http_client: Option<SharedHttpClient>,
}

/// The table. Cheap to clone; holds no state of it.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) client: Client,
    pub(crate) table: Arc<str>,
    pub(crate) runtime: Runtime,
    pub(crate) keys: Keyring,
    pub(crate) ids: IdRange,
    pub(crate) dropped: Arc<BTreeSet<Safeguard>>,
}

impl Store {
    /// A handle on the table; sends nothing yet.
    pub fn connect(connection: Connection, runtime: Runtime) -> Self {
        let http_client = connection.http_client.unwrap_or_else(|| {
            aws_smithy_http_client::Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https()
        });
        let timeouts = TimeoutConfig::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .operation_attempt_timeout(ATTEMPT_TIMEOUT)
            .build();
        let mut config = Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(connection.region.unwrap_or_else(|| "us-east-1".to_owned())))
            .http_client(http_client)
            // All retries are ours (`Race`): the SDK knows neither our deadline nor cancelled transactions.
            .retry_config(RetryConfig::disabled())
            .timeout_config(timeouts)
            .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
            .sleep_impl(runtime.sleep.clone())
            .time_source(runtime.clock.clone());
        if let Some(endpoint) = connection.endpoint {
            config = config.endpoint_url(endpoint);
        }
        if let Some(credentials) = connection.credentials {
            config = config.credentials_provider(credentials);
        }
        Self {
            client: Client::from_conf(config.build()),
            table: connection.table.into(),
            runtime,
            keys: Keyring::default(),
            ids: IdRange::ALL,
            dropped: Arc::default(),
        }
    }

    /// The same table with keys for sensitive values.
    #[must_use]
    pub fn with_keys(mut self, keys: Keyring) -> Self {
        self.keys = keys;
        self
    }

    /// The same table with another range that new ids are of.
    #[must_use]
    pub fn with_ids(mut self, ids: IdRange) -> Self {
        self.ids = ids;
        self
    }

    /// The keys for sensitive values, which plans that write any take.
    pub fn keys(&self) -> &Keyring {
        &self.keys
    }

    /// Clock, sleep and randomness of this process.
    pub fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// The retry budget of one operation.
    pub fn race(&self) -> Race {
        Race::new(self.runtime.clone())
    }
}
