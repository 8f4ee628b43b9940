//! Names of types, fields and symbols, and what they may consist of.

use std::borrow::Cow;

use super::model::Primitive;
use crate::Strictness;

/// The words that are types of their own; a type called like one is referred to by its full name.
const TYPE_WORDS: [&str; 6] = ["record", "enum", "array", "map", "union", "fixed"];

/// The name of a type with its namespace, if it has one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Name {
    full: String,
    /// Where the name without its namespace begins.
    simple: usize,
}

impl Name {
    /// A dotted name brings its own namespace; another takes `space`. An empty namespace is none.
    pub(super) fn new(name: &str, space: Option<&str>) -> Self {
        let (space, simple) = match name.rsplit_once('.') {
            Some((own, simple)) => (own, simple),
            None => (space.unwrap_or_default(), name),
        };
        if space.is_empty() {
            return Self { full: simple.to_owned(), simple: 0 };
        }
        Self { full: format!("{space}.{simple}"), simple: space.len() + 1 }
    }

    pub(super) fn full(&self) -> &str {
        &self.full
    }

    pub(super) fn simple(&self) -> &str {
        &self.full[self.simple..]
    }

    pub(super) fn space(&self) -> Option<&str> {
        (self.simple > 0).then(|| &self.full[..self.simple - 1])
    }

    /// The shortest text that means this name where `space` encloses it.
    pub(super) fn relative_to(&self, space: Option<&str>) -> &str {
        let same = self.space().is_some() && self.space() == space;
        let word = TYPE_WORDS.contains(&self.simple()) || Primitive::from_name(self.simple()).is_some();
        if same && !word { self.simple() } else { self.full() }
    }

    /// The name as it is stored among the aliases of `owner`. Java prints one without namespace like one in the namespace
    /// of its type; with its dot it is read back as the same.
    pub(super) fn as_stored_alias_of(&self, owner: &Self) -> Cow<'_, str> {
        match (self.space(), owner.space()) {
            (None, Some(_)) => Cow::Owned(self.as_alias_of(owner)),
            (_, space) => Cow::Borrowed(self.relative_to(space)),
        }
    }

    /// The name as Avro lists aliases: a name without namespace in a type that has one begins with a dot.
    pub(super) fn as_alias_of(&self, owner: &Self) -> String {
        if self.space().is_none() && owner.space().is_some() {
            return format!(".{}", self.full);
        }
        self.full.clone()
    }
}

/// The full name a reference to `name` means where `space` encloses it, unless that is unknown and `name` is not.
pub(super) fn qualify(name: &str, space: Option<&str>) -> String {
    match space {
        Some(space) if !name.contains('.') => format!("{space}.{name}"),
        _ => name.to_owned(),
    }
}

/// Checks a name without dots: of a type, a field or a symbol.
///
/// New schemas have ASCII names; what is read back may have letters and digits of any script (avro-canonical.md,
/// validity). What the standard library calls alphanumeric is a little more than what Java calls letter or digit
/// (combining marks, letter-like and fractional numbers), which only matters for schemas that are not new.
pub(super) fn check(name: &str, strictness: Strictness) -> Result<(), String> {
    let letter = |c: char| match strictness {
        Strictness::New => c.is_ascii_alphabetic() || c == '_',
        Strictness::Existing => (c.is_alphabetic() && c <= '\u{FFFF}') || c == '_',
    };
    let inner = |c: char| match strictness {
        Strictness::New => c.is_ascii_alphanumeric() || c == '_',
        Strictness::Existing => (c.is_alphanumeric() && c <= '\u{FFFF}') || c == '_',
    };
    let Some(first) = name.chars().next() else {
        return Err("Empty name".to_owned());
    };
    if !letter(first) {
        return Err(format!("Illegal initial character: {name}"));
    }
    if !name.chars().all(inner) {
        return Err(format!("Illegal character in: {name}"));
    }
    Ok(())
}

/// Checks the namespace of a definition; only new schemas are held to it.
pub(super) fn check_space(name: &Name, strictness: Strictness) -> Result<(), String> {
    if strictness == Strictness::Existing {
        return Ok(());
    }
    let parts = name.space().into_iter().flat_map(|space| space.split('.'));
    for part in parts {
        check(part, strictness).map_err(|what| format!("Namespace part \"{part}\" is invalid: {what}"))?;
    }
    Ok(())
}
