//! The second stage, for options: brackets, names and values (Wire's rules, laxer than the language).

use super::lex::Reader;
use super::option::{Entries, Opt, Token, Value};
use super::parse::MAX_DEPTH;
use crate::SchemaError;

/// How many paths of names with one beginning a message literal may have; the language knows none there.
const MAX_PATHS: usize = 1000;

/// Reads the options in brackets, if there are any.
pub(super) fn read_bracketed(reader: &mut Reader<'_>) -> Result<Vec<Opt>, SchemaError> {
    let mut options = Vec::new();
    if !reader.take('[')? {
        return Ok(options);
    }
    loop {
        options.push(read_option(reader, '=', 0)?);
        if reader.take(']')? {
            return Ok(options);
        }
        if !reader.take(',')? {
            return Err(reader.error("Expected ',' or ']'"));
        }
    }
}

/// Reads a name, the separator and a value; `depth` counts the literals and lists around it.
pub(super) fn read_option(reader: &mut Reader<'_>, separator: char, depth: usize) -> Result<Opt, SchemaError> {
    let first = reader.peek()?;
    let name = reader.name(true)?;
    let name = if first == '[' { format!("[{name}]") } else { name.to_owned() };
    let mut path: Vec<Opt> = Vec::new();
    let mut next = reader.read_char()?;
    while next == '.' {
        let custom = reader.peek()? == '(';
        let word = reader.name(true)?;
        let parts = if custom { vec![word] } else { word.split('.').collect() };
        // The value follows later.
        path.extend(parts.into_iter().map(|part| Opt {
            name: part.to_owned(),
            custom,
            value: Value::List(Vec::new()),
        }));
        if path.len() > MAX_DEPTH {
            return Err(too_deep(reader));
        }
        next = reader.read_char()?;
    }
    if separator == ':' && next == '{' {
        // A literal may leave out the separator before another one.
        reader.push_back();
    } else if next != separator {
        return Err(reader.error(format!("expected '{separator}' in option")));
    }
    let value = read_value(reader, depth + path.len())?;
    let value = path.into_iter().rev().fold(value, |value, part| Value::Nested(Box::new(Opt { value, ..part })));
    Ok(Opt { name, custom: first == '(', value })
}

fn too_deep(reader: &Reader<'_>) -> SchemaError {
    reader.error(format!("nested more than {MAX_DEPTH} levels deep"))
}

fn read_value(reader: &mut Reader<'_>, depth: usize) -> Result<Value, SchemaError> {
    if depth > MAX_DEPTH {
        return Err(too_deep(reader));
    }
    match reader.peek()? {
        '{' => read_literal(reader, depth),
        '[' => read_list(reader, depth),
        '"' | '\'' => Ok(Value::Text(reader.quoted()?)),
        first => {
            let word = reader.word()?;
            let token = match word {
                _ if first.is_ascii_digit() || first == '-' => Token::Number,
                "true" | "false" => Token::Boolean,
                _ => Token::Word,
            };
            Ok(Value::Token(token, word.to_owned()))
        }
    }
}

fn read_literal(reader: &mut Reader<'_>, depth: usize) -> Result<Value, SchemaError> {
    reader.require('{')?;
    let mut entries = Entries::default();
    while !reader.take('}')? {
        let option = read_option(reader, ':', depth + 1)?;
        add(&mut entries, option).map_err(|message| reader.error(message))?;
        // A comma or a semicolon is allowed, but not asked for.
        if !reader.take(',')? {
            reader.take(';')?;
        }
    }
    Ok(Value::Map(entries.into_vec()))
}

/// Adds an entry; one key given several times is a list.
fn add(entries: &mut Entries<Value>, option: Opt) -> Result<(), &'static str> {
    let Opt { name, value, .. } = option;
    if let Value::Nested(nested) = value {
        let Opt { name: key, value, .. } = *nested;
        match entries.get(&name) {
            Some(Value::Map(within)) if within.len() > MAX_PATHS => return Err("too many paths of names in a literal"),
            Some(Value::Map(within)) => match within.iter_mut().find(|entry| entry.0 == key) {
                Some(entry) => entry.1 = value,
                None => within.push((key, value)),
            },
            Some(other) => *other = Value::Map(vec![(key, value)]),
            None => entries.push(name, Value::Map(vec![(key, value)])),
        }
        return Ok(());
    }
    let Some(before) = entries.get(&name) else {
        entries.push(name, value);
        return Ok(());
    };
    if !matches!(before, Value::List(_)) {
        let first = std::mem::replace(before, Value::List(Vec::new()));
        *before = Value::List(vec![first]);
    }
    if let Value::List(items) = before {
        match value {
            Value::List(more) => items.extend(more),
            one => items.push(one),
        }
    }
    Ok(())
}

fn read_list(reader: &mut Reader<'_>, depth: usize) -> Result<Value, SchemaError> {
    reader.require('[')?;
    let mut items = Vec::new();
    loop {
        if reader.take(']')? {
            return Ok(Value::List(items));
        }
        items.push(read_value(reader, depth + 1)?);
        if !reader.take(',')? && reader.peek()? != ']' {
            return Err(reader.error("expected ',' or ']'"));
        }
    }
}
