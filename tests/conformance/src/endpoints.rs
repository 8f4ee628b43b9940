//! The list of all calls (`endpoints.tsv`), each with the cases that show it.
//!
//! The columns: method, path, query parameters, what is answered, ids of cases. The first three are those of the list
//! that the shared test data have. Answered is `yes`, or the status of a call that there is not.

use crate::Result;
use crate::case::{Case, Step};
use std::fmt::Write;
use std::path::Path;

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    method: String,
    path: String,
    parameters: String,
    answered: String,
    cases: Vec<String>,
}

/// Our list.
pub fn ours() -> Result<Vec<Endpoint>> {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("endpoints.tsv"))
}

/// The list in a file; columns that are not there are empty.
pub fn read(path: &Path) -> Result<Vec<Endpoint>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text.lines().skip(1).map(Endpoint::of).collect())
}

impl Endpoint {
    fn of(line: &str) -> Self {
        let mut cells = line.split('\t').map(str::to_owned);
        let mut next = || cells.next().unwrap_or_default();
        let (method, path, parameters, answered) = (next(), next(), next(), next());
        Self { method, path, parameters, answered, cases: next().split_whitespace().map(str::to_owned).collect() }
    }

    /// Whether this is the line of the shared list that `other` is.
    pub fn is_of(&self, other: &Self) -> bool {
        (&self.method, &self.path, &self.parameters) == (&other.method, &other.path, &other.parameters)
    }

    /// The line as printed: the call, what is answered, and the cases.
    pub fn line(&self) -> String {
        format!("{:<6} {:<80} {:<5} {}", self.method, self.path, self.answered, self.cases.join(" "))
    }

    /// What is wrong with this line.
    pub fn problems(&self, cases: &[Case]) -> Vec<String> {
        let mut problems = Vec::new();
        if self.cases.is_empty() {
            problems.push("no case shows it".to_owned());
        }
        for id in &self.cases {
            match cases.iter().find(|case| case.id == *id) {
                Some(case) => problems.extend(self.not_shown_by(case)),
                None => problems.push(format!("there is no case {id}")),
            }
        }
        problems.extend(self.unsent(cases).map(|name| format!("no case sends the parameter {name}")));
        problems.iter().map(|problem| format!("{} {}: {problem}", self.method, self.path)).collect()
    }

    fn not_shown_by(&self, case: &Case) -> Option<String> {
        let mut steps = case.steps.iter().filter(|step| self.is_called_by(step)).peekable();
        if steps.peek().is_none() {
            return Some(format!("case {} does not call it", case.id));
        }
        let is_shown = match self.answered.parse() {
            Ok(status) => steps.all(|step| step.expect.status.allows(status)),
            Err(_) => steps.any(|step| (200..400).any(|status| step.expect.status.allows(status))),
        };
        (!is_shown).then(|| format!("case {} does not expect the answer {}", case.id, self.answered))
    }

    fn is_called_by(&self, step: &Step) -> bool {
        step.restart.is_none() && (self.method == "*" || self.method == step.method) && self.fits(&step.path)
    }

    /// Whether a path as sent is this one. `{any other API path}` stands for one segment or more.
    fn fits(&self, sent: &str) -> bool {
        let path = sent.split('?').next().unwrap_or_default();
        let mut given = path.trim_start_matches('/').trim_end_matches('/').split('/');
        for wanted in self.path.trim_start_matches('/').split('/') {
            let Some(part) = given.next() else { return false };
            if wanted == "{any other API path}" {
                return !part.is_empty();
            }
            if wanted != part && (!wanted.starts_with('{') || part.is_empty()) {
                return false;
            }
        }
        given.next().is_none()
    }

    fn unsent<'a>(&'a self, cases: &'a [Case]) -> impl Iterator<Item = &'a str> {
        let calls = move || cases.iter().flat_map(|case| &case.steps).filter(|step| self.is_called_by(step));
        self.parameters().filter(move |name| !calls().any(|step| sends(&step.path, name)))
    }

    /// The names alone, without defaults and the sign of a list.
    fn parameters(&self) -> impl Iterator<Item = &str> {
        let names = self.parameters.split(',').map(|name| name.split(['[', '(']).next().unwrap_or_default());
        names.filter(|name| !name.is_empty() && *name != "as target")
    }
}

fn sends(path: &str, name: &str) -> bool {
    let query = path.split_once('?').map_or("", |(_, query)| query);
    query.split('&').any(|pair| pair.split('=').next() == Some(name))
}

/// The list with its cases, and then what is wrong with it: `shared` has lines that it must have.
pub fn report(endpoints: &[Endpoint], shared: &[Endpoint], cases: &[Case]) -> (String, Vec<String>) {
    let mut report = String::new();
    for endpoint in endpoints {
        // Writing to a string does not fail.
        let _ = writeln!(report, "{}", endpoint.line());
    }
    let mut problems: Vec<String> = endpoints.iter().flat_map(|endpoint| endpoint.problems(cases)).collect();
    let is_missing = |line: &&Endpoint| !endpoints.iter().any(|endpoint| endpoint.is_of(line));
    problems.extend(shared.iter().filter(is_missing).map(|line| format!("{} {}: missing", line.method, line.path)));
    (report, problems)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::parse;

    fn endpoint(line: &str) -> Endpoint {
        Endpoint::of(line)
    }

    #[test]
    fn paths_fit() {
        let at = |path: &str| endpoint(&format!("GET\t{path}"));
        for (pattern, path, expected) in [
            ("/", "/", true),
            ("/", "/subjects", false),
            ("/subjects/{subject}/versions", "/subjects/a%2Fb/versions/?deleted=true", true),
            ("/subjects/{subject}/versions", "/subjects//versions", false),
            ("/subjects/{subject}/versions", "/subjects/a/versions/1", false),
            ("/contexts/{context}/{any other API path}", "/contexts/.c/subjects/s", true),
            ("/contexts/{context}/{any other API path}", "/contexts/.c/", false),
            ("/associations:batchGet", "/associations:batchGet?includeSchemas=true", true),
        ] {
            assert_eq!(at(pattern).fits(path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn problems_are_told() {
        let cases = parse(
            r#"[{"id":"a-1","title":"t","section":"1","steps":[{"method":"GET","path":"/x?b=1","expect":{"status":404}}]}]"#,
        )
        .unwrap();
        for (line, expected) in [
            ("GET\t/x\tb\t404\ta-1", None),
            ("GET\t/x\tb[],c(:*:)\t404\ta-1", Some("no case sends the parameter c")),
            ("GET\t/x\t\tyes\ta-1", Some("case a-1 does not expect the answer yes")),
            ("PUT\t/x\t\t404\ta-1", Some("case a-1 does not call it")),
            ("GET\t/x\t\t404\ta-2", Some("there is no case a-2")),
            ("GET\t/x\t\t404\t", Some("no case shows it")),
        ] {
            let found = endpoint(line).problems(&cases);
            assert_eq!(found.len(), usize::from(expected.is_some()), "{line}: {found:?}");
            assert!(expected.is_none_or(|expected| found[0].ends_with(expected)), "{found:?}");
        }
        let list = [endpoint("GET\t/x\tb\t404\ta-1")];
        assert!(report(&list, &[endpoint("GET\t/x\tb\tsome purpose")], &cases).1.is_empty());
        assert_eq!(report(&list, &[endpoint("GET\t/y\t\t")], &cases).1, ["GET /y: missing"]);
    }
}
