//! The table against itself: what matches, what is allowed, what is printed.

use super::*;
use crate::path::segments;

fn pattern(path: &str) -> Option<(&'static str, Vec<(&'static str, String)>)> {
    let found = find(&segments(path).unwrap())?;
    Some((found.routes[0].pattern, found.params))
}

#[test]
fn paths_match_decoded_segments() {
    let s = |value: &str| vec![("subject", value.to_owned())];
    for (path, expected) in [
        ("/", Some(("/", vec![]))),
        ("", Some(("/", vec![]))),
        ("/subjects/", Some(("/subjects", vec![]))),
        ("/subjects/a%2Fb", Some(("/subjects/{subject}", s("a/b")))),
        ("/subjects/..", Some(("/subjects/{subject}", s("..")))),
        ("/subjects/metadata", Some(("/subjects/{subject}", s("metadata")))),
        ("/subjects/a/metadata", Some(("/subjects/{subject}/metadata", s("a")))),
        ("/config/", Some(("/config", vec![]))),
        ("/compatibility/subjects/a/versions/", Some(("/compatibility/subjects/{subject}/versions", s("a")))),
        ("/schemas/types", Some(("/schemas/types", vec![]))),
        ("/subjects//versions", None),
        ("/subjects/a/b/versions", None),
        ("/subjects/a/versions/1/x", None),
        ("/Subjects", None),
        ("/contexts", Some(("/contexts", vec![]))),
        (
            "/associations/resources/-/t",
            Some((
                "/associations/resources/{resourceNamespace}/{resourceName}",
                vec![("resourceNamespace", "-".to_owned()), ("resourceName", "t".to_owned())],
            )),
        ),
        ("/associations:batchGet", Some(("/associations:batchGet", vec![]))),
        ("/associations%3AbatchGet/", Some(("/associations:batchGet", vec![]))),
        ("/associations:batch", None),
        ("/dek-registry/v1/keks", None),
        ("*", None),
    ] {
        assert_eq!(pattern(path), expected, "{path}");
    }
}

#[test]
fn methods_are_allowed_by_path_and_access() {
    for (path, access, expected) in [
        ("/subjects", Access::All, "GET, HEAD, OPTIONS"),
        ("/subjects/s", Access::All, "DELETE, OPTIONS, POST"),
        ("/subjects/s", Access::ReadsOnly, "OPTIONS, POST"),
        ("/subjects/s/versions", Access::All, "GET, HEAD, OPTIONS, POST"),
        ("/subjects/s/versions", Access::ReadsOnly, "GET, HEAD, OPTIONS"),
        ("/config", Access::All, "DELETE, GET, HEAD, OPTIONS, PUT"),
        ("/mode/s", Access::ReadsOnly, "GET, HEAD, OPTIONS"),
        ("/compatibility/subjects/s/versions", Access::ReadsOnly, "OPTIONS, POST"),
    ] {
        assert_eq!(find(&segments(path).unwrap()).unwrap().allow(access), expected, "{path} {access:?}");
    }
}

#[test]
fn head_is_served_where_get_is() {
    let found = find(&segments("/subjects/s/versions").unwrap()).unwrap();
    assert!(found.route(&Method::HEAD, Access::ReadsOnly).is_some());
    assert!(found.route(&Method::POST, Access::ReadsOnly).is_none());
    assert!(found.route(&Method::PATCH, Access::All).is_none());
    let lookup = find(&segments("/subjects/s").unwrap()).unwrap();
    assert!(lookup.route(&Method::HEAD, Access::All).is_none());
}

#[test]
fn writes_are_marked() {
    let writing: Vec<String> =
        ROUTES.iter().filter(|route| route.writes).map(|route| format!("{} {}", route.method, route.pattern)).collect();
    let expected = [
        "POST /associations",
        "PUT /associations/resources/{resourceId}",
        "DELETE /associations/resources/{resourceId}",
        "POST /associations:batchMutate",
        "PUT /config",
        "DELETE /config",
        "PUT /config/{subject}",
        "DELETE /config/{subject}",
        "POST /contexts",
        "DELETE /contexts/{context}",
        "PUT /mode",
        "DELETE /mode",
        "PUT /mode/{subject}",
        "DELETE /mode/{subject}",
        "DELETE /subjects/{subject}",
        "POST /subjects/{subject}/versions",
        "DELETE /subjects/{subject}/versions/{version}",
        "POST /subjects/{subject}/versions/{version}/tags",
    ];
    assert_eq!(writing, expected);
}

#[test]
fn every_route_can_be_reached() {
    for route in ROUTES {
        let found = find(&segments(route.pattern).unwrap()).unwrap();
        let reached = found.route(&route.method, Access::All).unwrap();
        assert!(std::ptr::eq(reached, route), "{} {} is hidden by {}", route.method, route.pattern, reached.pattern);
        let known = ["subject", "version", "id", "guid", "context", "resourceId", "resourceNamespace", "resourceName"];
        assert!(found.params.iter().all(|(name, _)| known.contains(name)), "{}", route.pattern);
    }
}
