//! Conformance cases, and what runs them.
//!
//! The cases stand in `cases/*.json`, one file an area, one line a step. They say what the wire looks like and were
//! written from the specification alone, so the same cases hold for every entry point: the HTTP service in the process,
//! the two Lambda functions behind each kind of event, and the program `registrar serve`. Each case starts on an empty
//! registry. [`Suite::run`] runs all of them, and checks that an entry point answers byte for byte what the service
//! in the process answers ([`Suite::reference`]), leaving aside times and random ids.

mod body;
mod case;
mod check;
pub mod documented;
pub mod endpoints;
pub mod entry;
pub mod errors;
mod exchange;
mod invariants;
mod json_schema;
mod ordered;
pub mod refusals;
mod run;
mod suite;
mod transcript;

pub use case::{Case, Environment, Expect, Restart, Step};
pub use exchange::{Reply, Request};
use std::process::ExitCode;
pub use suite::{Answers, Outcome, Suite};

/// One more line on standard output.
#[expect(clippy::print_stdout, reason = "a test without a harness reports this way")]
pub fn print(text: &str) {
    println!("{text}");
}

/// What a test without a harness ends with: what went wrong is printed.
pub fn exit_code(outcome: Result<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print(&error);
            ExitCode::FAILURE
        }
    }
}

/// What goes wrong in here is told to people, in one text.
pub type Result<T> = std::result::Result<T, String>;
