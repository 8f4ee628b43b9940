//! The model of a schema: an arena, because schemas are recursive and deep.

use std::collections::HashMap;

use super::name::Name;
use crate::json_text::Json;

/// A node of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NodeId(u32);

/// Every type of a text and of the texts it refers to. One definition is one node, wherever it is referred to;
/// every other occurrence of a type is a node of its own.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    /// The first definition of each full name.
    pub(super) names: HashMap<String, NodeId>,
    /// How long the full names are in all, counted wherever one is meant.
    pub(super) name_bytes: usize,
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) props: Props,
}

/// What a schema language does not know and keeps, in the order given.
pub(super) type Props = Vec<(String, Json)>;

#[derive(Debug)]
pub(super) enum Kind {
    Primitive(Primitive),
    Array(NodeId),
    Map(NodeId),
    Union(Vec<NodeId>),
    Record(Record),
    Enum(Enum),
    Fixed(Fixed),
    /// A name used before its definition was known. None is reachable once a text has been parsed.
    Unresolved(Unresolved),
}

#[derive(Debug)]
pub(super) struct Unresolved {
    pub(super) full_name: String,
    /// Where in the text it stands.
    pub(super) source: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Primitive {
    Null,
    Boolean,
    Int,
    Long,
    Float,
    Double,
    Bytes,
    String,
}

/// What records, enums and fixed types share.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) name: Name,
    pub(super) doc: Option<String>,
    pub(super) aliases: Vec<Name>,
}

#[derive(Debug)]
pub(super) struct Record {
    pub(super) named: Named,
    pub(super) is_error: bool,
    pub(super) fields: Vec<Field>,
    /// The place of each field by its name.
    pub(super) places: HashMap<String, usize>,
}

#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) schema: NodeId,
    pub(super) doc: Option<String>,
    pub(super) default: Option<Json>,
    pub(super) order: Order,
    pub(super) aliases: Vec<String>,
    pub(super) props: Props,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Ascending,
    Descending,
    Ignore,
}

#[derive(Debug)]
pub(super) struct Enum {
    pub(super) named: Named,
    pub(super) symbols: Vec<String>,
    pub(super) default: Option<String>,
}

#[derive(Debug)]
pub(super) struct Fixed {
    pub(super) named: Named,
    pub(super) size: i32,
}

impl Graph {
    /// Adds a node; a graph has fewer nodes than its texts have bytes, and those are below 4 GiB each.
    pub(super) fn push(&mut self, kind: Kind, props: Props) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node { kind, props });
        id
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(super) fn kind(&self, id: NodeId) -> &Kind {
        &self.node(id).kind
    }

    /// The nodes from the one numbered `first` on, with their ids.
    pub(super) fn nodes_from(&self, first: usize) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes[first..]
            .iter()
            .zip(first..)
            .map(|(node, index)| (NodeId(u32::try_from(index).unwrap_or(u32::MAX)), node))
    }

    /// Replaces, in the nodes from the one numbered `first` on, every child by what `target` says.
    pub(super) fn replace_children(&mut self, first: usize, target: &HashMap<NodeId, NodeId>) {
        let resolve = |child: &mut NodeId| *child = target.get(child).copied().unwrap_or(*child);
        for node in &mut self.nodes[first..] {
            match &mut node.kind {
                Kind::Array(child) | Kind::Map(child) => resolve(child),
                Kind::Union(branches) => branches.iter_mut().for_each(resolve),
                Kind::Record(record) => record.fields.iter_mut().for_each(|field| resolve(&mut field.schema)),
                _ => {}
            }
        }
    }

    /// The child at `index`: an item, a value, a branch, the type of a field.
    pub(super) fn child(&self, id: NodeId, index: usize) -> Option<NodeId> {
        match self.kind(id) {
            Kind::Array(child) | Kind::Map(child) => (index == 0).then_some(*child),
            Kind::Union(branches) => branches.get(index).copied(),
            Kind::Record(record) => record.fields.get(index).map(|field| field.schema),
            _ => None,
        }
    }

    /// What a named type has in common with others; none for a type without a name.
    pub(super) fn named(&self, id: NodeId) -> Option<&Named> {
        self.kind(id).named()
    }
}

impl Kind {
    pub(super) fn named(&self) -> Option<&Named> {
        match self {
            Self::Record(record) => Some(&record.named),
            Self::Enum(enumeration) => Some(&enumeration.named),
            Self::Fixed(fixed) => Some(&fixed.named),
            _ => None,
        }
    }

    /// The word for the type in schema texts; an error record is a record here.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Self::Primitive(primitive) => primitive.name(),
            Self::Array(_) => "array",
            Self::Map(_) => "map",
            Self::Union(_) => "union",
            Self::Record(_) | Self::Unresolved(_) => "record",
            Self::Enum(_) => "enum",
            Self::Fixed(_) => "fixed",
        }
    }

    /// The type as compatibility messages name it.
    pub(super) fn upper_type_name(&self) -> String {
        self.type_name().to_ascii_uppercase()
    }
}

impl Primitive {
    const ALL: [Self; 8] =
        [Self::Null, Self::Boolean, Self::Int, Self::Long, Self::Float, Self::Double, Self::Bytes, Self::String];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Int => "int",
            Self::Long => "long",
            Self::Float => "float",
            Self::Double => "double",
            Self::Bytes => "bytes",
            Self::String => "string",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|primitive| primitive.name() == name)
    }
}

impl Order {
    const ALL: [Self; 3] = [Self::Ascending, Self::Descending, Self::Ignore];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ascending => "ascending",
            Self::Descending => "descending",
            Self::Ignore => "ignore",
        }
    }

    /// Any case is read.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.name().eq_ignore_ascii_case(name))
    }
}
