//! Every variable arrives in its setting, and only in what it may be.

use super::*;

fn with(name: &str, value: &str) -> Result<ServerSettings, SettingError> {
    ServerSettings::from_environment(|asked| (asked == name).then(|| value.to_owned()))
}

#[test]
fn values_arrive() {
    assert_eq!(with("REGISTRAR_BASE_PATH", "/a/b/").unwrap().http.base_path, "/a/b");
    assert_eq!(with("REGISTRAR_BASE_PATH", "/").unwrap().http.base_path, "");
    assert_eq!(with("REGISTRAR_COMPATIBILITY_LEVEL", "full").unwrap().registry.default_level, Level::Full);
    assert!(!with("REGISTRAR_MODE_MUTABILITY", "False").unwrap().registry.mode_mutability);
    assert!(with("REGISTRAR_VALIDATE_FIELDS", "true").unwrap().registry.validate_fields);
    assert!(!with("REGISTRAR_VALIDATE_NEW_SCHEMAS", "false").unwrap().registry.validate_new_schemas);
    assert!(with("REGISTRAR_COMPATIBILITY_ADVICE", "true").unwrap().registry.compatibility_advice);
    assert!(with("REGISTRAR_REJECT_EMPTY_SUBJECT", "true").unwrap().registry.reject_empty_subject);
    assert!(with("REGISTRAR_STRICT_REFERENCE_VERSIONS", "true").unwrap().registry.strict_reference_versions);
    assert!(with("REGISTRAR_DROP_RULE_SETS", "true").unwrap().registry.drop_rule_sets);
    assert!(!with("REGISTRAR_ASSOCIATIONS", "false").unwrap().registry.associations);
    assert_eq!(with("REGISTRAR_ID_RANGE", "5-9").unwrap().registry.id_range, IdRange::parse("5-9").unwrap());
    assert_eq!(with("REGISTRAR_MAX_REFERENCES", "3").unwrap().registry.max_references, 3);
    assert_eq!(with("REGISTRAR_MAX_REFERENCE_CLOSURE", "4").unwrap().registry.max_reference_closure, 4);
    assert_eq!(with("REGISTRAR_MAX_SCHEMA_BYTES", "5").unwrap().registry.max_schema_bytes, 5);
    assert_eq!(with("REGISTRAR_MAX_BODY_BYTES", "6").unwrap().http.max_body_bytes, 6);
    assert_eq!(with("REGISTRAR_MAX_REFERENCED_BYTES", "7").unwrap().registry.max_referenced_bytes, 7);
    assert_eq!(with("REGISTRAR_MAX_CHECK_STEPS", "8").unwrap().registry.max_check_steps, 8);
    assert_eq!(with("REGISTRAR_MAX_ANSWER_BYTES", "9").unwrap().registry.max_answer_bytes, 9);
    let nesting = with("REGISTRAR_MAX_NESTING", "10").unwrap();
    assert_eq!((nesting.registry.max_nesting, nesting.http.max_nesting), (10, 10));
    let values = with("REGISTRAR_MAX_VALUES", "11").unwrap();
    assert_eq!((values.registry.max_values, values.http.max_values), (11, 11));
    assert_eq!(with("REGISTRAR_BODY_SECONDS", "12").unwrap().http.body_seconds, 12);
    assert_eq!(with("REGISTRAR_MAX_BYTES_IN_FLIGHT", "13").unwrap().http.max_bytes_in_flight, 13);
    assert_eq!(with("REGISTRAR_MAX_HEADER_BYTES", "8192").unwrap().http.transport.max_header_bytes, 8_192);
    assert_eq!(with("REGISTRAR_HEADER_SECONDS", "14").unwrap().http.transport.header_seconds, 14);
    assert_eq!(with("REGISTRAR_WRITE_SECONDS", "15").unwrap().http.transport.write_seconds, 15);
    assert_eq!(with("REGISTRAR_MAX_CONNECTIONS", "16").unwrap().http.transport.max_connections, 16);
    assert_eq!(with("REGISTRAR_MAX_RUNNING", "17").unwrap().http.transport.max_running, 17);
    assert_eq!(with("REGISTRAR_HEAVY_THREADS", "18").unwrap().http.transport.heavy_threads, 18);
    let rules = with("REGISTRAR_PROTOBUF_RULES", "8.1.1").unwrap().registry.protobuf_rules;
    assert_eq!(rules, ProtobufRules::V8_1_1);
    assert!(!with("REGISTRAR_GZIP", "false").unwrap().http.gzip);
    assert!(with("REGISTRAR_LEGACY_CONFLICT_CODE", " TRUE ").unwrap().http.legacy_conflict_code);
    assert_eq!(with("REGISTRAR_SCHEMA_DEFAULT_LIMIT", "7").unwrap().http.schema_limits.default, 7);
    assert_eq!(with("REGISTRAR_SCHEMA_MAX_LIMIT", "8").unwrap().http.schema_limits.max, 8);
    assert_eq!(with("REGISTRAR_SUBJECT_DEFAULT_LIMIT", "7").unwrap().http.subject_limits.default, 7);
    assert_eq!(with("REGISTRAR_SUBJECT_MAX_LIMIT", "8").unwrap().http.subject_limits.max, 8);
    assert_eq!(with("REGISTRAR_VERSION_DEFAULT_LIMIT", "7").unwrap().http.version_limits.default, 7);
    assert_eq!(with("REGISTRAR_VERSION_MAX_LIMIT", "8").unwrap().http.version_limits.max, 8);
    assert_eq!(with("REGISTRAR_CONTEXT_DEFAULT_LIMIT", "7").unwrap().http.context_limits.default, 7);
    assert_eq!(with("REGISTRAR_CONTEXT_MAX_LIMIT", "8").unwrap().http.context_limits.max, 8);
    assert_eq!(with("REGISTRAR_CLUSTER_ID", "c").unwrap().http.registry_cluster_id, "c");
    assert_eq!(with("REGISTRAR_KAFKA_CLUSTER_ID", "k").unwrap().http.kafka_cluster_id, "k");
    assert_eq!(with("REGISTRAR_DEPLOYMENT", "a, b,").unwrap().http.deployment, ["a", "b"]);
    assert!(with("REGISTRAR_MODE_MUTABILITY", " ").unwrap().registry.mode_mutability);
}

#[test]
fn bad_values_are_named() {
    for (name, value) in [
        ("REGISTRAR_BASE_PATH", "registry"),
        ("REGISTRAR_BASE_PATH", "/a b"),
        ("REGISTRAR_COMPATIBILITY_LEVEL", "BACKWARDS"),
        ("REGISTRAR_GZIP", "yes"),
        ("REGISTRAR_PROTOBUF_RULES", "8.2"),
        ("REGISTRAR_MAX_BODY_BYTES", "0"),
        ("REGISTRAR_ID_RANGE", "9-5"),
        ("REGISTRAR_MAX_REFERENCES", "-1"),
        ("REGISTRAR_MAX_NESTING", "0"),
        ("REGISTRAR_MAX_NESTING", "1001"),
        ("REGISTRAR_MAX_CHECK_STEPS", "1.5"),
        ("REGISTRAR_MAX_HEADER_BYTES", "8191"),
        ("REGISTRAR_HEAVY_THREADS", "65"),
        ("REGISTRAR_SCHEMA_MAX_LIMIT", "2147483648"),
    ] {
        let error = with(name, value).unwrap_err();
        assert_eq!((error.name, error.value.as_str()), (name, value));
        assert!(error.to_string().starts_with(&format!("{name}={value:?} is not ")), "{error}");
    }
}

/// The settings that messages about limits name are there.
#[test]
fn names_in_messages_are_variables() {
    let texts = include_str!("../error.rs");
    let named: Vec<&str> =
        texts.split('(').skip(1).filter_map(|text| text.split_once(')')).map(|(name, _)| name).collect();
    let named: Vec<&str> = named.into_iter().filter(|name| name.starts_with("REGISTRAR_")).collect();
    assert!(named.len() > 9, "{named:?}");
    for name in named {
        assert!(VARIABLES.iter().any(|variable| variable.name == name), "{name}");
    }
}
