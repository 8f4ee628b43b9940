//! Deep, wide and hostile JSON Schemas, on a thread with the stack of an async runtime's worker.

#![allow(clippy::unwrap_used, reason = "tests")]

use registrar_formats::json::{JsonSchema, MAX_PAIRS};
use registrar_formats::{
    Budget, Difference, EntityKind, Exceeded, MAX_DIFFERENCES, MAX_NESTING, NamedText, ProtobufRules, Schema,
    Strictness, TagEdit, compatibility, compatibility_within, parse,
};
use registrar_model::{Policy, SchemaType};

/// What the worker threads of an async runtime have.
const STACK: usize = 2 << 20;

const MODERN: &str = r#""$schema":"https://json-schema.org/draft/2020-12/schema""#;

fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(STACK).spawn(test).unwrap().join().unwrap();
}

fn read(text: &str) -> JsonSchema {
    match parse(SchemaType::Json, text, &[], Strictness::New) {
        Ok(Schema::Json(schema)) => schema,
        other => panic!("{other:?}"),
    }
}

fn refusal(text: &str) -> String {
    parse(SchemaType::Json, text, &[], Strictness::New).unwrap_err().to_string()
}

/// What keeps `new` from reading `old`.
fn differences(old: &JsonSchema, new: &JsonSchema) -> Vec<Difference> {
    compatibility(&Schema::Json(new.clone()), &Schema::Json(old.clone()))
}

/// Everything there is to do with a schema.
fn exercise(schema: &JsonSchema) {
    let normalized = schema.normalized().unwrap();
    assert_eq!(differences(schema, &normalized), []);
    assert_eq!(differences(&normalized, schema), []);
    assert!(schema.all_differences_from(&normalized, Policy::Lenient).len() <= MAX_DIFFERENCES);
    assert_eq!(read(schema.text()).text(), schema.text());
    schema.validate(true).unwrap();
    let inline = schema.inline_tags().unwrap();
    let entities = schema.tagged_entities().unwrap();
    assert!(entities.iter().flat_map(|entity| &entity.tags).all(|tag| inline.contains(tag)));
    let edits: Vec<TagEdit> = entities
        .into_iter()
        .map(|entity| TagEdit {
            path: entity.path,
            kind: entity.kind,
            add: vec!["new".to_owned()],
            remove: entity.tags,
        })
        .collect();
    let edited = schema.with_tags(&edits).unwrap();
    assert_eq!(differences(schema, &edited), []);
}

/// `open` and `close` around `leaf`, as often as their nesting allows.
fn nested(open: &str, leaf: &str, close: &str, levels: usize) -> String {
    let depth = open.matches(['{', '[']).count();
    let count = levels / depth;
    format!("{}{leaf}{}", open.repeat(count), close.repeat(count))
}

#[test]
fn a_thousand_levels_of_json() {
    on_small_stack(|| {
        for (open, close) in [
            (r#"{"not":"#, "}"),
            (r#"{"items":"#, "}"),
            (r#"{"properties":{"a":"#, "}}"),
            (r#"{"confluent:tags":["x"],"properties":{"a":"#, "}}"),
            (r#"{"allOf":["#, "]}"),
            (r#"{"type":"object","oneOf":["#, "]}"),
            (r#"{"anyOf":[{"type":"string"},"#, "]}"),
            (r#"{"type":["object","null"],"additionalProperties":"#, "}"),
            (r#"{"if":"#, "}"),
            (r#"{"definitions":{"a":"#, "}}"),
            (r#"{"type":"object","definitions":{"a":"#, "}}"),
        ] {
            // The text of a tag nests within the innermost object as well.
            for leaf in ["true", r#"{"type":"string"}"#] {
                exercise(&read(&nested(open, leaf, close, MAX_NESTING - 2)));
            }
            let modern = nested(open, "true", close, MAX_NESTING - 2).replacen('{', &format!("{{{MODERN},"), 1);
            exercise(&read(&modern));
        }
        exercise(&read(&nested(r#"{"not":"#, "{}", "}", MAX_NESTING - 1)));
        for leaf in ["{}", "[]", r#"{"title":"t"}"#] {
            let message = refusal(&nested(r#"{"not":"#, leaf, "}", MAX_NESTING));
            assert!(message.starts_with("nested more than 1000 levels deep"), "{message}");
        }
        let message = refusal(&nested(r#"{"not":"#, "true", "}", MAX_NESTING + 1));
        assert!(message.starts_with("nested more than 1000 levels deep"), "{message}");
        let message = refusal(&r#"{"not":"#.repeat(1 << 20));
        assert!(message.starts_with("nested more than 1000 levels deep"), "{message}");
    });
}

#[test]
fn a_difference_at_the_bottom() {
    on_small_stack(|| {
        let deep = |leaf: &str| read(&nested(r#"{"properties":{"a":"#, leaf, "}}", MAX_NESTING - 2));
        let found = differences(&deep(r#"{"type":"string"}"#), &deep(r#"{"type":"null"}"#));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path.matches("/properties/a").count(), (MAX_NESTING - 2) / 2);
    });
}

/// References in a row go deeper than JSON can.
fn chain(count: usize, leaf: &str) -> String {
    let links: Vec<String> = (0..count)
        .map(|index| format!(r##""D{index}":{{"items":{{"$ref":"#/definitions/D{}"}}}}"##, index + 1))
        .collect();
    format!(r##"{{"$ref":"#/definitions/D0","definitions":{{{},"D{count}":{leaf}}}}}"##, links.join(","))
}

#[test]
fn a_long_chain_of_references() {
    on_small_stack(|| {
        let schema = read(&chain(10_000, r#"{"type":"string"}"#));
        exercise(&schema);
        let other = read(&chain(10_000, r#"{"type":"null"}"#));
        assert_eq!(differences(&schema, &other).len(), 1);
        let modern = chain(5_000, r#"{"type":"string"}"#).replacen('{', &format!("{{{MODERN},"), 1);
        exercise(&read(&modern));
    });
}

#[test]
fn a_reference_to_every_level() {
    on_small_stack(|| {
        // What is referred to is copied, up to a limit: here that would be a million nodes.
        let leaf = (0..400).map(|index| format!(r#""p{index}":{{"type":"string"}}"#)).collect::<Vec<_>>().join(",");
        let levels = 450;
        let pointers: Vec<String> = (0..levels)
            .map(|level| format!(r##""r{level}":{{"$ref":"#{}"}}"##, "/properties/a".repeat(level)))
            .collect();
        let text = format!(
            r#"{{"properties":{{{},"a":{}}}}}"#,
            pointers.join(","),
            nested(r#"{"properties":{"a":"#, &format!(r#"{{"properties":{{{leaf}}}}}"#), "}}", 2 * levels)
        );
        exercise(&read(&text));
    });
}

/// `count` types each of which may be any of them in `fields` ways.
fn mutual(count: usize, fields: usize, leaf: &str) -> String {
    let branches: Vec<String> = (0..count).map(|to| format!(r##"{{"$ref":"#/definitions/T{to}"}}"##)).collect();
    let branches = branches.join(",");
    let types: Vec<String> = (0..count)
        .map(|index| {
            let fields: Vec<String> =
                (0..fields).map(|field| format!(r#""f{field}":{{"oneOf":[{branches}]}}"#)).collect();
            let id = format!(r#""id":{{"const":"{index}"}},"v":{leaf}"#);
            format!(r#""T{index}":{{"type":"object","properties":{{{id},{}}}}}"#, fields.join(","))
        })
        .collect();
    format!(r#"{{"definitions":{{{}}},"oneOf":[{branches}]}}"#, types.join(","))
}

#[test]
fn types_that_may_be_any_of_each_other() {
    on_small_stack(|| {
        let schema = read(&mutual(12, 3, r#"{"type":"integer"}"#));
        exercise(&schema);
        let described = read(&mutual(12, 3, r#"{"type":"integer","description":"v2"}"#));
        assert_eq!(differences(&schema, &described), []);
        let other = read(&mutual(12, 3, r#"{"type":"string"}"#));
        let found = differences(&schema, &other);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].kind, found[0].path.as_str()), ("COMBINED_TYPE_SUBSCHEMAS_CHANGED", "#/"));
    });
}

#[test]
fn branches_within_branches() {
    on_small_stack(|| {
        // Trying each with each at every level would take 4^100 comparisons.
        let levels = 100;
        let mut text = r#"{"type":"string"}"#.to_owned();
        let mut definitions = Vec::new();
        for level in 0..levels {
            definitions.push(format!(r#""D{level}":{text}"#));
            let reference = format!(r##"{{"$ref":"#/definitions/D{level}"}}"##);
            text = format!(r#"{{"oneOf":[{{"items":{reference}}},{{"not":{reference}}}]}}"#);
        }
        let text = format!(r#"{{"allOf":[{text}],"definitions":{{{}}}}}"#, definitions.join(","));
        exercise(&read(&text));
        differences(&read(&text), &read(&text.replace("oneOf", "anyOf")));
        differences(&read(&text), &read(&text.replace("string", "integer")));
    });
}

#[test]
fn many_branches() {
    on_small_stack(|| {
        let branches = |count: usize, keyword: &str| {
            let list: Vec<String> = (0..count).map(|index| format!(r#"{{"{keyword}":{index}}}"#)).collect();
            read(&format!(r#"{{"oneOf":[{}]}}"#, list.join(",")))
        };
        exercise(&branches(400, "const"));
        // All of them fit all of them.
        assert_eq!(differences(&branches(300, "minimum"), &branches(300, "minimum")), []);
        let backwards: Vec<String> = (0..2_000).rev().map(|index| format!(r#"{{"const":{index}}}"#)).collect();
        let backwards = read(&format!(r#"{{"oneOf":[{}]}}"#, backwards.join(",")));
        let found = differences(&branches(2_000, "const"), &backwards);
        assert_eq!(found.len(), 1);
        let message = found[0].message("new", "old");
        let expected =
            format!("Unexpected exception during compatibility check: has to remember more than {MAX_PAIRS} pairs");
        assert!(message.starts_with(&expected), "{message}");
    });
}

#[test]
fn many_ways_to_one_difference() {
    on_small_stack(|| {
        let levels = 60;
        let text = |leaf: &str| {
            let links: Vec<String> = (0..levels)
                .map(|level| {
                    let below = format!(r##"{{"$ref":"#/definitions/D{}"}}"##, level + 1);
                    format!(r#""D{level}":{{"properties":{{"a":{below},"b":{below}}}}}"#)
                })
                .collect();
            format!(r##"{{"$ref":"#/definitions/D0","definitions":{{{},"D{levels}":{leaf}}}}}"##, links.join(","))
        };
        let (old, new) = (read(&text(r#"{"type":"string"}"#)), read(&text(r#"{"type":"null"}"#)));
        let found = differences(&old, &new);
        assert!(!found.is_empty() && found.len() <= MAX_DIFFERENCES);
        assert!(
            old.all_differences_from(&read(&text(r#"{"type":"string","title":"t"}"#)), Policy::Strict).len()
                <= MAX_DIFFERENCES
        );
    });
}

/// Each round of the comparison finds out about one more of them.
#[test]
fn assumptions_that_fail_one_after_the_other() {
    on_small_stack(|| {
        let count = 60;
        let text = |leaf: &str| {
            let types: Vec<String> = (0..count)
                .map(|index| {
                    let back = format!(r##"{{"$ref":"#/definitions/T{}"}}"##, (index + count - 1) % count);
                    let on = format!(r##"{{"$ref":"#/definitions/T{}"}}"##, (index + 1) % count);
                    let value = if index == 0 { leaf } else { "true" };
                    format!(r#""T{index}":{{"properties":{{"n":{{"not":{back}}},"o":{{"oneOf":[{on},{{"type":"null"}}]}},"v":{value}}}}}"#)
                })
                .collect();
            format!(r##"{{"$ref":"#/definitions/T1","definitions":{{{}}}}}"##, types.join(","))
        };
        assert!(!differences(&read(&text(r#"{"type":"string"}"#)), &read(&text(r#"{"type":"integer"}"#))).is_empty());
    });
}

#[test]
fn many_properties_and_many_patterns() {
    on_small_stack(|| {
        let properties: Vec<String> =
            (0..3_000).map(|index| format!(r#""p{index}":{{"confluent:tags":["t{index}"]}}"#)).collect();
        let properties = properties.join(",");
        exercise(&read(&format!(r#"{{"properties":{{{properties}}}}}"#)));
        let patterns: Vec<String> = (0..1_000).map(|index| format!(r#""^(x+)+{index}$":{{}}"#)).collect();
        let patterns = patterns.join(",");
        let old = read(&format!(r#"{{"properties":{{{properties}}},"patternProperties":{{{patterns}}}}}"#));
        let new = read(&format!(r#"{{"patternProperties":{{{patterns}}}}}"#));
        let (new, old) = (Schema::Json(new), Schema::Json(old));
        let mut budget = Budget::new(2_000_000);
        let found = compatibility_within(&mut budget, Policy::Strict, ProtobufRules::default(), &new, &old);
        assert_eq!(found, Err(Exceeded::Steps(2_000_000)));
    });
}

#[test]
fn patterns_that_take_too_long() {
    on_small_stack(|| {
        let old = read(&format!(
            r#"{{"properties":{{"{}!":{{}}}},"patternProperties":{{"^(a+)+$":{{}}}}}}"#,
            "a".repeat(5_000)
        ));
        let new = read(r#"{"patternProperties":{"^(a+)+$":{}}}"#);
        assert_eq!(differences(&old, &new)[0].kind, "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL");
        let message = refusal(&format!(r#"{{"pattern":"{}"}}"#, "(".repeat(100_000)));
        assert!(message.contains("nested more than 100 levels deep"), "{message}");
        exercise(&read(&format!(r#"{{"pattern":"{}"}}"#, r"\\p{L}".repeat(50_000))));
    });
}

#[test]
fn long_names_and_uris() {
    on_small_stack(|| {
        let long = "a".repeat(100_000);
        let message = refusal(&format!(r#"{{"$id":"http://x.test/{long}"}}"#));
        assert!(message.contains("a URI of more than 2000 bytes"), "{message}");
        let nested_ids: Vec<String> =
            (0..300).map(|index| format!(r#"{{"$id":"{}/{index}/","not":"#, "b".repeat(50))).collect();
        let text = format!("{}true{}", nested_ids.join(""), "}".repeat(300));
        exercise(&read(&text));
        let message = refusal(&text.replacen('{', &format!("{{{MODERN},"), 1));
        assert!(message.contains("a URI of more than 2000 bytes"), "{message}");
        exercise(&read(&format!(
            r##"{{"properties":{{"{long}":{{"confluent:tags":["t"],"$ref":"#/definitions/{long}"}}}},"definitions":{{"{long}":true}}}}"##
        )));
        let old = read(&format!(r#"{{"properties":{{"{long}":{{"type":"string"}}}}}}"#));
        let new = read(&format!(r#"{{"properties":{{"{long}":{{"type":"null"}}}}}}"#));
        assert_eq!(differences(&old, &new)[0].path.len(), long.len() + 13);
    });
}

#[test]
fn long_numbers() {
    let text = |digits: &str| read(&format!(r#"{{"type":"number","multipleOf":{digits},"maximum":{digits}}}"#));
    let (long, longer) = ("7".repeat(1_000), format!("{}e2147483647", "7".repeat(900)));
    exercise(&text(&long));
    exercise(&text(&longer));
    assert!(!differences(&text(&long), &text(&longer)).is_empty());
    let message = refusal(&format!(r#"{{"maximum":{long}7}}"#));
    assert!(message.contains("more than 1000 characters"), "{message}");
}

#[test]
fn many_references_to_many_definitions() {
    on_small_stack(|| {
        let count = 5_000;
        let definitions: Vec<String> = (0..count).map(|index| format!(r#""D{index}":{{"const":{index}}}"#)).collect();
        let uses: Vec<String> =
            (0..count).map(|index| format!(r#""p{index}":{{"$ref":"r.json#/definitions/D{index}"}}"#)).collect();
        let references = [NamedText {
            name: "r.json".to_owned(),
            text: format!(r#"{{"definitions":{{{}}}}}"#, definitions.join(",")),
        }];
        let text = format!(r#"{{"properties":{{{}}}}}"#, uses.join(","));
        let schema = parse(SchemaType::Json, &text, &references, Strictness::New).unwrap();
        assert_eq!(compatibility(&schema, &schema.normalized().unwrap()), []);
    });
}

#[test]
fn tags_deep_down() {
    on_small_stack(|| {
        let levels = MAX_NESTING / 2 - 2;
        let text = nested(r#"{"properties":{"a":"#, r#"{"confluent:tags":["t"]}"#, "}}", 2 * levels);
        let schema = read(&text);
        let path = format!("object.a{}", ".object.a".repeat(levels - 1));
        assert_eq!(schema.tagged_entities().unwrap()[0].path, path);
        let edit = TagEdit { path, kind: EntityKind::Field, add: Vec::new(), remove: vec!["t".to_owned()] };
        let edited = schema.with_tags(&[edit]).unwrap();
        assert_eq!(edited.inline_tags().unwrap(), [""; 0]);
        // The list of tags is one level more than the object it is in.
        let fields = MAX_NESTING / 2 - 1;
        let text = nested(r#"{"properties":{"a":"#, "{}", "}}", 2 * fields);
        let path = format!("object.a{}", ".object.a".repeat(fields - 1));
        let add = |path| TagEdit { path, kind: EntityKind::Field, add: vec!["t".to_owned()], remove: Vec::new() };
        read(read(&text).with_tags(&[add(path.clone())]).unwrap().text());
        let error = read(&format!(r#"{{"not":{text}}}"#)).with_tags(&[add(format!("not.{path}"))]).unwrap_err();
        assert!(error.message().starts_with("nested more than 1000 levels deep"), "{error}");
    });
}
