//! `registrar serve`: HTTP/1.1 on one port until a signal asks for the end.

use crate::arguments::ServeArguments;
use crate::connection::Front;
use crate::key_file;
use crate::lanes::{ByThread, RequestLanes};
use crate::shutdown::Signals;
use hyper_util::server::graceful::GracefulShutdown;
use registrar_embedded::Embedded;
use registrar_http::service;
use registrar_registry::Registry;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

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
    let registry = Registry::new(opened.store.with_keys(keys), settings.registry).with_lanes(Arc::new(ByThread));
    let lanes =
        RequestLanes::new(&settings.http.transport).map_err(|error| format!("cannot start threads: {error}"))?;
    let front = Front::new(service(registry, settings.http.clone()), &settings.http, lanes);
    let read_only = opened.embedded.as_ref().is_some_and(Embedded::is_read_only);
    let note = if read_only { " (read-only)" } else { "" };
    let ready = format!("registrar {} listening on http://{address}, data {place}{note}", env!("CARGO_PKG_VERSION"));
    // A closed stdout is no reason not to serve.
    let _ = writeln!(std::io::stdout(), "{ready}");
    accept(listener, front, signals).await;
    // Only now may another process take the folder.
    drop(opened.embedded);
    Ok(())
}

async fn accept(listener: TcpListener, front: Front, mut signals: Signals) {
    let connections = GracefulShutdown::new();
    loop {
        tokio::select! {
            accepted = front.next(&listener) => match accepted {
                Ok(client) => front.connect(client, &connections),
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
