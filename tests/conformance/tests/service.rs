//! The cases over the HTTP service in the process.

use registrar_conformance::entry::Service;
use registrar_conformance::report;
use std::process::ExitCode;

fn main() -> ExitCode {
    report::exit(report::run(&[&Service]))
}
