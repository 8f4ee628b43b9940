//! The document against the route table, the checked-in file and what the readers of bodies ask for.

use super::*;
use crate::routes::ROUTES;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

const REWRITE: &str = "REGISTRAR_WRITE_OPENAPI=1 cargo test -p registrar-http openapi";

fn printed() -> String {
    serde_json::to_string_pretty(&document().unwrap()).unwrap() + "\n"
}

#[test]
fn the_checked_in_file_is_the_document() {
    let printed = printed();
    if std::env::var_os("REGISTRAR_WRITE_OPENAPI").is_some() {
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json"), printed).unwrap();
        return;
    }
    assert!(printed == DOCUMENT, "docs/openapi.json is not what the routes say. To write it anew:\n  {REWRITE}");
}

#[test]
fn every_route_is_documented_and_nothing_else() {
    let routes: Vec<_> = ROUTES.iter().map(|route| (route.method.as_str(), route.pattern)).collect();
    let documented: Vec<_> = operations::ALL.iter().map(|(method, pattern, _)| (*method, *pattern)).collect();
    assert_eq!(documented, routes);
}

#[test]
fn documented_answers_have_the_status_of_the_route() {
    for route in ROUTES {
        let said = operation(&route.method, route.pattern).map(|operation| operation.answer.status);
        assert_eq!(said, Some(route.status.as_u16()), "{} {}", route.method, route.pattern);
    }
}

#[test]
fn names_are_unique() {
    let ids: BTreeSet<_> = operations::ALL.iter().map(|(_, _, operation)| operation.id).collect();
    assert_eq!(ids.len(), operations::ALL.len());
    for (_, pattern, operation) in operations::ALL {
        let names: BTreeSet<_> = operation.query.iter().map(|parameter| parameter.name).collect();
        assert_eq!(names.len(), operation.query.len(), "{pattern}");
    }
}

#[test]
fn every_error_has_a_meaning() {
    for code in crate::ErrorCode::ALL {
        assert!(!prose::meaning(code.number()).is_empty(), "{code:?}");
    }
}

/// Each file that reads bodies names the type, and then the members it takes of it.
#[test]
fn members_that_are_read_are_documented() {
    let document = document().unwrap();
    let mut read = 0;
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/dto")).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_file() || path.ends_with("read.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap();
        for of_type in text.split("Members::of(").skip(1) {
            let name = quoted(of_type).unwrap();
            let members = &document["components"]["schemas"][name]["properties"];
            assert!(members.is_object(), "{}: no type {name} is documented", path.display());
            for call in [".get(", ".update("] {
                for member in of_type.split(call).skip(1).filter_map(quoted) {
                    assert_ne!(members[member], Value::Null, "{}: {name}.{member} is not documented", path.display());
                    read += 1;
                }
            }
        }
    }
    assert!(read > 30, "only {read} members found");
}

/// The first text between quotes, if it stands at the beginning or follows one argument.
fn quoted(text: &str) -> Option<&str> {
    let mut parts = text.split('"');
    let before = parts.next()?;
    (!before.contains([')', ';'])).then(|| parts.next()).flatten()
}
