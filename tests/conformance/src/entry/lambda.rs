//! The two Lambda functions over one table.

use super::events::{self, Front};
use super::service::runtime;
use super::{EntryPoint, Session, settings};
use crate::Result;
use crate::case::Environment;
use crate::exchange::{Reply, Request};
use registrar_harness::in_memory_registry;
use registrar_http::{Access, HttpOptions, HttpService, service};
use registrar_lambda::{EventConfig, handle};
use registrar_registry::Registry;
use registrar_store::{DataKey, Keyring, Runtime};
use serde_json::Value;

/// Both functions behind one kind of front.
#[derive(Debug)]
pub struct Lambda(pub Front);

impl EntryPoint for Lambda {
    fn key(&self) -> &'static str {
        match self.0 {
            Front::RestApi => "lambda_rest_api",
            Front::FunctionUrl => "lambda_function_url",
            Front::LoadBalancer => "lambda_load_balancer",
        }
    }

    fn name(&self) -> String {
        match self.0 {
            Front::RestApi => "Lambda functions behind a REST API",
            Front::FunctionUrl => "Lambda functions behind function URLs",
            Front::LoadBalancer => "Lambda functions behind a load balancer",
        }
        .to_owned()
    }

    fn open(&self, environment: &Environment) -> Result<Box<dyn Session>> {
        let front = self.0;
        Functions::open(environment, Split::AsInTemplate, move |request| events::event(front, request))
    }
}

/// The function that reads, given everything.
#[derive(Debug)]
pub struct ReadFunction;

impl EntryPoint for ReadFunction {
    fn key(&self) -> &'static str {
        "lambda_read"
    }

    fn name(&self) -> String {
        "the function that reads".to_owned()
    }

    fn open(&self, environment: &Environment) -> Result<Box<dyn Session>> {
        Functions::open(environment, Split::AllToRead, |request| events::event(Front::RestApi, request))
    }
}

/// The function that writes, behind an HTTP API.
#[derive(Debug)]
pub struct HttpApi;

impl EntryPoint for HttpApi {
    fn key(&self) -> &'static str {
        "lambda_http_api"
    }

    fn name(&self) -> String {
        "the function that writes, behind an HTTP API".to_owned()
    }

    fn open(&self, environment: &Environment) -> Result<Box<dyn Session>> {
        Functions::open(environment, Split::AllToWrite, events::http_api)
    }
}

/// Which function gets a request.
#[derive(Clone, Copy, Debug)]
enum Split {
    AsInTemplate,
    AllToRead,
    AllToWrite,
}

struct Functions<E> {
    split: Split,
    event: E,
    read: HttpService,
    write: HttpService,
    config: EventConfig,
    runtime: tokio::runtime::Runtime,
}

impl<E: Fn(&Request) -> Value + 'static> Functions<E> {
    fn open(environment: &Environment, split: Split, event: E) -> Result<Box<dyn Session>> {
        let runtime = runtime()?;
        let table = runtime.block_on(in_memory_registry(Runtime::system()));
        let settings = settings(environment)?;
        // With a key for sensitive metadata, unlike the service in the process: the answers must be the same.
        let store = table.store.with_keys(data_key()?);
        let function = |access| {
            let registry = Registry::new(store.clone(), settings.registry.clone());
            service(registry, HttpOptions { access, ..settings.http.clone() })
        };
        let (read, write) = (function(Access::ReadsOnly), function(Access::All));
        // What Lambda can carry is tested elsewhere; here every answer must be that of the service.
        let config =
            EventConfig { max_answer_bytes: usize::MAX, max_alb_answer_bytes: usize::MAX, ..EventConfig::default() };
        Ok(Box::new(Self { split, event, read, write, config, runtime }))
    }

    fn call(&self, function: &HttpService, event: Value) -> Result<Reply> {
        let answer = self.runtime.block_on(handle(function, &self.config, event));
        events::reply(&answer.map_err(|error| format!("the function failed: {error}"))?)
    }
}

impl<E: Fn(&Request) -> Value + 'static> Session for Functions<E> {
    fn send(&mut self, request: &Request) -> Result<Reply> {
        let function = match self.split {
            Split::AsInTemplate if is_read(request) => &self.read,
            Split::AllToRead => &self.read,
            Split::AsInTemplate | Split::AllToWrite => &self.write,
        };
        self.call(function, (self.event)(request))
    }

    fn look(&mut self, request: &Request) -> Result<Reply> {
        self.call(&self.read, events::event(Front::RestApi, request))
    }
}

fn data_key() -> Result<Keyring> {
    let key = DataKey::new("conformance", &[7; 32]).map_err(|error| error.to_string())?;
    Keyring::new([key]).map_err(|error| error.to_string())
}

/// The split of `template.yaml`: GET, HEAD, lookup and compatibility are reads.
pub fn is_read(request: &Request) -> bool {
    let (path, _) = request.path_and_query();
    let segments: Vec<_> = path.trim_matches('/').split('/').collect();
    let segments = if let ["contexts", _, rest @ ..] = &*segments { rest } else { &*segments };
    matches!(
        (&*request.method, segments),
        ("GET" | "HEAD", _) | ("POST", ["subjects", _] | ["compatibility", ..] | ["associations:batchGet"])
    )
}
