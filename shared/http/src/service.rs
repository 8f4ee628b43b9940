//! One request from raw bytes to raw bytes: everything around the handler.

use crate::call::{Call, Shared};
use crate::context_prefix::{self, ContextPrefix};
use crate::error::{Failure, Refusal, refusal};
use crate::in_flight::{Hold, InFlight};
use crate::query::Query;
use crate::reply::Reply;
use crate::routes::{Params, Route, find};
use crate::{Access, HttpOptions, body, media_type, path, request_id};
use bytes::{Buf, Bytes};
use futures_util::FutureExt;
use http::request::Parts;
use http::{Method, Request, Response};
use http_body_util::BodyExt;
use registrar_registry::{LIGHT_BYTES, Registry, RegistryError};
use std::any::Any;
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// The registry as an HTTP service. Cheap to clone; answers every request, and every error as JSON.
#[derive(Clone)]
pub struct HttpService {
    shared: Arc<Shared>,
}

/// A service over `registry`.
pub fn service(registry: Registry, options: HttpOptions) -> HttpService {
    let past_aliases = registry.past_aliases();
    let in_flight = InFlight::new(options.max_bytes_in_flight);
    HttpService { shared: Arc::new(Shared { registry, past_aliases, options, in_flight }) }
}

impl tower::Service<Request<Bytes>> for HttpService {
    type Response = Response<Bytes>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.answer(request).await) })
    }
}

impl HttpService {
    /// Answers one request. A panic below is a 500 and a line in the log.
    pub async fn answer(&self, request: Request<Bytes>) -> Response<Bytes> {
        let (mut parts, body) = request.into_parts();
        let request_id = request_id::of(&parts.headers);
        parts.headers.insert(request_id::NAME, request_id);
        self.shared.registry.before_work(body.len()).await;
        let outcome = AssertUnwindSafe(self.reply(&parts, body)).catch_unwind().await;
        let reply = outcome.unwrap_or_else(|panic| Reply::error(&parts, Refusal::internal(&panic_text(&*panic))));
        // Compressing takes longer than most of what led here.
        self.shared.registry.before_work(reply.len()).await;
        reply.finish(&parts, self.shared.options.gzip)
    }

    /// Reads a body that arrives in pieces. One that says that it is over the limit, or turns out to be, is refused at
    /// once; one that is not complete when `deadline` ends, then. The error is the answer; `linger` says how long a client
    /// may go on sending before it gets that.
    pub async fn receive<B>(
        &self,
        request: Request<B>,
        deadline: impl Future<Output = ()>,
        linger: impl AsyncFnOnce(),
    ) -> Result<Received, Response<Bytes>>
    where
        B: BodyExt,
        B::Data: Buf,
    {
        let Shared { options, in_flight, .. } = &*self.shared;
        let (parts, body) = request.into_parts();
        let mut hold = in_flight.hold();
        let request = Request::from_parts(parts.clone(), body);
        match body::read(request, options, &mut hold, deadline, linger).await {
            Ok(body) => Ok(Received { request: Request::from_parts(parts, body), hold }),
            Err(failure) => Err(self.refuse(&parts, failure, None).finish(&parts, options.gzip)),
        }
    }

    /// The same request once more, if it may be begun anew at any time: one that only reads.
    pub fn again(&self, received: &Received) -> Option<Received> {
        let request = &received.request;
        let reads = matches!(*request.method(), Method::GET | Method::HEAD) && !received.has_body();
        reads.then(|| Received { request: request.clone(), hold: self.shared.in_flight.hold() })
    }

    /// Answers what was received. A long answer counts as held until the last of it is sent.
    pub async fn answer_received(&self, received: Received) -> Response<Bytes> {
        let Received { request, hold } = received;
        let (parts, body) = request.into_parts();
        let answer = self.answer(Request::from_parts(parts.clone(), body)).await;
        drop(hold);
        if answer.body().len() <= LIGHT_BYTES {
            return answer;
        }
        let Shared { options, in_flight, .. } = &*self.shared;
        if let Some(kept) = in_flight.keep(answer.body().clone()) {
            return answer.map(|_| kept);
        }
        let failure = Failure::TooManyRequests(options.max_bytes_in_flight);
        self.refuse(&parts, failure, None).finish(&parts, options.gzip)
    }

    async fn reply(&self, parts: &Parts, body: Bytes) -> Reply {
        let options = &self.shared.options;
        if body.len() > options.max_body_bytes {
            return self.refuse(parts, Failure::BodyTooLarge(options.max_body_bytes), None);
        }
        let target = match self.target(parts) {
            Ok(target) => target,
            Err(failure) => return self.refuse(parts, failure, None),
        };
        let Some(found) = find(&target.segments) else { return self.refuse(parts, Failure::NotFound, None) };
        // What the path has is the same for every function; only a write sent to one that reads is told what is left.
        let closed = found.route(&parts.method, Access::All).is_some();
        let allow = || found.allow(if closed { options.access } else { Access::All });
        if parts.method == Method::OPTIONS {
            return Reply::options(parts, allow());
        }
        let Some(route) = found.route(&parts.method, options.access) else {
            return self.refuse(parts, Failure::MethodNotAllowed, None).allow(allow());
        };
        match self.run(route, found.params, &target, parts, body).await {
            Ok(reply) => reply,
            Err(failure) => self.refuse(parts, failure, Some(route)),
        }
    }

    /// Where a request goes: its path without base path and context.
    fn target(&self, parts: &Parts) -> Result<Target, Failure> {
        let path = path::strip_base(parts.uri.path(), &self.shared.options.base_path).ok_or(Failure::NotFound)?;
        let segments = path::segments(path)
            .map_err(|segment| Failure::BadRequest(format!("Path segment '{segment}' is not percent-encoded UTF-8")))?;
        let (segments, context) =
            context_prefix::rewrite(segments).map_err(|bad| Failure::BadRequest(bad.message()))?;
        Ok(Target { segments, context })
    }

    async fn run(
        &self,
        route: &Route,
        params: Params,
        target: &Target,
        parts: &Parts,
        body: Bytes,
    ) -> Result<Reply, Failure> {
        let takes_body = matches!(route.method, Method::POST | Method::PUT);
        if takes_body && !body.is_empty() && !media_type::is_read(&parts.headers) {
            return Err(Failure::UnsupportedMediaType);
        }
        let media_type = media_type::negotiate(&parts.headers).ok_or(Failure::NotAcceptable)?;
        let answer = match route.run(self.call(route, params, target, parts, body.clone())?).await {
            Err(Failure::Registry(RegistryError::Aliased(subject))) => {
                let params = find(&target.segments).map(|found| found.params).unwrap_or_default();
                route.run(self.call(route, params, target, parts, body)?.at(&subject)).await
            }
            answer => answer,
        };
        Ok(Reply::success(route.status, media_type, answer?))
    }

    /// What the handler gets.
    fn call(
        &self,
        route: &Route,
        params: Params,
        target: &Target,
        parts: &Parts,
        body: Bytes,
    ) -> Result<Call, Failure> {
        let undecodable = |pair| Failure::BadRequest(format!("Query parameter '{pair}' is not percent-encoded UTF-8"));
        let mut query = Query::parse(parts.uri.query().unwrap_or_default()).map_err(undecodable)?;
        if let Some(context) = &target.context {
            context.rewrite_query(&parts.method, &target.segments, &mut query);
        }
        let query = query.only(|name| route.takes(name));
        Ok(Call { shared: Arc::clone(&self.shared), params, query, body, past_aliases: false })
    }

    fn refuse(&self, parts: &Parts, failure: Failure, route: Option<&Route>) -> Reply {
        let unsupported = matches!(failure, Failure::UnsupportedMediaType);
        let reply = Reply::error(parts, refusal(failure, route, self.shared.options.legacy_conflict_code));
        if unsupported { reply.media_type(media_type::of_unsupported(&parts.headers)) } else { reply }
    }
}

/// A request with its whole body, which counts as held until it is answered.
#[derive(Debug)]
pub struct Received {
    request: Request<Bytes>,
    hold: Hold,
}

impl Received {
    /// Whether there is a body at all.
    pub fn has_body(&self) -> bool {
        !self.request.body().is_empty()
    }
}

/// Where a request goes, after the rewriting of a context in front.
struct Target {
    segments: Vec<String>,
    context: Option<ContextPrefix>,
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panic: {}", text.unwrap_or_else(|| "no message".to_owned()))
}

/// An error answer for a front end that cannot turn what it got into a request, or the answer into what it may send.
/// `error_code` is the number of `status`; an answer to HEAD has no body.
pub fn error_response(
    status: http::StatusCode,
    message: &str,
    method: &Method,
    headers: &http::HeaderMap,
) -> Response<Bytes> {
    let mut request = Request::new(());
    *request.method_mut() = method.clone();
    *request.headers_mut() = headers.clone();
    let (parts, ()) = request.into_parts();
    Reply::plain_error(&parts, status, message).finish(&parts, false)
}
