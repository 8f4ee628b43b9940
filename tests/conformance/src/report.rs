//! What the test programs have in common.

use crate::entry::EntryPoint;
use crate::{Result, Suite};
use std::process::ExitCode;

/// Limits a run to cases whose ids begin with one of its words, separated by commas.
const ONLY: &str = "REGISTRAR_CASES";

/// The cases the environment asks for; all, if it does not.
pub fn suite() -> Result<Suite> {
    Suite::load(std::env::var(ONLY).ok().as_deref())
}

/// Runs the cases over each entry point and prints how they fared.
pub fn run(entries: &[&dyn EntryPoint]) -> Result<()> {
    let suite = suite()?;
    let mut bad = Vec::new();
    for entry in entries {
        let mut outcome = suite.run(*entry);
        print(&outcome.report());
        if !outcome.is_good() {
            bad.push(entry.name());
        }
    }
    if bad.is_empty() { Ok(()) } else { Err(format!("not as specified: {}", bad.join(", "))) }
}

/// The exit status, after a word about what went wrong.
pub fn exit(outcome: Result<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print(&error);
            ExitCode::FAILURE
        }
    }
}

/// One more line on standard output.
#[expect(clippy::print_stdout, reason = "a test without a harness reports this way")]
pub fn print(text: &str) {
    println!("{text}");
}
