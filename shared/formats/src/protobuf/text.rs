//! Text of a file: the layout of Confluent's registry, trailing blanks and all (protobuf-canonical.md, stored text).

use super::model::{
    Constant, Enum, Extend, Extensions, Field, File, Flow, Group, MAX_TAG, Message, Oneof, Reserved, Rpc, Service,
    Tags, Type,
};
use super::option::{Opt, Value};
use super::type_name::{DefaultKind, default_kind};
use crate::SchemaError;

/// How long the text of a file may be, in bytes. Nested lines are indented, so that it may exceed what was given.
pub const MAX_TEXT_BYTES: usize = 16 << 20;

/// Prints a file.
///
/// # Errors
/// If the text would be longer than [`MAX_TEXT_BYTES`].
pub(super) fn print(file: &File) -> Result<String, SchemaError> {
    let mut printer = Printer { text: String::new(), depth: 0 };
    printer.file(file);
    if printer.text.len() > MAX_TEXT_BYTES {
        return Err(SchemaError::new(format!("the text is longer than {MAX_TEXT_BYTES} bytes when it is laid out")));
    }
    Ok(printer.text)
}

struct Printer {
    text: String,
    /// How many bodies are around.
    depth: usize,
}

/// Whether the line of a body's head still waits for its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    Open,
    Ended,
}

impl Printer {
    fn file(&mut self, file: &File) {
        if let Some(syntax) = file.syntax {
            self.line(&format!("syntax = \"{}\";", syntax.name()));
        }
        if let Some(package) = &file.package {
            self.line(&format!("package {package};"));
        }
        if !file.imports.is_empty() || !file.public_imports.is_empty() {
            self.text.push('\n');
            file.imports.iter().for_each(|path| self.line(&format!("import \"{}\";", escaped(path))));
            file.public_imports.iter().for_each(|path| self.line(&format!("import public \"{}\";", escaped(path))));
        }
        if !file.options.is_empty() {
            self.text.push('\n');
            file.options.iter().for_each(|option| self.option(option));
        }
        if !file.types.is_empty() {
            self.text.push('\n');
            self.types(&file.types);
        }
        if file.extends.is_printed() {
            self.text.push('\n');
            file.extends.items.iter().for_each(|extend| self.extend(extend));
        }
        if !file.services.is_empty() {
            self.text.push('\n');
            file.services.iter().for_each(|service| self.service(service));
        }
    }

    /// Indents the lines of a text and ends the last one.
    fn line(&mut self, text: &str) {
        if self.text.len() > MAX_TEXT_BYTES {
            return;
        }
        for line in text.split('\n') {
            self.indent();
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    fn indent(&mut self) {
        for _ in 0..self.depth {
            self.text.push_str("  ");
        }
    }

    /// Begins a body; its head line has no end yet.
    fn open(&mut self, head: &str) -> Head {
        self.indent();
        self.text.push_str(head);
        self.text.push_str(" {");
        Head::Open
    }

    /// Begins a part of a body: ends the head line, or leaves a blank line, which is indented as the body's head is.
    fn part(&mut self, head: &mut Head) {
        if *head == Head::Ended {
            self.indent();
        }
        *head = Head::Ended;
        self.text.push('\n');
    }

    fn close(&mut self, head: Head) {
        if head == Head::Ended {
            self.indent();
        }
        self.text.push_str("}\n");
    }

    /// Prints what stands within a body.
    fn within(&mut self, print: impl FnOnce(&mut Self)) {
        self.depth += 1;
        print(self);
        self.depth -= 1;
    }

    fn types(&mut self, types: &[Type]) {
        types.iter().filter_map(Type::message).for_each(|message| self.message(message));
        types.iter().filter_map(Type::as_enum).for_each(|one| self.enumeration(one));
    }

    fn option(&mut self, option: &Opt) {
        self.line(&format!("option {};", option_text(option)));
    }

    fn message(&mut self, message: &Message) {
        let mut head = self.open(&format!("message {}", message.name));
        self.items(&mut head, &message.reserved, |printer, reserved| printer.reserved(reserved));
        self.items(&mut head, &message.options, Self::option);
        self.items(&mut head, &message.fields, Self::field);
        if message.oneofs.is_printed() {
            self.part(&mut head);
            self.within(|printer| message.oneofs.items.iter().for_each(|oneof| printer.oneof(oneof)));
        }
        self.items(&mut head, &message.groups, Self::group);
        self.items(&mut head, &message.extensions, Self::extensions);
        if message.extends.is_printed() {
            self.part(&mut head);
            self.within(|printer| message.extends.items.iter().for_each(|extend| printer.extend(extend)));
        }
        if !message.types.is_empty() {
            self.part(&mut head);
            self.within(|printer| printer.types(&message.types));
        }
        self.close(head);
    }

    /// Prints a part of a body if it has items.
    fn items<T>(&mut self, head: &mut Head, items: &[T], print: impl Fn(&mut Self, &T)) {
        if items.is_empty() {
            return;
        }
        self.part(head);
        self.within(|printer| items.iter().for_each(|item| print(printer, item)));
    }

    fn enumeration(&mut self, one: &Enum) {
        let mut head = self.open(&format!("enum {}", one.name));
        if !one.reserved.is_empty() || one.options.is_printed() || !one.constants.is_empty() {
            self.part(&mut head);
            self.within(|printer| {
                one.reserved.iter().for_each(|reserved| printer.reserved(reserved));
                one.options.items.iter().for_each(|option| printer.option(option));
                one.constants.iter().for_each(|constant| printer.constant(constant));
            });
        }
        self.close(head);
    }

    fn constant(&mut self, constant: &Constant) {
        let Constant { name, number, options } = constant;
        self.line(&format!("{name} = {number}{};", bracketed(options)));
    }

    fn oneof(&mut self, oneof: &Oneof) {
        let mut head = self.open(&format!("oneof {}", oneof.name));
        self.items(&mut head, &oneof.options, Self::option);
        self.items(&mut head, &oneof.fields, Self::field);
        self.items(&mut head, &oneof.groups, Self::group);
        self.close(head);
    }

    fn group(&mut self, group: &Group) {
        let label = group.label.map(|label| format!("{} ", label.name())).unwrap_or_default();
        let mut head = self.open(&format!("{label}group {} = {}", group.name, group.tag));
        self.items(&mut head, &group.fields, Self::field);
        self.close(head);
    }

    fn extend(&mut self, extend: &Extend) {
        let mut head = self.open(&format!("extend {}", extend.name));
        self.items(&mut head, &extend.fields, Self::field);
        self.close(head);
    }

    fn field(&mut self, field: &Field) {
        let label = field.label.map(|label| format!("{} ", label.name())).unwrap_or_default();
        let Field { type_name, name, tag, .. } = field;
        self.line(&format!("{label}{type_name} {name} = {tag}{};", field_options(field)));
    }

    fn reserved(&mut self, reserved: &[Reserved]) {
        let items: Vec<String> = reserved
            .iter()
            .map(|item| match item {
                Reserved::Tags(tags) => tags_text(*tags),
                Reserved::Name(name) => format!("\"{}\"", escaped(name)),
            })
            .collect();
        self.line(&format!("reserved {};", items.join(", ")));
    }

    fn extensions(&mut self, extensions: &Extensions) {
        let items: Vec<String> = extensions.tags.iter().map(|tags| tags_text(*tags)).collect();
        let options = bracketed(&extensions.options);
        self.line(&format!("extensions {}{options};", items.join(", ")));
    }

    fn service(&mut self, service: &Service) {
        let mut head = self.open(&format!("service {}", service.name));
        self.items(&mut head, &service.options, Self::option);
        self.items(&mut head, &service.rpcs, Self::rpc);
        self.close(head);
    }

    fn rpc(&mut self, rpc: &Rpc) {
        let head = format!("rpc {} ({}) returns ({})", rpc.name, flow_text(&rpc.request), flow_text(&rpc.response));
        if rpc.options.is_empty() {
            self.line(&format!("{head};"));
            return;
        }
        self.line(&format!("{head} {{"));
        self.within(|printer| rpc.options.iter().for_each(|option| printer.option(option)));
        self.line("};");
    }
}

fn flow_text(flow: &Flow) -> String {
    format!("{}{}", if flow.streaming { "stream " } else { "" }, flow.type_name)
}

fn tags_text(tags: Tags) -> String {
    match tags {
        Tags::One(tag) => tag.to_string(),
        Tags::Range(first, last) if last < MAX_TAG => format!("{first} to {last}"),
        Tags::Range(first, _) => format!("{first} to max"),
    }
}

/// The options of a field, then its default, then its JSON name.
fn field_options(field: &Field) -> String {
    if field.default.is_none() && field.json_name.is_none() {
        return bracketed(&field.options);
    }
    let default = field.default.as_ref().map(|default| {
        let value = match default_kind(&field.type_name) {
            DefaultKind::Text => Value::Text(default.clone()),
            DefaultKind::Number | DefaultKind::Bare => Value::word(default),
        };
        Opt::known("default", value)
    });
    let json_name = field.json_name.as_ref().map(|name| Opt::known("json_name", Value::Text(name.clone())));
    let options: Vec<Opt> = field.options.iter().cloned().chain(default).chain(json_name).collect();
    bracketed(&options)
}

/// Options in brackets after a blank; one stands on the line, several on lines of their own.
fn bracketed(options: &[Opt]) -> String {
    let mut text = String::new();
    if !options.is_empty() {
        text.push(' ');
        write_bracketed(&mut text, options, 0, write_option);
    }
    text
}

fn option_text(option: &Opt) -> String {
    let mut text = String::new();
    write_option(&mut text, option, 0);
    text
}

type Write<T> = fn(&mut String, &T, usize);

fn write_bracketed<T>(text: &mut String, items: &[T], indent: usize, write: Write<T>) {
    text.push('[');
    match items {
        [only] => write(text, only, indent),
        items => write_lines(text, items, indent, write),
    }
    text.push(']');
}

/// Writes a line end and items on lines with commas between them, indented one level more than what is around.
fn write_lines<T>(text: &mut String, items: &[T], indent: usize, write: Write<T>) {
    text.push('\n');
    for (index, item) in items.iter().enumerate() {
        push_indent(text, indent + 1);
        write(text, item, indent + 1);
        text.push_str(if index + 1 < items.len() { ",\n" } else { "\n" });
    }
    push_indent(text, indent);
}

fn push_indent(text: &mut String, indent: usize) {
    (0..indent).for_each(|_| text.push_str("  "));
}

/// Writes an option without the word and the semicolon around it.
fn write_option(text: &mut String, option: &Opt, indent: usize) {
    if option.custom {
        text.extend(["(", &option.name, ")"]);
    } else {
        text.push_str(&option.name);
    }
    match &option.value {
        Value::Nested(nested) => {
            text.push('.');
            write_option(text, nested, indent);
        }
        Value::List(items) => {
            text.push_str(" = ");
            write_bracketed(text, items, indent, write_value);
        }
        value => {
            text.push_str(" = ");
            write_value(text, value, indent);
        }
    }
}

fn write_value(text: &mut String, value: &Value, indent: usize) {
    if text.len() > MAX_TEXT_BYTES {
        return;
    }
    match value {
        Value::Text(content) => text.extend(["\"", &escaped(content), "\""]),
        Value::Token(_, token) => text.push_str(token),
        Value::Map(entries) => {
            text.push('{');
            write_lines(text, entries, indent, |text, (key, value), indent| {
                text.extend([key, ": "]);
                write_value(text, value, indent);
            });
            text.push('}');
        }
        Value::List(items) => {
            text.push('[');
            write_lines(text, items, indent, write_value);
            text.push(']');
        }
        Value::Nested(nested) => write_option(text, nested, indent),
    }
}

/// The content of a quoted string.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{7}' => escaped.push_str("\\a"),
            '\u{8}' => escaped.push_str("\\b"),
            '\u{c}' => escaped.push_str("\\f"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            '\u{b}' => escaped.push_str("\\v"),
            '\\' | '\'' | '"' => escaped.extend(['\\', character]),
            character => escaped.push(character),
        }
    }
    escaped
}
