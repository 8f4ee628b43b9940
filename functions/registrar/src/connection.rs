//! One connection: how many there may be, and what each may take.

use crate::lanes::{RequestLanes, Work};
use crate::stream::ClientStream;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONNECTION, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use registrar_http::{HttpOptions, HttpService, Received, Transport, error_response};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How long a client may go on sending a body that is refused.
const LINGER: Duration = Duration::from_secs(2);

const HEAD_TOO_LONG: (StatusCode, &str) = (
    StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
    "The request has more than 100 headers, or its head is longer than the limit (REGISTRAR_MAX_HEADER_BYTES)",
);

/// What all connections share. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Front {
    service: HttpService,
    transport: Transport,
    body_time: Duration,
    lanes: Arc<RequestLanes>,
    connections: Arc<Semaphore>,
}

/// A client that may stay.
pub(crate) struct Client {
    stream: TcpStream,
    place: OwnedSemaphorePermit,
}

impl Front {
    /// For one service.
    pub(crate) fn new(service: HttpService, options: &HttpOptions, lanes: RequestLanes) -> Self {
        let transport = options.transport;
        let connections = transport.max_connections.min(Semaphore::MAX_PERMITS);
        Self {
            service,
            transport,
            body_time: Duration::from_secs(options.body_seconds),
            lanes: Arc::new(lanes),
            connections: Arc::new(Semaphore::new(connections)),
        }
    }

    /// The next client, once there is a place for it. Those that wait are kept by the system.
    pub(crate) async fn next(&self, listener: &TcpListener) -> io::Result<Client> {
        let place = Arc::clone(&self.connections).acquire_owned().await.map_err(io::Error::other)?;
        let (stream, _) = listener.accept().await?;
        Ok(Client { stream, place })
    }

    /// Answers a client until it leaves, or asks for too much.
    pub(crate) fn connect(&self, client: Client, connections: &GracefulShutdown) {
        let Client { stream, place } = client;
        // Answers are one small write each; waiting to fill a packet only delays them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "could not switch off delays");
        }
        let stream = ClientStream::new(stream, Duration::from_secs(self.transport.write_seconds), instead);
        let front = self.clone();
        let answer = service_fn(move |request| front.clone().answer(request));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(Duration::from_secs(self.transport.header_seconds))
            .max_buf_size(self.transport.max_header_bytes)
            .serve_connection(TokioIo::new(stream), answer);
        let watched = connections.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = watched.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop(place);
        });
    }

    async fn answer(self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, &'static str> {
        if head_bytes(&request) > self.transport.max_header_bytes {
            let (status, message) = HEAD_TOO_LONG;
            let mut refused = error_response(status, message, request.method(), request.headers());
            refused.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            return Ok(refused.map(Full::new));
        }
        let linger = async || tokio::time::sleep(LINGER).await;
        let received = match self.service.receive(request, tokio::time::sleep(self.body_time), linger).await {
            Ok(received) => received,
            Err(refused) => return Ok(refused.map(Full::new)),
        };
        let has_body = received.has_body();
        let anew = self.service.again(&received).map(|received| answered(self.service.clone(), received));
        self.lanes.run(answered(self.service, received), anew, has_body).await.ok_or("the process ends")
    }
}

/// How long the first line and the headers are, in bytes, without what separates them. What hyper reads at a time may be
/// more than its limit, and it refuses only what is not complete by then.
fn head_bytes(request: &Request<Incoming>) -> usize {
    let uri = request.uri().path_and_query().map_or(0, |path| path.as_str().len());
    request.headers().iter().fold(uri, |bytes, (name, value)| bytes + name.as_str().len() + value.len())
}

fn answered(service: HttpService, received: Received) -> Work {
    Box::pin(async move { service.answer_received(received).await.map(Full::new) })
}

/// What is said instead of the empty answers of hyper to what is no request, or too long for one. All others have a body,
/// or are to HEAD and have the length of one.
fn instead(written: &[u8]) -> Option<Bytes> {
    const EMPTY: &[u8] = b"\r\ncontent-length: 0\r\n";
    let (status, message) = match written.strip_prefix(b"HTTP/1.")?.get(2..5)? {
        b"400" => (StatusCode::BAD_REQUEST, "This is no HTTP request"),
        b"414" => (StatusCode::URI_TOO_LONG, "The URL is longer than the limit of 65534 bytes"),
        b"431" => HEAD_TOO_LONG,
        _ => return None,
    };
    written.windows(EMPTY.len()).find(|part| *part == EMPTY)?;
    let (head, body) = error_response(status, message, &Method::GET, &HeaderMap::new()).into_parts();
    let mut text = format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n", body.len()).into_bytes();
    for (name, value) in &head.headers {
        text.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    text.extend([b"\r\n", &body[..]].concat());
    Some(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_refusals_get_a_body() {
        for (written, status) in [
            ("HTTP/1.1 431 X\r\nconnection: close\r\ncontent-length: 0\r\ndate: x\r\n\r\n", "431"),
            ("HTTP/1.0 400 Bad Request\r\ncontent-length: 0\r\n\r\n", "400"),
            ("HTTP/1.1 414 URI Too Long\r\ncontent-length: 0\r\n\r\n", "414"),
        ] {
            let text = String::from_utf8(instead(written.as_bytes()).unwrap().to_vec()).unwrap();
            let (head, body) = text.split_once("\r\n\r\n").unwrap();
            assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{head}");
            assert!(head.contains(&format!("\r\ncontent-length: {}", body.len())), "{head}");
            assert!(body.starts_with(&format!("{{\"error_code\":{status},\"message\":\"")), "{body}");
        }
        for other in [
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 50\r\n\r\n",
            "HTTP/1.1 4",
            "",
        ] {
            assert_eq!(instead(other.as_bytes()), None, "{other}");
        }
    }
}
