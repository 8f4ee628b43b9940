//! The options of a descriptor that Confluent's converter knows, in the order in which it writes them.

use super::option::{Entries, Opt, Value};
use super::wire::Record;
use crate::SchemaError;

/// The number of Confluent's metadata in the options of files, messages, fields, enums and their values.
pub(super) const META: u32 = 1088;

/// How an option is encoded, and so how it is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Text,
    Flag,
    /// An enum: the names of its values with their numbers.
    Enum(&'static [(&'static str, i32)]),
}

/// An option with its name and number.
pub(super) type Known = (&'static str, u32, Kind);

pub(super) const FILE: &[Known] = &[
    ("java_package", 1, Kind::Text),
    ("java_outer_classname", 8, Kind::Text),
    ("java_multiple_files", 10, Kind::Flag),
    ("java_generate_equals_and_hash", 20, Kind::Flag),
    ("java_string_check_utf8", 27, Kind::Flag),
    ("optimize_for", 9, Kind::Enum(&[("SPEED", 1), ("CODE_SIZE", 2), ("LITE_RUNTIME", 3)])),
    ("go_package", 11, Kind::Text),
    ("cc_generic_services", 16, Kind::Flag),
    ("java_generic_services", 17, Kind::Flag),
    ("py_generic_services", 18, Kind::Flag),
    ("deprecated", 23, Kind::Flag),
    ("cc_enable_arenas", 31, Kind::Flag),
    ("objc_class_prefix", 36, Kind::Text),
    ("csharp_namespace", 37, Kind::Text),
    ("swift_prefix", 39, Kind::Text),
    ("php_class_prefix", 40, Kind::Text),
    ("php_namespace", 41, Kind::Text),
    ("php_metadata_namespace", 44, Kind::Text),
    ("ruby_package", 45, Kind::Text),
];

pub(super) const MESSAGE: &[Known] =
    &[("no_standard_descriptor_accessor", 2, Kind::Flag), ("deprecated", 3, Kind::Flag), ("map_entry", 7, Kind::Flag)];

pub(super) const FIELD: &[Known] = &[
    ("ctype", 1, Kind::Enum(&[("STRING", 0), ("CORD", 1), ("STRING_PIECE", 2)])),
    ("packed", 2, Kind::Flag),
    ("jstype", 6, Kind::Enum(&[("JS_NORMAL", 0), ("JS_STRING", 1), ("JS_NUMBER", 2)])),
    ("deprecated", 3, Kind::Flag),
    ("debug_redact", 16, Kind::Flag),
    ("retention", 17, Kind::Enum(&[("RETENTION_UNKNOWN", 0), ("RETENTION_RUNTIME", 1), ("RETENTION_SOURCE", 2)])),
];

pub(super) const ENUM: &[Known] = &[("allow_alias", 2, Kind::Flag), ("deprecated", 3, Kind::Flag)];

pub(super) const CONSTANT: &[Known] = &[("deprecated", 1, Kind::Flag), ("debug_redact", 3, Kind::Flag)];

pub(super) const SERVICE: &[Known] = &[("deprecated", 33, Kind::Flag)];

pub(super) const METHOD: &[Known] = &[
    ("deprecated", 33, Kind::Flag),
    ("idempotency_level", 34, Kind::Enum(&[("IDEMPOTENCY_UNKNOWN", 0), ("NO_SIDE_EFFECTS", 1), ("IDEMPOTENT", 2)])),
];

pub(super) const VERIFICATION: Known = ("verification", 3, Kind::Enum(&[("DECLARATION", 0), ("UNVERIFIED", 1)]));

fn known_options(options: &Record, known: &[Known]) -> Vec<Opt> {
    known.iter().filter_map(|one| known_option(options, *one)).collect()
}

fn known_option(options: &Record, (name, number, kind): Known) -> Option<Opt> {
    let value = match kind {
        Kind::Text => Value::Text(options.text(number)?),
        Kind::Flag => Value::boolean(options.flag(number)?),
        Kind::Enum(values) => {
            let number = options.int(number)?;
            Value::word(values.iter().find(|value| value.1 == number)?.0)
        }
    };
    Some(Opt::known(name, value))
}

/// Known options and Confluent's metadata under its name.
fn with_meta(options: &Record, known: &[Known], name: &str) -> Result<Vec<Opt>, SchemaError> {
    let mut read = known_options(options, known);
    if let Some(meta) = options.record(META)? {
        read.extend(meta_option(name, &meta)?);
    }
    Ok(read)
}

pub(super) fn file_options(options: &Record) -> Result<Vec<Opt>, SchemaError> {
    with_meta(options, FILE, "confluent.file_meta")
}

pub(super) fn message_options(options: &Record) -> Result<Vec<Opt>, SchemaError> {
    with_meta(options, MESSAGE, "confluent.message_meta")
}

pub(super) fn field_options(options: &Record) -> Result<Vec<Opt>, SchemaError> {
    with_meta(options, FIELD, "confluent.field_meta")
}

pub(super) fn enum_options(options: &Record) -> Result<Vec<Opt>, SchemaError> {
    with_meta(options, ENUM, "confluent.enum_meta")
}

pub(super) fn constant_options(options: &Record) -> Result<Vec<Opt>, SchemaError> {
    with_meta(options, CONSTANT, "confluent.enum_value_meta")
}

pub(super) fn service_options(options: &Record) -> Vec<Opt> {
    known_options(options, SERVICE)
}

pub(super) fn method_options(options: &Record) -> Vec<Opt> {
    known_options(options, METHOD)
}

pub(super) fn extension_range_options(options: &Record) -> Result<Vec<Opt>, SchemaError> {
    let mut read = Vec::new();
    for declaration in options.records(2)? {
        read.push(Opt::known("declaration", declaration_literal(&declaration)));
    }
    read.extend(known_option(options, VERIFICATION));
    Ok(read)
}

fn declaration_literal(declaration: &Record) -> Value {
    let number = declaration.int(1).map(|number| Value::Token(super::option::Token::Number, number.to_string()));
    let entries = [
        ("number", number),
        ("full_name", declaration.text(2).map(Value::Text)),
        ("type", declaration.text(3).map(Value::Text)),
        ("reserved", declaration.flag(5).map(Value::boolean)),
        ("repeated", declaration.flag(6).map(Value::boolean)),
    ];
    Value::Map(entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect())
}

/// Confluent's metadata as a literal; none if there is nothing in it.
fn meta_option(name: &str, meta: &Record) -> Result<Option<Opt>, SchemaError> {
    let mut entries = Vec::new();
    if let Some(doc) = meta.text(1).filter(|doc| !doc.is_empty()) {
        entries.push(("doc".to_owned(), Value::Text(doc)));
    }
    let params = params(meta)?;
    if !params.is_empty() {
        entries.push(("params".to_owned(), Value::List(params)));
    }
    let tags: Vec<Value> = meta.texts(3).into_iter().map(Value::Text).collect();
    if !tags.is_empty() {
        entries.push(("tags".to_owned(), Value::List(tags)));
    }
    let rules: Vec<Value> = meta.records(4)?.iter().filter_map(rule).collect();
    if !rules.is_empty() {
        entries.push(("rules".to_owned(), Value::List(rules)));
    }
    let custom = |entries| Opt { name: name.to_owned(), custom: true, value: Value::Map(entries) };
    Ok((!entries.is_empty()).then(|| custom(entries)))
}

/// The entries of a map, of which the last one of a key counts.
fn params(meta: &Record) -> Result<Vec<Value>, SchemaError> {
    let mut params: Entries<String> = Entries::default();
    for entry in meta.records(2)? {
        let (key, value) = (entry.text(1).unwrap_or_default(), entry.text(2).unwrap_or_default());
        match params.get(&key) {
            Some(existing) => *existing = value,
            None => params.push(key, value),
        }
    }
    Ok(params.into_vec().into_iter().map(|(key, value)| param(key, value)).collect())
}

fn param(key: String, value: String) -> Value {
    // As Confluent has always written the parameters of decimals.
    let value_first = matches!(key.as_str(), "precision" | "scale");
    let key = ("key".to_owned(), Value::Text(key));
    let value = ("value".to_owned(), Value::Text(value));
    Value::Map(if value_first { vec![value, key] } else { vec![key, value] })
}

fn rule(rule: &Record) -> Option<Value> {
    let entries: Vec<(String, Value)> = [("name", 1), ("doc", 2), ("expr", 3), ("sql", 4)]
        .into_iter()
        .filter_map(|(key, number)| {
            Some((key.to_owned(), Value::Text(rule.text(number).filter(|text| !text.is_empty())?)))
        })
        .collect();
    (!entries.is_empty()).then_some(Value::Map(entries))
}
