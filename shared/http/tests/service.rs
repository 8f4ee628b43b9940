//! What surrounds the handlers: limits, access, request ids, HEAD, gzip, and panics below.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on")]

use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_runtime_api::client::http::http_client_fn;
use bytes::Bytes;
use http::{Method, Request, Response};
use http_body_util::BodyExt;
use registrar_formats::ProtobufRules;
use registrar_harness::{in_memory_registry, instant_runtime};
use registrar_http::{Access, HttpOptions, HttpService, service};
use registrar_registry::{Registry, Settings};
use registrar_store::{Connection, Store};
use serde_json::{Value, json};
use std::convert::Infallible;

async fn registry() -> Registry {
    in_memory_registry(instant_runtime(1)).await.registry
}

async fn with(options: HttpOptions) -> HttpService {
    service(registry().await, options)
}

async fn send(
    service: &HttpService,
    method: Method,
    target: &str,
    headers: &[(&'static str, &str)],
    body: &str,
) -> Response<Bytes> {
    let mut request = Request::new(Bytes::from(body.to_owned()));
    *request.method_mut() = method;
    *request.uri_mut() = target.parse().unwrap();
    for (name, value) in headers {
        request.headers_mut().append(*name, value.parse().unwrap());
    }
    service.answer(request).await
}

#[track_caller]
fn check_error(response: &Response<Bytes>, status: u16, message: &str) {
    let body: Value = serde_json::from_slice(response.body()).unwrap();
    assert_eq!(response.status().as_u16(), status);
    assert_eq!(body, json!({"error_code": status, "message": message}));
}

const NEW: &str = "{\"schema\":\"\\\"int\\\"\"}";

#[tokio::test]
async fn bodies_over_the_limit_are_413_and_change_nothing() {
    let limited = with(HttpOptions { max_body_bytes: NEW.len(), ..HttpOptions::default() }).await;
    let message =
        format!("The request body is longer than the limit of {} bytes (REGISTRAR_MAX_BODY_BYTES)", NEW.len());
    let long = format!("{NEW} ");
    check_error(&send(&limited, Method::POST, "/subjects/s/versions", &[], &long).await, 413, &message);
    assert_eq!(send(&limited, Method::GET, "/subjects", &[], "").await.body(), "[]");
    assert_eq!(send(&limited, Method::POST, "/subjects/s/versions", &[], NEW).await.status(), 200);

    let streamed = Request::post("/subjects/s/versions").body(http_body_util::Full::new(Bytes::from(long))).unwrap();
    check_error(&limited.receive(streamed, std::future::pending(), async || ()).await.unwrap_err(), 413, &message);
    let streamed = Request::post("/subjects/s").body(http_body_util::Full::new(Bytes::from(NEW))).unwrap();
    let received = limited.receive(streamed, std::future::pending(), async || ()).await.unwrap();
    assert_eq!(limited.answer_received(received).await.status(), 200);
}

#[tokio::test]
async fn bodies_that_do_not_arrive_are_408() {
    let service = with(HttpOptions::default()).await;
    let never = std::future::pending::<Option<Result<http::HeaderMap, Infallible>>>();
    let stalled = http_body_util::Full::new(Bytes::from(NEW)).with_trailers(never);
    let request = Request::post("/subjects/s/versions").body(stalled).unwrap();
    let response = service.receive(request, std::future::ready(()), async || ()).await.unwrap_err();
    let message = "HTTP 408 Request Timeout: the request body took more than 30 s (REGISTRAR_BODY_SECONDS)";
    check_error(&response, 408, message);
}

#[tokio::test]
async fn bodies_that_others_leave_no_room_for_are_429() {
    let service = with(HttpOptions { max_bytes_in_flight: 2 * NEW.len(), ..HttpOptions::default() }).await;
    let request = || Request::post("/subjects/s").body(http_body_util::Full::new(Bytes::from(NEW))).unwrap();
    let held = service.receive(request(), std::future::pending(), async || ()).await.unwrap();
    let refused = service.receive(request(), std::future::pending(), async || ()).await.unwrap_err();
    let message = format!(
        "Requests under way have {} bytes of bodies and answers; try again (REGISTRAR_MAX_BYTES_IN_FLIGHT)",
        2 * NEW.len()
    );
    check_error(&refused, 429, &message);
    assert_eq!(service.answer_received(held).await.status(), 404);
    assert!(service.receive(request(), std::future::pending(), async || ()).await.is_ok());
}

#[tokio::test]
async fn a_reader_refuses_every_write() {
    let shared = registry().await;
    let writer = service(shared.clone(), HttpOptions::default());
    let reader = service(shared, HttpOptions { access: Access::ReadsOnly, ..HttpOptions::default() });
    assert_eq!(send(&writer, Method::POST, "/subjects/s/versions", &[], NEW).await.status(), 200);
    for (method, target, allow) in [
        (Method::POST, "/subjects/s/versions", "GET, HEAD, OPTIONS"),
        (Method::DELETE, "/subjects/s", "OPTIONS, POST"),
        (Method::DELETE, "/subjects/s/versions/1", "GET, HEAD, OPTIONS"),
        (Method::PUT, "/config", "GET, HEAD, OPTIONS"),
        (Method::DELETE, "/config/s", "GET, HEAD, OPTIONS"),
        (Method::PUT, "/mode", "GET, HEAD, OPTIONS"),
        (Method::DELETE, "/mode/s", "GET, HEAD, OPTIONS"),
    ] {
        let response = send(&reader, method, target, &[], NEW).await;
        check_error(&response, 405, "HTTP 405 Method Not Allowed");
        assert_eq!(response.headers()["allow"], allow, "{target}");
    }
    assert_eq!(send(&reader, Method::POST, "/subjects/s", &[], NEW).await.status(), 200);
    let check = "/compatibility/subjects/s/versions";
    assert_eq!(send(&reader, Method::POST, check, &[], NEW).await.body(), "{\"is_compatible\":true}");
}

#[tokio::test]
async fn every_answer_has_a_request_id() {
    let service = with(HttpOptions::default()).await;
    for target in ["/", "/nope", "/subjects/%zz", "/subjects?limit=x", "/subjects/none/versions"] {
        for method in [Method::GET, Method::OPTIONS, Method::PATCH, Method::HEAD] {
            let kept = send(&service, method.clone(), target, &[("x-request-id", "abc")], "").await;
            assert_eq!(kept.headers()["x-request-id"], "abc", "{method} {target}");
            let made = send(&service, method, target, &[("x-request-id", "a"), ("x-request-id", "b")], "").await;
            assert_eq!(made.headers()["x-request-id"].len(), 36);
        }
    }
}

#[tokio::test]
async fn head_has_the_headers_of_get() {
    let service = with(HttpOptions::default()).await;
    assert_eq!(send(&service, Method::POST, "/subjects/s/versions", &[], NEW).await.status(), 200);
    for target in ["/subjects", "/schemas/ids/1", "/subjects/none/versions", "/nope"] {
        let id = ("x-request-id", "1");
        let get = send(&service, Method::GET, target, &[id], "").await;
        let mut head = send(&service, Method::HEAD, target, &[id], "").await;
        assert_eq!(head.headers_mut().remove("content-length").unwrap(), get.body().len().to_string().as_str());
        assert!(head.body().is_empty());
        assert_eq!((head.status(), head.headers()), (get.status(), get.headers()), "{target}");
    }
}

#[tokio::test]
async fn long_answers_are_compressed_for_those_who_ask() {
    let shared = registry().await;
    let plain = service(shared.clone(), HttpOptions { gzip: false, ..HttpOptions::default() });
    let service = service(shared, HttpOptions::default());
    let text = json!({"type": "record", "name": "R", "doc": "x".repeat(3_000), "fields": []}).to_string();
    let body = json!({"schema": text}).to_string();
    assert_eq!(send(&service, Method::POST, "/subjects/s/versions", &[], &body).await.status(), 200);
    let target = "/schemas/ids/1/schema";
    for (asked, compressed) in
        [(None, false), (Some("identity"), false), (Some("gzip;q=0"), false), (Some("gzip"), true)]
    {
        let headers: Vec<_> = asked.map(|value| ("accept-encoding", value)).into_iter().collect();
        let response = send(&service, Method::GET, target, &headers, "").await;
        assert_eq!(response.headers().get("content-encoding").is_some(), compressed, "{asked:?}");
        assert_eq!(response.headers()["vary"], "accept-encoding");
        assert_eq!(response.body().starts_with(&[0x1f, 0x8b]), compressed);
        let switched_off = send(&plain, Method::GET, target, &headers, "").await;
        assert!(switched_off.headers().get("content-encoding").is_none());
    }
    let short = send(&service, Method::GET, "/subjects", &[("accept-encoding", "gzip")], "").await;
    assert!(short.headers().get("content-encoding").is_none() && short.headers().get("vary").is_none());
}

#[tokio::test]
async fn base_paths_are_needed_where_they_are_set() {
    let service = with(HttpOptions { base_path: "/registry".into(), ..HttpOptions::default() }).await;
    for (target, status) in [
        ("/registry/subjects", 200),
        ("/registry", 200),
        ("/registry/", 200),
        ("/subjects", 404),
        ("/registrysubjects", 404),
        ("/registry/registry/subjects", 404),
    ] {
        assert_eq!(send(&service, Method::GET, target, &[], "").await.status().as_u16(), status, "{target}");
    }
}

#[tokio::test]
async fn the_old_number_of_a_conflict_is_a_setting() {
    for (legacy_conflict_code, code) in [(false, 40901), (true, 409)] {
        let service = with(HttpOptions { legacy_conflict_code, ..HttpOptions::default() }).await;
        assert_eq!(send(&service, Method::POST, "/subjects/s/versions", &[], NEW).await.status(), 200);
        let other = "{\"schema\":\"\\\"string\\\"\"}";
        let response = send(&service, Method::POST, "/subjects/s/versions", &[], other).await;
        let body: Value = serde_json::from_slice(response.body()).unwrap();
        assert_eq!((response.status().as_u16(), &body["error_code"]), (409, &json!(code)));
    }
}

/// A registry on a database client that panics: as if the code below had a bug.
#[tokio::test]
async fn a_panic_is_500_and_the_next_request_is_served() {
    let client = http_client_fn(|_, _| panic!("a bug"));
    let credentials = Credentials::new("test", "test", None, None, "test");
    let connection = Connection {
        table: "t".into(),
        http_client: Some(client),
        credentials: Some(SharedCredentialsProvider::new(credentials)),
        ..Connection::default()
    };
    let store = Store::connect(connection, instant_runtime(1));
    let service = service(Registry::new(store, Settings::default()), HttpOptions::default());
    for _ in 0..2 {
        let response = send(&service, Method::GET, "/subjects/s/versions", &[("x-request-id", "1")], "").await;
        check_error(&response, 500, "Internal Server Error");
        assert_eq!(response.headers()["x-request-id"], "1");
        assert_eq!(send(&service, Method::GET, "/", &[], "").await.status(), 200);
    }
}

/// A oneof is renamed and a member changes its type: the newest rules see the type, the older ones only a oneof that went.
#[tokio::test]
async fn oneofs_are_compared_by_the_rules_that_are_set() {
    for (rules, compatible) in [(ProtobufRules::Newest, false), (ProtobufRules::V8_1_1, true)] {
        let settings = Settings { protobuf_rules: rules, ..Settings::default() };
        let store = in_memory_registry(instant_runtime(2)).await.store;
        let service = service(Registry::new(store, settings), HttpOptions::default());
        let message = |oneof: &str, field: &str| {
            let text = format!("syntax = \"proto3\"; message M {{ oneof {oneof} {{ int32 a = 1; {field} b = 2; }} }}");
            json!({"schemaType": "PROTOBUF", "schema": text}).to_string()
        };
        let old = message("x", "int32");
        assert_eq!(send(&service, Method::POST, "/subjects/s/versions", &[], &old).await.status(), 200);
        let target = "/compatibility/subjects/s/versions/latest";
        let verdict = send(&service, Method::POST, target, &[], &message("y", "string")).await;
        let verdict: Value = serde_json::from_slice(verdict.body()).unwrap();
        assert_eq!(verdict, json!({"is_compatible": compatible}), "{rules:?}");
    }
}
