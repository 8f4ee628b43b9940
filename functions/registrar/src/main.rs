//! `registrar`: the registry on any machine, over an embedded database or a real DynamoDB table.
//!
//! Exit status: 0 after a clean stop, 1 if serving is impossible (one line on stderr says why), 2 for bad arguments.

mod arguments;
mod connection;
mod key_file;
mod lanes;
mod place;
mod serve;
mod shutdown;
mod stream;

use arguments::{Arguments, ServeArguments};
use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

/// Threads for calls of the embedded database, which does one thing at a time; each keeps some memory.
const BLOCKING_THREADS: usize = 4;

/// The system's allocator keeps what was freed for each thread that ever needed much: memory would grow with processors.
/// How soon this one gives it back is said in `.cargo/config.toml`.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    let Arguments::Serve(arguments) = arguments::parse();
    start_log();
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: ServeArguments) -> Result<(), String> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().max_blocking_threads(BLOCKING_THREADS).enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot start threads: {error}"))?;
    runtime.block_on(serve::serve(arguments))
}

/// Logs go to stderr, stdout being for the ready line; `RUST_LOG` says how much.
fn start_log() {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "info".into());
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_env_filter(filter).init();
}

/// One line. Nobody is left to tell if stderr is closed.
fn complain(error: &dyn Display) {
    let line = error.to_string().replace('\n', " ");
    let _ = writeln!(std::io::stderr(), "registrar: {line}");
}
