//! Prints what a schema of 300 fields costs, in microseconds: reading it with its canonical text, one check against the
//! version before, both, and what else registering may ask for.
//!
//! `cargo run --release -p registrar-bench`, with the number of rounds as an argument if it should not be 300. Formats
//! only: what the table and HTTP cost is not in it.

#![allow(clippy::print_stdout, reason = "the table is what this program is for")]

mod measure;
mod samples;

use std::error::Error;

use registrar_formats::{Schema, SchemaError, Strictness, compatibility, parse};

use measure::median;
use samples::{FIELDS, SAMPLES, Sample};

/// How many rounds are measured unless an argument says so.
const ROUNDS: usize = 300;

/// What is measured, by the head of its column.
const COLUMNS: [(&str, Measured); 6] = [
    ("parse + text", |case| read(case.sample, &case.text).map(|schema| schema.text().len())),
    ("check", |case| Ok(compatibility(&case.new, &case.old).len())),
    ("parse + text + check", |case| {
        let new = read(case.sample, &case.text)?;
        Ok(new.text().len() + compatibility(&new, &case.old).len())
    }),
    ("normalize", |case| case.new.normalized().map(|schema| schema.text().len())),
    ("validate", |case| case.new.validate(false).map(|()| 0)),
    ("validate strictly", |case| case.new.validate(true).map(|()| 0)),
];

/// Does the work of one column; the number is there so that the work is not left out.
type Measured = fn(&Case) -> Result<usize, SchemaError>;

/// A schema and the version before it.
struct Case {
    sample: &'static Sample,
    text: String,
    new: Schema,
    old: Schema,
}

fn main() -> Result<(), Box<dyn Error>> {
    let rounds = match std::env::args().nth(1) {
        Some(argument) => argument.parse()?,
        None => ROUNDS,
    };
    println!("Median of {rounds} rounds, in µs.\n");
    let heads = ["language", "lines", "bytes"].into_iter().chain(COLUMNS.map(|(head, _)| head));
    println!("| {} |", heads.collect::<Vec<_>>().join(" | "));
    println!("|---|{}", "---:|".repeat(2 + COLUMNS.len()));
    for sample in SAMPLES {
        row(sample, rounds)?;
    }
    Ok(())
}

fn read(sample: &Sample, text: &str) -> Result<Schema, SchemaError> {
    parse(sample.schema_type, text, &[], Strictness::New)
}

/// Measures one sample and prints its row.
fn row(sample: &'static Sample, rounds: usize) -> Result<(), Box<dyn Error>> {
    let text = (sample.text)(FIELDS);
    let (new, old) = (read(sample, &text)?, read(sample, &(sample.text)(FIELDS - 1))?);
    let differences = compatibility(&new, &old);
    if !differences.is_empty() {
        return Err(format!("the samples for {} are not compatible: {differences:?}", sample.name).into());
    }
    let case = Case { sample, text, new, old };
    print!("| {} | {} | {} |", sample.name, case.text.lines().count(), case.text.len());
    for (_, measured) in COLUMNS {
        measured(&case)?;
        print!(" {:.0} |", median(rounds, || measured(&case)));
    }
    println!();
    Ok(())
}
