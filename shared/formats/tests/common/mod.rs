//! What the tests over vector files share: where they are, which are excepted, what is counted.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows of a vector file; none, said aloud, where the vectors are not there.
pub(crate) fn vectors(file: &str) -> Option<Vec<Value>> {
    Some(lines(file)?.iter().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// A file of the specification; none, said aloud, where it is not there.
#[allow(dead_code, reason = "not every test file reads one")]
pub(crate) fn specification(file: &str) -> Option<Value> {
    let path = shared().join("spec").join(file);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("{file}: left out, {} is not there", path.display());
        return None;
    };
    Some(serde_json::from_str(&text).unwrap())
}

fn shared() -> PathBuf {
    std::env::var_os("REGISTRAR_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from)
}

/// The lines of a vector file, for what the text of numbers matters to.
pub(crate) fn lines(file: &str) -> Option<Vec<String>> {
    let path = shared().join("vectors").join(file);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("{file}: left out, {} is not there", path.display());
        return None;
    };
    Some(text.lines().map(str::to_owned).collect())
}

/// The excepted ids of a vector file with the reasons, from `tests/exceptions.tsv`.
fn exceptions(file: &str) -> HashMap<String, String> {
    let text = std::fs::read_to_string(root().join("tests/exceptions.tsv")).unwrap();
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .inspect(|row| assert_eq!(row.len(), 3, "tests/exceptions.tsv: {row:?}"))
        .filter(|row| row[0] == file)
        .map(|row| (row[1].to_owned(), row[2].to_owned()))
        .collect()
}

/// Checks every row, prints the counts, and fails if one is not equal or an excepted one is.
pub(crate) fn check_all(file: &str, rows: &[Value], check: impl Fn(&Value) -> Result<(), String>) {
    let mut excepted = exceptions(file);
    let (mut run, mut equal, mut left_out) = (0, 0, 0);
    let mut failures = Vec::new();
    for row in rows {
        let id = text(row, "id");
        let outcome = check(row);
        if excepted.remove(id).is_some() {
            left_out += 1;
            if outcome.is_ok() {
                failures.push(format!("{id}: excepted, but equal"));
            }
            continue;
        }
        run += 1;
        match outcome {
            Ok(()) => equal += 1,
            Err(difference) => failures.push(format!("{id}: {difference}")),
        }
    }
    println!("{file}: run {run} equal {equal} excepted {left_out} of {}", rows.len());
    failures.extend(excepted.keys().map(|id| format!("{id}: excepted, but there is no such row")));
    assert!(failures.is_empty(), "{} of {file} differ:\n{}", failures.len(), failures.join("\n"));
}

/// The text of a member that must be there.
pub(crate) fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_else(|| panic!("no {key} in {row}"))
}

/// Fails with both values unless they are equal.
pub(crate) fn same<T: PartialEq + std::fmt::Debug>(what: &str, actual: &T, expected: &T) -> Result<(), String> {
    if actual == expected {
        return Ok(());
    }
    Err(format!("{what}\n  is       {actual:?}\n  expected {expected:?}"))
}
