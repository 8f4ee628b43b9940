//! A check takes as many steps as it takes, on any machine: with one fewer it has no verdict.

#![allow(clippy::unwrap_used, reason = "tests")]

use registrar_formats::{
    Budget, Exceeded, ProtobufRules, Schema, Strictness, compatibility, compatibility_within, parse,
};
use registrar_model::{Policy, SchemaType};

fn schemas() -> Vec<(Schema, Schema)> {
    use SchemaType::{Avro, Json, Protobuf};
    let record = |name: &str, more: &str| {
        let fields = r#"{"name":"a","type":["null","string",{"type":"enum","name":"E","symbols":["A","B"]}]}"#;
        format!(r#"{{"type":"record","name":"{name}","fields":[{fields}{more}]}}"#)
    };
    let object = |more: &str| {
        format!(r#"{{"type":"object","properties":{{"a":{{"oneOf":[{{"type":"string"}},{{"enum":[1,2]}}]}}{more}}}}}"#)
    };
    let closed = r#"{"properties":{"aa":{}},"patternProperties":{"^a+$":{},"b":{}},"additionalProperties":false}"#;
    let message = |more: &str| {
        format!(
            "syntax = \"proto3\"; message A {{ B b = 1; oneof o {{ int32 c = 2; }} {more} }} message B {{ A a = 1; }}"
        )
    };
    [
        (Avro, record("R", ""), record("R", "")),
        (Avro, record("R", r#",{"name":"b","type":"int"}"#), record("S", r#",{"name":"c","type":"int"}"#)),
        (Avro, r#"{"type":"map","values":["int","long"]}"#.to_owned(), r#"{"type":"map","values":"int"}"#.to_owned()),
        (Json, object(""), object("")),
        (Json, object(r#","b":{"type":"integer"}"#), object(r#","c":{"const":1}"#)),
        (Json, closed.to_owned(), closed.replace("aa", "aaaa")),
        (Protobuf, message(""), message("")),
        (Protobuf, message("string d = 3;"), message("enum E { X = 0; } E d = 3;")),
    ]
    .into_iter()
    .map(|(schema_type, new, old)| {
        let read = |text: &str| parse(schema_type, text, &[], Strictness::New).unwrap();
        (read(&new), read(&old))
    })
    .collect()
}

#[test]
fn one_step_fewer_is_no_verdict() {
    for (new, old) in schemas() {
        let check = |steps: u64| {
            let mut budget = Budget::new(steps);
            let found = compatibility_within(&mut budget, Policy::Strict, ProtobufRules::default(), &new, &old);
            (found, budget.spent())
        };
        let (verdict, steps) = check(1_000_000);
        assert_eq!(verdict, Ok(compatibility(&new, &old)));
        assert!((4..1_000).contains(&steps), "{} for {}", steps, new.text());
        assert_eq!(check(steps), (verdict, steps));
        for fewer in 0..steps {
            assert_eq!(check(fewer).0, Err(Exceeded::Steps(fewer)), "{}", new.text());
        }
    }
}

#[test]
fn one_budget_for_several_checks() {
    let schemas = schemas();
    let mut budget = Budget::new(1_000_000);
    let mut spent = 0;
    for (new, old) in &schemas {
        let mut own = Budget::default();
        let rules = ProtobufRules::default();
        compatibility_within(&mut own, Policy::Strict, rules, new, old).unwrap();
        compatibility_within(&mut budget, Policy::Strict, rules, new, old).unwrap();
        spent += own.spent();
        assert_eq!(budget.spent(), spent);
    }
    let part = budget.at_most(10);
    assert_eq!((part.left(), budget.after(part).left()), (10, budget.left()));
    budget.spend_reading(64).unwrap();
    assert!(budget.spent() > spent);
    assert_eq!(budget.spend(usize::MAX), Err(Exceeded::Steps(1_000_000)));
}
