//! `registrar serve`: HTTP/1.1 on one port until a signal asks for the end.

use crate::arguments::ServeArguments;
use crate::key_file;
use crate::shutdown::Signals;
use http_body_util::Full;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use registrar_embedded::Embedded;
use registrar_http::{HttpService, service};
use registrar_registry::Registry;
use std::convert::Infallible;
use std::io::Write;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};

/// How long a client may take over its headers, and how long an idle connection is kept.
const HEADER_TIMEOUT: Duration = Duration::from_mins(1);
/// How long a client may take over its body.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// How long requests under way may take after a signal.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);
/// Pause after a connection could not be accepted, which mostly means too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves until a signal; the error is one line.
pub(crate) async fn serve(arguments: ServeArguments) -> Result<(), String> {
    let ServeArguments { listen, place, key_file, settings } = arguments;
    let keys = key_file.map(|file| key_file::read(&file)).transpose()?.unwrap_or_default();
    let listener = TcpListener::bind(&listen).await.map_err(|error| format!("cannot listen on {listen}: {error}"))?;
    let address = listener.local_addr().map_err(|error| format!("cannot listen on {listen}: {error}"))?;
    let signals = Signals::new().map_err(|error| format!("cannot watch for signals: {error}"))?;
    let opened = place.open().await?;
    let service = service(Registry::new(opened.store.with_keys(keys), settings.registry), settings.http);
    let read_only = opened.embedded.as_ref().is_some_and(Embedded::is_read_only);
    let note = if read_only { " (read-only)" } else { "" };
    let ready = format!("registrar {} listening on http://{address}, data {place}{note}", env!("CARGO_PKG_VERSION"));
    // A closed stdout is no reason not to serve.
    let _ = writeln!(std::io::stdout(), "{ready}");
    accept(listener, service, signals).await;
    // Only now may another process take the folder.
    drop(opened.embedded);
    Ok(())
}

async fn accept(listener: TcpListener, service: HttpService, mut signals: Signals) {
    let connections = GracefulShutdown::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => connect(stream, service.clone(), &connections),
                Err(error) => {
                    tracing::warn!(%error, "could not accept a connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
            () = signals.wait() => break,
        }
    }
    drop(listener);
    if tokio::time::timeout(STOP_TIMEOUT, connections.shutdown()).await.is_err() {
        tracing::warn!("some requests were still running at the end");
    }
}

fn connect(stream: TcpStream, service: HttpService, connections: &GracefulShutdown) {
    // Answers are one small write each; waiting to fill a packet only delays them.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "could not switch off delays");
    }
    let answer = service_fn(move |request| {
        let service = service.clone();
        async move {
            Ok::<_, Infallible>(service.answer_stream(request, tokio::time::sleep(BODY_TIMEOUT)).await.map(Full::new))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .serve_connection(TokioIo::new(stream), answer);
    let watched = connections.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = watched.await {
            tracing::debug!(%error, "a connection ended early");
        }
    });
}
