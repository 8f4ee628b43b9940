//! Answers against the OpenAPI document, and the document against all answers.

use crate::case::{Case, Step};
use crate::suite::Answers;
use crate::transcript::Line;
use crate::{Result, json_schema::Schemas};
use serde_json::Value;
use std::collections::BTreeSet;

/// Members that a case cannot show: the build knows the commit, or does not.
const NOT_SHOWN: [&str; 1] = ["SchemaRegistryServerVersion.commitId"];

/// The document, and what of it the cases have shown.
struct Document {
    json: Value,
    members: BTreeSet<String>,
    parameters: BTreeSet<String>,
}

/// Holds each answer of the service to what the document says of its operation. If all cases ran (`all`), the document
/// may say nothing of members and parameters that no case shows. A line on success.
pub fn check(cases: &[Case], answers: &Answers, all: bool) -> Result<String> {
    let json = serde_json::from_str(registrar_http::DOCUMENT).map_err(|error| error.to_string())?;
    let mut document = Document { json, members: BTreeSet::new(), parameters: BTreeSet::new() };
    let (mut checked, mut problems) = (0, Vec::new());
    for case in cases {
        let Some(lines) = answers.of(case) else { continue };
        for (at, (step, line)) in case.steps.iter().zip(lines).enumerate() {
            let Some(line) = line else { continue };
            match document.holds(step, line) {
                Ok(documented) => checked += usize::from(documented),
                Err(what) => {
                    problems.push(format!("{}/{} {} {}: {what}", case.id, at + 1, step.method, step.path));
                }
            }
        }
    }
    if all {
        problems.extend(document.unshown());
    }
    if !problems.is_empty() {
        return Err(format!("not as docs/openapi.json says:\n{}", problems.join("\n")));
    }
    let (members, parameters) = (document.members.len(), document.parameters.len());
    Ok(format!("OpenAPI document: {checked} answers as documented; {members} members, {parameters} parameters shown"))
}

impl Document {
    /// Whether the document says anything of such a request; the error is what is not as it says.
    fn holds(&mut self, step: &Step, line: &Line) -> Result<bool> {
        let (path, query) = step.path.split_once('?').unwrap_or((&step.path, ""));
        let Some(pattern) = self.pattern(path) else { return Ok(false) };
        let method = if step.method == "HEAD" { "get".to_owned() } else { step.method.to_ascii_lowercase() };
        let operation = &self.json["paths"][&pattern][&method];
        if operation.is_null() {
            return Ok(false);
        }
        let id = operation["operationId"].as_str().unwrap_or_default();
        let names: BTreeSet<&str> = query.split('&').filter_map(|pair| pair.split('=').next()).collect();
        let named = query_parameters(operation).into_iter().filter(|name| names.contains(&**name));
        self.parameters.extend(named.map(|name| format!("{id} {name}")));
        let schemas = Schemas::new(&self.json);
        let response = schemas.resolved(&operation["responses"][line.status().to_string()]);
        if response.is_null() {
            return Err(format!("status {} is not documented", line.status()));
        }
        if step.method == "HEAD" || response["content"].is_null() {
            return if line.body().is_empty() { Ok(true) } else { Err("a body that is not documented".to_owned()) };
        }
        let content = &response["content"][line.content_type()];
        if content.is_null() {
            return Err(format!("type {} is not documented", line.content_type()));
        }
        let schema = &content["schema"];
        if schema.get("type").is_none() && schema.get("$ref").is_none() && schema.get("allOf").is_none() {
            return Ok(true);
        }
        let body: Value = serde_json::from_str(line.body()).map_err(|error| error.to_string())?;
        self.members.extend(schemas.check(schema, &body)?);
        Ok(true)
    }

    /// The documented path that a path as sent is, the prefix of a context aside. Literal segments go first.
    fn pattern(&self, path: &str) -> Option<String> {
        let path = path.trim_start_matches('/').trim_end_matches('/');
        let segments: Vec<&str> = path.split('/').collect();
        let is_default = |context: &str| matches!(context, "." | ":.:");
        let segments = match segments.as_slice() {
            ["contexts", context] if is_default(context) => vec![""],
            ["contexts", context, scope @ ("config" | "mode")] if !is_default(context) => vec![*scope, *context],
            ["contexts", _, rest @ ..] if !rest.is_empty() => rest.to_vec(),
            all => all.to_vec(),
        };
        let paths = self.json["paths"].as_object()?;
        let mut fitting: Vec<&String> = paths.keys().filter(|pattern| fits(pattern, &segments)).collect();
        fitting.sort_by_key(|pattern| pattern.matches('{').count());
        fitting.first().map(|pattern| (*pattern).clone())
    }

    /// What the document names and no case has shown.
    fn unshown(&self) -> Vec<String> {
        let mut unshown = Vec::new();
        let operations = self.json["paths"].as_object().into_iter().flatten();
        for (_, methods) in operations {
            for operation in methods.as_object().into_iter().flatten().map(|(_, operation)| operation) {
                let id = operation["operationId"].as_str().unwrap_or_default();
                let names = query_parameters(operation).into_iter().map(|name| format!("{id} {name}"));
                unshown.extend(names.filter(|name| !self.parameters.contains(name)));
            }
        }
        let missing = Schemas::new(&self.json).answered().difference(&self.members).cloned().collect::<Vec<_>>();
        unshown.extend(missing);
        unshown.retain(|what| !NOT_SHOWN.contains(&&**what));
        unshown.iter().map(|what| format!("no case shows {what}")).collect()
    }
}

fn query_parameters(operation: &Value) -> Vec<String> {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let in_query = parameters.filter(|parameter| parameter["in"] == "query");
    in_query.filter_map(|parameter| parameter["name"].as_str().map(str::to_owned)).collect()
}

fn fits(pattern: &str, segments: &[&str]) -> bool {
    let wanted: Vec<&str> = pattern.trim_start_matches('/').split('/').collect();
    let fits = |(wanted, given): (&&str, &&str)| wanted == given || wanted.starts_with('{') && !given.is_empty();
    wanted.len() == segments.len() && wanted.iter().zip(segments).all(fits)
}
