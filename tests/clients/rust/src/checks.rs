//! Checks that are counted and printed, as those of the Python clients are.
use std::fmt::Debug;
use std::process::ExitCode;

use crate::Outcome;

#[derive(Default)]
pub struct Checks {
    passed: u32,
    failed: u32,
}

impl Checks {
    pub fn equal<T: PartialEq + Debug>(&mut self, got: &T, want: &T, what: &str) {
        if got == want {
            self.passed += 1;
            println!("ok    {what}");
        } else {
            self.failed += 1;
            println!("FAIL  {what}: got {got:?}, want {want:?}");
        }
    }

    /// The end of a group of checks; an error ended it early.
    pub fn outcome(&mut self, group: &str, done: Outcome) {
        if let Err(error) = done {
            self.failed += 1;
            println!("FAIL  {group}: {error}");
        }
    }

    /// Prints the counts; success when there were checks, and all passed.
    pub fn finish(&self, name: &str) -> ExitCode {
        println!("{name}: {} checks passed, {} failed", self.passed, self.failed);
        if self.failed == 0 && self.passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
