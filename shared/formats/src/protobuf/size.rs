//! How long the full names of a schema are in all: names within long names would multiply.

use super::model::{Enum, Extend, Field, File, Group, Message, Service, Type};
use super::option::{Opt, Value};
use crate::SchemaError;

/// How many bytes the full names of everything in a schema and its references may have in all.
pub const MAX_NAME_BYTES: usize = 16 << 20;

/// Checks the full names of some files.
///
/// # Errors
/// If they are longer than [`MAX_NAME_BYTES`] in all.
pub(super) fn check<'a>(files: impl IntoIterator<Item = &'a File>) -> Result<(), SchemaError> {
    let bytes: usize = files.into_iter().map(file).sum();
    if bytes > MAX_NAME_BYTES {
        return Err(SchemaError::new(format!("the full names are longer than {MAX_NAME_BYTES} bytes in all")));
    }
    Ok(())
}

fn file(file: &File) -> usize {
    let around = file.package.as_deref().unwrap_or_default().len();
    let services: usize = file.services.iter().map(|one| service(around, one)).sum();
    options(around, &file.options) + types(around, &file.types) + extends(around, &file.extends.items) + services
}

/// `around` is the length of the full name around, also in what follows.
fn types(around: usize, types: &[Type]) -> usize {
    types
        .iter()
        .map(|one| match one {
            Type::Message(one) => message(around, one),
            Type::Enum(one) => enumeration(around, one),
        })
        .sum()
}

fn message(around: usize, message: &Message) -> usize {
    let name = around + message.name.len() + 1;
    let oneofs: usize = message
        .oneofs
        .items
        .iter()
        .map(|oneof| fields(name, &oneof.fields) + groups(name, &oneof.groups) + options(name, &oneof.options))
        .sum();
    let extensions: usize = message.extensions.iter().map(|one| options(name, &one.options)).sum();
    let own = name + options(name, &message.options) + fields(name, &message.fields) + groups(name, &message.groups);
    own + oneofs + extensions + extends(name, &message.extends.items) + types(name, &message.types)
}

fn enumeration(around: usize, one: &Enum) -> usize {
    let name = around + one.name.len() + 1;
    let constants: usize =
        one.constants.iter().map(|constant| name + constant.name.len() + options(name, &constant.options)).sum();
    name + constants + options(name, &one.options.items)
}

fn fields(around: usize, fields: &[Field]) -> usize {
    // Once for the name of the field, once for that of its type.
    let lengths =
        fields.iter().map(|one| 2 * around + one.name.len() + one.type_name.len() + options(around, &one.options));
    lengths.sum()
}

fn groups(around: usize, groups: &[Group]) -> usize {
    groups.iter().map(|group| fields(around, &group.fields)).sum()
}

fn extends(around: usize, extends: &[Extend]) -> usize {
    extends.iter().map(|extend| around + extend.name.len() + fields(around, &extend.fields)).sum()
}

fn service(around: usize, service: &Service) -> usize {
    let name = around + service.name.len() + 1;
    let rpcs = service.rpcs.iter().map(|rpc| {
        let types = rpc.request.type_name.len() + rpc.response.type_name.len();
        3 * name + rpc.name.len() + types + options(around, &rpc.options)
    });
    name + options(around, &service.options) + rpcs.sum::<usize>()
}

fn options(around: usize, options: &[Opt]) -> usize {
    options.iter().map(|option| around + option.name.len() + keys(around, &option.value)).sum()
}

/// The keys of literals, which may be names of extensions.
fn keys(around: usize, value: &Value) -> usize {
    match value {
        Value::Text(_) | Value::Token(..) => 0,
        Value::Map(entries) => entries.iter().map(|(key, value)| around + key.len() + keys(around, value)).sum(),
        Value::List(items) => items.iter().map(|item| keys(around, item)).sum(),
        Value::Nested(nested) => keys(around, &nested.value),
    }
}
