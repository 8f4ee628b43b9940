//! A table in which nothing is ever found and to which everything can be written, so that no input depends on another.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use aws_sdk_dynamodb::config::{Credentials, SharedCredentialsProvider};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use registrar_harness::instant_runtime;
use registrar_store::{Connection, Store};
use serde_json::Value;

/// Answers every call, and notes what it was about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nothing(Arc<Mutex<Vec<Call>>>);

/// One call: the operation, and every item and value it names. Times and tokens are left out.
pub(crate) type Call = (String, BTreeSet<String>);

impl Nothing {
    /// A store over it.
    pub(crate) fn store(&self) -> Store {
        let credentials = Credentials::new("nobody", "nothing", None, None, "fuzzing");
        let connection = Connection {
            table: "t".to_owned(),
            endpoint: Some("http://nothing.invalid".to_owned()),
            region: None,
            credentials: Some(SharedCredentialsProvider::new(credentials)),
            http_client: Some(SharedHttpClient::new(self.clone())),
        };
        Store::connect(connection, instant_runtime(1))
    }

    /// The calls since the last time.
    pub(crate) fn take(&self) -> Vec<Call> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn answer(&self, request: &HttpRequest) -> &'static str {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default();
        let body: Value = serde_json::from_slice(request.body().bytes().unwrap_or_default()).unwrap_or_default();
        let mut named = BTreeSet::new();
        names(&body, &mut named);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((operation.to_owned(), named));
        match operation {
            "BatchGetItem" => "{\"Responses\":{},\"UnprocessedKeys\":{}}",
            "Query" => "{\"Items\":[],\"Count\":0,\"ScannedCount\":0}",
            // The counter is what asks for what it has written.
            "UpdateItem" => "{\"Attributes\":{\"n\":{\"N\":\"1\"}}}",
            _ => "{}",
        }
    }
}

/// Notes the texts of all keys, and of all values that a key is compared with.
fn names(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match (name.as_str(), &value["S"]) {
                    ("pk" | "sk", Value::String(text)) => drop(into.insert(text.clone())),
                    (name, Value::String(text)) if name.starts_with(':') => drop(into.insert(text.clone())),
                    _ => names(value, into),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| names(item, into)),
        _ => {}
    }
}

impl HttpClient for Nothing {
    fn http_connector(&self, _: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for Nothing {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let body = self.answer(&request);
        let Ok(status) = StatusCode::try_from(200) else { panic!("200 is a status") };
        HttpConnectorFuture::ready(Ok(HttpResponse::new(status, SdkBody::from(body))))
    }
}
