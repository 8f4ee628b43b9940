//! Calls that wait for their turn.

use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use tokio::sync::oneshot;

use crate::parts::in_parts;
use crate::random::Random;

/// What becomes of a client whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// It goes on.
    Run,
    /// The call reaches the database, and its answer nobody: the client dies.
    RunUnheard,
    /// The call reaches the database, and the client learns that there is no answer.
    AnswerLost,
    /// The call is lost on its way, and the client learns that there is no answer.
    CallLost,
    /// A read that is not strongly consistent sees what was there before.
    RunStale,
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
    /// Whether it is a transaction.
    pub fn is_transaction(&self) -> bool {
        self.what.starts_with("TransactWriteItems")
    }

    /// Lets it happen. Whoever has died meanwhile does not mind.
    pub fn grant(self, grant: Grant) {
        let _ = self.permit.send(grant);
    }
}

/// All who wait, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    waiting: Arc<Mutex<Vec<Turn>>>,
    weak: Arc<AtomicUsize>,
}

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

    /// How many reads were not strongly consistent.
    pub fn weak_reads(&self) -> usize {
        self.weak.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Turn>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An HTTP client of one client, each of whose calls waits for a turn.
#[derive(Clone, Debug)]
pub struct Turns {
    inner: SharedHttpClient,
    behind: Option<SharedHttpClient>,
    queue: Queue,
    client: usize,
    order: Arc<Mutex<Random>>,
}

impl Turns {
    /// Calls of `client` to `inner`; reads that are not strongly consistent may be answered by `behind`, a database that
    /// is as the other one was before. In which order the items of a batch are read follows from `order`.
    pub fn around(
        inner: SharedHttpClient,
        behind: Option<SharedHttpClient>,
        queue: Queue,
        client: usize,
        order: Random,
    ) -> SharedHttpClient {
        SharedHttpClient::new(Self { inner, behind, queue, client, order: Arc::new(Mutex::new(order)) })
    }
}

impl HttpClient for Turns {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        let connector = |client: &SharedHttpClient| client.http_connector(settings, components);
        SharedHttpConnector::new(WaitingConnector {
            inner: connector(&self.inner),
            behind: self.behind.as_ref().map(connector),
            queue: self.queue.clone(),
            client: self.client,
            order: Arc::clone(&self.order),
        })
    }
}

/// The connector below [`Turns`].
#[derive(Clone, Debug)]
pub(crate) struct WaitingConnector {
    inner: SharedHttpConnector,
    behind: Option<SharedHttpConnector>,
    queue: Queue,
    client: usize,
    order: Arc<Mutex<Random>>,
}

impl WaitingConnector {
    /// Any order of the items of a batch.
    pub(crate) fn shuffle<T>(&self, items: &mut [T]) {
        self.order.lock().unwrap_or_else(PoisonError::into_inner).shuffle(items);
    }

    /// One call of the database, when its turn has come; `weak` says that it is a read without strong consistency.
    pub(crate) async fn call_in_turn(
        &self,
        what: String,
        request: HttpRequest,
        weak: bool,
    ) -> Result<HttpResponse, ConnectorError> {
        self.queue.weak.fetch_add(usize::from(weak), Ordering::Relaxed);
        let grant = self.queue.turn(self.client, what).await;
        let lost = || Err(ConnectorError::timeout("nothing came back".into()));
        let behind = self.behind.as_ref().filter(|_| weak && grant == Grant::RunStale);
        if grant == Grant::CallLost {
            return lost();
        }
        let answer = behind.unwrap_or(&self.inner).call(request).await;
        match grant {
            Grant::Run | Grant::RunStale | Grant::CallLost => answer,
            Grant::AnswerLost => lost(),
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
