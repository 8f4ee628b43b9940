//! Normalized options: custom names resolved, sorted by name, merged, numbers and literals in one form.

use super::link::{Linker, Scope};
use super::model::{Field, Label};
use super::number;
use super::option::{Keys, NoKeys, Opt, Token, Value, merge};
use super::type_name::{DefaultKind, Written, default_kind, read};
use crate::json_text::utf16_order;

/// What normalizing options needs to know.
#[derive(Clone, Copy)]
pub(super) struct Options<'l, 'a> {
    pub(super) linker: &'l Linker<'a>,
    pub(super) scope: &'l Scope,
}

/// The options of a field together with its default and its JSON name, which are sorted along.
pub(super) fn field_options(field: &Field, type_name: &str) -> Vec<Opt> {
    let default = field.default.as_ref().map(|default| {
        let value = match default_kind(type_name) {
            DefaultKind::Text => Value::Text(default.clone()),
            DefaultKind::Number => Value::Token(Token::Number, default.clone()),
            DefaultKind::Bare => Value::word(default),
        };
        Opt::known("default", value)
    });
    let json_name = field.json_name.as_ref().map(|name| Opt::known("json_name", Value::Text(name.clone())));
    field.options.iter().cloned().chain(default).chain(json_name).collect()
}

impl Options<'_, '_> {
    pub(super) fn normalize(&self, options: Vec<Opt>) -> Vec<Opt> {
        if options.is_empty() {
            return options;
        }
        let mut resolved: Vec<Opt> = options.into_iter().map(|option| self.resolved(option)).collect();
        resolved.sort_by(|one, other| utf16_order(&one.name, &other.name));
        resolved
            .chunk_by(|one, other| one.name == other.name)
            .flat_map(|same| self.merged(same))
            .map(|option| self.printed(option))
            .collect()
    }

    /// One option of those of one name, unless it may be repeated or is not known.
    fn merged(&self, same: &[Opt]) -> Vec<Opt> {
        let (Some(last), true) = (same.last(), same.len() > 1) else { return same.to_vec() };
        let known = self.linker.extension_of(last.name.strip_prefix('.').unwrap_or(&last.name));
        let Some(extension) = known.filter(|known| !known.is_repeated()) else { return same.to_vec() };
        let values = same.iter().map(|option| option.clone().with_literal().value).collect();
        let value = match MessageKeys::of_type(self.linker, parent(&last.name), &extension.field.type_name) {
            Some(keys) => merge(values, &keys),
            None => merge(values, &NoKeys),
        };
        vec![Opt { name: last.name.clone(), custom: last.custom, value }]
    }

    /// A custom option by its full name, with a path of names as a literal; one that is not known as it is.
    fn resolved(&self, option: Opt) -> Opt {
        if !option.custom {
            return option;
        }
        match self.linker.resolve_extension(self.scope, &option.name) {
            Some((name, _)) => Opt { name, ..option }.with_literal(),
            None => option,
        }
    }

    /// The form in which an option is printed.
    fn printed(&self, option: Opt) -> Opt {
        let value = match option.value {
            // Brackets of a list stay where it is the whole value.
            Value::List(items) => Value::List(items.into_iter().map(|item| self.value(item)).collect()),
            value => self.value(value),
        };
        Opt { value, ..option }
    }

    fn value(&self, value: Value) -> Value {
        match value {
            Value::Token(Token::Number, token) => {
                let normalized = number::normalized(&token);
                Value::Token(Token::Number, normalized.unwrap_or(token))
            }
            Value::Map(entries) => Value::Map(self.entries(entries)),
            Value::List(items) => {
                let mut items: Vec<Value> = items.into_iter().map(|item| self.value(item)).collect();
                match items.len() {
                    1 => items.remove(0),
                    _ => Value::List(items),
                }
            }
            Value::Nested(nested) => Value::Nested(Box::new(self.printed(*nested))),
            value => value,
        }
    }

    /// Entries by their keys, where extensions have their full names; empty lists are dropped.
    fn entries(&self, entries: Vec<(String, Value)>) -> Vec<(String, Value)> {
        let mut normalized: Vec<(String, Value)> = entries
            .into_iter()
            .map(|(key, value)| (self.key(key), self.value(value)))
            // Afterwards, since a list of an empty list becomes one.
            .filter(|(_, value)| !matches!(value, Value::List(items) if items.is_empty()))
            .collect();
        normalized.sort_by(|one, other| utf16_order(&one.0, &other.0));
        normalized.dedup_by(|later, first| later.0 == first.0);
        normalized
    }

    fn key(&self, key: String) -> String {
        let name = key.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        match name.and_then(|name| self.linker.resolve_extension(self.scope, name)) {
            Some((full_name, _)) => format!("[{full_name}]"),
            None => key,
        }
    }
}

/// The names around a full name.
fn parent(full_name: &str) -> &str {
    full_name.rsplit_once('.').map_or("", |(parent, _)| parent)
}

/// The fields of a message, as the keys of its literals.
#[derive(Clone, Debug)]
struct MessageKeys<'l, 'a> {
    linker: &'l Linker<'a>,
    full_name: String,
}

impl<'l, 'a> MessageKeys<'l, 'a> {
    /// The keys of a literal for a field of type `written` that is defined within `around`.
    fn of_type(linker: &'l Linker<'a>, around: &str, written: &str) -> Option<Self> {
        let Ok(Written::Name(name)) = read(written) else { return None };
        let (full_name, info) = linker.resolve_type(&Scope::of_package(around), name)?;
        (!info.is_map && info.message().is_some()).then_some(Self { linker, full_name })
    }
}

impl Keys for MessageKeys<'_, '_> {
    fn singular_message(&self, key: &str) -> Option<Self> {
        let message = self.linker.type_of(&self.full_name)?.message()?;
        let in_oneofs = message.oneofs.items.iter().flat_map(|oneof| &oneof.fields);
        let field = message.fields.iter().chain(in_oneofs).find(|field| field.name == key)?;
        if field.label == Some(Label::Repeated) {
            return None;
        }
        Self::of_type(self.linker, &self.full_name, &field.type_name)
    }
}
