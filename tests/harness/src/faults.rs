//! Calls that fail on purpose, each where a script says.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use serde_json::{Value, json};
use tokio::sync::oneshot;

mod parts;

use crate::request;

/// One way for a call to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// Refused for good (400 `AccessDeniedException`), and nothing happened.
    Refused,
    /// A server error (500), and nothing happened.
    InternalError,
    /// A server error (500), but it did happen.
    InternalErrorAfter,
    /// Refused for load (400 `ThrottlingException`).
    Throttled,
    /// A transaction cancelled for load: reason `ThrottlingError`.
    CancelledForLoad,
    /// Another transaction is at the same item: a transaction is cancelled for `TransactionConflict`, a single write
    /// refused with `TransactionConflictException`.
    Conflict,
    /// No answer, and nothing happened.
    TimeoutBefore,
    /// No answer, but it did happen.
    TimeoutAfter,
    /// A batch is answered (200) without the second half of its keys, which are left unprocessed for load. Of one key
    /// nothing is left out.
    HalfUnprocessed,
    /// All keys of a batch are left unprocessed.
    Unprocessed,
    /// A range is answered with one item and where to go on from.
    ShortPage,
    /// A range is answered with no item and where to go on from: at the same place.
    EmptyPage,
    /// A table that has just been made is not seen yet (400 `ResourceNotFoundException`).
    NotSeenYet,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Self; 13] = [
        Self::Refused,
        Self::InternalError,
        Self::InternalErrorAfter,
        Self::Throttled,
        Self::CancelledForLoad,
        Self::Conflict,
        Self::TimeoutBefore,
        Self::TimeoutAfter,
        Self::HalfUnprocessed,
        Self::Unprocessed,
        Self::ShortPage,
        Self::EmptyPage,
        Self::NotSeenYet,
    ];

    /// Whether DynamoDB can answer `operation` so.
    pub fn can_hit(self, operation: &str) -> bool {
        match self {
            Self::CancelledForLoad => operation == "TransactWriteItems",
            Self::Conflict | Self::InternalErrorAfter | Self::TimeoutAfter => !request::is_read(operation),
            Self::HalfUnprocessed | Self::Unprocessed => operation == "BatchGetItem",
            Self::ShortPage | Self::EmptyPage => operation == "Query",
            Self::NotSeenYet => operation == "DescribeTable",
            Self::Refused | Self::InternalError | Self::Throttled | Self::TimeoutBefore => true,
        }
    }

    /// Whether the call takes effect all the same.
    pub const fn takes_effect(self) -> bool {
        matches!(self, Self::InternalErrorAfter | Self::TimeoutAfter)
    }

    /// Whether it is no error, but an answer that leaves something out.
    pub const fn is_partial(self) -> bool {
        matches!(self, Self::HalfUnprocessed | Self::Unprocessed | Self::ShortPage | Self::EmptyPage)
    }

    fn answer(self, operation: &str, body: &[u8]) -> Result<HttpResponse, ConnectorError> {
        match self {
            Self::InternalError | Self::InternalErrorAfter => refusal(500, "InternalServerError"),
            Self::Refused => refusal(400, "AccessDeniedException"),
            Self::NotSeenYet => refusal(400, "ResourceNotFoundException"),
            Self::Throttled => refusal(400, "ThrottlingException"),
            Self::CancelledForLoad => cancellation("ThrottlingError", body),
            Self::Conflict if operation == "TransactWriteItems" => cancellation("TransactionConflict", body),
            Self::Conflict => refusal(400, "TransactionConflictException"),
            Self::TimeoutBefore | Self::TimeoutAfter => Err(ConnectorError::timeout("injected time-out".into())),
            Self::Unprocessed => parts::all_unprocessed(body),
            Self::EmptyPage => parts::empty_page(body),
            // Made of an answer of the database.
            Self::HalfUnprocessed | Self::ShortPage => Err(ConnectorError::user("nothing to leave out".into())),
        }
    }
}

/// Where a call stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// Before the database sees it.
    Before,
    /// When the database has done it and before the answer is seen.
    After,
}

/// A call that has stopped or will, until it is released. If this is dropped instead, the call never goes on: drop the
/// operation, too, and that is a process that died there.
#[derive(Debug)]
pub struct Stop {
    reached: oneshot::Receiver<()>,
    release: oneshot::Sender<()>,
}

impl Stop {
    /// Waits until the call has come to the point.
    pub async fn reached(&mut self) {
        // An error means that the script was cleared; the caller's own assertions tell.
        let _ = (&mut self.reached).await;
    }

    /// Lets the call go on.
    pub fn release(self) {
        let _ = self.release.send(());
    }
}

/// An HTTP client that fails as scripted, and else passes calls on.
#[derive(Clone, Debug)]
pub struct Faults {
    inner: SharedHttpClient,
    script: Script,
}

impl Faults {
    /// Makes calls to `inner` fail, none until told so.
    pub fn around(inner: SharedHttpClient) -> Self {
        Self { inner, script: Script::default() }
    }

    /// The HTTP client to give to an SDK client.
    pub fn http_client(&self) -> SharedHttpClient {
        SharedHttpClient::new(self.clone())
    }

    /// The `n`th call from now fails; 1 is the next. Calls are counted as they begin.
    pub fn at_call(&self, n: usize, fault: Fault) {
        self.script.lock().plan(Trigger::Call(n), Effect::Fail(fault));
    }

    /// The `n`th call from now and all after it fail until [`Faults::reset`].
    pub fn from_call(&self, n: usize, fault: Fault) {
        self.script.lock().plan(Trigger::Since(n), Effect::Fail(fault));
    }

    /// The next call of `operation` fails.
    pub fn at_next(&self, operation: &str, fault: Fault) {
        self.script.lock().plan(Trigger::Operation(operation.to_owned(), 1), Effect::Fail(fault));
    }

    /// The `n`th call from now stops.
    #[must_use]
    pub fn stop_at_call(&self, n: usize, point: Point) -> Stop {
        self.stop(Trigger::Call(n), point)
    }

    /// The `n`th call of `operation` from now stops; 1 is the next.
    #[must_use]
    pub fn stop_at_nth(&self, operation: &str, n: usize, point: Point) -> Stop {
        self.stop(Trigger::Operation(operation.to_owned(), n), point)
    }

    /// How much of the script has not come to pass.
    pub fn left(&self) -> usize {
        self.script.lock().planned.len()
    }

    /// Forgets the script, and tells which operations were called since the last time, in the order they began.
    pub fn reset(&self) -> Vec<String> {
        std::mem::take(&mut *self.script.lock()).called
    }

    fn stop(&self, trigger: Trigger, point: Point) -> Stop {
        let (reached_sender, reached) = oneshot::channel();
        let (release, released) = oneshot::channel();
        self.script.lock().plan(trigger, Effect::Stop { point, reached: reached_sender, released });
        Stop { reached, release }
    }
}

impl HttpClient for Faults {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        let inner = self.inner.http_connector(settings, components);
        SharedHttpConnector::new(FaultyConnector { inner, script: self.script.clone() })
    }
}

#[derive(Clone, Debug)]
struct FaultyConnector {
    inner: SharedHttpConnector,
    script: Script,
}

impl HttpConnector for FaultyConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let operation = request::operation(&request);
        let effect = self.script.lock().next(&operation);
        let request = parts::from_the_start(request);
        match effect {
            None => self.inner.call(request),
            Some(Effect::Fail(Fault::ShortPage)) => self.inner.call(parts::of_one_item(request)),
            Some(Effect::Fail(Fault::HalfUnprocessed)) => {
                let (request, left) = parts::without_half(request);
                let answer = self.inner.call(request);
                HttpConnectorFuture::new(async move { Ok(parts::with_unprocessed(answer.await?, left)) })
            }
            Some(Effect::Fail(fault)) if fault.takes_effect() => {
                let inner = self.inner.clone();
                HttpConnectorFuture::new(async move {
                    inner.call(request).await?;
                    fault.answer(&operation, b"")
                })
            }
            Some(Effect::Fail(fault)) => HttpConnectorFuture::ready(fault.answer(&operation, request::body(&request))),
            Some(Effect::Stop { point, reached, released }) => {
                let inner = self.inner.clone();
                HttpConnectorFuture::new(async move {
                    if point == Point::Before {
                        wait(reached, released).await;
                        return inner.call(request).await;
                    }
                    let answer = inner.call(request).await;
                    wait(reached, released).await;
                    answer
                })
            }
        }
    }
}

async fn wait(reached: oneshot::Sender<()>, released: oneshot::Receiver<()>) {
    let _ = reached.send(());
    if released.await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[derive(Clone, Debug, Default)]
struct Script(Arc<Mutex<Lines>>);

impl Script {
    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug, Default)]
struct Lines {
    called: Vec<String>,
    planned: Vec<(Trigger, Effect)>,
}

/// Calls are counted from the last [`Faults::reset`].
#[derive(Debug, PartialEq, Eq)]
enum Trigger {
    Call(usize),
    Since(usize),
    /// The so manieth call of this operation that is still to come.
    Operation(String, usize),
}

#[derive(Debug)]
enum Effect {
    Fail(Fault),
    Stop { point: Point, reached: oneshot::Sender<()>, released: oneshot::Receiver<()> },
}

impl Effect {
    /// An answer in part is nothing that every call can have.
    fn passes_by(&self, operation: &str) -> bool {
        matches!(self, Self::Fail(fault) if fault.is_partial() && !fault.can_hit(operation))
    }
}

impl Trigger {
    fn strikes(&mut self, number: usize, operation: &str) -> bool {
        match self {
            Self::Call(n) => *n == number,
            Self::Since(n) => *n <= number,
            Self::Operation(name, n) => {
                *n -= usize::from(name == operation);
                *n == 0
            }
        }
    }
}

impl Lines {
    fn plan(&mut self, trigger: Trigger, effect: Effect) {
        let trigger = match trigger {
            Trigger::Call(n) => Trigger::Call(self.called.len() + n),
            Trigger::Since(n) => Trigger::Since(self.called.len() + n),
            Trigger::Operation(name, n) => Trigger::Operation(name, n),
        };
        self.planned.push((trigger, effect));
    }

    fn next(&mut self, operation: &str) -> Option<Effect> {
        self.called.push(operation.to_owned());
        let number = self.called.len();
        let hit = self
            .planned
            .iter_mut()
            .position(|(trigger, effect)| trigger.strikes(number, operation) && !effect.passes_by(operation))?;
        if let (Trigger::Since(_), Effect::Fail(fault)) = &self.planned[hit] {
            return Some(Effect::Fail(*fault));
        }
        Some(self.planned.remove(hit).1)
    }
}

fn refusal(status: u16, kind: &str) -> Result<HttpResponse, ConnectorError> {
    respond(status, &json!({ "__type": format!("com.amazonaws.dynamodb.v20120810#{kind}"), "message": "injected" }))
}

/// A cancellation with a reason for each action: the first is to blame.
fn cancellation(code: &str, body: &[u8]) -> Result<HttpResponse, ConnectorError> {
    let request: Value = serde_json::from_slice(body).unwrap_or_default();
    let actions = request["TransactItems"].as_array().map_or(1, Vec::len);
    let reasons: Vec<Value> = (0..actions)
        .map(|i| if i == 0 { json!({ "Code": code, "Message": "injected" }) } else { json!({ "Code": "None" }) })
        .collect();
    let cancelled = json!({
        "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
        "Message": "injected",
        "CancellationReasons": reasons,
    });
    respond(400, &cancelled)
}

fn respond(status: u16, body: &Value) -> Result<HttpResponse, ConnectorError> {
    let status = StatusCode::try_from(status).map_err(|e| ConnectorError::other(e.into(), None))?;
    Ok(HttpResponse::new(status, SdkBody::from(body.to_string())))
}
