//! `format=ignore_extensions`: no `extend`, no `extensions`, and no custom options but Confluent's own.

use super::model::{Enum, Field, File, Group, Message, Oneof, Rpc, Section, Service, Type};
use super::option::Opt;

/// Whose custom options stay.
const KEPT: &str = "confluent.";

pub(super) fn without_extensions(file: &File) -> File {
    File {
        options: kept(&file.options),
        types: file.types.iter().map(one_type).collect(),
        extends: Section::default(),
        services: file.services.iter().map(service).collect(),
        imports: file.imports.clone(),
        public_imports: file.public_imports.clone(),
        package: file.package.clone(),
        syntax: file.syntax,
    }
}

fn kept(options: &[Opt]) -> Vec<Opt> {
    options.iter().filter(|option| !option.custom || option.name.starts_with(KEPT)).cloned().collect()
}

fn one_type(one: &Type) -> Type {
    match one {
        Type::Message(one) => Type::Message(message(one)),
        Type::Enum(one) => Type::Enum(enumeration(one)),
    }
}

fn message(message: &Message) -> Message {
    Message {
        options: kept(&message.options),
        fields: fields(&message.fields),
        oneofs: message.oneofs.items.iter().map(oneof).collect::<Vec<_>>().into(),
        groups: message.groups.iter().map(group).collect(),
        types: message.types.iter().map(one_type).collect(),
        extensions: Vec::new(),
        extends: Section::default(),
        reserved: message.reserved.clone(),
        name: message.name.clone(),
    }
}

fn enumeration(one: &Enum) -> Enum {
    let mut constants = one.constants.clone();
    for constant in &mut constants {
        constant.options = kept(&constant.options);
    }
    // The line end before the options stays without them.
    let options = Section { place_kept: one.options.is_printed(), items: kept(&one.options.items) };
    Enum { options, constants, name: one.name.clone(), reserved: one.reserved.clone() }
}

fn fields(fields: &[Field]) -> Vec<Field> {
    fields.iter().map(|field| Field { options: kept(&field.options), ..field.clone() }).collect()
}

fn oneof(oneof: &Oneof) -> Oneof {
    Oneof {
        options: kept(&oneof.options),
        fields: fields(&oneof.fields),
        groups: oneof.groups.iter().map(group).collect(),
        name: oneof.name.clone(),
    }
}

fn group(group: &Group) -> Group {
    Group { fields: fields(&group.fields), name: group.name.clone(), ..*group }
}

fn service(service: &Service) -> Service {
    let rpcs = service.rpcs.iter().map(|rpc| Rpc { options: kept(&rpc.options), ..rpc.clone() });
    Service { options: kept(&service.options), rpcs: rpcs.collect(), name: service.name.clone() }
}
