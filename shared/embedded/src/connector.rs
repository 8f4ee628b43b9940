//! The HTTP client the SDK sees: every request is answered by the engine in this process.

use std::sync::Arc;
use std::time::Instant;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use tokio::runtime::Handle;

use crate::engine::{Answer, Engine};

const TARGET: &str = "x-amz-target";

/// Hands requests to the engine. Time-outs of the SDK still apply: they run around this connector.
#[derive(Clone, Debug)]
pub(crate) struct EmbeddedHttp {
    engine: Arc<Engine>,
}

impl EmbeddedHttp {
    pub(crate) const fn new(engine: Arc<Engine>) -> Self {
        Self { engine }
    }
}

impl HttpClient for EmbeddedHttp {
    fn http_connector(&self, _: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for EmbeddedHttp {
    /// A call on a file waits for the disk, so it goes to the blocking pool; memory is answered on the spot.
    /// A call once begun is carried out even if its future is dropped, as a request already sent would be.
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let (began, operation) = (Instant::now(), target(&request).to_owned());
        match Handle::try_current() {
            Ok(runtime) if self.engine.is_on_disk() => {
                let engine = Arc::clone(&self.engine);
                HttpConnectorFuture::new(async move {
                    let busy = Arc::clone(&engine);
                    let answered = runtime.spawn_blocking(move || respond(&busy, &request)).await;
                    // When the caller sees the answer: calls made side by side overlap in the log.
                    let (began, took) = (engine.micros_until(began), began.elapsed().as_micros());
                    tracing::trace!(operation, began, took, "call");
                    answered.map_err(|stopped| ConnectorError::other(stopped.into(), None))?
                })
            }
            _ => HttpConnectorFuture::ready(respond(&self.engine, &request)),
        }
    }
}

fn target(request: &HttpRequest) -> &str {
    request.headers().get(TARGET).unwrap_or_default()
}

fn respond(engine: &Engine, request: &HttpRequest) -> Result<HttpResponse, ConnectorError> {
    let Some(body) = request.body().bytes() else {
        return Err(ConnectorError::user("a DynamoDB request has its body in memory".into()));
    };
    let Answer { status, body } = engine.answer(target(request), body);
    let status = StatusCode::try_from(status).map_err(|e| ConnectorError::other(e.into(), None))?;
    Ok(HttpResponse::new(status, SdkBody::from(body)))
}
