//! The document, made of the route table and the data beside it.

use super::operation::{Answer, Content, Operation, Parameter};
use super::path_parameters::{PATH_PARAMETERS, PathParameter};
use super::schemas::{Schemas, schema};
use super::types::server::ERROR;
use super::{operation, prose};
use crate::routes::{ROUTES, Route};
use crate::{ErrorCode, media_type};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The document. The error is a route or a name in a path that nothing is said about.
pub fn document() -> Result<Value, String> {
    let mut parts = Parts::default();
    parts.schemas.add(&ERROR);
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for route in ROUTES {
        let said = operation(&route.method, route.pattern)
            .ok_or_else(|| format!("{} {} is not documented", route.method, route.pattern))?;
        let method = route.method.as_str().to_ascii_lowercase();
        paths.entry(route.pattern).or_default().insert(method, parts.operation(route, said)?);
    }
    let info = json!({
        "title": "registrar",
        "version": env!("CARGO_PKG_VERSION"),
        "description": prose::ABOUT,
        "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
    });
    Ok(json!({
        "openapi": "3.1.0",
        "info": info,
        "servers": servers(),
        "tags": tags(),
        "paths": paths,
        "components": {
            "schemas": parts.schemas.into_json(),
            "responses": parts.responses,
            "parameters": { "RequestId": request_id_parameter() },
            "headers": headers(),
        },
    }))
}

/// Relative to the address of the document, so that a base path or a stage counts.
fn servers() -> Value {
    json!([
        { "url": ".", "description": "This server." },
        {
            "url": "./contexts/{context}",
            "description": "Every path within a context.",
            "variables": { "context": { "default": ".", "description": prose::CONTEXT } },
        },
    ])
}

fn tags() -> Value {
    let groups: BTreeSet<&str> =
        ROUTES.iter().filter_map(|route| operation(&route.method, route.pattern)).map(|said| said.group).collect();
    groups.into_iter().map(|name| json!({ "name": name })).collect()
}

/// What operations share.
#[derive(Default)]
struct Parts {
    schemas: Schemas,
    responses: Map<String, Value>,
}

impl Parts {
    fn operation(&mut self, route: &Route, said: &Operation) -> Result<Value, String> {
        let mut object = Map::new();
        object.insert("operationId".to_owned(), said.id.into());
        object.insert("tags".to_owned(), json!([said.group]));
        object.insert("summary".to_owned(), said.summary.into());
        if !said.details.is_empty() {
            object.insert("description".to_owned(), said.details.into());
        }
        object.insert("parameters".to_owned(), parameters(route, said)?);
        if let Some(body) = &said.body {
            let example: Value = serde_json::from_str(body.example).map_err(|error| format!("{}: {error}", said.id))?;
            let content = content(&json!({ "schema": self.schemas.of(&body.shape), "example": example }));
            object.insert("requestBody".to_owned(), json!({ "required": body.required, "content": content }));
        }
        object.insert("responses".to_owned(), self.responses(route, said));
        Ok(Value::Object(object))
    }

    fn responses(&mut self, route: &Route, said: &Operation) -> Value {
        let mut responses = Map::new();
        responses.insert(said.answer.status.to_string(), self.success(&said.answer));
        for (status, codes) in errors(route, said) {
            responses.insert(status.to_string(), self.refusal(status, &codes));
        }
        Value::Object(responses)
    }

    fn success(&mut self, answer: &Answer) -> Value {
        let headers = json!({ "X-Request-ID": header("RequestId"), "Vary": header("Vary") });
        match &answer.content {
            Content::Nothing => {
                json!({ "description": answer.meaning, "headers": { "X-Request-ID": header("RequestId") } })
            }
            Content::SchemaText => {
                let content = content(&json!({ "schema": { "description": prose::SCHEMA_TEXT } }));
                json!({ "description": answer.meaning, "headers": headers, "content": content })
            }
            Content::Json(shape) => {
                let content = content(&json!({ "schema": self.schemas.of(shape) }));
                json!({ "description": answer.meaning, "headers": headers, "content": content })
            }
        }
    }

    /// A reference to the answer with these codes, each such set of which stands in the document once.
    fn refusal(&mut self, status: u16, codes: &BTreeSet<u16>) -> Value {
        let numbers: Vec<String> = codes.iter().map(u16::to_string).collect();
        let name = format!("Error{}", numbers.join("_"));
        let lines: Vec<String> = codes.iter().map(|code| format!("{code}: {}.", prose::meaning(*code))).collect();
        let mut headers = json!({ "X-Request-ID": header("RequestId") });
        if status == ErrorCode::MethodNotAllowed.number() {
            headers["Allow"] = header("Allow");
        }
        let code = json!({ "properties": { "error_code": { "enum": codes } } });
        let schema = json!({ "allOf": [{ "$ref": "#/components/schemas/Error" }, code] });
        let response = json!({
            "description": lines.join(" "),
            "headers": headers,
            "content": content(&json!({ "schema": schema })),
        });
        let reference = json!({ "$ref": format!("#/components/responses/{name}") });
        self.responses.insert(name, response);
        reference
    }
}

/// The errors of an operation by status: its own, and those that follow from what it takes.
fn errors(route: &Route, said: &Operation) -> BTreeMap<u16, BTreeSet<u16>> {
    use ErrorCode as Code;
    let mut codes =
        vec![Code::BadRequest, Code::NotAcceptable, Code::BodyTimeout, Code::BodyTooLarge, Code::TooManyRequests];
    codes.push(Code::Internal);
    codes.extend(said.errors);
    if let Some(body) = &said.body {
        codes.push(Code::UnsupportedMediaType);
        codes.extend(body.required.then_some(Code::MissingBody));
    }
    codes.extend(route.writes.then_some(Code::MethodNotAllowed));
    codes.extend(said.uses_table.then_some(Code::Store));
    codes.extend(route.timeout.map(|_| Code::Timeout));
    codes.extend(takes_numbers(route, said).then_some(Code::NotFound));
    let mut by_status: BTreeMap<u16, BTreeSet<u16>> = BTreeMap::new();
    for code in codes {
        by_status.entry(code.status().as_u16()).or_default().insert(code.number());
    }
    by_status
}

/// Whether there is a number among the parameters: what is none is no path (§1.6).
fn takes_numbers(route: &Route, said: &Operation) -> bool {
    let in_path = path_parameters(route).any(|known| known.is_some_and(|known| known.shape.is_number()));
    in_path || said.query.iter().any(|parameter| parameter.shape.is_number())
}

fn path_parameters(route: &Route) -> impl Iterator<Item = Option<&'static PathParameter>> {
    let names = route.pattern.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    names.map(|name| PATH_PARAMETERS.iter().find(|known| known.name == name))
}

fn parameters(route: &Route, said: &Operation) -> Result<Value, String> {
    let mut parameters = Vec::new();
    for known in path_parameters(route) {
        let known = known.ok_or_else(|| format!("{}: a name in the path is not documented", route.pattern))?;
        let example: Value =
            serde_json::from_str(known.example).map_err(|error| format!("{}: {error}", route.pattern))?;
        parameters.push(json!({
            "name": known.name,
            "in": "path",
            "required": true,
            "description": known.meaning,
            "schema": schema(&known.shape),
            "example": example,
        }));
    }
    parameters.extend(said.query.iter().map(|parameter| query_parameter(parameter)));
    parameters.push(json!({ "$ref": "#/components/parameters/RequestId" }));
    Ok(Value::Array(parameters))
}

fn query_parameter(parameter: &Parameter) -> Value {
    json!({
        "name": parameter.name,
        "in": "query",
        "description": parameter.meaning,
        "schema": schema(&parameter.shape),
    })
}

/// One value under each media type on offer.
fn content(media: &Value) -> Value {
    media_type::OFFERED.iter().map(|name| ((*name).to_owned(), media.clone())).collect::<Map<_, _>>().into()
}

fn header(name: &str) -> Value {
    json!({ "$ref": format!("#/components/headers/{name}") })
}

fn headers() -> Value {
    json!({
        "RequestId": { "description": prose::ANSWERED_ID, "required": true, "schema": { "type": "string" } },
        "Vary": { "description": prose::VARY, "schema": { "type": "string" } },
        "Allow": { "description": prose::ALLOW, "schema": { "type": "string" } },
    })
}

fn request_id_parameter() -> Value {
    json!({
        "name": "X-Request-ID",
        "in": "header",
        "description": prose::REQUEST_ID,
        "schema": { "type": "string" },
    })
}
