//! What the settings of a server change: each is set as its variable would, and asked about over HTTP.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on")]

use bytes::Bytes;
use http::Request;
use registrar_harness::{in_memory_registry, instant_runtime};
use registrar_http::{ServerSettings, service};
use serde_json::{Value, json};

/// A request, the status it gets, and the members its answer has; a member that is null is absent.
type Exchange = (&'static str, &'static str, Value, u16, Value);

async fn check(name: &str, value: &str, exchanges: Vec<Exchange>) {
    let mut settings = ServerSettings::default();
    settings.set(name, value).unwrap();
    let registry = in_memory_registry(instant_runtime(1)).await.registry_with(settings.registry);
    let service = service(registry, settings.http);
    for (method, target, body, status, members) in exchanges {
        let request = Request::builder().method(method).uri(target).body(Bytes::from(body.to_string())).unwrap();
        let response = service.answer(request).await;
        let answer: Value = serde_json::from_slice(response.body()).unwrap();
        assert_eq!(response.status().as_u16(), status, "{name}: {method} {target} {answer}");
        for (member, expected) in members.as_object().unwrap() {
            let got = answer.get(member).unwrap_or(&Value::Null);
            assert_eq!(got, expected, "{name}: {method} {target} {member} of {answer}");
        }
    }
}

const VERSIONS: &str = "/subjects/s/versions";

#[tokio::test]
async fn rule_sets_can_be_dropped() {
    let rules = || json!({"domainRules": [{"name": "r", "type": "CEL"}]});
    let broken = || json!({"domainRules": [{"name": "1"}]});
    let json = |text: &str, rules: Value| json!({"schemaType": "JSON", "schema": text, "ruleSet": rules});
    let exchanges = vec![
        ("POST", VERSIONS, json("{}", rules()), 200, json!({"version": 1, "ruleSet": null})),
        ("POST", VERSIONS, json("{}", broken()), 200, json!({"version": 1, "ruleSet": null})),
        ("GET", "/subjects/s/versions/1", json!(null), 200, json!({"ruleSet": null})),
        ("POST", "/subjects/s", json("{}", rules()), 200, json!({"version": 1, "ruleSet": null})),
        ("PUT", "/config/s", json!({"defaultRuleSet": broken()}), 200, json!({"defaultRuleSet": null})),
        ("PUT", "/config/s", json!({"normalize": true, "overrideRuleSet": rules()}), 200, json!({"normalize": true})),
        ("GET", "/config/s", json!(null), 200, json!({"overrideRuleSet": null, "defaultRuleSet": null})),
        ("POST", "/subjects/s/versions/1/tags", json!({"ruleSet": broken()}), 200, json!({"ruleSet": null})),
        ("POST", "/subjects/s/versions/1/tags", json!({"rulesToMerge": broken()}), 422, json!({"error_code": 42210})),
    ];
    check("REGISTRAR_DROP_RULE_SETS", "true", exchanges).await;
    let kept = vec![
        ("POST", VERSIONS, json("{}", broken()), 422, json!({"error_code": 42210})),
        ("PUT", "/config/s", json!({"defaultRuleSet": broken()}), 422, json!({"error_code": 42210})),
        ("PUT", "/config/s", json!({"defaultRuleSet": {}}), 200, json!({"defaultRuleSet": {}})),
    ];
    check("REGISTRAR_DROP_RULE_SETS", "false", kept).await;
}

#[tokio::test]
async fn modes_can_be_fixed() {
    let denied = || json!({"error_code": 42205, "message": "Mode changes are not allowed"});
    let mode = |mode: &str| json!({"mode": mode});
    let exchanges = vec![
        ("PUT", "/mode", mode("READONLY"), 422, denied()),
        ("PUT", "/mode/s", mode("READONLY"), 422, denied()),
        ("PUT", "/mode/:.c:?force=true", mode("IMPORT"), 422, denied()),
        ("PUT", "/mode/s", json!({"mode": null}), 422, denied()),
        ("DELETE", "/mode", json!(null), 422, denied()),
        ("DELETE", "/mode/s?recursive=true", json!(null), 422, denied()),
        ("PUT", "/mode/s", mode("NOPE"), 422, json!({"error_code": 42204})),
        ("PUT", "/mode/s", mode("FORWARD"), 422, json!({"error_code": 42204})),
        ("PUT", "/mode/__GLOBAL", mode("READONLY"), 422, json!({"error_code": 42208})),
        ("GET", "/mode", json!(null), 200, mode("READWRITE")),
    ];
    check("REGISTRAR_MODE_MUTABILITY", "false", exchanges).await;
}

#[tokio::test]
async fn empty_subjects_can_be_refused() {
    let string = || json!({"schema": "\"string\""});
    let refused = |subject: &str| json!({"error_code": 42208, "message": format!("The specified subject '{subject}' is not a valid.")});
    let exchanges = vec![
        ("POST", "/subjects/*/versions", string(), 422, refused("*")),
        ("POST", "/subjects/:.c:/versions", string(), 422, refused(":.c:")),
        ("POST", "/subjects/:.c:*/versions", string(), 422, refused(":.c:*")),
        ("PUT", "/config/*", json!({"compatibility": "NONE"}), 200, json!({"compatibility": "NONE"})),
        ("POST", "/subjects/s/versions", string(), 200, json!({"version": 1})),
    ];
    check("REGISTRAR_REJECT_EMPTY_SUBJECT", "true", exchanges).await;
    let allowed = vec![("POST", "/subjects/*/versions", string(), 200, json!({"version": 1}))];
    check("REGISTRAR_REJECT_EMPTY_SUBJECT", "false", allowed).await;
}

#[tokio::test]
async fn fields_can_be_checked_by_default() {
    let reserving = || {
        let text = r#"{"type":"record","name":"R","fields":[{"name":"b","type":"int"}]}"#;
        json!({"schema": text, "metadata": {"properties": {"confluent:reserved": "b"}}})
    };
    let exchanges = vec![
        ("POST", VERSIONS, reserving(), 409, json!({"error_code": 40901})),
        ("PUT", "/config/s", json!({"validateFields": false}), 200, json!({"validateFields": false})),
        ("POST", VERSIONS, reserving(), 200, json!({"version": 1})),
    ];
    check("REGISTRAR_VALIDATE_FIELDS", "true", exchanges).await;
    check("REGISTRAR_VALIDATE_FIELDS", "false", vec![("POST", VERSIONS, reserving(), 200, json!({"version": 1}))])
        .await;
}

#[tokio::test]
async fn new_schemas_can_go_unchecked() {
    let text = r#"{"type":"record","name":"R","fields":[{"name":"b","type":"int","default":"x"}]}"#;
    let bad_default = || json!({"schema": text});
    let refused = vec![("POST", VERSIONS, bad_default(), 422, json!({"error_code": 42201}))];
    check("REGISTRAR_VALIDATE_NEW_SCHEMAS", "true", refused).await;
    let exchanges = vec![
        ("POST", VERSIONS, bad_default(), 200, json!({"version": 1})),
        ("PUT", "/config/t", json!({"validateNewSchemas": true}), 200, json!({"validateNewSchemas": true})),
        ("POST", "/subjects/t/versions", bad_default(), 422, json!({"error_code": 42201})),
    ];
    check("REGISTRAR_VALIDATE_NEW_SCHEMAS", "false", exchanges).await;
}
