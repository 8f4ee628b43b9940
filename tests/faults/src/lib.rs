//! What goes wrong with each call of each operation: it is refused, it gets no answer, its process dies.
//!
//! The operations stand in `matrix.json`, as requests. The calls of each are learnt from a run without faults. Then each
//! call is hit by each fault ([`Hit`]), on a fresh copy of the same table. Afterwards the client asks again, as one does
//! that got no answer: it must get the right one, and the table must hold what it holds without a fault.

#![expect(clippy::unwrap_used, reason = "only tests depend on this crate, and they fail by panicking")]

mod contents;
mod coverage;
mod hit;
mod parallel;
mod place;
mod report;
mod row;
mod strike;
mod time;

pub use coverage::gaps;
pub use hit::Hit;
pub use report::{Matrix, run};
pub use row::{Row, rows};

/// One more line on standard output.
#[expect(clippy::print_stdout, reason = "a test without a harness reports this way")]
pub fn print(text: &str) {
    println!("{text}");
}
