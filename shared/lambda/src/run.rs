//! The life of a function: settings and one client at init, then event after event.

use crate::kms::Kms;
use crate::{EventConfig, handle, keys};
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use lambda_runtime::{Diagnostic, LambdaEvent, service_fn};
use registrar_http::{Access, HttpOptions, HttpService, ServerSettings, service};
use registrar_registry::Registry;
use registrar_store::{Connection, Keyring, Runtime, Store, StoreError};
use serde_json::Value;
use std::fmt;
use std::time::Duration;

/// Lambda gives init 10 seconds, and starts it over where that is not enough.
const INIT_TIMEOUT: Duration = Duration::from_secs(5);

/// Why a function does not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitError(String);

impl fmt::Display for InitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InitError {}

/// Runs a function until Lambda ends it.
///
/// The table is `REGISTRAR_TABLE`, its region `REGISTRAR_REGION` or the function's own, `REGISTRAR_ENDPOINT` another
/// endpoint. `REGISTRAR_KMS_DATA_KEYS` are the keys for sensitive metadata, encrypted by AWS KMS, and
/// `REGISTRAR_KMS_ENDPOINT` another endpoint of that. [`registrar_http::VARIABLES`] are the other settings. Credentials come from the environment and nowhere
/// else: they stay the same for the life of an instance, and looking elsewhere would cost start-up time.
pub async fn run(access: Access) -> Result<(), lambda_runtime::Error> {
    start_log();
    let function = init(access, |name| std::env::var(name).ok().filter(|value| !value.is_empty())).await?;
    let (service, config) = &function;
    let answer = move |event: LambdaEvent<Value>| async move {
        handle(service, config, event.payload)
            .await
            .map_err(|error| Diagnostic { error_type: "NotAnHttpEvent".to_owned(), error_message: error.to_string() })
    };
    lambda_runtime::run(service_fn(answer)).await
}

async fn init(
    access: Access,
    lookup: impl Fn(&str) -> Option<String>,
) -> Result<(HttpService, EventConfig), InitError> {
    let settings = ServerSettings::from_environment(&lookup).map_err(|error| InitError(error.to_string()))?;
    let store = Store::connect(connection(&lookup)?, Runtime::system());
    let keys = data_keys(&store, &lookup).await?;
    let store = store.with_keys(keys);
    open(&store, access).await?;
    let config = EventConfig { base_path: settings.http.base_path, ..EventConfig::default() };
    let options = HttpOptions { access, base_path: String::new(), ..settings.http };
    Ok((service(Registry::new(store, settings.registry), options), config))
}

/// Without its keys a function must not start: it would store in clear what was to be encrypted.
async fn data_keys(store: &Store, lookup: &impl Fn(&str) -> Option<String>) -> Result<Keyring, InitError> {
    let kms = || {
        let region = lookup("AWS_REGION").or_else(|| lookup("AWS_DEFAULT_REGION"));
        Ok(Kms {
            region: region.ok_or("AWS_REGION is not set")?,
            endpoint: lookup("REGISTRAR_KMS_ENDPOINT"),
            credentials: credentials(lookup).map_err(|error| error.to_string())?,
            runtime: store.runtime().clone(),
        })
    };
    let value = lookup(keys::VARIABLE);
    let read = tokio::time::timeout(INIT_TIMEOUT, keys::read(value.as_deref(), kms, || store.race())).await;
    let read = read.unwrap_or_else(|_| Err("KMS did not answer at init".to_owned()));
    read.map_err(|why| InitError(format!("{}: {why}", keys::VARIABLE)))
}

fn needed(lookup: &impl Fn(&str) -> Option<String>, name: &str) -> Result<String, InitError> {
    lookup(name).ok_or_else(|| InitError(format!("{name} is not set")))
}

fn credentials(lookup: &impl Fn(&str) -> Option<String>) -> Result<Credentials, InitError> {
    let (id, secret) = (needed(lookup, "AWS_ACCESS_KEY_ID")?, needed(lookup, "AWS_SECRET_ACCESS_KEY")?);
    Ok(Credentials::new(id, secret, lookup("AWS_SESSION_TOKEN"), None, "environment"))
}

fn connection(lookup: &impl Fn(&str) -> Option<String>) -> Result<Connection, InitError> {
    let credentials = credentials(lookup)?;
    Ok(Connection {
        table: needed(lookup, "REGISTRAR_TABLE")?,
        endpoint: lookup("REGISTRAR_ENDPOINT"),
        region: lookup("REGISTRAR_REGION").or_else(|| lookup("AWS_REGION")).or_else(|| lookup("AWS_DEFAULT_REGION")),
        credentials: Some(SharedCredentialsProvider::new(credentials)),
        http_client: None,
    })
}

/// One cheap read, so that the connection is open before the first request. A table of a newer layout must not be
/// touched; anything else may pass, and until then each request gets its own error.
async fn open(store: &Store, access: Access) -> Result<(), InitError> {
    let read = tokio::time::timeout(INIT_TIMEOUT, store.check_layout(access == Access::All));
    match read.await {
        Ok(Ok(())) => {}
        Ok(Err(error @ StoreError::Broken(_))) => return Err(InitError(error.to_string())),
        Ok(Err(error)) => tracing::error!(%error, "the table could not be read at init"),
        Err(_) => tracing::error!("the table did not answer at init"),
    }
    Ok(())
}

/// JSON lines; `RUST_LOG` says how much. Lambda adds the time.
fn start_log() {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "info".into());
    tracing_subscriber::fmt().json().without_time().with_env_filter(filter).init();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(without: &'static str) -> impl Fn(&str) -> Option<String> {
        move |name| {
            let value = match name {
                "AWS_ACCESS_KEY_ID" | "AWS_SECRET_ACCESS_KEY" => "test",
                "REGISTRAR_TABLE" => "registrar",
                "AWS_REGION" => "eu-west-1",
                _ => return None,
            };
            (name != without).then(|| value.to_owned())
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        for name in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "REGISTRAR_TABLE"] {
            let error = connection(&environment(name)).unwrap_err();
            assert_eq!(error, InitError(format!("{name} is not set")));
        }
        let connection = connection(&environment("")).unwrap();
        assert_eq!(connection.table, "registrar");
        assert_eq!(connection.region.as_deref(), Some("eu-west-1"));
    }
}
