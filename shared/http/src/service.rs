//! One request from raw bytes to raw bytes.

use crate::HttpOptions;
use bytes::Bytes;
use http::{Request, Response};
use registrar_registry::Registry;
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// The registry as an HTTP service. Cheap to clone.
#[derive(Clone)]
pub struct HttpService {
    #[allow(dead_code)]
    inner: Arc<(Registry, HttpOptions)>,
}

/// A service over `registry`.
pub fn service(registry: Registry, options: HttpOptions) -> HttpService {
    HttpService { inner: Arc::new((registry, options)) }
}

impl tower::Service<Request<Bytes>> for HttpService {
    type Response = Response<Bytes>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _request: Request<Bytes>) -> Self::Future {
        Box::pin(async { Ok(Response::new(Bytes::new())) })
    }
}
