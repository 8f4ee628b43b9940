//! The third stage: which type a written name means, over the file, its references and the built-in files.

use std::collections::{HashMap, HashSet};

use super::known;
use super::model::{Extend, Field, File, Label, Message, Type};
use super::option::{is_true, merged};
use crate::SchemaError;

/// Where a type is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    /// The file itself.
    Local,
    /// The reference at this index.
    Reference(usize),
    /// A built-in file.
    Known(usize),
}

/// A message or an enum, and what is asked about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypeInfo<'a> {
    pub(super) package: &'a str,
    pub(super) origin: Origin,
    pub(super) definition: &'a Type,
    /// Whether it is the entry of a map.
    pub(super) is_map: bool,
}

impl<'a> TypeInfo<'a> {
    pub(super) fn is_enum(&self) -> bool {
        matches!(self.definition, Type::Enum(_))
    }

    pub(super) fn message(&self) -> Option<&'a Message> {
        self.definition.message()
    }

    /// The map that a map entry stands for, as it would be written.
    ///
    /// # Errors
    /// For an entry without a key or a value.
    pub(super) fn map_type(&self) -> Result<String, SchemaError> {
        let field = |name: &str| {
            let fields = self.message().map(|message| message.fields.as_slice()).unwrap_or_default();
            fields.iter().find(|field| field.name == name)
        };
        match (field("key"), field("value")) {
            (Some(key), Some(value)) => Ok(format!("map<{}, {}>", key.type_name, value.type_name)),
            _ => Err(SchemaError::new(format!("the map entry {} has no key or no value", self.definition.name()))),
        }
    }
}

/// A field of an `extend` block.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExtensionInfo<'a> {
    pub(super) field: &'a Field,
}

impl ExtensionInfo<'_> {
    pub(super) fn is_repeated(self) -> bool {
        self.field.label == Some(Label::Repeated)
    }
}

/// The types and extensions of some files by full name.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    types: HashMap<String, TypeInfo<'a>>,
    extensions: HashMap<String, ExtensionInfo<'a>>,
}

impl<'a> Names<'a> {
    /// Adds what a file defines; a later file wins.
    pub(super) fn add(&mut self, file: &'a File, origin: Origin) {
        let package = file.package.as_deref().unwrap_or_default();
        let mut collector = Collector { names: self, package, origin, full_name: package.to_owned() };
        collector.extends(&file.extends.items);
        collector.types(&file.types);
    }
}

struct Collector<'n, 'a> {
    names: &'n mut Names<'a>,
    package: &'a str,
    origin: Origin,
    full_name: String,
}

impl<'a> Collector<'_, 'a> {
    fn enter(&mut self, name: &str) -> usize {
        let before = self.full_name.len();
        if before > 0 {
            self.full_name.push('.');
        }
        self.full_name.push_str(name);
        before
    }

    fn extends(&mut self, extends: &'a [Extend]) {
        for field in extends.iter().flat_map(|extend| &extend.fields) {
            let before = self.enter(&field.name);
            self.names.extensions.insert(self.full_name.clone(), ExtensionInfo { field });
            self.full_name.truncate(before);
        }
    }

    fn types(&mut self, types: &'a [Type]) {
        for definition in types {
            let before = self.enter(definition.name());
            let message = definition.message();
            if let Some(message) = message {
                self.extends(&message.extends.items);
            }
            let is_map = message.is_some_and(is_map_entry);
            let info = TypeInfo { package: self.package, origin: self.origin, definition, is_map };
            self.names.types.insert(self.full_name.clone(), info);
            self.types(definition.nested());
            self.full_name.truncate(before);
        }
    }
}

/// Whether a message says that it is the entry of a map.
pub(super) fn is_map_entry(message: &Message) -> bool {
    // Most messages have no options.
    !message.options.is_empty() && merged(&message.options).get("map_entry").is_some_and(is_true)
}

/// What names mean for one schema.
#[derive(Debug)]
pub(super) struct Linker<'a> {
    own: Names<'a>,
    /// The built-in files that a reference of the same name replaces.
    replaced: HashSet<usize>,
}

impl<'a> Linker<'a> {
    /// Links `file` with the files it refers to.
    pub(super) fn new(file: &'a File, references: impl IntoIterator<Item = (&'a str, &'a File)>) -> Self {
        let mut own = Names::default();
        let mut replaced = HashSet::new();
        for (index, (name, reference)) in references.into_iter().enumerate() {
            own.add(reference, Origin::Reference(index));
            replaced.extend(known::index_of(name));
        }
        own.add(file, Origin::Local);
        Self { own, replaced }
    }

    /// The type of a full name without a leading dot.
    pub(super) fn type_of(&self, full_name: &str) -> Option<TypeInfo<'a>> {
        let known = || {
            let info = known::names().types.get(full_name)?;
            self.is_visible(info.origin).then_some(*info)
        };
        self.own.types.get(full_name).copied().or_else(known)
    }

    /// The extension of a full name without a leading dot.
    pub(super) fn extension_of(&self, full_name: &str) -> Option<ExtensionInfo<'a>> {
        self.own.extensions.get(full_name).or_else(|| known::names().extensions.get(full_name)).copied()
    }

    fn is_visible(&self, origin: Origin) -> bool {
        !matches!(origin, Origin::Known(index) if self.replaced.contains(&index))
    }

    /// The full name that a type name means within `scope`, and its type.
    pub(super) fn resolve_type(&self, scope: &Scope, name: &str) -> Option<(String, TypeInfo<'a>)> {
        scope.find(name, |full_name| self.type_of(full_name))
    }

    /// The full name that the name of an extension means within `scope`, and its field.
    pub(super) fn resolve_extension(&self, scope: &Scope, name: &str) -> Option<(String, ExtensionInfo<'a>)> {
        scope.find(name, |full_name| self.extension_of(full_name))
    }
}

/// The names around a place, outermost first: the parts of the package, then those of the messages.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    text: String,
    /// How long `text` is with each of the names.
    ends: Vec<usize>,
}

impl Scope {
    /// The scope of a package.
    pub(super) fn of_package(package: &str) -> Self {
        let mut scope = Self::default();
        // As Java splits: empty parts at the end do not count.
        package.trim_end_matches('.').split('.').filter(|_| !package.is_empty()).for_each(|part| scope.enter(part));
        scope
    }

    pub(super) fn enter(&mut self, name: &str) {
        if !self.ends.is_empty() {
            self.text.push('.');
        }
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    pub(super) fn leave(&mut self) {
        self.ends.pop();
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// Tries a name within each of the names around, innermost first.
    fn find<T>(&self, name: &str, lookup: impl Fn(&str) -> Option<T>) -> Option<(String, T)> {
        if let Some(full_name) = name.strip_prefix('.') {
            return lookup(full_name).map(|found| (full_name.to_owned(), found));
        }
        let mut candidate = String::with_capacity(self.text.len() + 1 + name.len());
        for end in self.ends.iter().rev() {
            candidate.clear();
            candidate.push_str(&self.text[..*end]);
            candidate.push('.');
            candidate.push_str(name);
            if let Some(found) = lookup(&candidate) {
                return Some((candidate, found));
            }
        }
        lookup(name).map(|found| (name.to_owned(), found))
    }
}
