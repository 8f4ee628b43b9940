//! The Rust client `schema_registry_converter` against a running registry: `registrar-client-tests URL`.
mod avro;
mod checks;
mod json;
mod protobuf;

use std::error::Error;
use std::future::Future;
use std::process::ExitCode;

use checks::Checks;
use schema_registry_converter::schema_registry_common::RawError;

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> ExitCode {
    let Some(url) = std::env::args().nth(1) else {
        eprintln!("usage: registrar-client-tests URL");
        return ExitCode::from(2);
    };
    println!("schema_registry_converter 6.0.0");
    let mut checks = Checks::default();
    match all(&url, &mut checks) {
        Ok(()) => checks.finish("schema_registry_converter"),
        Err(error) => {
            println!("FAIL  no runtime: {error}");
            ExitCode::FAILURE
        }
    }
}

fn all(url: &str, checks: &mut Checks) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let done = avro::run(url, checks).await;
        checks.outcome("avro", done);
        let done = protobuf::run(url, checks).await;
        checks.outcome("protobuf", done);
        let done = json::run(url, checks).await;
        checks.outcome("json", done);
    });
    Ok(())
}

/// The error code of the registry that is behind an error of the client.
fn code_of(error: &(dyn Error + 'static)) -> Option<u32> {
    if let Some(raw) = error.downcast_ref::<RawError>() {
        return Some(raw.error_code);
    }
    error.source().and_then(code_of)
}

/// The error code that a request is refused with; none when it was not refused.
async fn refusal<T, E: Error + 'static>(request: impl Future<Output = Result<T, E>>) -> Option<u32> {
    request.await.err().as_ref().and_then(|error| code_of(error))
}
