//! Runs the matrix and prints it.
//!
//! `REGISTRAR_FAULTS=TEXT,…` runs only the operations whose names have one of these texts in them.

use std::process::ExitCode;

use registrar_faults::{gaps, print, rows, run};

fn main() -> ExitCode {
    let mut rows = match rows() {
        Ok(rows) => rows,
        Err(error) => {
            print(&error);
            return ExitCode::FAILURE;
        }
    };
    let only = std::env::var("REGISTRAR_FAULTS").ok();
    let mut violations = if only.is_none() { gaps(&rows) } else { Vec::new() };
    rows.retain(|row| only.as_ref().is_none_or(|texts| texts.split(',').any(|text| row.name.contains(text))));
    let matrix = run(&rows);
    print(&matrix.table);
    violations.extend(matrix.violations);
    for violation in &violations {
        print(violation);
    }
    let (faults, operations, wrong) = (matrix.faults, rows.len(), violations.len());
    print(&format!("proof: {faults} faults injected over {operations} operations, {wrong} violations"));
    if violations.is_empty() && faults > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
