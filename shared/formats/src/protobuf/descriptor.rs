//! Descriptors: what `FileDescriptorProto` says of a file, with the types of fields as they are written.

use super::wire::Writer;

#[derive(Debug, Default)]
pub(super) struct FileDescriptor {
    pub(super) name: String,
    pub(super) package: Option<String>,
    pub(super) syntax: Option<&'static str>,
    pub(super) dependencies: Vec<String>,
    /// Indexes into `dependencies`.
    pub(super) public: Vec<usize>,
    pub(super) messages: Vec<MessageDescriptor>,
    pub(super) enums: Vec<EnumDescriptor>,
    pub(super) services: Vec<ServiceDescriptor>,
    pub(super) extensions: Vec<FieldDescriptor>,
    pub(super) options: Options,
}

/// Encoded options, if there are any.
pub(super) type Options = Option<Vec<u8>>;

#[derive(Debug, Default)]
pub(super) struct MessageDescriptor {
    pub(super) name: String,
    pub(super) fields: Vec<FieldDescriptor>,
    pub(super) nested: Vec<Self>,
    pub(super) enums: Vec<EnumDescriptor>,
    /// The ends do not belong to the ranges.
    pub(super) extension_ranges: Vec<(i32, i32, Options)>,
    pub(super) extensions: Vec<FieldDescriptor>,
    pub(super) options: Options,
    pub(super) oneofs: Vec<String>,
    /// The ends do not belong to the ranges.
    pub(super) reserved_ranges: Vec<(i32, i32)>,
    pub(super) reserved_names: Vec<String>,
}

#[derive(Debug, Default)]
pub(super) struct FieldDescriptor {
    pub(super) name: String,
    pub(super) extendee: Option<String>,
    pub(super) number: i32,
    /// 1 optional, 2 required, 3 repeated.
    pub(super) label: Option<i32>,
    /// The number of a scalar type, or that of a message or an enum.
    pub(super) kind: Option<i32>,
    pub(super) type_name: Option<String>,
    pub(super) default: Option<String>,
    pub(super) oneof: Option<usize>,
    pub(super) json_name: Option<String>,
    pub(super) options: Options,
    pub(super) packed: bool,
    pub(super) proto3_optional: bool,
}

#[derive(Debug, Default)]
pub(super) struct EnumDescriptor {
    pub(super) name: String,
    pub(super) values: Vec<(String, i32, Options)>,
    pub(super) options: Options,
    /// Both ends belong to the ranges.
    pub(super) reserved_ranges: Vec<(i32, i32)>,
    pub(super) reserved_names: Vec<String>,
}

#[derive(Debug, Default)]
pub(super) struct ServiceDescriptor {
    pub(super) name: String,
    pub(super) methods: Vec<MethodDescriptor>,
    pub(super) options: Options,
}

#[derive(Debug, Default)]
pub(super) struct MethodDescriptor {
    pub(super) name: String,
    pub(super) input: String,
    pub(super) output: String,
    pub(super) client_streaming: bool,
    pub(super) server_streaming: bool,
    pub(super) options: Options,
}

impl FileDescriptor {
    /// The bytes of the descriptor.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut file = Writer::default();
        file.text(1, &self.name);
        optional_text(&mut file, 2, self.package.as_deref());
        self.dependencies.iter().for_each(|path| file.text(3, path));
        self.messages.iter().for_each(|message| file.record(4, &message.encode()));
        self.enums.iter().for_each(|one| file.record(5, &one.encode()));
        self.services.iter().for_each(|service| file.record(6, &service.encode()));
        self.extensions.iter().for_each(|field| file.record(7, &field.encode()));
        options(&mut file, 8, &self.options);
        self.public.iter().filter_map(|index| i32::try_from(*index).ok()).for_each(|index| file.int(10, index));
        optional_text(&mut file, 12, self.syntax);
        file.into_bytes()
    }
}

fn optional_text(writer: &mut Writer, number: u32, text: Option<&str>) {
    if let Some(text) = text {
        writer.text(number, text);
    }
}

fn optional_int(writer: &mut Writer, number: u32, value: Option<i32>) {
    if let Some(value) = value {
        writer.int(number, value);
    }
}

fn options(writer: &mut Writer, number: u32, options: &Options) {
    if let Some(options) = options {
        writer.bytes(number, options);
    }
}

fn range((first, end): (i32, i32)) -> Writer {
    let mut range = Writer::default();
    range.int(1, first);
    range.int(2, end);
    range
}

impl MessageDescriptor {
    fn encode(&self) -> Writer {
        let mut message = Writer::default();
        message.text(1, &self.name);
        self.fields.iter().for_each(|field| message.record(2, &field.encode()));
        self.nested.iter().for_each(|nested| message.record(3, &nested.encode()));
        self.enums.iter().for_each(|one| message.record(4, &one.encode()));
        for (first, end, range_options) in &self.extension_ranges {
            let mut range = range((*first, *end));
            options(&mut range, 3, range_options);
            message.record(5, &range);
        }
        self.extensions.iter().for_each(|field| message.record(6, &field.encode()));
        options(&mut message, 7, &self.options);
        for name in &self.oneofs {
            let mut oneof = Writer::default();
            oneof.text(1, name);
            // The reference always sets them.
            oneof.bytes(2, &[]);
            message.record(8, &oneof);
        }
        self.reserved_ranges.iter().for_each(|ends| message.record(9, &range(*ends)));
        self.reserved_names.iter().for_each(|name| message.text(10, name));
        message
    }
}

impl FieldDescriptor {
    fn encode(&self) -> Writer {
        let mut field = Writer::default();
        field.text(1, &self.name);
        optional_text(&mut field, 2, self.extendee.as_deref());
        field.int(3, self.number);
        optional_int(&mut field, 4, self.label);
        optional_int(&mut field, 5, self.kind);
        optional_text(&mut field, 6, self.type_name.as_deref());
        optional_text(&mut field, 7, self.default.as_deref());
        options(&mut field, 8, &self.options);
        optional_int(&mut field, 9, self.oneof.and_then(|index| i32::try_from(index).ok()));
        optional_text(&mut field, 10, self.json_name.as_deref());
        if self.proto3_optional {
            field.flag(17, true);
        }
        field
    }
}

impl EnumDescriptor {
    fn encode(&self) -> Writer {
        let mut one = Writer::default();
        one.text(1, &self.name);
        for (name, number, value_options) in &self.values {
            let mut value = Writer::default();
            value.text(1, name);
            value.int(2, *number);
            options(&mut value, 3, value_options);
            one.record(2, &value);
        }
        options(&mut one, 3, &self.options);
        self.reserved_ranges.iter().for_each(|ends| one.record(4, &range(*ends)));
        self.reserved_names.iter().for_each(|name| one.text(5, name));
        one
    }
}

impl ServiceDescriptor {
    fn encode(&self) -> Writer {
        let mut service = Writer::default();
        service.text(1, &self.name);
        for method in &self.methods {
            let mut encoded = Writer::default();
            encoded.text(1, &method.name);
            encoded.text(2, &method.input);
            encoded.text(3, &method.output);
            options(&mut encoded, 4, &method.options);
            encoded.flag(5, method.client_streaming);
            encoded.flag(6, method.server_streaming);
            service.record(2, &encoded);
        }
        options(&mut service, 3, &self.options);
        service
    }
}
