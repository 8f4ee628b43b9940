//! Rows of `tests/data`: a rule, then columns divided by tabs; `¶` stands for a line end, `=` repeats the column before.

/// Runs `check` on the columns of every row and fails with all rows that do not hold.
pub(crate) fn each_row(data: &str, check: impl Fn(&[String]) -> Result<(), String>) {
    let rows: Vec<Vec<String>> = data
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').map(|column| column.replace('¶', "\n")).collect())
        .collect();
    let failures: Vec<String> = rows
        .iter()
        .filter_map(|row| check(&row[1..]).err().map(|difference| format!("{}: {difference}", row[0])))
        .collect();
    assert!(!rows.is_empty());
    assert!(failures.is_empty(), "{} rows:\n{}", failures.len(), failures.join("\n"));
}

pub(crate) fn column(row: &[String], index: usize) -> &str {
    match row[index].as_str() {
        "=" => column(row, index - 1),
        text => text,
    }
}

pub(crate) fn same(what: &str, actual: &str, expected: &str) -> Result<(), String> {
    if actual == expected {
        return Ok(());
    }
    let shown = |text: &str| text.replace('\n', "¶");
    Err(format!("{what}\n  is       {}\n  expected {}", shown(actual), shown(expected)))
}
