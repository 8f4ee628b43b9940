//! The whole matrix, run and printed.

use std::fmt::Write;

use crate::hit::Hit;
use crate::parallel;
use crate::row::Row;
use crate::strike::{Undisturbed, strike};

/// What came of it.
#[derive(Debug, Default)]
pub struct Matrix {
    /// A line for each operation: of how many calls that a fault can hit, in how many all went well.
    pub table: String,
    /// What went wrong, in words.
    pub violations: Vec<String>,
    /// Faults that were injected.
    pub faults: usize,
}

struct Job<'a> {
    row: usize,
    of: &'a Row,
    normal: &'a Undisturbed,
    hit: Hit,
    call: usize,
}

/// Hits every call of every row with everything that can happen to it.
pub fn run(rows: &[Row]) -> Matrix {
    let normal = parallel::each(rows, Undisturbed::of);
    let mut matrix = Matrix {
        violations: normal.iter().filter_map(|normal| normal.as_ref().err().cloned()).collect(),
        ..Matrix::default()
    };
    let hits = Hit::all();
    let mut jobs = Vec::new();
    for (row, (of, normal)) in rows.iter().zip(&normal).enumerate() {
        let Ok(normal) = normal else { continue };
        for (call, name) in normal.calls.iter().enumerate() {
            let striking = hits.iter().filter(|hit| hit.can_strike(name));
            jobs.extend(striking.map(|&hit| Job { row, of, normal, hit, call }));
        }
    }
    let verdicts = parallel::each(&jobs, |job| strike(job.of, job.normal, job.hit, job.call + 1));
    matrix.faults = jobs.len();
    for (job, verdict) in jobs.iter().zip(&verdicts) {
        if let Err(why) = verdict {
            let call = &job.normal.calls[job.call];
            matrix.violations.push(format!(
                "{}, {} at call {} ({call}): {why}",
                job.of.name,
                job.hit.name(),
                job.call + 1
            ));
        }
    }
    let went: Vec<_> = jobs.iter().zip(verdicts.iter().map(Result::is_ok)).collect();
    matrix.table = table(rows, &normal, &hits, &went);
    matrix
}

fn table(rows: &[Row], normal: &[Result<Undisturbed, String>], hits: &[Hit], went: &[(&Job<'_>, bool)]) -> String {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or_default();
    let mut table = format!("{:<width$}", "operation (calls hit / gone well)");
    // Writing to a string does not fail.
    for hit in hits {
        let _ = write!(table, " {:>5}", hit.name());
    }
    table.push_str("  calls\n");
    for (number, (row, normal)) in rows.iter().zip(normal).enumerate() {
        let _ = write!(table, "{:<width$}", row.name);
        for hit in hits {
            let (mut well, mut all) = (0, 0);
            for (_, is_well) in went.iter().filter(|(job, _)| job.row == number && job.hit == *hit) {
                all += 1;
                well += usize::from(*is_well);
            }
            let cell = if all == 0 { "-".to_owned() } else { format!("{all}/{well}") };
            let _ = write!(table, " {cell:>0$}", hit.name().len().max(5));
        }
        let calls = normal.as_ref().map(|normal| normal.calls.join(" ")).unwrap_or_default();
        let _ = writeln!(table, "  {calls}");
    }
    table
}
