//! Where the tables of tests are: in the process, or at an endpoint that the environment names.

use std::env;
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use registrar_embedded::Embedded;

/// Endpoints of another DynamoDB, separated by commas; they take turns.
const VARIABLE: &str = "REGISTRAR_TEST_ENDPOINTS";
/// Nothing resolves this; calls never leave the process.
const EMBEDDED_ENDPOINT: &str = "http://embedded.invalid";

/// A database that nobody else has.
#[derive(Clone)]
pub(crate) enum Database {
    Embedded(Embedded),
    /// A region is a database of its own, whatever its name, where names are not checked.
    Elsewhere {
        endpoint: String,
        region: String,
        http_client: SharedHttpClient,
    },
}

/// Whether tables are put elsewhere.
pub(crate) fn is_elsewhere() -> bool {
    env::var_os(VARIABLE).is_some()
}

impl Database {
    /// A new one.
    ///
    /// # Panics
    /// If the embedded database cannot be used.
    pub(crate) fn new() -> Self {
        if let Ok(endpoints) = env::var(VARIABLE) {
            return Self::elsewhere(&endpoints);
        }
        match Embedded::in_memory() {
            Ok(embedded) => Self::Embedded(embedded),
            Err(error) => panic!("{error}"),
        }
    }

    fn elsewhere(endpoints: &str) -> Self {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let endpoints: Vec<&str> = endpoints.split(',').collect();
        let http_client = Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https();
        let endpoint = endpoints[number % endpoints.len()].to_owned();
        Self::Elsewhere { endpoint, region: format!("test-{}-{number}", process::id()), http_client }
    }

    pub(crate) fn endpoint(&self) -> &str {
        match self {
            Self::Embedded(_) => EMBEDDED_ENDPOINT,
            Self::Elsewhere { endpoint, .. } => endpoint,
        }
    }

    pub(crate) fn region(&self) -> &str {
        match self {
            Self::Embedded(_) => "us-east-1",
            Self::Elsewhere { region, .. } => region,
        }
    }

    pub(crate) fn http_client(&self) -> SharedHttpClient {
        match self {
            Self::Embedded(embedded) => embedded.http_client(),
            Self::Elsewhere { http_client, .. } => http_client.clone(),
        }
    }
}
