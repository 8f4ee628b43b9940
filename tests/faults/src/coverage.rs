//! Whether there is a row for everything the registry can do.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use registrar_http::ROUTES;

use crate::row::Row;

/// Operations of the registry and routes of the service that no row asks for, and names in rows that mean nothing.
pub fn gaps(rows: &[Row]) -> Vec<String> {
    let asked: BTreeSet<&str> = rows.iter().flat_map(|row| &row.operations).map(String::as_str).collect();
    let there = match operations() {
        Ok(there) => there,
        Err(error) => return vec![error],
    };
    let mut gaps = Vec::new();
    let unasked = there.iter().filter(|name| !asked.contains(name.as_str()));
    gaps.extend(unasked.map(|name| format!("no row asks for the operation {name}")));
    let unknown = asked.iter().filter(|name| !there.contains(**name));
    gaps.extend(unknown.map(|name| format!("the registry has no operation {name}")));
    let unasked =
        ROUTES.iter().filter(|route| !rows.iter().any(|row| is_on(row, route.method.as_str(), route.pattern)));
    gaps.extend(unasked.map(|route| format!("no row asks for {} {}", route.method, route.pattern)));
    let mut names = BTreeSet::new();
    let twice = rows.iter().filter(|row| !names.insert(&row.name));
    gaps.extend(twice.map(|row| format!("two rows are called {}", row.name)));
    gaps
}

fn is_on(row: &Row, method: &str, pattern: &str) -> bool {
    let (sent, path) = row.ask.target();
    let path = path.split('?').next().unwrap_or_default();
    let (wanted, given): (Vec<_>, Vec<_>) = (pattern.split('/').collect(), path.split('/').collect());
    sent == method
        && wanted.len() == given.len()
        && wanted.iter().zip(given).all(|(wanted, given)| wanted.starts_with('{') || *wanted == given)
}

/// Waits for a thread, and asks nothing of the table.
const NO_OPERATION: &str = "before_work";

/// The public functions of `Registry` that wait for something, found in its source.
fn operations() -> Result<BTreeSet<String>, String> {
    let mut names = BTreeSet::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/registry/src");
    for file in sources(&root)? {
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let functions = text.lines().filter_map(|line| line.strip_prefix("    pub async fn "));
        names.extend(functions.filter_map(|rest| rest.split('(').next()).map(str::to_owned));
    }
    names.remove(NO_OPERATION);
    if names.is_empty() { Err("no operation found in the registry's source".to_owned()) } else { Ok(names) }
}

fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            files.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::rows;

    #[test]
    fn a_missing_row_is_told() {
        let all = rows().unwrap();
        assert_eq!(gaps(&all), [""; 0]);
        let mut some = all;
        some.retain(|row| !row.operations.iter().any(|name| name == "delete_subject"));
        assert_eq!(
            gaps(&some),
            ["no row asks for the operation delete_subject", "no row asks for DELETE /subjects/{subject}"]
        );
    }
}
