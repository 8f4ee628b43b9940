//! The descriptor of a file, as Confluent's registry builds it for `format=serialized` and strict validation.

use std::collections::HashSet;

use super::descriptor::{
    EnumDescriptor, FieldDescriptor, FileDescriptor, MessageDescriptor, MethodDescriptor, ServiceDescriptor,
};
use super::from_descriptor::TYPES;
use super::from_options::{CONSTANT, ENUM, FIELD, FILE, MESSAGE, METHOD, SERVICE};
use super::link::{Linker, Scope};
use super::model::{Enum, Extend, Field, File, Label, Message, Reserved, Service, Syntax, Type};
use super::to_options::{Named, encode_extension_range};
use super::type_name::{Written, read};

/// The number of `TYPE_MESSAGE`.
pub(super) const TYPE_MESSAGE: i32 = 11;

/// The number of `TYPE_ENUM`.
pub(super) const TYPE_ENUM: i32 = 14;

/// Builds the descriptor of `file`; only imports that `is_there` says can be had are its dependencies.
pub(super) fn build(name: &str, file: &File, linker: &Linker<'_>, is_there: impl Fn(&str) -> bool) -> FileDescriptor {
    let scope = Scope::of_package(file.package.as_deref().unwrap_or_default());
    let mut builder = Builder { linker, scope, syntax: file.syntax };
    let mut descriptor = FileDescriptor {
        name: name.to_owned(),
        package: file.package.clone(),
        syntax: file.syntax.map(Syntax::name),
        messages: file.types.iter().filter_map(Type::message).map(|message| builder.message(message)).collect(),
        enums: file.types.iter().filter_map(Type::as_enum).map(enumeration).collect(),
        services: file.services.iter().map(service).collect(),
        extensions: builder.extensions(&file.extends.items),
        options: Named::new(&file.options).encode(FILE, Some("confluent.file_meta")),
        ..FileDescriptor::default()
    };
    let mut seen = std::collections::HashMap::new();
    let paths =
        file.imports.iter().map(|path| (path, false)).chain(file.public_imports.iter().map(|path| (path, true)));
    for (path, public) in paths.filter(|(path, _)| is_there(path)) {
        let index = *seen.entry(path).or_insert(descriptor.dependencies.len());
        if index == descriptor.dependencies.len() {
            descriptor.dependencies.push(path.clone());
        }
        if public {
            descriptor.public.push(index);
        }
    }
    descriptor
}

struct Builder<'l, 'a> {
    linker: &'l Linker<'a>,
    scope: Scope,
    syntax: Option<Syntax>,
}

impl Builder<'_, '_> {
    fn message(&mut self, message: &Message) -> MessageDescriptor {
        self.scope.enter(&message.name);
        let nested = message.types.iter().filter_map(Type::message).map(|nested| self.message(nested)).collect();
        let options = Named::new(&message.options).encode(MESSAGE, Some("confluent.message_meta"));
        let mut descriptor = MessageDescriptor {
            name: message.name.clone(),
            nested,
            enums: message.types.iter().filter_map(Type::as_enum).map(enumeration).collect(),
            extensions: self.extensions(&message.extends.items),
            options,
            ..MessageDescriptor::default()
        };
        let mut in_oneofs = HashSet::new();
        for oneof in &message.oneofs.items {
            for field in &oneof.fields {
                in_oneofs.insert(field.name.as_str());
                let field = self.in_oneof(field, descriptor.oneofs.len());
                descriptor.fields.push(field);
            }
            descriptor.oneofs.push(oneof.name.clone());
        }
        for field in message.fields.iter().filter(|field| !in_oneofs.contains(field.name.as_str())) {
            self.add_field(&mut descriptor, field);
        }
        for extensions in &message.extensions {
            for tags in &extensions.tags {
                let options = encode_extension_range(&extensions.options);
                let range = (tags.first(), tags.last().wrapping_add(1), Some(options));
                descriptor.extension_ranges.push(range);
            }
        }
        for reserved in message.reserved.iter().flatten() {
            match reserved {
                Reserved::Tags(tags) => descriptor.reserved_ranges.push((tags.first(), tags.last().wrapping_add(1))),
                Reserved::Name(name) => descriptor.reserved_names.push(name.clone()),
            }
        }
        self.scope.leave();
        descriptor
    }

    fn in_oneof(&self, field: &Field, oneof: usize) -> FieldDescriptor {
        FieldDescriptor { label: Some(1), oneof: Some(oneof), ..self.field(field, &field.type_name) }
    }

    /// Adds a field; a map brings a message for its entries, and an optional field of proto3 a oneof of its own.
    fn add_field(&self, message: &mut MessageDescriptor, field: &Field) {
        if let Ok(Written::Map { key, value }) = read(&field.type_name) {
            let entry = map_entry_name(&field.name);
            let part = |name: &str, number, type_name: &str| {
                let (kind, type_name) = self.kind(type_name);
                FieldDescriptor { name: name.to_owned(), number, kind, type_name, ..FieldDescriptor::default() }
            };
            message.nested.push(MessageDescriptor {
                name: entry.clone(),
                fields: vec![part("key", 1, key), part("value", 2, value)],
                // map_entry = true
                options: Some(vec![7 << 3, 1]),
                ..MessageDescriptor::default()
            });
            let mut descriptor = self.field(field, &entry);
            descriptor.label = Some(3);
            message.fields.push(descriptor);
            return;
        }
        if field.label == Some(Label::Optional) && self.syntax == Some(Syntax::Proto3) {
            let descriptor = self.in_oneof(field, message.oneofs.len());
            message.oneofs.push(format!("_{}", field.name));
            message.fields.push(FieldDescriptor { proto3_optional: true, ..descriptor });
            return;
        }
        message.fields.push(self.field(field, &field.type_name));
    }

    fn field(&self, field: &Field, type_name: &str) -> FieldDescriptor {
        let (kind, type_name) = self.kind(type_name);
        let options = Named::new(&field.options);
        FieldDescriptor {
            name: field.name.clone(),
            number: field.tag,
            label: field.label.map(|label| match label {
                Label::Optional => 1,
                Label::Required => 2,
                Label::Repeated => 3,
            }),
            kind,
            type_name,
            default: field.default.clone(),
            json_name: field.json_name.clone(),
            packed: options.is_true("packed"),
            options: options.encode(FIELD, Some("confluent.field_meta")),
            ..FieldDescriptor::default()
        }
    }

    /// The number of a type, if it is known, and its name, unless it is a scalar.
    fn kind(&self, type_name: &str) -> (Option<i32>, Option<String>) {
        if super::type_name::is_scalar(type_name) {
            let index = TYPES.iter().position(|scalar| *scalar == type_name);
            return (index.and_then(|index| i32::try_from(index + 1).ok()), None);
        }
        let found = self.linker.resolve_type(&self.scope, type_name);
        let kind = found.map(|(_, info)| if info.is_enum() { TYPE_ENUM } else { TYPE_MESSAGE });
        (kind, Some(type_name.to_owned()))
    }

    fn extensions(&self, extends: &[Extend]) -> Vec<FieldDescriptor> {
        let fields = extends.iter().flat_map(|extend| extend.fields.iter().map(move |field| (extend, field)));
        fields
            .map(|(extend, field)| FieldDescriptor {
                extendee: Some(extend.name.clone()),
                ..self.field(field, &field.type_name)
            })
            .collect()
    }
}

/// The name of the message for the entries of a map; with underscores it becomes camel case, else it stays.
fn map_entry_name(field: &str) -> String {
    if !field.contains('_') {
        return format!("{field}Entry");
    }
    let mut name = String::new();
    for word in field.split('_') {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.extend(letters.map(|letter| letter.to_ascii_lowercase()));
    }
    name + "Entry"
}

fn enumeration(one: &Enum) -> EnumDescriptor {
    let values = one.constants.iter().map(|constant| {
        let options = Named::new(&constant.options).encode(CONSTANT, Some("confluent.enum_value_meta"));
        (constant.name.clone(), constant.number, options)
    });
    let mut descriptor = EnumDescriptor {
        name: one.name.clone(),
        values: values.collect(),
        options: Named::new(&one.options.items).encode(ENUM, Some("confluent.enum_meta")),
        ..EnumDescriptor::default()
    };
    for reserved in one.reserved.iter().flatten() {
        match reserved {
            Reserved::Tags(tags) => descriptor.reserved_ranges.push((tags.first(), tags.last())),
            Reserved::Name(name) => descriptor.reserved_names.push(name.clone()),
        }
    }
    descriptor
}

fn service(service: &Service) -> ServiceDescriptor {
    let methods = service.rpcs.iter().map(|rpc| MethodDescriptor {
        name: rpc.name.clone(),
        input: rpc.request.type_name.clone(),
        output: rpc.response.type_name.clone(),
        client_streaming: rpc.request.streaming,
        server_streaming: rpc.response.streaming,
        options: Named::new(&rpc.options).encode(METHOD, None),
    });
    ServiceDescriptor {
        name: service.name.clone(),
        methods: methods.collect(),
        options: Named::new(&service.options).encode(SERVICE, None),
    }
}
