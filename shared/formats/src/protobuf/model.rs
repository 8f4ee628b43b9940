//! A file as its text says it: names, tokens and order as written.

use super::option::Opt;

/// The highest tag; a range that ends there is printed as `to max`.
pub(super) const MAX_TAG: i32 = 536_870_911;

/// The syntax line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    Proto2,
    Proto3,
}

impl Syntax {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Proto2 => "proto2",
            Self::Proto3 => "proto3",
        }
    }
}

/// One `.proto` file.
#[derive(Clone, Debug, Default)]
pub(super) struct File {
    pub(super) syntax: Option<Syntax>,
    pub(super) package: Option<String>,
    pub(super) imports: Vec<String>,
    pub(super) public_imports: Vec<String>,
    pub(super) options: Vec<Opt>,
    pub(super) types: Vec<Type>,
    pub(super) extends: Section<Extend>,
    pub(super) services: Vec<Service>,
}

impl File {
    /// All fields, those of messages in the order in which they are printed.
    pub(super) fn fields(&self) -> impl Iterator<Item = &Field> {
        let mut messages = Vec::new();
        let mut below: Vec<&Message> = self.types.iter().rev().filter_map(Type::message).collect();
        while let Some(message) = below.pop() {
            messages.push(message);
            below.extend(message.types.iter().rev().filter_map(Type::message));
        }
        let extended = self.extends.items.iter().flat_map(|extend| &extend.fields);
        messages.into_iter().flat_map(Message::own_fields).chain(extended)
    }
}

/// The statements of one kind in a body.
#[derive(Clone, Debug)]
pub(super) struct Section<T> {
    pub(super) items: Vec<T>,
    /// Whether an empty section leaves its line end nevertheless: normalizing drops statements, but not their place.
    pub(super) place_kept: bool,
}

impl<T> Default for Section<T> {
    fn default() -> Self {
        Self { items: Vec::new(), place_kept: false }
    }
}

impl<T> From<Vec<T>> for Section<T> {
    fn from(items: Vec<T>) -> Self {
        Self { items, place_kept: false }
    }
}

impl<T> Section<T> {
    pub(super) fn is_printed(&self) -> bool {
        self.place_kept || !self.items.is_empty()
    }
}

/// A message or an enum.
#[derive(Clone, Debug)]
pub(super) enum Type {
    Message(Message),
    Enum(Enum),
}

impl Type {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Message(message) => &message.name,
            Self::Enum(one) => &one.name,
        }
    }

    pub(super) fn message(&self) -> Option<&Message> {
        match self {
            Self::Message(message) => Some(message),
            Self::Enum(_) => None,
        }
    }

    pub(super) fn as_enum(&self) -> Option<&Enum> {
        match self {
            Self::Enum(one) => Some(one),
            Self::Message(_) => None,
        }
    }

    /// The types defined within.
    pub(super) fn nested(&self) -> &[Self] {
        match self {
            Self::Message(message) => &message.types,
            Self::Enum(_) => &[],
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Message {
    pub(super) name: String,
    pub(super) reserved: Vec<Vec<Reserved>>,
    pub(super) options: Vec<Opt>,
    pub(super) fields: Vec<Field>,
    pub(super) oneofs: Section<Oneof>,
    pub(super) groups: Vec<Group>,
    pub(super) extensions: Vec<Extensions>,
    pub(super) extends: Section<Extend>,
    pub(super) types: Vec<Type>,
}

impl Message {
    /// Its fields, and those in its oneofs, groups and `extend` blocks.
    fn own_fields(&self) -> impl Iterator<Item = &Field> {
        let in_oneofs = self
            .oneofs
            .items
            .iter()
            .flat_map(|oneof| oneof.fields.iter().chain(oneof.groups.iter().flat_map(|group| &group.fields)));
        let in_groups = self.groups.iter().flat_map(|group| &group.fields);
        let extended = self.extends.items.iter().flat_map(|extend| &extend.fields);
        self.fields.iter().chain(in_oneofs).chain(in_groups).chain(extended)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Enum {
    pub(super) name: String,
    pub(super) reserved: Vec<Vec<Reserved>>,
    pub(super) options: Section<Opt>,
    pub(super) constants: Vec<Constant>,
}

#[derive(Clone, Debug)]
pub(super) struct Constant {
    pub(super) name: String,
    pub(super) number: i32,
    pub(super) options: Vec<Opt>,
}

/// One item of a `reserved` statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reserved {
    Tags(Tags),
    Name(String),
}

/// One tag, or a range of them; both ends belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tags {
    One(i32),
    Range(i32, i32),
}

impl Tags {
    pub(super) fn first(self) -> i32 {
        match self {
            Self::One(tag) | Self::Range(tag, _) => tag,
        }
    }

    pub(super) fn last(self) -> i32 {
        match self {
            Self::One(tag) | Self::Range(_, tag) => tag,
        }
    }
}

/// An `extensions` statement.
#[derive(Clone, Debug)]
pub(super) struct Extensions {
    pub(super) tags: Vec<Tags>,
    pub(super) options: Vec<Opt>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Required,
    Optional,
    Repeated,
}

impl Label {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Optional => "optional",
            Self::Repeated => "repeated",
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) label: Option<Label>,
    /// As written; a map as `map<KEY, VALUE>`.
    pub(super) type_name: String,
    pub(super) name: String,
    pub(super) tag: i32,
    pub(super) default: Option<String>,
    pub(super) json_name: Option<String>,
    /// Without `default` and `json_name`.
    pub(super) options: Vec<Opt>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Oneof {
    pub(super) name: String,
    pub(super) fields: Vec<Field>,
    pub(super) groups: Vec<Group>,
    pub(super) options: Vec<Opt>,
}

#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) label: Option<Label>,
    pub(super) name: String,
    pub(super) tag: i32,
    pub(super) fields: Vec<Field>,
}

/// An `extend` block.
#[derive(Clone, Debug)]
pub(super) struct Extend {
    /// The extended message as written.
    pub(super) name: String,
    pub(super) fields: Vec<Field>,
}

#[derive(Clone, Debug)]
pub(super) struct Service {
    pub(super) name: String,
    pub(super) options: Vec<Opt>,
    pub(super) rpcs: Vec<Rpc>,
}

#[derive(Clone, Debug)]
pub(super) struct Rpc {
    pub(super) name: String,
    pub(super) request: Flow,
    pub(super) response: Flow,
    pub(super) options: Vec<Opt>,
}

/// What goes one way in an rpc.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    pub(super) type_name: String,
    pub(super) streaming: bool,
}
