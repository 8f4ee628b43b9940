//! What each operation may cost: every row of the budget (design, §4), measured through the meter over the embedded
//! database. Prints the table; the test fails if a row is over.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking and prints its figures")]
#![expect(clippy::large_futures, reason = "a test may copy a few kilobytes")]

mod rows;
mod surface;

use std::process::ExitCode;

use registrar_harness::{InMemory, Usage, in_memory_registry, instant_runtime};

/// The text of every schema measured: the budget holds up to 1 KB.
const TEXT_BYTES: usize = 1_000;

/// What a row allows.
#[derive(Clone, Copy)]
struct Budget {
    rounds: usize,
    read_units: f64,
    write_units: f64,
}

const fn budget(rounds: usize, read_units: f64, write_units: f64) -> Budget {
    Budget { rounds, read_units, write_units }
}

/// One measured operation.
struct Row {
    operation: String,
    budget: Budget,
    usage: Usage,
}

impl Row {
    fn is_over(&self) -> bool {
        self.usage.rounds > self.budget.rounds
            || self.usage.read_units > self.budget.read_units
            || self.usage.write_units > self.budget.write_units
    }
}

/// A registry, and what was measured of it.
struct Bench {
    at: InMemory,
    rows: Vec<Row>,
}

impl Bench {
    async fn new() -> Self {
        Self { at: in_memory_registry(instant_runtime(1)).await, rows: Vec::new() }
    }

    /// Measures one operation.
    async fn row<T>(&mut self, operation: &str, budget: Budget, work: impl Future<Output = T>) -> T {
        self.at.meter.take();
        let done = work.await;
        self.rows.push(Row { operation: operation.to_owned(), budget, usage: self.at.meter.take() });
        done
    }
}

fn main() -> ExitCode {
    // Calls side by side take turns on one thread, so that what is counted does not depend on the machine.
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let rows = runtime.block_on(rows::measure());
    println!("{:<66} {:>11} {:>15} {:>13}  calls", "operation (measured / budget)", "rounds", "RRU", "WRU");
    for row in &rows {
        let Row { operation, budget, usage } = row;
        println!(
            "{operation:<66} {:>5} / {:<3} {:>7} / {:<5} {:>5} / {:<5} {}{}",
            usage.rounds,
            budget.rounds,
            usage.read_units,
            budget.read_units,
            usage.write_units,
            budget.write_units,
            calls(usage),
            if row.is_over() { "  OVER BUDGET" } else { "" },
        );
    }
    let over = rows.iter().filter(|row| row.is_over()).count();
    println!("budget: {} rows, {over} over", rows.len());
    if over == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn calls(usage: &Usage) -> String {
    usage.calls.iter().map(|(operation, times)| format!("{times} {operation}")).collect::<Vec<_>>().join(", ")
}
