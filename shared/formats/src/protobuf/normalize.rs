//! Normalizing: names resolved, statements sorted, options merged (protobuf-canonical.md, normalize=true).
//!
//! Registering also does it to see whether every type is known.

use std::cell::Cell;
use std::collections::HashMap;

use super::link::{Linker, Origin, Scope, TypeInfo, is_map_entry};
use super::model::{
    Enum, Extend, Extensions, Field, File, Flow, Group, Message, Oneof, Reserved, Rpc, Section, Service, Syntax, Tags,
    Type,
};
use super::normal_options::{Options, field_options};
use super::type_name::{self, Written};
use crate::SchemaError;
use crate::json_text::utf16_order;

/// The normalized form of a file.
///
/// # Errors
/// If a type is not known.
pub(super) fn normalize(file: &File, linker: &Linker<'_>) -> Result<File, SchemaError> {
    let scope = Scope::of_package(file.package.as_deref().unwrap_or_default());
    let mut normalizer = Normalizer { linker, scope, keeps_entries: false, mentions_entry: Cell::new(false) };
    let normalized = normalizer.file(file)?;
    if !normalizer.mentions_entry.get() {
        return Ok(normalized);
    }
    // A map entry that something else than the field of the map names would be missing.
    normalizer.keeps_entries = true;
    normalizer.file(file)
}

fn sorted_set(texts: &[String]) -> Vec<String> {
    let mut sorted = texts.to_vec();
    sorted.sort_by(|one, other| utf16_order(one, other));
    sorted.dedup();
    sorted
}

struct Normalizer<'l, 'a> {
    linker: &'l Linker<'a>,
    scope: Scope,
    /// Whether the entries of maps stay that are written as messages.
    keeps_entries: bool,
    /// Whether one of them was named where it does not become a map.
    mentions_entry: Cell<bool>,
}

impl Normalizer<'_, '_> {
    fn file(&mut self, file: &File) -> Result<File, SchemaError> {
        Ok(File {
            syntax: file.syntax.filter(|syntax| *syntax == Syntax::Proto3),
            package: file.package.clone(),
            imports: sorted_set(&file.imports),
            public_imports: sorted_set(&file.public_imports),
            options: self.options().normalize(file.options.clone()),
            types: self.types(&file.types)?,
            extends: self.extends(&file.extends)?,
            services: file.services.iter().map(|service| self.service(service)).collect::<Result<_, _>>()?,
        })
    }

    fn options(&self) -> Options<'_, '_> {
        Options { linker: self.linker, scope: &self.scope }
    }

    /// The full name of a type, with a leading dot.
    fn resolve(&self, name: &str) -> Result<String, SchemaError> {
        match self.linker.resolve_type(&self.scope, name) {
            Some((full_name, info)) => {
                self.note(&info);
                Ok(format!(".{full_name}"))
            }
            None => Err(SchemaError::new(format!("Could not resolve type: {name}"))),
        }
    }

    fn note(&self, info: &TypeInfo<'_>) {
        if info.is_map && info.origin == Origin::Local {
            self.mentions_entry.set(true);
        }
    }

    fn types(&mut self, types: &[Type]) -> Result<Vec<Type>, SchemaError> {
        let keeps_entries = self.keeps_entries;
        types
            .iter()
            .filter(|one| keeps_entries || !one.message().is_some_and(is_map_entry))
            .map(|one| {
                self.scope.enter(one.name());
                let normalized = match one {
                    Type::Message(message) => self.message(message).map(Type::Message),
                    Type::Enum(one) => Ok(Type::Enum(self.enumeration(one))),
                };
                self.scope.leave();
                normalized
            })
            .collect()
    }

    fn message(&mut self, message: &Message) -> Result<Message, SchemaError> {
        Ok(Message {
            name: message.name.clone(),
            reserved: sorted_reserved(&message.reserved),
            options: self.options().normalize(message.options.clone()),
            fields: self.fields(&message.fields)?,
            oneofs: self.oneofs(&message.oneofs)?,
            groups: self.groups(&message.groups)?,
            extensions: self.extensions(&message.extensions),
            extends: self.extends(&message.extends)?,
            types: self.types(&message.types)?,
        })
    }

    fn enumeration(&self, one: &Enum) -> Enum {
        let mut constants = one.constants.clone();
        constants.sort_by(|one, other| one.number.cmp(&other.number).then_with(|| utf16_order(&one.name, &other.name)));
        for constant in &mut constants {
            constant.options = self.options().normalize(std::mem::take(&mut constant.options));
        }
        let options = Section {
            place_kept: one.options.is_printed(),
            items: self.options().normalize(one.options.items.clone()),
        };
        Enum { name: one.name.clone(), reserved: sorted_reserved(&one.reserved), options, constants }
    }

    fn fields(&self, fields: &[Field]) -> Result<Vec<Field>, SchemaError> {
        // Sorted first, so that the first field whose type is not known is the one that the reference names.
        let mut sorted: Vec<&Field> = fields.iter().collect();
        sorted.sort_by_key(|field| field.tag);
        sorted.into_iter().map(|field| self.field(field)).collect()
    }

    fn field(&self, field: &Field) -> Result<Field, SchemaError> {
        let type_name = self.field_type(&field.type_name)?;
        let label = if type_name.starts_with("map<") { None } else { field.label };
        let options = self.options().normalize(field_options(field, &type_name));
        Ok(Field {
            label,
            type_name,
            name: field.name.clone(),
            tag: field.tag,
            // They were sorted in with the options.
            default: None,
            json_name: None,
            options,
        })
    }

    fn field_type(&self, written: &str) -> Result<String, SchemaError> {
        let type_name = match type_name::read(written)? {
            Written::Scalar(_) => return Ok(written.to_owned()),
            Written::Map { .. } => written.to_owned(),
            Written::Name(name) => match self.linker.resolve_type(&self.scope, name) {
                Some((_, info)) if info.is_map => info.map_type()?,
                Some((full_name, _)) => return Ok(format!(".{full_name}")),
                None => return self.resolve(name),
            },
        };
        // Nobody checks that the type of the values is there.
        Ok(match type_name::read(&type_name)? {
            Written::Map { key, value } => match self.linker.resolve_type(&self.scope, value) {
                Some((full_name, info)) => {
                    self.note(&info);
                    format!("map<{key}, .{full_name}>")
                }
                None => type_name,
            },
            _ => type_name,
        })
    }

    fn oneofs(&self, oneofs: &Section<Oneof>) -> Result<Section<Oneof>, SchemaError> {
        let mut sorted: Vec<&Oneof> = oneofs.items.iter().filter(|oneof| !oneof.fields.is_empty()).collect();
        sorted.sort_by_key(|oneof| oneof.fields.iter().map(|field| field.tag).min());
        let items = sorted.into_iter().map(|oneof| {
            Ok(Oneof {
                name: oneof.name.clone(),
                options: self.options().normalize(oneof.options.clone()),
                fields: self.fields(&oneof.fields)?,
                groups: self.groups(&oneof.groups)?,
            })
        });
        Ok(Section { place_kept: oneofs.is_printed(), items: items.collect::<Result<_, _>>()? })
    }

    fn groups(&self, groups: &[Group]) -> Result<Vec<Group>, SchemaError> {
        let mut sorted: Vec<&Group> = groups.iter().collect();
        sorted.sort_by_key(|group| group.tag);
        sorted
            .into_iter()
            .map(|group| Ok(Group { fields: self.fields(&group.fields)?, name: group.name.clone(), ..*group }))
            .collect()
    }

    fn extensions(&self, extensions: &[Extensions]) -> Vec<Extensions> {
        let mut split: Vec<Extensions> = extensions
            .iter()
            .flat_map(|one| {
                let options = self.options().normalize(one.options.clone());
                one.tags.iter().map(move |tags| Extensions { tags: vec![single(*tags)], options: options.clone() })
            })
            .collect();
        split.sort_by_key(|one| one.tags.first().map(|tags| tags.first()));
        split
    }

    /// One block for each extended message, in the order in which they come.
    fn extends(&self, extends: &Section<Extend>) -> Result<Section<Extend>, SchemaError> {
        let mut items: Vec<Extend> = Vec::new();
        let mut index = HashMap::new();
        for extend in extends.items.iter().filter(|extend| !extend.fields.is_empty()) {
            let name = self.resolve(&extend.name)?;
            let at = *index.entry(name.clone()).or_insert(items.len());
            if at == items.len() {
                items.push(Extend { name, fields: Vec::new() });
            }
            if let Some(merged) = items.get_mut(at) {
                merged.fields.extend(extend.fields.iter().cloned());
            }
        }
        for extend in &mut items {
            extend.fields = self.fields(&extend.fields)?;
        }
        Ok(Section { place_kept: extends.is_printed(), items })
    }

    fn service(&self, service: &Service) -> Result<Service, SchemaError> {
        Ok(Service {
            name: service.name.clone(),
            options: self.options().normalize(service.options.clone()),
            rpcs: service.rpcs.iter().map(|rpc| self.rpc(rpc)).collect::<Result<_, _>>()?,
        })
    }

    fn rpc(&self, rpc: &Rpc) -> Result<Rpc, SchemaError> {
        Ok(Rpc {
            name: rpc.name.clone(),
            request: self.flow(&rpc.request)?,
            response: self.flow(&rpc.response)?,
            options: self.options().normalize(rpc.options.clone()),
        })
    }

    fn flow(&self, flow: &Flow) -> Result<Flow, SchemaError> {
        Ok(Flow { type_name: self.resolve(&flow.type_name)?, streaming: flow.streaming })
    }
}

/// A range of one tag is that tag.
fn single(tags: Tags) -> Tags {
    if tags.first() == tags.last() { Tags::One(tags.first()) } else { tags }
}

/// One statement for each item: tags by their first, then names.
fn sorted_reserved(reserved: &[Vec<Reserved>]) -> Vec<Vec<Reserved>> {
    let mut items: Vec<&Reserved> = reserved.iter().flatten().collect();
    items.sort_by_cached_key(|item| match item {
        Reserved::Tags(Tags::One(tag)) => (*tag, tag.to_string().encode_utf16().collect::<Vec<_>>()),
        // As Kotlin prints a range.
        Reserved::Tags(Tags::Range(first, last)) => (*first, format!("{first}..{last}").encode_utf16().collect()),
        Reserved::Name(name) => (i32::MAX, name.encode_utf16().collect()),
    });
    items
        .into_iter()
        .map(|item| {
            vec![match item {
                Reserved::Tags(tags) => Reserved::Tags(single(*tags)),
                Reserved::Name(name) => Reserved::Name(name.clone()),
            }]
        })
        .collect()
}
