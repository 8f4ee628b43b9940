//! What goes wrong with each call of each write: it is refused, it gets no answer, its process dies. Prints a matrix.
//!
//! For every operation the calls it makes are learnt from a run without faults. Then each call is hit by each fault, in
//! a fresh registry. Afterwards the client asks again, as one does that got no answer, and must get the right one; the
//! table is audited before and after.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking and prints its figures")]
#![expect(clippy::large_futures, reason = "a test may copy a few kilobytes")]

mod hits;
mod operations;

use std::process::ExitCode;

use crate::hits::{Hit, strike};
use crate::operations::Operation;

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let failures = runtime.block_on(matrix());
    for failure in &failures {
        println!("{failure}");
    }
    println!("faults: {} failed", failures.len());
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints the matrix: of how many calls that a fault can hit, in how many all went well.
async fn matrix() -> Vec<String> {
    let hits = Hit::all();
    print!("{:<42}", "operation (calls gone well / calls hit)");
    for hit in &hits {
        print!(" {:>width$}", hit.name(), width = hit.name().len().max(5));
    }
    println!();
    let mut failures = Vec::new();
    for operation in Operation::ALL {
        let calls = operations::calls(operation).await;
        print!("{:<42}", operation.name());
        for hit in &hits {
            let (mut well, mut all) = (0, 0);
            for (index, call) in calls.iter().enumerate().filter(|(_, call)| hit.can_strike(call)) {
                all += 1;
                match strike(operation, *hit, index + 1).await {
                    Ok(()) => well += 1,
                    Err(why) => {
                        failures.push(format!(
                            "{}, {} at call {} ({call}): {why}",
                            operation.name(),
                            hit.name(),
                            index + 1
                        ));
                    }
                }
            }
            print!(" {:>width$}", format!("{well}/{all}"), width = hit.name().len().max(5));
        }
        println!("  {}", calls.join(" "));
    }
    failures
}
