//! Options: names and values as written, and how several values of one option become one.

use std::collections::{HashMap, HashSet};

/// One option with its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Opt {
    /// Without the parentheses of a custom option; in a message literal, an extension stands in brackets.
    pub(super) name: String,
    /// Whether it is a custom option.
    pub(super) custom: bool,
    pub(super) value: Value,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    /// A quoted string, decoded.
    Text(String),
    /// A token that is printed bare.
    Token(Token, String),
    /// A message literal; no key stands twice.
    Map(Vec<(String, Self)>),
    List(Vec<Self>),
    /// `.name = value` behind the name of the option.
    Nested(Box<Opt>),
}

/// What a bare token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Token {
    Boolean,
    Number,
    Word,
}

impl Opt {
    pub(super) fn known(name: &str, value: Value) -> Self {
        Self { name: name.to_owned(), custom: false, value }
    }

    /// The same with a path of names turned into message literals.
    pub(super) fn with_literal(self) -> Self {
        match self.value {
            Value::Nested(nested) => Self { value: nested.into_literal(), ..self },
            _ => self,
        }
    }

    fn into_literal(self) -> Value {
        let value = match self.value {
            Value::Nested(nested) => nested.into_literal(),
            value => value,
        };
        Value::Map(vec![(self.name, value)])
    }
}

impl Value {
    pub(super) fn word(word: &str) -> Self {
        Self::Token(Token::Word, word.to_owned())
    }

    pub(super) fn boolean(value: bool) -> Self {
        Self::Token(Token::Boolean, value.to_string())
    }

    fn into_entries(self) -> Vec<(String, Self)> {
        match self {
            Self::Map(entries) => entries,
            _ => Vec::new(),
        }
    }

    /// The text of a value where one is asked for, such as that of `java_package`, quoted or not.
    pub(super) fn plain(&self) -> String {
        match self {
            Self::Text(text) | Self::Token(_, text) => text.clone(),
            Self::Map(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{key}={}", value.plain())).collect();
                format!("{{{}}}", entries.join(", "))
            }
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(Self::plain).collect();
                format!("[{}]", items.join(", "))
            }
            Self::Nested(nested) => format!("{}={}", nested.name, nested.value.plain()),
        }
    }
}

/// The entries of a message literal while it is being made; keys are found without looking at all others.
#[derive(Debug)]
pub(super) struct Entries<T> {
    entries: Vec<(String, T)>,
    index: HashMap<String, usize>,
}

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), index: HashMap::new() }
    }
}

impl<T> Entries<T> {
    pub(super) fn get(&mut self, key: &str) -> Option<&mut T> {
        let index = *self.index.get(key)?;
        self.entries.get_mut(index).map(|entry| &mut entry.1)
    }

    /// Adds an entry for a key that is not there.
    pub(super) fn push(&mut self, key: String, value: T) {
        self.index.insert(key.clone(), self.entries.len());
        self.entries.push((key, value));
    }

    pub(super) fn into_vec(self) -> Vec<(String, T)> {
        self.entries
    }
}

/// Says of a key of a message literal whether two values of it are one message, and what is known of its own keys.
pub(super) trait Keys: Clone {
    /// What is known of the keys of the message that `key` holds, if it holds a single message.
    fn singular_message(&self, key: &str) -> Option<Self>;
}

/// Nothing is known: every key may be repeated.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoKeys;

impl Keys for NoKeys {
    fn singular_message(&self, _key: &str) -> Option<Self> {
        None
    }
}

/// The value of an option that is given several times: the last one, but literals are merged key by key.
pub(super) fn merge(mut values: Vec<Value>, keys: &impl Keys) -> Value {
    // A value that is no literal discards what was before it.
    let last_plain = values.iter().rposition(|value| !matches!(value, Value::Map(_)));
    if let Some(at) = last_plain {
        values.drain(..if at + 1 == values.len() { at } else { at + 1 });
    }
    if values.len() == 1
        && let Some(only) = values.pop()
    {
        return only;
    }
    let mut merged: Entries<Vec<Value>> = Entries::default();
    for (key, value) in values.into_iter().flat_map(Value::into_entries) {
        match merged.get(&key) {
            Some(values) => values.push(value),
            None => merged.push(key, vec![value]),
        }
    }
    let entries = merged.into_vec().into_iter().map(|(key, values)| {
        let value = merge_key(values, keys.singular_message(&key).as_ref());
        (key, value)
    });
    Value::Map(entries.collect())
}

/// The values of one key: one message if the key holds one, else all their items.
fn merge_key<K: Keys>(mut values: Vec<Value>, message: Option<&K>) -> Value {
    let literals = values.iter().take_while(|value| matches!(value, Value::Map(_))).count();
    if let Some(keys) = message
        && literals > 1
    {
        let first = merge(values.drain(..literals).collect(), keys);
        values.insert(0, first);
    }
    match values.len() {
        1 => values.remove(0),
        _ => Value::List(union(values)),
    }
}

/// All items, each once.
fn union(values: Vec<Value>) -> Vec<Value> {
    let mut seen = HashSet::new();
    values
        .into_iter()
        .flat_map(|value| match value {
            Value::List(items) => items,
            value => vec![value],
        })
        .filter(|item| seen.insert(item.clone()))
        .collect()
}

/// The options by name, where the last statement wins and message literals are merged; a leading dot does not count.
pub(super) fn merged<'a>(options: impl IntoIterator<Item = &'a Opt>) -> HashMap<&'a str, Value> {
    let mut by_name: HashMap<&str, Vec<Value>> = HashMap::new();
    for option in options {
        let name = option.name.strip_prefix('.').unwrap_or(&option.name);
        by_name.entry(name).or_default().push(option.clone().with_literal().value);
    }
    by_name.into_iter().map(|(name, values)| (name, merge(values, &NoKeys))).collect()
}

/// Whether an option is set to `true`, in any case of letters.
pub(super) fn is_true(value: &Value) -> bool {
    value.plain().eq_ignore_ascii_case("true")
}
