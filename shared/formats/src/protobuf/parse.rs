//! The second stage: statements. What is accepted and refused, and the messages, are those of Wire's `ProtoParser`.

use std::collections::HashMap;

use super::lex::{Place, Reader};
use super::model::{
    Constant, Enum, Extend, Extensions, Field, File, Flow, Group, Label, Message, Oneof, Reserved, Rpc, Service,
    Syntax, Tags, Type,
};
use super::option::Opt;
use super::options::{read_bracketed, read_option};
use super::path::import_path;
use crate::SchemaError;

/// How deeply messages, message literals and lists may nest. Descriptors cannot nest deeper in Java.
pub const MAX_DEPTH: usize = 100;

/// Reads a file.
pub(super) fn read(text: &str) -> Result<File, SchemaError> {
    let mut parser = Parser { reader: Reader::new(text), syntax: None, declarations: 0 };
    parser.file()
}

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    File,
    Message,
    Enum,
    Rpc,
    Extend,
    Service,
}

/// What a declaration is; some are read and left out, as in Wire.
enum Declared {
    Nothing,
    Type(Type),
    Service(Service),
    Option(Opt),
    Extend(Extend),
    Field(Field),
    Group(Group),
    Oneof(Oneof),
    Extensions(Extensions),
    Reserved(Vec<Reserved>),
    Constant(Constant),
    Rpc(Rpc),
    Import(String),
    PublicImport(String),
    Package(String),
}

struct Parser<'a> {
    reader: Reader<'a>,
    syntax: Option<Syntax>,
    declarations: usize,
}

impl Parser<'_> {
    fn file(&mut self) -> Result<File, SchemaError> {
        let mut file = File::default();
        let mut types = HashMap::new();
        let mut services = HashMap::new();
        loop {
            self.reader.skip_documentation()?;
            if self.reader.exhausted() {
                file.syntax = self.syntax;
                return Ok(file);
            }
            let place = self.reader.place();
            match self.declaration(Context::File, 0)? {
                Declared::Type(one) => {
                    self.only_once(&mut types, one.name(), place)?;
                    file.types.push(one);
                }
                Declared::Service(service) => {
                    self.only_once(&mut services, &service.name, place)?;
                    file.services.push(service);
                }
                Declared::Option(option) => file.options.push(option),
                Declared::Extend(extend) => file.extends.items.push(extend),
                Declared::Import(path) => file.imports.push(path),
                Declared::PublicImport(path) => file.public_imports.push(path),
                Declared::Package(name) => file.package = Some(name),
                _ => {}
            }
        }
    }

    fn only_once(&self, names: &mut HashMap<String, Place>, name: &str, place: Place) -> Result<(), SchemaError> {
        let Some(first) = names.insert(name.to_owned(), place) else { return Ok(()) };
        let (here, first) = (self.reader.show(place), self.reader.show(first));
        Err(SchemaError::new(format!("{name} ({here}) is already defined at {first}")))
    }

    /// `depth` counts the messages around.
    fn declaration(&mut self, context: Context, depth: usize) -> Result<Declared, SchemaError> {
        let index = self.declarations;
        self.declarations += 1;
        if self.reader.take(';')? {
            return Ok(Declared::Nothing);
        }
        let place = self.reader.place();
        let word = match context {
            Context::Enum => self.reader.word_without_leading_digit()?,
            _ => self.reader.word()?,
        };
        match (word, context) {
            ("package", Context::File) => self.package(),
            ("import", Context::File) => self.import(place),
            ("syntax", Context::File) => self.syntax_line(place, index),
            ("option", _) => self.option_statement().map(Declared::Option),
            ("reserved", _) => self.reserved(place).map(Declared::Reserved),
            ("message", Context::File | Context::Message) => {
                self.message(depth).map(|message| Declared::Type(Type::Message(message)))
            }
            ("enum", Context::File | Context::Message) => self.enumeration().map(|one| Declared::Type(Type::Enum(one))),
            ("service", Context::File) => self.service().map(Declared::Service),
            ("extend", Context::File | Context::Message) => self.extend().map(Declared::Extend),
            ("rpc", Context::Service) => self.rpc(place).map(Declared::Rpc),
            ("oneof", Context::Message) => self.oneof().map(Declared::Oneof),
            ("extensions", Context::Message) => self.extensions(place).map(Declared::Extensions),
            (_, Context::Message | Context::Extend) => self.field_or_group(place, word),
            (_, Context::Enum) => self.constant(word).map(Declared::Constant),
            ("edition", Context::File) => Err(self.reader.error("edition is not currently supported")),
            _ => Err(self.reader.error_at(place, format!("unexpected label: {word}"))),
        }
    }

    fn package(&mut self) -> Result<Declared, SchemaError> {
        let name = self.reader.name(true)?.to_owned();
        self.reader.require(';')?;
        Ok(Declared::Package(name))
    }

    fn import(&mut self, place: Place) -> Result<Declared, SchemaError> {
        let declared: fn(String) -> Declared = if self.reader.at_quote()? {
            Declared::Import
        } else {
            match self.reader.word()? {
                "public" => Declared::PublicImport,
                // Read and left out.
                "weak" => |_| Declared::Nothing,
                _ => return Err(self.reader.error_at(place, "expected quoted string")),
            }
        };
        let path = self.reader.quoted()?;
        self.reader.require(';')?;
        Ok(declared(import_path(&path)))
    }

    fn syntax_line(&mut self, place: Place, index: usize) -> Result<Declared, SchemaError> {
        if self.syntax.is_some() {
            return Err(self.reader.error_at(place, "too many syntax definitions"));
        }
        self.reader.require('=')?;
        if index != 0 {
            return Err(self.reader.error_at(place, "'syntax' element must be the first declaration in a file"));
        }
        let name = self.reader.quoted()?;
        self.syntax = match name.as_str() {
            "proto2" => Some(Syntax::Proto2),
            "proto3" => Some(Syntax::Proto3),
            _ => return Err(self.reader.error_at(place, format!("unexpected syntax: {name}"))),
        };
        self.reader.require(';')?;
        Ok(Declared::Nothing)
    }

    fn option_statement(&mut self) -> Result<Opt, SchemaError> {
        let option = read_option(&mut self.reader, '=', 0)?;
        self.reader.require(';')?;
        Ok(option)
    }

    /// Whether a body has ended; its comments are skipped.
    fn body_ends(&mut self) -> Result<bool, SchemaError> {
        self.reader.skip_documentation()?;
        self.reader.take('}')
    }

    fn message(&mut self, depth: usize) -> Result<Message, SchemaError> {
        if depth >= MAX_DEPTH {
            return Err(self.reader.error(format!("messages nested more than {MAX_DEPTH} levels deep")));
        }
        let mut message = Message { name: self.reader.name(true)?.to_owned(), ..Message::default() };
        self.reader.require('{')?;
        while !self.body_ends()? {
            match self.declaration(Context::Message, depth + 1)? {
                Declared::Field(field) => message.fields.push(field),
                Declared::Oneof(oneof) => message.oneofs.items.push(oneof),
                Declared::Group(group) => message.groups.push(group),
                Declared::Type(one) => message.types.push(one),
                Declared::Extensions(extensions) => message.extensions.push(extensions),
                Declared::Option(option) => message.options.push(option),
                Declared::Extend(extend) => message.extends.items.push(extend),
                Declared::Reserved(reserved) => message.reserved.push(reserved),
                _ => {}
            }
        }
        Ok(message)
    }

    fn extend(&mut self) -> Result<Extend, SchemaError> {
        let mut extend = Extend { name: self.reader.name(true)?.to_owned(), fields: Vec::new() };
        self.reader.require('{')?;
        while !self.body_ends()? {
            if let Declared::Field(field) = self.declaration(Context::Extend, 0)? {
                extend.fields.push(field);
            }
        }
        Ok(extend)
    }

    fn service(&mut self) -> Result<Service, SchemaError> {
        let name = self.reader.name(true)?.to_owned();
        let mut service = Service { name, options: Vec::new(), rpcs: Vec::new() };
        self.reader.require('{')?;
        while !self.body_ends()? {
            match self.declaration(Context::Service, 0)? {
                Declared::Rpc(rpc) => service.rpcs.push(rpc),
                Declared::Option(option) => service.options.push(option),
                _ => {}
            }
        }
        Ok(service)
    }

    fn enumeration(&mut self) -> Result<Enum, SchemaError> {
        let mut read = Enum { name: self.reader.name(true)?.to_owned(), ..Enum::default() };
        self.reader.require('{')?;
        while !self.body_ends()? {
            match self.declaration(Context::Enum, 0)? {
                Declared::Constant(constant) => read.constants.push(constant),
                Declared::Option(option) => read.options.items.push(option),
                Declared::Reserved(reserved) => read.reserved.push(reserved),
                _ => {}
            }
        }
        Ok(read)
    }

    fn field_or_group(&mut self, place: Place, word: &str) -> Result<Declared, SchemaError> {
        let label = match word {
            "required" if self.syntax == Some(Syntax::Proto3) => {
                let message = "'required' label forbidden in proto3 field declarations";
                return Err(self.reader.error_at(place, message));
            }
            "required" => Some(Label::Required),
            "optional" => Some(Label::Optional),
            "repeated" => Some(Label::Repeated),
            _ => None,
        };
        let type_name = if label.is_some() {
            self.reader.data_type()?
        } else {
            let allowed = self.syntax == Some(Syntax::Proto3) || (word == "map" && self.reader.peek()? == '<');
            if !allowed {
                return Err(self.reader.error_at(place, format!("unexpected label: {word}")));
            }
            self.reader.data_type_from(word)?
        };
        if type_name.starts_with("map<") && label.is_some() {
            return Err(self.reader.error_at(place, "'map' type cannot have label"));
        }
        match type_name.as_str() {
            "group" => self.group(label).map(Declared::Group),
            _ => self.field(label, type_name).map(Declared::Field),
        }
    }

    fn field(&mut self, label: Option<Label>, type_name: String) -> Result<Field, SchemaError> {
        let name = self.reader.name(false)?.to_owned();
        self.reader.require('=')?;
        let tag = self.reader.int()?;
        let mut options = read_bracketed(&mut self.reader)?;
        let default = take_value(&mut options, "default");
        let json_name = take_value(&mut options, "json_name");
        self.reader.require(';')?;
        self.reader.skip_trailing_documentation()?;
        Ok(Field { label, type_name, name, tag, default, json_name, options })
    }

    fn oneof(&mut self) -> Result<Oneof, SchemaError> {
        let mut oneof = Oneof { name: self.reader.name(true)?.to_owned(), ..Oneof::default() };
        self.reader.require('{')?;
        while !self.body_ends()? {
            let type_name = self.reader.data_type()?;
            match type_name.as_str() {
                "group" => oneof.groups.push(self.group(None)?),
                "option" => oneof.options.push(self.option_statement()?),
                _ => oneof.fields.push(self.field(None, type_name)?),
            }
        }
        Ok(oneof)
    }

    fn group(&mut self, label: Option<Label>) -> Result<Group, SchemaError> {
        let name = self.reader.word()?.to_owned();
        self.reader.require('=')?;
        let mut group = Group { label, name, tag: self.reader.int()?, fields: Vec::new() };
        self.reader.require('{')?;
        while !self.body_ends()? {
            let place = self.reader.place();
            let word = self.reader.word()?;
            if word == "group" || matches!(word, "optional" | "required" | "repeated") && self.group_follows()? {
                return Err(self.reader.error("expected field declaration, was a group"));
            }
            match self.field_or_group(place, word)? {
                Declared::Field(field) => group.fields.push(field),
                _ => return Err(self.reader.error("expected field declaration, was a group")),
            }
        }
        Ok(group)
    }

    /// Whether a group follows, which no group may hold: seen before it is read, so that they do not nest.
    fn group_follows(&mut self) -> Result<bool, SchemaError> {
        self.reader.peek()?;
        Ok(self.reader.word_is("group"))
    }

    fn tags(&mut self, place: Place, ends: &[char], message: &str) -> Result<Tags, SchemaError> {
        let first = self.reader.int()?;
        if ends.contains(&self.reader.peek()?) {
            return Ok(Tags::One(first));
        }
        if self.reader.word()? != "to" {
            return Err(self.reader.error_at(place, message));
        }
        Ok(Tags::Range(first, self.reader.range_end()?))
    }

    /// Whether a list goes on with a comma, or ends with a semicolon.
    fn list_ends(&mut self) -> Result<bool, SchemaError> {
        match self.reader.read_char()? {
            ';' => Ok(true),
            ',' => Ok(false),
            _ => Err(self.reader.error("expected ',' or ';'")),
        }
    }

    fn reserved(&mut self, place: Place) -> Result<Vec<Reserved>, SchemaError> {
        let mut reserved = Vec::new();
        loop {
            reserved.push(if self.reader.at_quote()? {
                Reserved::Name(self.reader.quoted()?)
            } else {
                Reserved::Tags(self.tags(place, &[',', ';'], "expected ',', ';', or 'to'")?)
            });
            if self.list_ends()? {
                break;
            }
        }
        self.reader.skip_trailing_documentation()?;
        Ok(reserved)
    }

    fn extensions(&mut self, place: Place) -> Result<Extensions, SchemaError> {
        let mut extensions = Extensions { tags: Vec::new(), options: Vec::new() };
        loop {
            extensions.tags.push(self.tags(place, &[',', ';', '['], "expected ',', ';', '[' or 'to'")?);
            if self.reader.peek()? == '[' {
                extensions.options = read_bracketed(&mut self.reader)?;
                self.reader.require(';')?;
                return Ok(extensions);
            }
            if self.list_ends()? {
                return Ok(extensions);
            }
        }
    }

    fn constant(&mut self, name: &str) -> Result<Constant, SchemaError> {
        self.reader.require('=')?;
        let number = self.reader.int()?;
        let options = read_bracketed(&mut self.reader)?;
        self.reader.require(';')?;
        self.reader.skip_trailing_documentation()?;
        Ok(Constant { name: name.to_owned(), number, options })
    }

    fn rpc(&mut self, place: Place) -> Result<Rpc, SchemaError> {
        let name = self.reader.name(true)?.to_owned();
        let request = self.flow()?;
        if self.reader.word()? != "returns" {
            return Err(self.reader.error_at(place, "expected 'returns'"));
        }
        let response = self.flow()?;
        let mut rpc = Rpc { name, request, response, options: Vec::new() };
        if !self.reader.take('{')? {
            self.reader.require(';')?;
            return Ok(rpc);
        }
        while !self.body_ends()? {
            if let Declared::Option(option) = self.declaration(Context::Rpc, 0)? {
                rpc.options.push(option);
            }
        }
        Ok(rpc)
    }

    fn flow(&mut self) -> Result<Flow, SchemaError> {
        self.reader.require('(')?;
        let word = self.reader.word()?;
        let streaming = word == "stream";
        let type_name = if streaming { self.reader.data_type()? } else { self.reader.data_type_from(word)? };
        self.reader.require(')')?;
        Ok(Flow { type_name, streaming })
    }
}

/// Takes an option that is a property of the field; the last one counts.
fn take_value(options: &mut Vec<Opt>, name: &str) -> Option<String> {
    options.extract_if(.., |option| option.name == name).last().map(|option| option.value.plain())
}
