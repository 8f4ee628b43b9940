//! Calls that wait for their turn.

use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use tokio::sync::oneshot;

use crate::parts::in_parts;

/// What becomes of a client whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// It goes on.
    Run,
    /// The call reaches the database, and its answer nobody.
    RunUnheard,
}

/// Who waits, and for what.
#[derive(Debug)]
pub struct Turn {
    /// The client.
    pub client: usize,
    /// What it is about to do.
    pub what: String,
    permit: oneshot::Sender<Grant>,
}

impl Turn {
    /// Lets it happen. Whoever has died meanwhile does not mind.
    pub fn grant(self, grant: Grant) {
        let _ = self.permit.send(grant);
    }
}

/// All who wait, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct Queue(Arc<Mutex<Vec<Turn>>>);

impl Queue {
    /// Waits for a turn.
    pub async fn turn(&self, client: usize, what: String) -> Grant {
        let (permit, permitted) = oneshot::channel();
        self.lock().push(Turn { client, what, permit });
        match permitted.await {
            Ok(grant) => grant,
            // The scheduler is gone, and this world with it.
            Err(_) => pending().await,
        }
    }

    /// Whoever waits now; they wait no longer unless they are put back.
    pub fn take(&self) -> Vec<Turn> {
        std::mem::take(&mut *self.lock())
    }

    /// Those go on waiting.
    pub fn put_back(&self, turns: Vec<Turn>) {
        let mut queue = self.lock();
        let newer = std::mem::replace(&mut *queue, turns);
        queue.extend(newer);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Turn>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An HTTP client of one client, each of whose calls waits for a turn.
#[derive(Clone, Debug)]
pub struct Turns {
    inner: SharedHttpClient,
    queue: Queue,
    client: usize,
}

impl Turns {
    /// Calls of `client` to `inner`.
    pub fn around(inner: SharedHttpClient, queue: Queue, client: usize) -> SharedHttpClient {
        SharedHttpClient::new(Self { inner, queue, client })
    }
}

impl HttpClient for Turns {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        let inner = self.inner.http_connector(settings, components);
        SharedHttpConnector::new(WaitingConnector { inner, queue: self.queue.clone(), client: self.client })
    }
}

/// The connector below [`Turns`].
#[derive(Clone, Debug)]
pub(crate) struct WaitingConnector {
    inner: SharedHttpConnector,
    queue: Queue,
    client: usize,
}

impl WaitingConnector {
    /// One call of the database, when its turn has come.
    pub(crate) async fn call_in_turn(
        &self,
        what: String,
        request: HttpRequest,
    ) -> Result<
        aws_smithy_runtime_api::client::orchestrator::HttpResponse,
        aws_smithy_runtime_api::client::result::ConnectorError,
    > {
        let grant = self.queue.turn(self.client, what).await;
        let answer = self.inner.call(request).await;
        match grant {
            Grant::Run => answer,
            Grant::RunUnheard => pending().await,
        }
    }
}

impl HttpConnector for WaitingConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let this = self.clone();
        HttpConnectorFuture::new(async move { in_parts(&this, request).await })
    }
}
