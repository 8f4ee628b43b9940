//! The router: method, target and headers to a route, over a table in which nothing is found.

use bytes::Bytes;
use http::header::CONTENT_LENGTH;
use http::{HeaderName, HeaderValue, Method, Request, Uri};
use registrar_http::{HttpOptions, HttpService, service};
use registrar_lambda::{EventConfig, handle};
use registrar_registry::{Registry, Settings};
use serde_json::Value;

use crate::answer::{Answer, ask};
use crate::nothing::{Call, Nothing};
use crate::spelling::Target;
use crate::{block_on, parts};

const BASE: &str = "/a%2Fb/c";

struct Server {
    table: Nothing,
    plain: HttpService,
    based: HttpService,
}

impl Server {
    fn new() -> Self {
        let table = Nothing::default();
        let registry = Registry::new(table.store(), Settings::default());
        let based = HttpOptions { base_path: BASE.to_owned(), ..HttpOptions::default() };
        Self { plain: service(registry.clone(), HttpOptions::default()), based: service(registry, based), table }
    }
}

thread_local! {
    static SERVER: Server = Server::new();
}

/// A method, a target, lines of headers and a body; or the JSON of a Lambda event.
pub fn router(data: &[u8]) {
    SERVER.with(|server| match serde_json::from_slice(data) {
        Ok(event @ Value::Object(_)) => event_of(server, event),
        _ => request_of(server, data),
    });
}

/// Whatever an event is, it is answered or is none of HTTP.
fn event_of(server: &Server, event: Value) {
    let config = EventConfig { base_path: BASE.to_owned(), ..EventConfig::default() };
    if let Ok(answer) = block_on(handle(&server.plain, &config, event)) {
        let status = answer["statusCode"].as_u64().unwrap_or_default();
        assert!((200..500).contains(&status) || status == 501, "{answer}");
    }
    server.table.take();
}

#[derive(Clone)]
struct Asked {
    method: Method,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Bytes,
}

fn request_of(server: &Server, data: &[u8]) {
    let mut parts = parts(data);
    let [method, target, headers, body] = [(); 4].map(|()| parts.next().unwrap_or_default());
    let (Ok(method), Ok(uri)) = (Method::from_bytes(method), Uri::try_from(target)) else { return };
    let asked = Asked { method, headers: headers_of(headers), body: Bytes::copy_from_slice(body) };
    if !uri.path().starts_with('/') || uri.authority().is_some() {
        ask(&server.plain, asked.at(uri));
        return;
    }
    let target = Target { path: uri.path().to_owned(), query: uri.query().map(str::to_owned) };
    let expected = answer(server, &server.plain, &asked, &target);
    let under_base = Target { path: format!("{BASE}{}", target.path), query: target.query.clone() };
    same(&expected, &answer(server, &server.based, &asked, &under_base), &under_base);
    for spelling in target.spellings() {
        same(&expected, &answer(server, &server.plain, &asked, &spelling), &spelling);
    }
    if let Some([before, named]) = target.in_a_context() {
        let expected = answer(server, &server.plain, &asked, &named);
        same(&expected, &answer(server, &server.plain, &asked, &before), &before);
    }
    if asked.method == Method::GET {
        let head = Asked { method: Method::HEAD, ..asked };
        same_head(&expected.0, &answer(server, &server.plain, &head, &target).0);
    }
}

fn headers_of(lines: &[u8]) -> Vec<(HeaderName, HeaderValue)> {
    let lines = lines.split(|&byte| byte == b'\n').filter_map(|line| {
        let at = line.iter().position(|&byte| byte == b':')?;
        let value = line.get(at + 1..)?.trim_ascii();
        Some((HeaderName::from_bytes(&line[..at]).ok()?, HeaderValue::from_bytes(value).ok()?))
    });
    lines.collect()
}

impl Asked {
    fn at(&self, uri: Uri) -> Request<Bytes> {
        let mut request = Request::new(self.body.clone());
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = uri;
        for (name, value) in &self.headers {
            request.headers_mut().append(name, value.clone());
        }
        request
    }
}

fn answer(server: &Server, service: &HttpService, asked: &Asked, target: &Target) -> (Answer, Vec<Call>) {
    let Ok(uri) = Uri::try_from(target.text()) else { panic!("{target:?} is no target") };
    server.table.take();
    let mut answer = ask(service, asked.at(uri));
    answer.headers.remove("x-request-id");
    (answer, server.table.take())
}

/// Another spelling asks the same of the table and gets the same.
fn same(expected: &(Answer, Vec<Call>), found: &(Answer, Vec<Call>), spelling: &Target) {
    assert_eq!(found, expected, "{spelling:?}");
}

fn same_head(get: &Answer, head: &Answer) {
    assert_eq!(head.status, get.status);
    let length = head.headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    assert_eq!(length, Some(get.body.len()), "the length of {get:?}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_told() {
        router(b"GET\x1e/subjects/a%2Fb/versions/latest?deleted=true\x1eAccept: */*");
        router(b"{\"httpMethod\":\"GET\",\"path\":\"/subjects\"}");
    }
}
