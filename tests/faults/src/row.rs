//! The operations under test, as they stand in `matrix.json`.

use std::collections::BTreeMap;

use bytes::Bytes;
use http::Request;
use registrar_harness::schemas::{record, record_of};
use serde::Deserialize;
use serde_json::Value;

/// One operation: what is there before, what is asked, and what may be answered.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// In words.
    pub name: String,
    /// The functions of `Registry` that this request is answered by.
    pub operations: Vec<String>,
    /// Requests that make what the operation needs.
    #[serde(default)]
    pub before: Vec<Ask>,
    /// The request.
    pub ask: Ask,
    /// Status of its answer.
    #[serde(default = "ok")]
    pub status: u16,
    /// Right answers to a repeated request, where the first had an effect and its answer was lost: codes of errors, or
    /// bodies.
    #[serde(default)]
    pub again: Vec<Value>,
    /// A last request, whatever is answered: a delete that died is finished by whoever comes next.
    pub settle: Option<Ask>,
    /// Whose ids are in the answer.
    #[serde(default = "default_context")]
    pub context: String,
}

const fn ok() -> u16 {
    200
}

fn default_context() -> String {
    ".".to_owned()
}

/// Method and path, with or without a body. In a body, the member `schema` may be a number for the small record of that
/// number, `{"bytes": N}` for a record of so many bytes, or a schema as it is. A word
/// alone stands for a list of requests.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Ask {
    /// Without a body.
    Bare(String),
    /// With one.
    With(String, Value),
}

impl Ask {
    /// Method, and path with its query.
    pub(crate) fn target(&self) -> (&str, &str) {
        let (Self::Bare(line) | Self::With(line, _)) = self;
        line.split_once(' ').unwrap_or((line, ""))
    }

    /// The request as sent.
    pub(crate) fn request(&self) -> Request<Bytes> {
        let body = match self {
            Self::Bare(_) => Bytes::new(),
            Self::With(_, body) => {
                let mut body = body.clone();
                write_schemas(&mut body);
                body.to_string().into()
            }
        };
        let (method, path) = self.target();
        let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
        request.header("x-request-id", "faults").body(body).unwrap()
    }
}

/// Puts the texts of schemas where they are only described.
fn write_schemas(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(write_schemas),
        Value::Object(members) => {
            for (name, member) in members {
                match text_of(member) {
                    Some(text) if name == "schema" => *member = Value::String(text),
                    _ => write_schemas(member),
                }
            }
        }
        _ => {}
    }
}

fn text_of(schema: &Value) -> Option<String> {
    let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
    if let Some(small) = number(schema) {
        return Some(record(small));
    }
    if let Some(bytes) = number(&schema["bytes"]) {
        return Some(record_of(bytes, 1));
    }
    // A request inside another one has a schema as a member, too.
    (schema.is_object() && schema.get("schema").is_none()).then(|| schema.to_string())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    lists: BTreeMap<String, Vec<Ask>>,
    rows: Vec<Row>,
}

/// All of them, lists put in; why not, if the file is wrong.
pub fn rows() -> Result<Vec<Row>, String> {
    let File { lists, mut rows } =
        serde_json::from_str(include_str!("../matrix.json")).map_err(|error| format!("matrix.json: {error}"))?;
    for row in &mut rows {
        row.before = unfold(&row.before, &lists)?;
    }
    Ok(rows)
}

fn unfold(asks: &[Ask], lists: &BTreeMap<String, Vec<Ask>>) -> Result<Vec<Ask>, String> {
    let mut all = Vec::new();
    for ask in asks {
        match ask.target() {
            (name, "") => {
                let list = lists.get(name).ok_or_else(|| format!("matrix.json: no list {name}"))?;
                all.extend(unfold(list, lists)?);
            }
            _ => all.push(ask.clone()),
        }
    }
    Ok(all)
}
