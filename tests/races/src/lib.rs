//! The schedule explorer: is there an order of whole operations that explains what clients saw?
//!
//! Several clients use the real registry over the embedded database. Every DynamoDB call waits for its turn
//! ([`turns`]), and a batch of reads is as many calls as it has items ([`parts`]), since DynamoDB promises no more. A
//! [`Scheduler`](schedule::Scheduler) gives the turns in an order that follows from a seed, and may let a client die at any
//! of them. Afterwards the operations are done again one after the other, on a registry of their own, in every order
//! that time allows ([`explain`]): one of them must give the same answers and leave the same registry behind. So the
//! registry without races is its own specification, and the conformance cases say whether that is right.

pub mod drive;
pub mod explain;
pub mod explore;
pub mod made;
pub mod observe;
pub mod operation;
pub mod orders;
pub mod parts;
pub mod perform;
pub mod random;
pub mod scenario;
pub mod schedule;
pub mod schema;
pub mod seed;
pub mod theme;
pub mod turns;

/// One more line on standard output.
#[expect(clippy::print_stdout, reason = "a test without a harness reports this way")]
pub fn print(text: &str) {
    println!("{text}");
}
