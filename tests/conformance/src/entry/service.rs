//! The HTTP service in the process, over an embedded database in memory.

use super::{EntryPoint, Session, settings};
use crate::Result;
use crate::case::Environment;
use crate::exchange::{Reply, Request};
use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method, Uri};
use registrar_harness::in_memory_registry;
use registrar_http::{HttpService, service};
use registrar_store::Runtime;

/// What the others are compared with.
#[derive(Debug)]
pub struct Service;

impl EntryPoint for Service {
    fn key(&self) -> &'static str {
        "service"
    }

    fn name(&self) -> String {
        "service in the process".to_owned()
    }

    fn open(&self, environment: &Environment) -> Result<Box<dyn Session>> {
        let runtime = runtime()?;
        let settings = settings(environment)?;
        let table = runtime.block_on(in_memory_registry(Runtime::system()));
        Ok(Box::new(Opened { service: service(table.registry_with(settings.registry), settings.http), runtime }))
    }
}

struct Opened {
    service: HttpService,
    runtime: tokio::runtime::Runtime,
}

impl Session for Opened {
    fn send(&mut self, request: &Request) -> Result<Reply> {
        let request = to_http(request)?;
        from_http(&self.runtime.block_on(self.service.answer(request)))
    }
}

/// A runtime for the calls of one session.
pub(super) fn runtime() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(|error| error.to_string())
}

fn to_http(request: &Request) -> Result<http::Request<Bytes>> {
    let invalid = |what: &str| format!("cannot be sent: {what}");
    let mut http = http::Request::new(Bytes::from(request.body.clone().unwrap_or_default()));
    *http.method_mut() = Method::from_bytes(request.method.as_bytes()).map_err(|error| invalid(&error.to_string()))?;
    *http.uri_mut() = Uri::try_from(&request.target).map_err(|error| invalid(&error.to_string()))?;
    for (name, value) in &request.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|error| invalid(&error.to_string()))?;
        let value = HeaderValue::from_str(value).map_err(|error| invalid(&error.to_string()))?;
        http.headers_mut().append(name, value);
    }
    Ok(http)
}

fn from_http(response: &http::Response<Bytes>) -> Result<Reply> {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = response.headers().iter().map(|(name, value)| (name.to_string(), text(value))).collect();
    Reply::new(response.status().as_u16(), headers, response.body().to_vec())
}
