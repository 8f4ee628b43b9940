//! The symbols of descriptors, and how Java's runtime looks names up among them.

use std::collections::HashMap;

use super::descriptor::{EnumDescriptor, FileDescriptor, MessageDescriptor};
use crate::SchemaError;

/// What a full name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Symbol<'d> {
    Message(&'d MessageDescriptor),
    Enum(&'d EnumDescriptor),
    Package,
    Service,
    /// A field, a constant or a method: no name of a type leads there.
    Member,
}

impl Symbol<'_> {
    fn is_type(&self) -> bool {
        matches!(self, Self::Message(_) | Self::Enum(_))
    }

    /// Whether names can be within it.
    fn is_aggregate(&self) -> bool {
        !matches!(self, Self::Member)
    }
}

/// A problem with a symbol, as Java's runtime says it.
pub(super) fn problem(full_name: &str, message: impl AsRef<str>) -> SchemaError {
    SchemaError::new(format!("{full_name}: {}", message.as_ref()))
}

/// Whether Java's runtime refuses a name: it takes ASCII letters, digits and underscores, and no digit first.
fn not_an_identifier(name: &str) -> bool {
    let starts_with_digit = name.starts_with(|first: char| first.is_ascii_digit());
    starts_with_digit || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The symbols that one file defines.
#[derive(Debug, Default)]
pub(super) struct Symbols<'d> {
    by_name: HashMap<String, Symbol<'d>>,
}

impl<'d> Symbols<'d> {
    /// Collects the symbols of a file in the order in which Java does; the packages are those of its imports.
    pub(super) fn of_file<'p>(
        file: &'d FileDescriptor,
        packages: impl IntoIterator<Item = &'p str>,
    ) -> Result<Self, SchemaError> {
        let mut symbols = Self::default();
        packages.into_iter().for_each(|package| symbols.add_package(package));
        let package = file.package.as_deref().unwrap_or_default();
        symbols.add_package(package);
        for message in &file.messages {
            symbols.add_message(package, message)?;
        }
        for one in &file.enums {
            symbols.add_enum(package, one)?;
        }
        for service in &file.services {
            let full_name = join(package, &service.name);
            for method in &service.methods {
                symbols.add(&full_name, &method.name, Symbol::Member)?;
            }
            symbols.add(package, &service.name, Symbol::Service)?;
        }
        for extension in &file.extensions {
            symbols.add_field(package, &extension.name, extension.number)?;
        }
        Ok(symbols)
    }

    fn add_package(&mut self, package: &str) {
        for (at, _) in package.match_indices('.') {
            self.by_name.insert(package[..at].to_owned(), Symbol::Package);
        }
        if !package.is_empty() {
            self.by_name.insert(package.to_owned(), Symbol::Package);
        }
    }

    fn add_message(&mut self, around: &str, message: &'d MessageDescriptor) -> Result<(), SchemaError> {
        let full_name = join(around, &message.name);
        for nested in &message.nested {
            self.add_message(&full_name, nested)?;
        }
        for nested in &message.enums {
            self.add_enum(&full_name, nested)?;
        }
        for field in message.fields.iter().chain(&message.extensions) {
            self.add_field(&full_name, &field.name, field.number)?;
        }
        self.add(around, &message.name, Symbol::Message(message))
    }

    fn add_enum(&mut self, around: &str, one: &'d EnumDescriptor) -> Result<(), SchemaError> {
        let full_name = join(around, &one.name);
        if one.values.is_empty() {
            return Err(problem(&full_name, "Enums must contain at least one value."));
        }
        for (name, ..) in &one.values {
            self.add(&full_name, name, Symbol::Member)?;
        }
        self.add(around, &one.name, Symbol::Enum(one))
    }

    fn add_field(&mut self, around: &str, name: &str, number: i32) -> Result<(), SchemaError> {
        if number <= 0 {
            return Err(problem(&join(around, name), "Field numbers must be positive integers."));
        }
        self.add(around, name, Symbol::Member)
    }

    fn add(&mut self, around: &str, name: &str, symbol: Symbol<'d>) -> Result<(), SchemaError> {
        let full_name = join(around, name);
        if name.is_empty() {
            return Err(problem(&full_name, "Missing name."));
        }
        if not_an_identifier(name) {
            return Err(problem(&full_name, format!("\"{name}\" is not a valid identifier.")));
        }
        if self.by_name.insert(full_name.clone(), symbol).is_none() {
            return Ok(());
        }
        let message = if around.is_empty() {
            format!("\"{full_name}\" is already defined.")
        } else {
            format!("\"{name}\" is already defined in \"{around}\".")
        };
        Err(problem(&full_name, message))
    }

    /// The full names of all types.
    pub(super) fn types(&self) -> impl Iterator<Item = &str> {
        self.by_name.iter().filter(|(_, symbol)| symbol.is_type()).map(|(name, _)| name.as_str())
    }
}

pub(super) fn join(around: &str, name: &str) -> String {
    if around.is_empty() { name.to_owned() } else { format!("{around}.{name}") }
}

/// The symbols that a file sees: its own, then those of its imports and of what they import publicly.
#[derive(Debug)]
pub(super) struct View<'s, 'd> {
    pub(super) own: &'s Symbols<'d>,
    pub(super) imports: Vec<&'s Symbols<'d>>,
}

impl<'d> View<'_, 'd> {
    fn find(&self, full_name: &str, filter: impl Fn(&Symbol<'d>) -> bool) -> Option<Symbol<'d>> {
        let files = std::iter::once(&self.own).chain(&self.imports);
        files.filter_map(|symbols| symbols.by_name.get(full_name)).find(|symbol| filter(symbol)).copied()
    }

    /// The full name and the symbol that the name of a type means at the place `from`.
    ///
    /// The first part of the name decides where the rest is looked for.
    pub(super) fn type_of(&self, name: &str, from: &str) -> Result<(String, Symbol<'d>), SchemaError> {
        let undefined = || problem(from, format!("\"{name}\" is not defined."));
        if let Some(full_name) = name.strip_prefix('.') {
            return self
                .find(full_name, Symbol::is_type)
                .map(|found| (full_name.to_owned(), found))
                .ok_or_else(undefined);
        }
        let first = name.split('.').next().unwrap_or(name);
        let mut around = from;
        while let Some((parent, _)) = around.rsplit_once('.') {
            around = parent;
            let Some(found) = self.find(&join(parent, first), Symbol::is_aggregate) else { continue };
            let full_name = join(parent, name);
            let found = if first == name { Some(found) } else { self.find(&full_name, Symbol::is_type) };
            return found.map(|found| (full_name, found)).ok_or_else(undefined);
        }
        self.find(name, Symbol::is_type).map(|found| (name.to_owned(), found)).ok_or_else(undefined)
    }
}
