//! Requests as Lambda events, and answers of Lambda functions as replies.

use crate::Result;
use crate::exchange::{Reply, Request};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

/// What stands between the client and the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Front {
    /// A REST API of the API gateway: raw path, decoded query.
    RestApi,
    /// A function URL: raw path, raw query.
    FunctionUrl,
    /// A load balancer: raw path, raw query.
    LoadBalancer,
}

/// The event a front makes of a request.
pub(super) fn event(front: Front, request: &Request) -> Value {
    match front {
        Front::RestApi => rest_api(request),
        Front::FunctionUrl => function_url(request),
        Front::LoadBalancer => load_balancer(request),
    }
}

fn rest_api(request: &Request) -> Value {
    let (path, query) = request.path_and_query();
    let query = multi(parameters(query).into_iter().map(|(name, value)| (decoded(name), decoded(value))));
    let headers = multi(request.headers.iter().cloned());
    json!({
        "resource": "/{proxy+}",
        "path": path,
        "httpMethod": request.method,
        "headers": last(&headers),
        "multiValueHeaders": headers,
        "queryStringParameters": last(&query),
        "multiValueQueryStringParameters": query,
        "pathParameters": {"proxy": path.trim_start_matches('/')},
        "stageVariables": null,
        "requestContext": {
            "resourcePath": "/{proxy+}",
            "httpMethod": request.method,
            "path": format!("/prod{path}"),
            "stage": "prod",
            "domainName": "id.execute-api.eu-central-1.amazonaws.com",
            "identity": {"sourceIp": "192.0.2.1"},
        },
        "body": body(request).0,
        "isBase64Encoded": body(request).1,
    })
}

fn function_url(request: &Request) -> Value {
    let (path, query) = request.path_and_query();
    json!({
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": query.unwrap_or_default(),
        "headers": joined(&request.headers),
        "requestContext": {
            "domainName": "id.lambda-url.eu-central-1.on.aws",
            "http": {"method": request.method, "path": path, "protocol": "HTTP/1.1", "sourceIp": "192.0.2.1"},
            "stage": "$default",
        },
        "body": body(request).0,
        "isBase64Encoded": body(request).1,
    })
}

fn load_balancer(request: &Request) -> Value {
    let (path, query) = request.path_and_query();
    json!({
        "requestContext": {"elb": {"targetGroupArn": "arn:aws:elasticloadbalancing:eu-central-1:1:targetgroup/r/1"}},
        "httpMethod": request.method,
        "path": path,
        "multiValueQueryStringParameters":
            multi(parameters(query).into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()))),
        "multiValueHeaders": multi(request.headers.iter().cloned()),
        "body": body(request).0.as_str().unwrap_or_default(),
        "isBase64Encoded": body(request).1,
    })
}

/// An event of an HTTP API in its second format, which looks like a function URL's with its path decoded.
pub(super) fn http_api(request: &Request) -> Value {
    let mut event = function_url(request);
    event["rawPath"] = Value::String(decoded(request.path_and_query().0));
    event["requestContext"]["domainName"] = json!("id.execute-api.eu-central-1.amazonaws.com");
    event
}

/// The pairs of a query, still encoded; empty pieces are none.
fn parameters(query: Option<&str>) -> Vec<(&str, &str)> {
    let pieces = query.unwrap_or_default().split('&').filter(|piece| !piece.is_empty());
    pieces.map(|piece| piece.split_once('=').unwrap_or((piece, ""))).collect()
}

/// A form value decoded as the gateway does.
fn decoded(value: &str) -> String {
    let bytes = value.as_bytes();
    let mut decoded = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escape = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        match (byte, escape.and_then(|hex| u8::from_str_radix(hex, 16).ok())) {
            (b'%', Some(escaped)) => {
                decoded.push(escaped);
                at += 2;
            }
            (b'+', _) => decoded.push(b' '),
            _ => decoded.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn multi(pairs: impl Iterator<Item = (String, String)>) -> Value {
    let mut object = Map::new();
    for (name, value) in pairs {
        let values = object.entry(name).or_insert_with(|| json!([]));
        if let Value::Array(values) = values {
            values.push(Value::String(value));
        }
    }
    if object.is_empty() { Value::Null } else { Value::Object(object) }
}

fn last(multi: &Value) -> Value {
    let Value::Object(object) = multi else { return Value::Null };
    let last = |values: &Value| values.as_array().and_then(|values| values.last()).cloned().unwrap_or_default();
    Value::Object(object.iter().map(|(name, values)| (name.clone(), last(values))).collect())
}

/// A function URL joins the values of one name.
fn joined(headers: &[(String, String)]) -> Value {
    let mut object: Map<String, Value> = Map::new();
    for (name, value) in headers {
        let value = match object.get(name).and_then(Value::as_str) {
            Some(before) => format!("{before},{value}"),
            None => value.clone(),
        };
        object.insert(name.clone(), Value::String(value));
    }
    Value::Object(object)
}

/// The body: text if it is text, else base64. An absent and an empty one look the same.
fn body(request: &Request) -> (Value, bool) {
    match request.body.as_deref() {
        None | Some([]) => (Value::Null, false),
        Some(body) => match std::str::from_utf8(body) {
            Ok(text) => (Value::String(text.to_owned()), false),
            Err(_) => (Value::String(STANDARD.encode(body)), true),
        },
    }
}

/// The reply in a function's answer.
pub(super) fn reply(answer: &Value) -> Result<Reply> {
    let wrong = |what: &str| format!("{what} in the answer {answer}");
    let status = answer["statusCode"].as_u64().and_then(|status| u16::try_from(status).ok());
    let text = answer["body"].as_str().unwrap_or_default();
    let body = match answer["isBase64Encoded"].as_bool() {
        Some(true) => STANDARD.decode(text).map_err(|_| wrong("no base64"))?,
        _ => text.as_bytes().to_vec(),
    };
    Reply::new(status.ok_or_else(|| wrong("no status"))?, headers(answer), body)
}

/// The multi-value headers where there are any, as a gateway prefers them.
fn headers(answer: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if let Some(multi) = answer["multiValueHeaders"].as_object() {
        let values = |(name, values): (&String, &Value)| {
            let values = values.as_array().cloned().unwrap_or_default();
            values.iter().map(|value| (name.clone(), text(value))).collect::<Vec<_>>()
        };
        return multi.iter().flat_map(values).collect();
    }
    let single = answer["headers"].as_object();
    single.into_iter().flatten().map(|(name, value)| (name.clone(), text(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_of_each_front() {
        let request = Request {
            method: "GET".to_owned(),
            target: "/a%2Fb?x=1+2%2B&y&&x=%C3%A9".to_owned(),
            headers: vec![("h".to_owned(), "1".to_owned()), ("h".to_owned(), "2".to_owned())],
            body: Some(vec![0xff]),
        };
        let rest = event(Front::RestApi, &request);
        assert_eq!(rest["path"], "/a%2Fb");
        assert_eq!(rest["multiValueQueryStringParameters"], json!({"x": ["1 2+", "é"], "y": [""]}));
        assert_eq!(rest["queryStringParameters"], json!({"x": "é", "y": ""}));
        assert_eq!((&rest["body"], &rest["isBase64Encoded"]), (&json!("/w=="), &json!(true)));
        let url = event(Front::FunctionUrl, &request);
        assert_eq!(url["rawQueryString"], "x=1+2%2B&y&&x=%C3%A9");
        assert_eq!(url["headers"], json!({"h": "1,2"}));
        let balancer = event(Front::LoadBalancer, &request);
        assert_eq!(balancer["multiValueQueryStringParameters"], json!({"x": ["1+2%2B", "%C3%A9"], "y": [""]}));
        assert_eq!(balancer["multiValueHeaders"], json!({"h": ["1", "2"]}));
    }
}
