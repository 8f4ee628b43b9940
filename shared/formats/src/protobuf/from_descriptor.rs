//! Base64 of a `FileDescriptorProto`, turned into the file that its text would be (protobuf-canonical.md).
//!
//! The order of options is that of Confluent's converter; of custom options only Confluent's own are known to it.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::from_options::{
    constant_options, enum_options, extension_range_options, field_options, file_options, message_options,
    method_options, service_options,
};
use super::model::{
    Constant, Enum, Extend, Extensions, Field, File, Flow, Label, Message, Oneof, Reserved, Rpc, Section, Service,
    Syntax, Tags, Type,
};
use super::parse::MAX_DEPTH;
use super::wire::Record;
use crate::SchemaError;

/// Java's basic decoder: the standard alphabet and nothing else; padding is complete or not there.
fn decode(text: &str) -> Result<Vec<u8>, base64::DecodeError> {
    let padding =
        if text.ends_with('=') { DecodePaddingMode::RequireCanonical } else { DecodePaddingMode::RequireNone };
    let config = GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true).with_decode_padding_mode(padding);
    GeneralPurpose::new(&STANDARD, config).decode(text)
}

/// Reads base64 of a descriptor.
pub(super) fn read(text: &str) -> Result<File, SchemaError> {
    let bytes = decode(text).map_err(|error| SchemaError::new(format!("no base64: {error}")))?;
    file(&Record::read(&bytes)?)
}

fn file(record: &Record) -> Result<File, SchemaError> {
    let syntax = match record.text(12).as_deref() {
        Some("proto2") => Some(Syntax::Proto2),
        Some("proto3") => Some(Syntax::Proto3),
        _ => None,
    };
    let mut types = Vec::new();
    for message in record.records(4)? {
        types.push(Type::Message(self::message(&message, syntax, 0)?));
    }
    for one in record.records(5)? {
        types.push(Type::Enum(enumeration(&one)?));
    }
    let public = record.ints(10)?;
    let is_public = |index: usize| i32::try_from(index).is_ok_and(|index| public.contains(&index));
    let (mut imports, mut public_imports) = (Vec::new(), Vec::new());
    for (index, path) in record.texts(3).into_iter().enumerate() {
        if is_public(index) { public_imports.push(path) } else { imports.push(path) }
    }
    Ok(File {
        syntax,
        package: record.text(2).filter(|package| !package.is_empty()),
        imports,
        public_imports,
        options: file_options(&record.record(8)?.unwrap_or_default())?,
        types,
        extends: extends(&record.records(7)?, syntax)?,
        services: record.records(6)?.iter().map(service).collect::<Result<_, _>>()?,
    })
}

/// One block for each extended message, in the order in which they come.
fn extends(records: &[Record], syntax: Option<Syntax>) -> Result<Section<Extend>, SchemaError> {
    let mut extends: Vec<Extend> = Vec::new();
    let mut index = std::collections::HashMap::new();
    for record in records {
        let name = record.text(2).unwrap_or_default();
        let at = *index.entry(name.clone()).or_insert(extends.len());
        if at == extends.len() {
            extends.push(Extend { name, fields: Vec::new() });
        }
        let field = field(record, syntax, false)?;
        if let Some(extend) = extends.get_mut(at) {
            extend.fields.push(field);
        }
    }
    Ok(extends.into())
}

fn message(record: &Record, syntax: Option<Syntax>, depth: usize) -> Result<Message, SchemaError> {
    if depth >= MAX_DEPTH {
        return Err(SchemaError::new(format!("messages nested more than {MAX_DEPTH} levels deep")));
    }
    let mut oneofs: Vec<Oneof> = record
        .records(8)?
        .iter()
        .map(|oneof| Oneof { name: oneof.text(1).unwrap_or_default(), ..Oneof::default() })
        .collect();
    let mut fields = Vec::new();
    for one in record.records(2)? {
        // The oneof of a proto3 optional field stands for that and nothing else.
        match one.int(9).filter(|_| !one.flag(17).unwrap_or(false)) {
            Some(index) => {
                let oneof = usize::try_from(index).ok().and_then(|index| oneofs.get_mut(index));
                let oneof = oneof.ok_or_else(|| SchemaError::new(format!("there is no oneof {index}")))?;
                oneof.fields.push(field(&one, syntax, true)?);
            }
            None => fields.push(field(&one, syntax, false)?),
        }
    }
    oneofs.retain(|oneof| !oneof.fields.is_empty());
    let mut types = Vec::new();
    for nested in record.records(3)? {
        types.push(Type::Message(message(&nested, syntax, depth + 1)?));
    }
    for nested in record.records(4)? {
        types.push(Type::Enum(enumeration(&nested)?));
    }
    let mut extensions = Vec::new();
    for range in record.records(5)? {
        let options = extension_range_options(&range.record(3)?.unwrap_or_default())?;
        extensions.push(Extensions { tags: vec![exclusive_range(&range)], options });
    }
    let ranges = record.records(9)?;
    let ranges = ranges.iter().map(|range| vec![Reserved::Tags(exclusive_range(range))]);
    let names = record.texts(10).into_iter().map(|name| vec![Reserved::Name(name)]);
    Ok(Message {
        name: record.text(1).unwrap_or_default(),
        reserved: ranges.chain(names).collect(),
        options: message_options(&record.record(7)?.unwrap_or_default())?,
        fields,
        oneofs: oneofs.into(),
        groups: Vec::new(),
        extensions,
        extends: extends(&record.records(6)?, syntax)?,
        types,
    })
}

/// A range whose end does not belong to it.
fn exclusive_range(range: &Record) -> Tags {
    range_of(range.int(1).unwrap_or(0), range.int(2).unwrap_or(0).wrapping_sub(1))
}

fn range_of(first: i32, last: i32) -> Tags {
    if first == last { Tags::One(first) } else { Tags::Range(first, last) }
}

fn enumeration(record: &Record) -> Result<Enum, SchemaError> {
    let mut constants = Vec::new();
    for value in record.records(2)? {
        constants.push(Constant {
            name: value.text(1).unwrap_or_default(),
            number: value.int(2).unwrap_or(0),
            options: constant_options(&value.record(3)?.unwrap_or_default())?,
        });
    }
    let ranges = record.records(4)?;
    let ranges = ranges.iter().map(|range| {
        let tags = range_of(range.int(1).unwrap_or(0), range.int(2).unwrap_or(0));
        vec![Reserved::Tags(tags)]
    });
    let names = record.texts(5).into_iter().map(|name| vec![Reserved::Name(name)]);
    Ok(Enum {
        name: record.text(1).unwrap_or_default(),
        reserved: ranges.chain(names).collect(),
        options: enum_options(&record.record(3)?.unwrap_or_default())?.into(),
        constants,
    })
}

fn field(record: &Record, syntax: Option<Syntax>, in_oneof: bool) -> Result<Field, SchemaError> {
    let proto3 = syntax == Some(Syntax::Proto3);
    let label = match record.int(4) {
        _ if record.flag(17).unwrap_or(false) => Some(Label::Optional),
        Some(3) => Some(Label::Repeated),
        _ if proto3 => None,
        Some(2) => Some(Label::Required),
        _ => Some(Label::Optional),
    };
    Ok(Field {
        label: label.filter(|_| !in_oneof),
        type_name: record.text(6).unwrap_or_else(|| scalar(record.int(5)).to_owned()),
        name: record.text(1).unwrap_or_default(),
        tag: record.int(3).unwrap_or(0),
        default: record.text(7).filter(|_| !proto3),
        json_name: record.text(10),
        options: field_options(&record.record(8)?.unwrap_or_default())?,
    })
}

/// The types of `FieldDescriptorProto.Type` by number.
pub(super) const TYPES: [&str; 18] = [
    "double", "float", "int64", "uint64", "int32", "fixed64", "fixed32", "bool", "string", "group", "message", "bytes",
    "uint32", "enum", "sfixed32", "sfixed64", "sint32", "sint64",
];

fn scalar(number: Option<i32>) -> &'static str {
    // The first is the default of the field.
    let index = number.and_then(|number| usize::try_from(number).ok()).and_then(|number| number.checked_sub(1));
    index.and_then(|index| TYPES.get(index)).unwrap_or(&TYPES[0])
}

fn service(record: &Record) -> Result<Service, SchemaError> {
    let mut rpcs = Vec::new();
    for method in record.records(2)? {
        let flow = |type_number, streaming_number| Flow {
            type_name: method.text(type_number).unwrap_or_default(),
            streaming: method.flag(streaming_number).unwrap_or(false),
        };
        rpcs.push(Rpc {
            name: method.text(1).unwrap_or_default(),
            request: flow(2, 5),
            response: flow(3, 6),
            options: method_options(&method.record(4)?.unwrap_or_default()),
        });
    }
    Ok(Service {
        name: record.text(1).unwrap_or_default(),
        options: service_options(&record.record(3)?.unwrap_or_default()),
        rpcs,
    })
}
