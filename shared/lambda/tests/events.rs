//! Events of every front, each answered byte for byte as the HTTP service answers the request the client sent.
//!
//! A fixture in `events/` has the request and the event a front makes of it; both go to registries that were filled
//! alike and have clocks that tick alike. A fixture without a request is refused before the table is asked.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on")]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response};
use registrar_harness::{InMemory, in_memory_registry, instant_runtime};
use registrar_http::{HttpOptions, HttpService, service};
use registrar_lambda::{EventConfig, handle};
use serde_json::{Value, json};
use std::path::Path;

const SUBJECTS: [&str; 10] = [
    "/subjects/t",
    "/subjects/a%2Fb%3Av%20x%2B",
    "/subjects/..",
    "/subjects/100%25",
    "/subjects/a%252Fb",
    "/subjects/a%3Fb%23c",
    "/subjects/a",
    "/subjects/b%3Fc",
    "/subjects/%C3%A9%F0%9F%98%80",
    "/subjects/:.ctx:a+b",
];

fn post(path: &str, body: &Value) -> Request<Bytes> {
    let mut request = Request::new(Bytes::from(body.to_string()));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = path.parse().unwrap();
    request
}

async fn filled() -> (InMemory, HttpService) {
    let memory = in_memory_registry(instant_runtime(1)).await;
    let fill = service(memory.registry.clone(), HttpOptions::default());
    let wide: Vec<Value> = (0..100).map(|n| json!({"name": format!("field_{n}"), "type": "string"})).collect();
    let wide = json!({"type": "record", "name": "Wide", "fields": wide}).to_string();
    let mut requests: Vec<_> =
        SUBJECTS.iter().map(|path| post(&format!("{path}/versions"), &json!({"schema": "\"string\""}))).collect();
    requests.push(post("/subjects/wide/versions", &json!({"schema": wide})));
    let metadata = json!({"properties": {"k": "v", "l": "w x"}});
    requests.push(post("/subjects/meta/versions", &json!({"schema": "\"int\"", "metadata": metadata})));
    for request in requests {
        let uri = request.uri().clone();
        let response = fill.answer(request).await;
        assert_eq!(response.status(), 200, "{uri}: {:?}", response.body());
    }
    memory.meter.take();
    (memory, fill)
}

fn request(fixture: &Value) -> Request<Bytes> {
    let mut request = Request::new(Bytes::from(fixture["body"].as_str().unwrap_or_default().to_owned()));
    *request.method_mut() = fixture["method"].as_str().unwrap().parse().unwrap();
    *request.uri_mut() = fixture["target"].as_str().unwrap().parse().unwrap();
    for (name, value) in fixture["headers"].as_object().unwrap() {
        let name: HeaderName = name.parse().unwrap();
        request.headers_mut().insert(name, HeaderValue::from_str(value.as_str().unwrap()).unwrap());
    }
    request
}

/// The response a client gets out of an answer.
fn response(answer: &Value) -> Response<Bytes> {
    let body = answer["body"].as_str().unwrap();
    let body = if answer["isBase64Encoded"] == true { STANDARD.decode(body).unwrap() } else { body.into() };
    let mut headers = HeaderMap::new();
    for (name, value) in answer["headers"].as_object().unwrap() {
        headers.insert(name.parse::<HeaderName>().unwrap(), HeaderValue::from_str(value.as_str().unwrap()).unwrap());
    }
    let mut response = Response::new(Bytes::from(body));
    *response.status_mut() =
        http::StatusCode::from_u16(answer["statusCode"].as_u64().unwrap().try_into().unwrap()).unwrap();
    *response.headers_mut() = headers;
    response
}

/// `direct` gets the request, `behind` the event.
async fn check(name: &str, fixture: &Value, direct: &InMemory, behind: &InMemory) {
    let base_path = fixture["base_path"].as_str().unwrap_or_default();
    let options = HttpOptions { base_path: base_path.to_owned(), ..HttpOptions::default() };
    let (plain, function) =
        (service(direct.registry.clone(), options), service(behind.registry.clone(), HttpOptions::default()));
    behind.meter.take();
    let config = EventConfig { base_path: base_path.to_owned(), ..EventConfig::default() };
    let answer = handle(&function, &config, fixture["event"].clone()).await.unwrap();
    let actual = response(&answer);
    assert_eq!(u64::from(actual.status().as_u16()), fixture["status"], "{name}: {:?}", actual.body());
    if fixture.get("request").is_none() {
        assert_eq!(behind.meter.take().total_calls(), 0, "{name} asked the table");
        assert_eq!(serde_json::from_slice::<Value>(actual.body()).unwrap()["error_code"], 501);
        return;
    }
    let expected = plain.answer(request(&fixture["request"])).await;
    assert_eq!(actual.status(), expected.status(), "{name}");
    assert_eq!(actual.headers(), expected.headers(), "{name}");
    assert_eq!(actual.body(), expected.body(), "{name}");
    assert_eq!(answer["isBase64Encoded"], fixture.get("base64").is_some(), "{name}");
    if let Some(multi) = answer.get("multiValueHeaders") {
        let single = answer["headers"].as_object().unwrap().iter().map(|(name, value)| (name.clone(), json!([value])));
        assert_eq!(multi, &Value::Object(single.collect()), "{name}");
    }
}

#[tokio::test]
async fn every_front_answers_as_the_service_does() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/events");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    let (direct, _) = filled().await;
    let (behind, _) = filled().await;
    for file in files {
        let fixture = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        check(&file.file_stem().unwrap().to_string_lossy(), &fixture, &direct, &behind).await;
    }
}

#[tokio::test]
async fn what_is_no_http_request_is_an_error() {
    let (memory, service) = filled().await;
    for event in [
        json!({}),
        json!(null),
        json!([]),
        json!({"source": "aws.events", "detail-type": "Scheduled Event"}),
        json!({"httpMethod": "GET"}),
        json!({"httpMethod": "A B", "path": "/"}),
        json!({"httpMethod": 1, "path": "/"}),
        json!({"version": "2.0", "rawPath": "/", "requestContext": {"domainName": "localhost"}}),
    ] {
        let outcome = handle(&service, &EventConfig::default(), event.clone()).await;
        assert!(outcome.is_err_and(|error| error.to_string().contains("not an HTTP event")), "{event}");
    }
    assert_eq!(memory.meter.take().total_calls(), 0);
}

#[tokio::test]
async fn events_that_make_no_request_are_client_errors() {
    let (memory, service) = filled().await;
    let long = format!("/subjects/{}", "x".repeat(70_000));
    for (event, status) in [
        (json!({"httpMethod": "POST", "path": "/subjects/t", "body": "%", "isBase64Encoded": true}), 400),
        (json!({"httpMethod": "GET", "path": long}), 414),
    ] {
        let answer = handle(&service, &EventConfig::default(), event).await.unwrap();
        assert_eq!(answer["statusCode"], status);
        let body: Value = serde_json::from_str(answer["body"].as_str().unwrap()).unwrap();
        assert_eq!(body["error_code"], status);
        assert!(!answer["headers"]["x-request-id"].as_str().unwrap().is_empty());
    }
    assert_eq!(memory.meter.take().total_calls(), 0);
}

#[tokio::test]
async fn answers_too_long_for_lambda_say_so() {
    let (_memory, service) = filled().await;
    let config = EventConfig { max_answer_bytes: 2_000, max_alb_answer_bytes: 1_000, ..EventConfig::default() };
    let balancer = json!({"elb": {"targetGroupArn": "arn"}});
    for (event, limit) in [
        (json!({"httpMethod": "GET", "path": "/subjects/wide/versions/1"}), "2000"),
        (json!({"httpMethod": "GET", "path": "/subjects/wide/versions/1", "requestContext": balancer}), "1000"),
    ] {
        let answer = handle(&service, &config, event).await.unwrap();
        assert_eq!(answer["statusCode"], 422);
        assert!(answer["body"].as_str().unwrap().contains(limit), "{answer}");
    }
    let small = json!({"httpMethod": "GET", "path": "/subjects/t/versions/1"});
    assert_eq!(handle(&service, &config, small).await.unwrap()["statusCode"], 200);
}

#[tokio::test]
async fn a_refused_head_has_no_body() {
    let (_, service) = filled().await;
    for method in ["GET", "HEAD"] {
        let event = json!({"version": "2.0", "rawPath": "/subjects", "requestContext": {
            "domainName": "abc.execute-api.us-east-1.amazonaws.com", "http": {"method": method}}});
        let answer = handle(&service, &EventConfig::default(), event).await.unwrap();
        assert_eq!(answer["statusCode"], 501);
        assert_eq!(answer["body"].as_str().unwrap_or_default().is_empty(), method == "HEAD", "{answer}");
    }
}
