//! Fuzz targets of the server, and all targets together.
//!
//! Those of the schema languages are in `tests/fuzz/src`, which needs nothing of the server to be compiled. A broken rule
//! is a panic. `docs/FUZZING.md` says how to run them with libFuzzer; [`mutations`] runs them without.

#[path = "../../fuzz/src/lib.rs"]
mod formats;

#[path = "../../../functions/registrar/src/key_file.rs"]
#[allow(dead_code, reason = "what reads the file is of no use here")]
mod key_file;

mod answer;
mod bodies;
pub mod mutations;
mod nothing;
mod router;
mod spelling;
mod table;

pub use bodies::bodies;
pub use router::router;
pub use table::table;

/// A target: its name, which is that of the folder of its kept inputs, and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// The targets of the server.
pub const OF_THE_SERVER: [Target; 3] = [("router", router), ("bodies", bodies), ("table", table)];

/// All targets.
pub fn targets() -> Vec<Target> {
    formats::TARGETS.into_iter().chain(OF_THE_SERVER).collect()
}

/// What stands between the parts of one input: the record separator of ASCII.
const SEPARATOR: u8 = 0x1e;

/// The parts of an input.
fn parts(data: &[u8]) -> impl Iterator<Item = &[u8]> {
    data.split(|&byte| byte == SEPARATOR)
}

/// Runs to its end what waits for nothing but this process.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    thread_local! {
        static RUNTIME: tokio::runtime::Runtime = match tokio::runtime::Builder::new_current_thread().build() {
            Ok(runtime) => runtime,
            Err(error) => panic!("{error}"),
        };
    }
    RUNTIME.with(|runtime| runtime.block_on(future))
}
