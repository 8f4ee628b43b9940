//! Protobuf: hostile input ends with a clear error or succeeds, on a small stack and in bounded memory.

#![allow(clippy::unwrap_used, reason = "tests")]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use registrar_formats::protobuf::{
    MAX_DEPTH, MAX_DIFFERENCES, MAX_FIELDS, MAX_NAME_BYTES, MAX_TEXT_BYTES, MAX_WORK, Rules,
};
use registrar_formats::{
    Budget, Difference, Exceeded, NamedText, Schema, SchemaError, Strictness, compatibility, compatibility_within,
    parse,
};
use registrar_model::{Policy, SchemaType};

/// The stack of a thread of the runtimes that serve requests.
const STACK: usize = 2 << 20;

fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(STACK).spawn(test).unwrap().join().unwrap();
}

fn try_read(text: &str) -> Result<Schema, SchemaError> {
    parse(SchemaType::Protobuf, text, &[], Strictness::New)
}

fn read(text: &str) -> Schema {
    try_read(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The texts of many items, one after the other.
fn all<T>(items: impl Iterator<Item = T>, shape: impl Fn(T) -> String) -> String {
    items.map(shape).collect()
}

fn verdict(new: &Schema, old: &Schema) -> Result<Vec<Difference>, Exceeded> {
    compatibility_within(&mut Budget::default(), Policy::Strict, Rules::default(), new, old)
}

fn refusal(text: &str) -> String {
    try_read(text).unwrap_err().to_string()
}

/// Does everything that can be done with a schema.
fn exercise(schema: &Schema) {
    let again = read(schema.text());
    assert_eq!(again.text(), schema.text());
    assert!(!schema.formatted("serialized").is_empty());
    assert!(schema.formatted("ignore_extensions").len() <= schema.text().len());
    let _ = schema.validate(true);
    if let Ok(normalized) = schema.normalized() {
        read(normalized.text());
    }
    assert!(compatibility(schema, &again).is_empty());
    assert_eq!(schema.equality_text(), schema.text());
}

fn nested_messages(depth: usize) -> String {
    format!("{}{}", "message A { ".repeat(depth), "}".repeat(depth))
}

#[test]
fn deep_messages() {
    on_small_stack(|| {
        exercise(&read(&nested_messages(MAX_DEPTH)));
        for depth in [MAX_DEPTH + 1, 100_000] {
            let message = refusal(&nested_messages(depth));
            assert!(message.ends_with("messages nested more than 100 levels deep"), "{message}");
        }
    });
}

#[test]
fn deep_options() {
    on_small_stack(|| {
        let literal = |depth: usize| format!("option (a) = {}{};", "{ b: ".repeat(depth) + "1", " }".repeat(depth));
        let list = |depth: usize| format!("option (a) = {}{};", "[".repeat(depth), "]".repeat(depth));
        let path = |depth: usize| format!("option (a){} = 1;", ".b".repeat(depth));
        let shapes: [&dyn Fn(usize) -> String; 3] = [&literal, &list, &path];
        for shape in shapes {
            exercise(&read(&shape(MAX_DEPTH - 1)));
            for depth in [MAX_DEPTH + 2, 100_000] {
                let message = refusal(&shape(depth));
                assert!(message.ends_with("nested more than 100 levels deep"), "{message}");
            }
        }
        // Paths count within literals.
        let both = format!("option (a) = {}1{};", "{ [b].c.d.e.f.g.h.i.j.k: ".repeat(90), " }".repeat(90));
        assert!(refusal(&both).ends_with("nested more than 100 levels deep"));
    });
}

#[test]
fn deep_maps() {
    on_small_stack(|| {
        let maps = |depth: usize| {
            let type_name = format!("{}int32{}", "map<string, ".repeat(depth), ">".repeat(depth));
            format!("message A {{ {type_name} a = 1; }}")
        };
        exercise(&read(&maps(MAX_DEPTH - 1)));
        for depth in [MAX_DEPTH + 1, 80_000] {
            let message = refusal(&maps(depth));
            assert!(message.contains("maps nested more than 100 levels deep"), "{message}");
        }
    });
}

#[test]
fn many_fields() {
    on_small_stack(|| {
        let fields = |count: usize, type_name: &str| {
            let fields: String = all(1..=count, |tag| format!("{type_name} f{tag} = {tag};\n"));
            format!("syntax = \"proto3\"; package p; message A {{ {fields} }} message B {{}}")
        };
        let ints = read(&fields(10_000, "int32"));
        exercise(&ints);
        exercise(&read(&fields(10_000, "B")));
        exercise(&read(&fields(10_000, "map<string, B>")));
        exercise(&read(&fields(10_000, "optional int32")));
        assert_eq!(compatibility(&ints, &read(&fields(10_000, "string"))).len(), MAX_DIFFERENCES);
        assert!(compatibility(&ints, &read(&fields(1, "int32"))).is_empty());
    });
}

/// The entry of a map may be written as a message, which then may be an entry of itself, or of a long row.
#[test]
fn entries_of_maps_within_each_other() {
    on_small_stack(|| {
        let entry = |name: &str, key: &str, value: &str| {
            format!(
                "message {name} {{ option map_entry = true; optional {key} key = 1; optional {value} value = 2; }}\n"
            )
        };
        let file = |entries: &str, leaf: &str| {
            read(&format!("syntax = \"proto2\"; {entries} message M {{ repeated E0 e = 1; optional {leaf} f = 2; }}"))
        };
        let (itself, twice) = (entry("E0", "string", "E0"), entry("E0", "E0", "E0"));
        for entries in [itself, twice, entry("E0", "string", "E1") + &entry("E1", "string", "E0")] {
            assert!(compatibility(&file(&entries, "int32"), &file(&entries, "int32")).is_empty());
            assert_eq!(compatibility(&file(&entries, "int32"), &file(&entries, "string")).len(), 1);
        }
        let row = |length: usize| {
            let value = |at: usize| if at + 1 == length { "int32".to_owned() } else { format!("E{}", at + 1) };
            file(&all(0..length, |at| entry(&format!("E{at}"), "string", &value(at))), "int32")
        };
        assert!(compatibility(&row(100), &row(100)).is_empty());
        let long = row(5_000);
        assert_eq!(verdict(&long, &long).unwrap_err(), Exceeded::Pairs(MAX_DEPTH));
    });
}

/// A message takes two bytes of a descriptor and hundreds of memory.
#[test]
fn many_fields_of_a_descriptor() {
    // A field that no descriptor has, which is read over.
    let unknown = |count: usize| [0xc0, 0x3e, 0].repeat(count);
    let file = |fields: &[u8]| try_read(&STANDARD.encode(fields));
    assert!(file(&unknown(MAX_FIELDS)).is_ok());
    assert!(file(&unknown(MAX_FIELDS + 1)).is_err());
    // Those of a message within count, too: the message itself, its name, and one more than there may be.
    let message = |name: u8| [&[0x22, 6, 0x0a, 1, name][..], &unknown(1)].concat();
    let two = [message(b'A'), message(b'B')].concat();
    assert!(file(&[two.clone(), unknown(MAX_FIELDS - 6)].concat()).is_ok());
    assert!(file(&[two, unknown(MAX_FIELDS - 5)].concat()).is_err());
}

#[test]
fn many_of_everything() {
    on_small_stack(|| {
        let many = |shape: &dyn Fn(usize) -> String| (0..10_000).map(shape).collect::<String>();
        for text in [
            many(&|index| format!("message M{index} {{}}\n")),
            many(&|index| format!("enum E{index} {{ V{index} = 0; }}\n")),
            format!("enum E {{ {} }}", many(&|index| format!("V{index} = {index};\n"))),
            format!("message A {{ reserved {} 1; }}", many(&|index| format!("{index}, \"n{index}\", "))),
            format!("message A {{ {} }}", many(&|index| format!("extensions {};\n", index + 1))),
            format!(
                "message A {{ {} }}",
                many(&|index| format!("oneof o{index} {{ int32 f{index} = {}; }}\n", index + 1))
            ),
            format!("message A {{}} service S {{ {} }}", many(&|index| format!("rpc M{index} (A) returns (A);\n"))),
            many(&|index| format!("option (o) = {{ k{index}: {index} }};\n")),
            many(&|_| "option (confluent.file_meta).tags = \"t\";\n".to_owned()),
            many(&|index| format!("option (confluent.file_meta).params = {{ key: \"{index}\", value: \"v\" }};\n")),
            format!("option (o) = {{ {} }};", many(&|_| "k: 1 ".to_owned())),
            format!("option (o) = {{ {} }};", many(&|index| format!("k{index}: 1 "))),
            many(&|index| format!("import \"f{index}\";\n")),
            format!(
                "message A {{ extensions 1 to max; {} }}",
                many(&|index| format!("extend A {{ optional int32 x{index} = {}; }}\n", index + 1))
            ),
            many(&|_| ";".to_owned()),
        ] {
            exercise(&read(&text));
        }
        let paths = format!("option (o) = {{ {} }};", many(&|index| format!("[k].p{index}: 1 ")));
        assert!(refusal(&paths).ends_with("too many paths of names in a literal"));
    });
}

#[test]
fn long_comments_and_blanks() {
    on_small_stack(|| {
        let megabyte = 1 << 20;
        for text in [
            format!("/*{}*/ message A {{}}", "* /".repeat(megabyte / 3)),
            format!("//{}\nmessage A {{}}", "x".repeat(megabyte)),
            format!("message A {{}} {}", "//\n".repeat(megabyte / 3)),
            format!("{}message A {{}}", "/**/".repeat(megabyte / 4)),
            format!("message A {{{}}}", "\n".repeat(megabyte)),
        ] {
            assert_eq!(read(&text).text(), "\nmessage A {}\n");
        }
        assert!(refusal(&format!("/*{}", "*".repeat(megabyte))).ends_with("unterminated comment"));
    });
}

#[test]
fn long_names() {
    on_small_stack(|| {
        let name = "n".repeat(10_000);
        exercise(&read(&format!(
            "syntax = \"proto3\"; package {name}; message {name} {{ {name} {name} = 1; message {name} {{}} }}"
        )));
        exercise(&read(&format!("option (a) = \"{}\";", "x".repeat(1 << 20))));
        // Full names would have as many bytes as the square of the text.
        let name = "n".repeat(500_000);
        let keys: String = all(0..10_000, |index| format!("[k{index}]: 1 "));
        let message = format!("the full names are longer than {MAX_NAME_BYTES} bytes in all");
        for body in [
            format!("message {name} {{ {} }}", "message M {}".repeat(10_000)),
            format!("message {name} {{ {} }}", "optional int32 f = 1;".repeat(10_000)),
            format!("enum {name} {{ {} }}", "C = 1;".repeat(10_000)),
            format!("message {name} {{ enum E {{}} {} }}", "optional E f = 1;".repeat(10_000)),
            format!("package {name}; {}", "option (o) = 1;".repeat(10_000)),
            format!("package {name}; option (o) = {{ {keys} }};"),
            format!("package {name}; message A {{}} service S {{ {} }}", "rpc M (A) returns (A);".repeat(10_000)),
        ] {
            assert_eq!(refusal(&body), message);
        }
        // A message of an error does not quote all of it.
        assert!(refusal(&name).len() < 1100);
    });
}

/// Nested lines are indented, so that the text can be longer than what was given by as much as its depth.
#[test]
fn the_laid_out_text_has_a_limit() {
    on_small_stack(|| {
        let depth = MAX_DEPTH - 1;
        let items = "1,".repeat(100_000);
        let text = format!("{}option (a) = [{items}];{}", "message A { ".repeat(depth), "}".repeat(depth));
        let message = format!("the text is longer than {MAX_TEXT_BYTES} bytes when it is laid out");
        assert_eq!(refusal(&text), message);
    });
}

/// A field of a descriptor that holds bytes.
fn chunk(number: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    let mut length = content.len();
    while length >= 0x80 {
        bytes.push(u8::try_from(length & 0x7f).unwrap() | 0x80);
        length >>= 7;
    }
    bytes.push(u8::try_from(length).unwrap());
    bytes.extend_from_slice(content);
    bytes
}

#[test]
fn hostile_descriptors() {
    on_small_stack(|| {
        let nested = |depth: usize| {
            let mut message = chunk(1, b"A");
            for _ in 1..depth {
                message = [chunk(1, b"A"), chunk(3, &message)].concat();
            }
            STANDARD.encode(chunk(4, &message))
        };
        exercise(&read(&nested(MAX_DEPTH)));
        for depth in [MAX_DEPTH + 1, 20_000] {
            assert!(refusal(&nested(depth)).starts_with("Could not parse Protobuf - Syntax error"));
        }
        let groups = [vec![0x0b; 50_000], vec![0x0c; 50_000]].concat();
        for bytes in [
            vec![0x0a, 0xff],
            vec![0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
            vec![0x8a; 40],
            vec![0x00],
            vec![0x07],
            groups,
            // A field of a oneof that is not there.
            chunk(4, &chunk(2, &[0x48, 0x05])),
            chunk(4, &chunk(2, &[0x48, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01])),
        ] {
            assert!(refusal(&STANDARD.encode(bytes)).starts_with("Could not parse Protobuf - Syntax error"));
        }
        // No name, and names that are no words: text comes of it, but no text that can be read.
        for bytes in [chunk(4, &[]), chunk(4, &chunk(1, &[0xff, 0xfe])), chunk(4, &chunk(1, b"A {} message B"))] {
            let schema = read(&STANDARD.encode(bytes));
            assert!(schema.text().contains("message"));
            let _ = schema.validate(true);
        }
        let invalid = read(&STANDARD.encode(chunk(4, &chunk(1, &[0xff, 0xfe]))));
        assert!(invalid.validate(false).unwrap_err().message().ends_with("expected a word"));
        // A type that is no name.
        let field = [chunk(1, b"f"), chunk(6, b"")].concat();
        let message = chunk(4, &[chunk(1, b"A"), chunk(2, &field)].concat());
        assert_eq!(refusal(&STANDARD.encode(message)), "unexpected name: ");
        let many: Vec<u8> = (0..20_000).flat_map(|_| chunk(4, b"\x0a\x01A")).collect();
        read(&STANDARD.encode(many));
        let params: Vec<u8> = (0..20_000_u32).flat_map(|key| chunk(2, &chunk(1, key.to_string().as_bytes()))).collect();
        let meta = [vec![0x82, 0x44], chunk(0, &params)[1..].to_vec()].concat();
        exercise(&read(&STANDARD.encode(chunk(8, &meta))));
    });
}

fn with_references(text: &str, references: Vec<(String, String)>) -> Schema {
    let references: Vec<NamedText> = references.into_iter().map(|(name, text)| NamedText { name, text }).collect();
    parse(SchemaType::Protobuf, text, &references, Strictness::New).unwrap()
}

#[test]
fn cyclic_and_long_chains_of_imports() {
    on_small_stack(|| {
        let file = |index: usize, next: usize| {
            let text = format!(
                "syntax = \"proto3\"; package p{index}; import public \"f{next}\"; message M {{ p{next}.M m = 1; }}"
            );
            (format!("f{index}"), text)
        };
        let count = 1000;
        let main = "syntax = \"proto3\"; import \"f0\"; message A { p0.M m = 1; }";
        let cycle = with_references(main, (0..count).map(|index| file(index, (index + 1) % count)).collect());
        cycle.validate(false).unwrap();
        assert!(cycle.validate(true).unwrap_err().message().ends_with("f0 imports itself by way of others"));
        let mut files: Vec<_> = (0..count - 1).map(|index| file(index, index + 1)).collect();
        files.push((format!("f{}", count - 1), format!("syntax = \"proto3\"; package p{}; message M {{}}", count - 1)));
        let chain = with_references(main, files);
        chain.validate(true).unwrap();
        // A chain of messages is followed to its end, in both ways of comparing.
        assert!(compatibility(&chain, &chain).is_empty());
        assert!(compatibility(&cycle, &cycle).is_empty());
        let mut files: Vec<_> = (0..count - 1).map(|index| file(index, index + 1)).collect();
        files.push((
            format!("f{}", count - 1),
            format!("syntax = \"proto3\"; package p{}; message M {{ int32 x = 1; }}", count - 1),
        ));
        let ints = with_references(main, files.clone());
        files.last_mut().unwrap().1 = files.last().unwrap().1.replace("int32", "string");
        let strings = with_references(main, files);
        let found = compatibility(&ints, &strings);
        assert_eq!(found.iter().map(|one| one.kind).collect::<Vec<_>>(), ["FIELD_SCALAR_KIND_CHANGED"]);
    });
}

/// Each message uses the one below twice: followed at each field, there would be 2^60 of them.
#[test]
fn shared_messages_do_not_multiply() {
    on_small_stack(|| {
        let diamond = |leaf: &str| {
            let messages: String =
                all(1..60, |index| format!("message M{index} {{ M{0} a = 1; M{0} b = 2; }}\n", index - 1));
            let text = format!("syntax = \"proto3\"; message M0 {{ {leaf} a = 1; }} {messages}");
            with_references("syntax = \"proto3\"; import \"d\"; message A { M59 m = 1; }", vec![("d".to_owned(), text)])
        };
        let (ints, strings) = (diamond("int32"), diamond("string"));
        assert!(compatibility(&ints, &ints).is_empty());
        let found = compatibility(&ints, &strings);
        assert!(!found.is_empty() && found.len() <= MAX_DIFFERENCES);
        assert!(found.iter().any(|one| one.kind == "FIELD_SCALAR_KIND_CHANGED" && one.path == "#/M0/1"));
        // Every message refers to every other one.
        let clique = |leaf: &str| {
            let messages = all(0..40, |index| {
                let fields = all(0..40, |tag| format!("M{tag} f{tag} = {};", tag + 2));
                format!("message M{index} {{ {leaf} a = 1; {fields} }}\n")
            });
            let text = format!("syntax = \"proto3\"; {messages}");
            with_references("syntax = \"proto3\"; import \"d\"; message A { M0 m = 1; }", vec![("d".to_owned(), text)])
        };
        let (ints, strings) = (clique("int32"), clique("string"));
        assert!(compatibility(&ints, &ints).is_empty());
        assert_eq!(compatibility(&ints, &strings).len(), 40);
    });
}

/// Every version of a message meets every other one, each with many fields.
#[test]
fn a_check_of_too_many_pairs_fails() {
    on_small_stack(|| {
        let count = 30;
        let fields: String = all(1..=1000, |tag| format!("int32 f{tag} = {tag};"));
        let files = || {
            (0..count).map(|index| {
                (format!("f{index}"), format!("syntax = \"proto3\"; package p{index}; message X {{ {fields} }}"))
            })
        };
        let main = |order: &dyn Fn(usize) -> usize| {
            let fields: String = all(0..count * count, |tag| format!("p{}.X f{tag} = {};", order(tag), tag + 1));
            with_references(&format!("syntax = \"proto3\"; message A {{ {fields} }}"), files().collect())
        };
        let (one, other) = (main(&|tag| tag / count), main(&|tag| tag % count));
        // Each pair once is few enough, and then too many.
        let mut budget = Budget::default();
        let rules = Rules::default();
        assert_eq!(compatibility_within(&mut budget, Policy::Strict, rules, &one, &other), Ok(vec![]));
        assert!(budget.spent() > 4 * MAX_WORK as u64, "{budget:?}");
        let limit = budget.spent() / 2;
        let found = compatibility_within(&mut Budget::new(limit), Policy::Strict, rules, &one, &other);
        assert_eq!(found, Err(Exceeded::Steps(limit)));
        assert_eq!(Rules::default(), Rules::Newest);
    });
}
