//! Deep, wide and hostile schemas, on a thread with the stack of an async runtime's worker.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write as _;

use registrar_formats::avro::{MAX_NAME_BYTES, MAX_PAIRS, MAX_STEPS};
use registrar_formats::json_text::{Dialect, Json, KeyOrder, MAX_NUMBER_LENGTH};
use registrar_formats::{
    EntityKind, MAX_DIFFERENCES, MAX_NESTING, NamedText, Schema, Strictness, TagEdit, compatibility, parse,
};
use registrar_model::SchemaType;

/// What the worker threads of an async runtime have.
const STACK: usize = 2 << 20;

fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(STACK).spawn(test).unwrap().join().unwrap();
}

fn read(text: &str) -> Schema {
    parse(SchemaType::Avro, text, &[], Strictness::New).unwrap()
}

fn refusal(text: &str) -> String {
    parse(SchemaType::Avro, text, &[], Strictness::New).unwrap_err().to_string()
}

/// Everything there is to do with a schema.
fn exercise(schema: &Schema) {
    let normalized = schema.normalized().unwrap();
    assert!(compatibility(schema, &normalized).is_empty());
    assert!(compatibility(&normalized, schema).is_empty());
    assert_eq!(read(schema.text()).equality_text(), schema.equality_text());
    assert_eq!(schema.formatted("resolved"), schema.text());
}

/// Arrays in arrays, `levels` of JSON deep.
fn arrays(levels: usize) -> String {
    format!("{}\"int\"{}", r#"{"type":"array","items":"#.repeat(levels), "}".repeat(levels))
}

/// Records in records: three levels of JSON each.
fn records(count: usize, leaf: &str) -> String {
    let mut text = String::new();
    for index in 0..count {
        write!(text, r#"{{"type":"record","name":"R{index}","fields":[{{"name":"f","type":"#).unwrap();
    }
    text + leaf + &"}]}".repeat(count)
}

/// Siblings each of which is defined within the one before it when written at its first use.
fn chain_of_later_names(count: usize) -> String {
    let fields: Vec<String> = (0..count)
        .map(|index| {
            format!(
                r#"{{"name":"f{index}","type":{{"type":"record","name":"T{index}","fields":[{{"name":"n","type":"T{}"}}]}}}}"#,
                index + 1
            )
        })
        .collect();
    let last = format!(r#"{{"name":"l","type":{{"type":"fixed","name":"T{count}","size":1}}}}"#);
    format!(r#"{{"type":"record","name":"R","fields":[{},{last}]}}"#, fields.join(","))
}

#[test]
fn a_thousand_levels_of_json() {
    on_small_stack(|| {
        exercise(&read(&arrays(MAX_NESTING)));
        let message = refusal(&arrays(MAX_NESTING + 1));
        assert!(message.starts_with("nested more than 1000 levels deep"), "{message}");
        let message = refusal(&"[".repeat(1 << 20));
        assert!(message.starts_with("nested more than 1000 levels deep"), "{message}");
    });
}

#[test]
fn records_as_deep_as_json_allows() {
    on_small_stack(|| {
        let deep = read(&records(MAX_NESTING / 3, "\"int\""));
        exercise(&deep);
        let other = read(&records(MAX_NESTING / 3, "\"string\""));
        let differences = compatibility(&deep, &other);
        assert_eq!(differences.len(), 1);
        assert_eq!(differences[0].path, "/fields/0/type".repeat(MAX_NESTING / 3));
    });
}

#[test]
fn properties_and_defaults_as_deep_as_json_allows() {
    on_small_stack(|| {
        let levels = MAX_NESTING - 3;
        let value = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        exercise(&read(&format!(
            r#"{{"type":"record","name":"R","fields":[{{"name":"a","type":"int","p":{value}}}]}}"#
        )));
        let schema = format!(
            r#"{{"type":"record","name":"R","fields":[{{"name":"a","type":{},"default":{value}}}]}}"#,
            arrays(levels)
        );
        exercise(&read(&schema));
    });
}

#[test]
fn names_used_before_their_definition_do_not_nest_beyond_the_limit() {
    on_small_stack(|| {
        exercise(&read(&chain_of_later_names(MAX_NESTING / 3 - 1)));
        let message = refusal(&chain_of_later_names(20_000));
        assert_eq!(message, "nested more than 1000 levels deep");
    });
}

#[test]
fn references_in_a_long_chain() {
    on_small_stack(|| {
        let references: Vec<NamedText> = (0..5000)
            .map(|index| {
                let before = if index == 0 { "int".to_owned() } else { format!("T{}", index - 1) };
                let text =
                    format!(r#"{{"type":"record","name":"T{index}","fields":[{{"name":"a","type":"{before}"}}]}}"#);
                NamedText { name: format!("T{index}"), text }
            })
            .collect();
        let schema = parse(SchemaType::Avro, "\"T4999\"", &references, Strictness::New).unwrap();
        assert_eq!(schema.text(), "\"T4999\"");
        assert!(schema.formatted("resolved").len() > 5000 * 40);
        assert!(compatibility(&schema, &schema.normalized().unwrap()).is_empty());
    });
}

#[test]
fn records_of_thousands_of_fields() {
    on_small_stack(|| {
        let record = |leaf: &str| {
            let fields: Vec<String> = (0..2500)
                .map(|index| format!(r#"{{"name":"f{index}","type":["null","{leaf}"],"default":null,"p":{index}}}"#))
                .collect();
            read(&format!(r#"{{"type":"record","name":"R","fields":[{}]}}"#, fields.join(",")))
        };
        let ints = record("int");
        exercise(&ints);
        assert_eq!(ints.top_level_fields().len(), 2500);
        assert_eq!(compatibility(&record("string"), &ints).len(), 2500);
    });
}

#[test]
fn a_record_without_its_fields() {
    let fields: Vec<String> = (0..=MAX_DIFFERENCES).map(|i| format!(r#"{{"name":"f{i}","type":"int"}}"#)).collect();
    let full = read(&format!(r#"{{"type":"record","name":"R","fields":[{}]}}"#, fields.join(",")));
    let empty = read(r#"{"type":"record","name":"R","fields":[]}"#);
    assert_eq!(compatibility(&full, &empty).len(), MAX_DIFFERENCES);
    assert!(compatibility(&empty, &full).is_empty());
}

/// Each level uses the one below twice: the differences double, and Java's list would have 2^60 entries.
#[test]
fn shared_types_do_not_multiply() {
    on_small_stack(|| {
        let diamond = |leaf: &str| {
            let mut text = format!(r#"{{"type":"record","name":"T0","fields":[{{"name":"a","type":"{leaf}"}}]}}"#);
            for index in 1..60 {
                text = format!(
                    r#"{{"type":"record","name":"T{index}","fields":[{{"name":"a","type":{text}}},{{"name":"b","type":"T{}"}}]}}"#,
                    index - 1
                );
            }
            read(&text)
        };
        let ints = diamond("int");
        exercise(&ints);
        let differences = compatibility(&ints, &diamond("string"));
        assert!((1000..=MAX_DIFFERENCES).contains(&differences.len()), "{}", differences.len());
    });
}

#[test]
fn wide_unions() {
    on_small_stack(|| {
        let union = |size: u8, prefix: &str| {
            let branches: Vec<String> = (0..3000)
                .map(|index| format!(r#"{{"type":"fixed","name":"{prefix}{index}","size":{size}}}"#))
                .collect();
            read(&format!("[{}]", branches.join(",")))
        };
        let ones = union(1, "F");
        exercise(&ones);
        assert_eq!(compatibility(&ones, &union(2, "F")).len(), 3000);
        assert_eq!(compatibility(&ones, &union(1, "G")).len(), 3000);
    });
}

#[test]
fn a_wide_union_finds_branches_by_name_alias_and_type() {
    let branches: Vec<String> = (0..100)
        .map(|index| format!(r#"{{"type":"fixed","name":"n.F{index}","aliases":["m.Old{index}"],"size":1}}"#))
        .collect();
    let union = read(&format!(r#"["null","long",{}]"#, branches.join(",")));
    for (writer, count) in [
        (r#""null""#, 0),
        (r#""int""#, 0),
        (r#""string""#, 1),
        (r#"{"type":"fixed","name":"F99","size":1}"#, 0),
        (r#"{"type":"fixed","name":"F99","size":2}"#, 1),
        (r#"{"type":"fixed","name":"m.Old7","size":1}"#, 0),
        (r#"{"type":"fixed","name":"Old7","size":1}"#, 1),
        (r#"{"type":"enum","name":"F1","symbols":[]}"#, 1),
    ] {
        assert_eq!(compatibility(&union, &read(writer)).len(), count, "{writer}");
    }
}

/// Two cycles without a common divisor: every type of one meets every type of the other.
#[test]
fn cycles_of_different_lengths() {
    on_small_stack(|| {
        let cycle = |length: usize| {
            let fields: Vec<String> = (0..length)
                .map(|index| {
                    let next = (index + 1) % length;
                    format!(
                        r#"{{"name":"f","type":{{"type":"record","name":"T{index}","fields":[{{"name":"n","type":["null","T{next}"]}}]}}}}"#
                    )
                })
                .collect();
            let definitions: Vec<String> = fields
                .iter()
                .enumerate()
                .map(|(index, field)| field.replacen("\"f\"", &format!("\"f{index}\""), 1))
                .collect();
            parse(
                SchemaType::Avro,
                &format!(r#"{{"type":"record","name":"R","fields":[{}]}}"#, definitions.join(",")),
                &[],
                Strictness::New,
            )
        };
        let (short, long) = (cycle(40).unwrap(), cycle(41).unwrap());
        let differences = compatibility(&short, &long);
        assert!(!differences.is_empty() && differences.len() <= MAX_DIFFERENCES);
    });
}

#[test]
fn a_check_of_too_many_pairs_fails() {
    on_small_stack(|| {
        // One record of many types without a name, read by the union of many others.
        let arrays = |count: usize, item: &str| {
            let items: Vec<String> = (0..count)
                .map(|index| format!(r#"{{"name":"f{index}","type":{{"type":"array","items":"{item}"}}}}"#))
                .collect();
            format!(r#"{{"type":"record","name":"R","fields":[{}]}}"#, items.join(","))
        };
        let count = MAX_PAIRS / 2;
        let differences = compatibility(&read(&arrays(count, "int")), &read(&arrays(count, "int")));
        assert_eq!(differences.len(), 1);
        assert_eq!(
            differences[0].message("new", "old"),
            format!(
                "Unexpected exception during compatibility check: has to remember more than {MAX_PAIRS} pairs of types"
            )
        );
    });
}

#[test]
fn defaults_that_take_too_long_to_check() {
    on_small_stack(|| {
        let branches: Vec<String> =
            (0..3000).map(|index| format!(r#"{{"type":"fixed","name":"F{index}","size":1}}"#)).collect();
        let items = vec!["1"; MAX_STEPS / 3000 + 1].join(",");
        // Every branch is tried for every item, and none but the last fits.
        let message = refusal(&format!(
            r#"{{"type":"record","name":"R","fields":[{{"name":"a","type":{{"type":"array","items":[{},"int"]}},"default":[{items}]}}]}}"#,
            branches.join(",")
        ));
        assert_eq!(message, format!("checking the defaults takes more than {MAX_STEPS} steps"));
    });
}

/// Records of one shape at every level: trying them one within the other would take 8^60 steps.
#[test]
fn defaults_of_unions_of_records() {
    on_small_stack(|| {
        let mut union = "[\"int\"]".to_owned();
        let mut names = String::new();
        for level in 0..60 {
            let first = format!(r#"{{"type":"record","name":"L{level}_0","fields":[{{"name":"x","type":{union}}}]}}"#);
            let others: Vec<String> = (1..8)
                .map(|index| {
                    let below = if level == 0 { "[\"int\"]" } else { &names };
                    format!(r#"{{"type":"record","name":"L{level}_{index}","fields":[{{"name":"x","type":{below}}}]}}"#)
                })
                .collect();
            union = format!("[{first},{}]", others.join(","));
            let list: Vec<String> = (0..8).map(|index| format!("\"L{level}_{index}\"")).collect();
            names = format!("[{}]", list.join(","));
        }
        let default = format!("{}\"no int\"{}", "{\"x\":".repeat(60), "}".repeat(60));
        let message = refusal(&format!(
            r#"{{"type":"record","name":"R","fields":[{{"name":"a","type":{union},"default":{default}}}]}}"#
        ));
        assert!(message.starts_with("Invalid default for field a"), "{message}");
    });
}

#[test]
fn many_members_and_many_properties() {
    let props: Vec<String> = (0..20_000).map(|index| format!(r#""p{index}":{index},"p{}":0"#, index / 2)).collect();
    let text = format!(r#"{{"type":"int",{}}}"#, props.join(","));
    exercise(&read(&text));
}

#[test]
fn long_numbers() {
    let longest = "9".repeat(MAX_NUMBER_LENGTH);
    assert_eq!(read(&format!(r#"{{"type":"int","p":{longest}}}"#)).text().len(), longest.len() + 19);
    let message = refusal(&format!(r#"{{"type":"int","p":{longest}9}}"#));
    assert!(message.starts_with("a number of more than 1000 characters"), "{message}");
}

#[test]
fn json_trees_are_copied_compared_and_dropped_without_the_stack() {
    on_small_stack(|| {
        let text = format!("{}{}", "[".repeat(MAX_NESTING), "]".repeat(MAX_NESTING));
        let json = Json::parse(&text, Dialect::default()).unwrap();
        let copy = json.clone();
        assert!(copy.root().same(json.root()));
        assert_eq!(copy.root().to_text(KeyOrder::Sorted), text);
    });
}

#[test]
fn long_names_do_not_multiply() {
    on_small_stack(|| {
        let space = "a".repeat(100_000);
        let within = |fields: &[String]| {
            let fields: Vec<String> = fields
                .iter()
                .enumerate()
                .map(|(index, kind)| format!(r#"{{"name":"f{index}","type":{kind}}}"#))
                .collect();
            format!(r#"{{"type":"record","name":"R","namespace":"{space}","fields":[{}]}}"#, fields.join(","))
        };
        let record = |index: usize| format!(r#"{{"type":"record","name":"R{index}","fields":[]}}"#);
        let fits = MAX_NAME_BYTES / space.len() - 5;
        let names: Vec<String> = (0..fits).map(|index| format!("\"a{index}\"")).collect();
        let aliases = format!(r#"{{"type":"fixed","name":"F","size":1,"aliases":[{}]}}"#, names.join(","));
        read(&within(&(0..fits).map(record).collect::<Vec<_>>()));
        for fields in [
            (0..fits + 10).map(record).collect::<Vec<_>>(),
            vec!["\"R\"".to_owned(); fits + 10],
            vec!["\"Later\"".to_owned(); fits + 10],
            vec![aliases.clone(), aliases.replace("\"F\"", "\"G\"")],
        ] {
            let message = refusal(&within(&fields));
            assert!(message.contains("the full names are longer than 16777216 bytes in all"), "{message}");
        }
    });
}

#[test]
fn many_long_paths_of_tags() {
    let space = "a".repeat(20_000);
    let tagged = |count: usize| {
        let fields: Vec<String> =
            (0..count).map(|index| format!(r#"{{"name":"f{index}","type":"int","confluent:tags":["t"]}}"#)).collect();
        let fields = fields.join(",");
        read(&format!(r#"{{"type":"record","name":"R","namespace":"{space}","fields":[{fields}]}}"#)).tagged_entities()
    };
    assert_eq!(tagged(400).unwrap().len(), 400);
    let message = tagged(500).unwrap_err().to_string();
    assert_eq!(message, "the paths of the tags have more than 8388608 bytes");
}

#[test]
fn many_changes_of_tags() {
    let count = 20_000;
    let schema = read(r#"{"type":"record","name":"R","fields":[]}"#);
    let edit = |add: Vec<String>| TagEdit { path: "R".to_owned(), kind: EntityKind::Record, add, remove: Vec::new() };
    let edits: Vec<TagEdit> = (0..count).map(|index| edit(vec![format!("t{index}")])).collect();
    assert_eq!(schema.with_tags(&edits).unwrap().inline_tags().unwrap().len(), count);
}
