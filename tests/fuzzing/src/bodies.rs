//! Requests with bodies, one after the other, over a table of their own: what the server reads, stores and prints.

use std::cell::RefCell;

use bytes::Bytes;
use http::{Method, Request, StatusCode, Uri};
use registrar_harness::{InMemory, comes_of_imports, in_memory_registry, instant_runtime};
use registrar_http::{HttpService, ServerSettings, service};
use registrar_registry::Registry;
use registrar_store::{DataKey, Keyring};
use serde_json::Value;

use crate::answer::{Answer, ask};
use crate::table::subjects;
use crate::{block_on, parts};

/// More requests of one input do not count.
const MAX_REQUESTS: usize = 12;

thread_local! {
    /// An empty table: made anew after every input that has written something.
    static TABLE: RefCell<Option<InMemory>> = const { RefCell::new(None) };
}

/// A table that nothing has been written to.
pub(crate) fn empty_table() -> InMemory {
    let kept = TABLE.with(|table| table.borrow_mut().take());
    kept.unwrap_or_else(|| block_on(in_memory_registry(instant_runtime(1))))
}

/// Keeps a table for the next input, if nothing was written to it.
pub(crate) fn give_back(table: InMemory) {
    let called = table.faults.reset();
    let reads = ["GetItem", "BatchGetItem", "Query"];
    if called.iter().all(|operation| reads.contains(&operation.as_str())) {
        TABLE.with(|kept| *kept.borrow_mut() = Some(table));
    }
}

/// Requests: a line with method and target, then the body. A part that starts with `=` has settings instead, a variable and
/// its value a line; `=KEY` gives a key for sensitive values.
///
/// # Panics
/// If a rule is broken.
pub fn bodies(data: &[u8]) {
    let (settings, requests): (Vec<&[u8]>, Vec<&[u8]>) = parts(data).partition(|part| part.starts_with(b"="));
    let table = empty_table();
    let server = server(&table, &settings);
    for request in requests.into_iter().take(MAX_REQUESTS) {
        let (line, body) = split_line(request);
        let mut words = line.split(|&byte| byte == b' ');
        let (Some(method), Some(target)) = (words.next(), words.next()) else { continue };
        let (Ok(method), Ok(target)) = (Method::from_bytes(method), Uri::try_from(target)) else { continue };
        exchange(&server, &method, &target, body);
    }
    drop(server);
    // Only what a read has left alone needs no audit.
    if !table.faults.reset().iter().all(|operation| operation.contains("Get") || operation == "Query") {
        let written = block_on(subjects(&table));
        let mut violations = block_on(table.audit.violations(&written));
        violations.retain(|one| !comes_of_imports(one));
        assert!(violations.is_empty(), "{violations:#?}");
        return;
    }
    give_back(table);
}

fn split_line(request: &[u8]) -> (&[u8], &[u8]) {
    let at = request.iter().position(|&byte| byte == b'\n').unwrap_or(request.len());
    (&request[..at], request.get(at + 1..).unwrap_or_default())
}

fn server(table: &InMemory, lines: &[&[u8]]) -> HttpService {
    let mut settings = ServerSettings::default();
    let mut store = table.store.clone();
    for line in lines.iter().flat_map(|part| part.split(|&byte| byte == b'\n' || byte == b'=')) {
        let Ok(line) = std::str::from_utf8(line) else { continue };
        if line == "KEY" {
            let key = DataKey::new("k", &[7; 32]).and_then(|key| Keyring::new([key]));
            store = store.with_keys(key.unwrap_or_default());
        }
        if let Some((name, value)) = line.split_once(' ') {
            // What a setting refuses stays as it was.
            let _ = settings.set(name, value);
        }
    }
    service(Registry::new(store, settings.registry), settings.http)
}

fn send(server: &HttpService, method: &Method, target: &str, body: &[u8]) -> Answer {
    let Ok(uri) = Uri::try_from(target) else { panic!("{target} is no target") };
    let mut request = Request::new(Bytes::copy_from_slice(body));
    *request.method_mut() = method.clone();
    *request.uri_mut() = uri;
    ask(server, request)
}

fn exchange(server: &HttpService, method: &Method, target: &Uri, body: &[u8]) {
    let answer = send(server, method, &target.to_string(), body);
    if answer.status != StatusCode::OK {
        return;
    }
    let path = target.path().trim_start_matches('/');
    if *method == Method::PUT && ["config", "mode"].iter().any(|first| path.starts_with(first)) {
        echoed(server, target, &answer);
    }
    let is_registration = path.split('/').count() == 3 && path.starts_with("subjects/") && path.ends_with("/versions");
    if *method == Method::POST && is_registration {
        registered(server, target, body, &answer);
    }
}

/// What is answered to a change of settings is the request as it was read: sent again, it changes nothing.
fn echoed(server: &HttpService, target: &Uri, answer: &Answer) {
    let set = || send(server, &Method::GET, target.path(), b"");
    let before = set();
    let again = send(server, &Method::PUT, &target.to_string(), &answer.body);
    assert_eq!(again.body, answer.body, "{target}: what was printed is read as something else");
    assert_eq!(set().body, before.body, "{target}: what was printed sets something else");
}

/// What is answered to a registration is what is there, and is found by what is printed of it.
fn registered(server: &HttpService, target: &Uri, body: &[u8], answer: &Answer) {
    let answer = answer.json();
    let Some(version) = answer["version"].as_u64() else { return };
    let one = format!("{}/{version}", target.path());
    let printed = send(server, &Method::GET, &one, b"");
    assert_eq!(printed.status, StatusCode::OK, "{one} is not there: {printed:?}");
    let printed = printed.json();
    assert_eq!(printed["id"], answer["id"], "{one} has another id");
    let sent: Value = serde_json::from_slice(body).unwrap_or_default();
    // An import is never normalised, and what looks for it may be.
    if sent["schema"] != printed["schema"] || !sent["id"].is_null() {
        return;
    }
    let content = ["schemaType", "schema", "references", "metadata", "ruleSet"];
    let content: Value = content.iter().map(|&name| (name.to_owned(), printed[name].clone())).collect::<Map>().into();
    let Some(subject) = target.path().strip_suffix("/versions") else { return };
    let found = send(server, &Method::POST, subject, content.to_string().as_bytes());
    assert_eq!(found.status, StatusCode::OK, "{one}: what is printed is not found: {printed} {found:?}");
    assert_eq!(found.json()["id"], printed["id"], "{one}: what is printed is found elsewhere");
}

type Map = serde_json::Map<String, Value>;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_sent_comes_back() {
        let schema = json!({"schema": "\"string\"", "metadata": {"properties": {"a": "b"}, "sensitive": ["a"]}});
        let input = format!(
            "=KEY\nREGISTRAR_COMPATIBILITY_LEVEL NONE\x1ePUT /config\n{{\"compatibility\":\"full\"}}\x1ePOST \
             /subjects/s/versions\n{schema}\x1eDELETE /subjects/s"
        );
        bodies(input.as_bytes());
        bodies(b"GET /subjects");
    }
}
