//! Options as descriptors hold them: the known ones and Confluent's metadata, encoded.

use std::collections::HashMap;

use super::descriptor::Options;
use super::from_options::{Kind, Known, META, VERIFICATION};
use super::option::{Entries, Opt, Value, is_true, merged};
use super::wire::Writer;

/// The options of one statement by name, merged.
pub(super) struct Named<'a> {
    values: HashMap<&'a str, Value>,
}

impl<'a> Named<'a> {
    pub(super) fn new(options: &'a [Opt]) -> Self {
        Self { values: merged(options) }
    }

    pub(super) fn is_true(&self, name: &str) -> bool {
        self.values.get(name).is_some_and(is_true)
    }

    /// The known options, and the metadata under this name.
    pub(super) fn encode(&self, known: &[Known], meta: Option<&str>) -> Options {
        if self.values.is_empty() {
            return None;
        }
        let mut by_number: Vec<&Known> = known.iter().collect();
        by_number.sort_by_key(|(_, number, _)| *number);
        let mut writer = Writer::default();
        for one in by_number {
            self.encode_known(&mut writer, *one);
        }
        if let Some(meta) = meta.and_then(|name| self.values.get(name)).and_then(meta_record) {
            writer.record(META, &meta);
        }
        Some(writer.into_bytes()).filter(|bytes| !bytes.is_empty())
    }

    fn encode_known(&self, writer: &mut Writer, (name, number, kind): Known) {
        let Some(value) = self.values.get(name) else { return };
        match kind {
            Kind::Text => writer.text(number, &value.plain()),
            Kind::Flag => writer.flag(number, is_true(value)),
            Kind::Enum(values) => {
                let word = value.plain();
                if let Some((_, value)) = values.iter().find(|known| known.0 == word) {
                    writer.int(number, *value);
                }
            }
        }
    }
}

/// The options of a range of extensions, which the reference always sets; each declaration stands for itself.
pub(super) fn encode_extension_range(options: &[Opt]) -> Vec<u8> {
    let mut writer = Writer::default();
    for option in options.iter().filter(|option| option.name == "declaration") {
        let declarations = match &option.value {
            Value::List(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        for declaration in declarations {
            if let Value::Map(entries) = declaration {
                writer.record(2, &declaration_record(entries));
            }
        }
    }
    Named::new(options).encode_known(&mut writer, VERIFICATION);
    writer.into_bytes()
}

fn entry<'a>(entries: &'a [(String, Value)], key: &str) -> Option<&'a Value> {
    entries.iter().find(|entry| entry.0 == key).map(|entry| &entry.1)
}

fn declaration_record(entries: &[(String, Value)]) -> Writer {
    let mut writer = Writer::default();
    if let Some(number) = entry(entries, "number").and_then(|number| number.plain().parse().ok()) {
        writer.int(1, number);
    }
    for (key, number) in [("full_name", 2), ("type", 3)] {
        if let Some(value) = entry(entries, key) {
            writer.text(number, &value.plain());
        }
    }
    for (key, number) in [("reserved", 5), ("repeated", 6)] {
        if let Some(value) = entry(entries, key) {
            writer.flag(number, is_true(value));
        }
    }
    writer
}

/// Items of a key that may be repeated.
fn items<'a>(entries: &'a [(String, Value)], key: &str) -> &'a [Value] {
    match entry(entries, key) {
        Some(Value::List(items)) => items,
        Some(one) => std::slice::from_ref(one),
        None => &[],
    }
}

/// Confluent's metadata; none if there is nothing in it.
fn meta_record(value: &Value) -> Option<Writer> {
    let Value::Map(entries) = value else { return None };
    let mut writer = Writer::default();
    if let Some(doc) = entry(entries, "doc").map(Value::plain).filter(|doc| !doc.is_empty()) {
        writer.text(1, &doc);
    }
    for (key, value) in params(entries) {
        let mut param = Writer::default();
        param.text(1, &key);
        param.text(2, &value);
        writer.record(2, &param);
    }
    for tag in items(entries, "tags") {
        writer.text(3, &tag.plain());
    }
    items(entries, "rules").iter().filter_map(rule_record).for_each(|rule| writer.record(4, &rule));
    (!writer.is_empty()).then_some(writer)
}

/// Keys and values; the last value of a key counts, at the place of the first.
fn params(entries: &[(String, Value)]) -> Vec<(String, String)> {
    let mut params: Entries<String> = Entries::default();
    for param in items(entries, "params") {
        let Value::Map(param) = param else { continue };
        let part = |key: &str| entry(param, key).map(Value::plain).unwrap_or_default();
        let (key, value) = (part("key"), part("value"));
        match params.get(&key) {
            Some(existing) => *existing = value,
            None => params.push(key, value),
        }
    }
    params.into_vec()
}

fn rule_record(rule: &Value) -> Option<Writer> {
    let Value::Map(entries) = rule else { return None };
    let mut writer = Writer::default();
    for (key, number) in [("name", 1), ("doc", 2), ("expr", 3), ("sql", 4)] {
        if let Some(text) = entry(entries, key).map(Value::plain).filter(|text| !text.is_empty()) {
            writer.text(number, &text);
        }
    }
    (!writer.is_empty()).then_some(writer)
}
