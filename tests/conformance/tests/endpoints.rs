//! The list of all calls with the cases that show them, printed. `REGISTRAR_SHARED` says where the shared test data are
//! whose list it must cover; without them ours stands alone.

use registrar_conformance::endpoints::{ours, read, report};
use registrar_conformance::{Result, Suite, exit_code, print};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    exit_code(run())
}

fn run() -> Result<()> {
    let suite = Suite::load(None)?;
    let shared = shared().join("spec/endpoints.tsv");
    let list = if shared.is_file() {
        read(&shared)?
    } else {
        print(&format!("there is no {}", shared.display()));
        Vec::new()
    };
    let endpoints = ours()?;
    let (table, problems) = report(&endpoints, &list, suite.cases());
    print(table.trim_end());
    print(&format!("{} calls, {} problems", endpoints.len(), problems.len()));
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

fn shared() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    std::env::var_os("REGISTRAR_SHARED").map_or_else(beside, PathBuf::from)
}
