//! The cases over `registrar serve` on another DynamoDB: each answer must be that of the service in the process.
//!
//! `REGISTRAR_CASES_ENDPOINTS` names the endpoints, separated by commas, and `REGISTRAR_BIN` the program; without them there
//! is nothing to run. `REGISTRAR_CASES` chooses cases by the beginnings of their ids.

use registrar_conformance::entry::ServeTable;
use registrar_conformance::{Result, Suite, exit_code, print};
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    exit_code(run())
}

fn run() -> Result<()> {
    let (Ok(endpoints), Some(binary)) = (std::env::var(ENDPOINTS), std::env::var_os("REGISTRAR_BIN")) else {
        print("left out: no endpoints of another DynamoDB");
        return Ok(());
    };
    let suite = Suite::load(std::env::var("REGISTRAR_CASES").ok().as_deref())?;
    let (_, answers) = suite.reference();
    let mut outcome = suite.run(&ServeTable::new(&PathBuf::from(binary), &endpoints), &answers);
    print(&outcome.report());
    if outcome.is_good() { Ok(()) } else { Err("not as with the embedded database".to_owned()) }
}

/// Not the variable by which the harness makes its tables there: the reference stays in the process.
const ENDPOINTS: &str = "REGISTRAR_CASES_ENDPOINTS";
