//! What the calls behind an operation cost: how many, how many in a row, and how much capacity.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use serde_json::Value;

use crate::request;

/// An HTTP client that counts.
///
/// It asks for the consumed capacity itself, by adding `ReturnConsumedCapacity` to the body of a request that does not
/// have it; the signature does not cover that, so it is for databases that do not check one.
#[derive(Clone, Debug)]
pub struct Meter {
    inner: SharedHttpClient,
    counts: Counts,
}

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Usage {
    /// Calls by operation.
    pub calls: BTreeMap<String, usize>,
    /// Sequential round trips: the length of the longest chain of calls of which each began after another had ended.
    pub rounds: usize,
    /// Read request units, as the database reported them. A call that failed reports none.
    pub read_units: f64,
    /// Write request units, likewise.
    pub write_units: f64,
}

impl Usage {
    /// All calls together.
    pub fn total_calls(&self) -> usize {
        self.calls.values().sum()
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rounds, {} RRU, {} WRU:", self.rounds, self.read_units, self.write_units)?;
        self.calls.iter().try_for_each(|(operation, times)| write!(f, " {times} {operation}"))
    }
}

impl Meter {
    /// Counts what passes through `inner`.
    pub fn around(inner: SharedHttpClient) -> Self {
        Self { inner, counts: Counts::default() }
    }

    /// The HTTP client to give to an SDK client.
    pub fn http_client(&self) -> SharedHttpClient {
        SharedHttpClient::new(self.clone())
    }

    /// What was counted since the last time, and starts again from zero.
    pub fn take(&self) -> Usage {
        std::mem::take(&mut *self.counts.lock()).usage
    }
}

impl HttpClient for Meter {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        let inner = self.inner.http_connector(settings, components);
        SharedHttpConnector::new(MeteredConnector { inner, counts: self.counts.clone() })
    }
}

#[derive(Clone, Debug)]
struct MeteredConnector {
    inner: SharedHttpConnector,
    counts: Counts,
}

impl HttpConnector for MeteredConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let Self { inner, counts } = self.clone();
        let operation = request::operation(&request);
        let round = counts.begin(&operation);
        HttpConnectorFuture::new(async move {
            // The embedded database answers at once. Without this, calls made side by side would look like a chain.
            tokio::task::yield_now().await;
            let answer = inner.call(asking_for_capacity(request, &operation)).await;
            counts.end(&operation, round, answer.as_ref().ok());
            answer
        })
    }
}

fn asking_for_capacity(mut request: HttpRequest, operation: &str) -> HttpRequest {
    let body = request::body(&request);
    let asks = body.windows(b"\"ReturnConsumedCapacity\"".len()).any(|part| part == b"\"ReturnConsumedCapacity\"");
    if asks || !request::is_on_items(operation) {
        return request;
    }
    // A request on items always has members, so a comma follows.
    let asking = [b"{\"ReturnConsumedCapacity\":\"TOTAL\",", body.strip_prefix(b"{").unwrap_or(body)].concat();
    let length = asking.len();
    *request.body_mut() = SdkBody::from(asking);
    request.headers_mut().insert("content-length", length.to_string());
    request
}

#[derive(Clone, Debug, Default)]
struct Counts(Arc<Mutex<Counted>>);

#[derive(Debug, Default)]
struct Counted {
    usage: Usage,
    /// The length of the longest chain of calls that have ended.
    ended: usize,
}

impl Counts {
    /// Counts a call that begins, and tells which link of a chain it is.
    fn begin(&self, operation: &str) -> usize {
        let mut counted = self.lock();
        *counted.usage.calls.entry(operation.to_owned()).or_default() += 1;
        let round = counted.ended + 1;
        counted.usage.rounds = counted.usage.rounds.max(round);
        round
    }

    fn end(&self, operation: &str, round: usize, answer: Option<&HttpResponse>) {
        let mut counted = self.lock();
        counted.ended = counted.ended.max(round);
        for (read, write) in answer.map(|answer| units(operation, answer)).unwrap_or_default() {
            counted.usage.read_units += read;
            counted.usage.write_units += write;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Counted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Read and write units of each table in an answer.
fn units(operation: &str, answer: &HttpResponse) -> Vec<(f64, f64)> {
    let body: Value = serde_json::from_slice(answer.body().bytes().unwrap_or_default()).unwrap_or_default();
    let tables = match &body["ConsumedCapacity"] {
        Value::Array(tables) => tables.as_slice(),
        Value::Null => &[],
        table => std::slice::from_ref(table),
    };
    tables.iter().map(|table| split(operation, table)).collect()
}

/// The answer names its kind of unit only where it is not the obvious one: a repeated transaction is charged as a read.
fn split(operation: &str, table: &Value) -> (f64, f64) {
    let all = table["CapacityUnits"].as_f64().unwrap_or_default();
    if request::is_read(operation) || table["ReadCapacityUnits"].is_number() { (all, 0.0) } else { (0.0, all) }
}
