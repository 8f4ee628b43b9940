//! The model of a schema: what is compared (json-diff-rules.md §0). An arena, so that nothing about it is recursive.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::json_text::{Json, KeyOrder, Kind as JsonKind, Value};

/// The place of a node in its [`Graph`].
pub(super) type NodeId = usize;

/// All nodes of a schema, of what it refers to, and the documents they were read from.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) documents: Vec<Arc<Json>>,
    pub(super) root: NodeId,
    /// Whether a branch of several parts counts as several branches
    pub(super) splits_branches: bool,
    /// By the node with the definitions: their keyword, names and schemas in the newer drafts, for tags.
    pub(super) definitions: HashMap<NodeId, Vec<(&'static str, String, NodeId)>>,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// None if there are none, as mostly: there may be hundreds of thousands of nodes.
    notes: Option<Box<Notes>>,
    /// The object it was read from; none for a part of one.
    pub(super) source: Option<Source>,
}

/// A place in one of the documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Source {
    pub(super) document: usize,
    pub(super) value: u32,
}

/// What is said about a schema and not demanded by it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Notes {
    pub(super) id: Option<String>,
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) default: Option<DefaultValue>,
}

static NO_NOTES: Notes = Notes { id: None, title: None, description: None, default: None };

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DefaultValue {
    /// The value as JSON.
    pub(super) text: String,
    /// Whether it is an object or array: Confluent never takes two of those for equal.
    pub(super) is_container: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    String(Box<StringRules>),
    Number(Box<NumberRules>),
    Boolean,
    Null,
    Object(Box<ObjectRules>),
    Array(Box<ArrayRules>),
    /// The values as sorted JSON
    Enum(Vec<String>),
    /// The value as sorted JSON
    Const(String),
    Not(NodeId),
    Combined(Combined),
    Conditional(Conditional),
    Reference(Reference),
    /// One of the meta-schemas that come with the implementation; only known by its URI
    MetaSchema(String),
    Empty,
    True,
    False,
}

#[derive(Clone, Debug, Default)]
pub(super) struct StringRules {
    /// Whether `type` says so. Not compared, but two branches that differ in it are two branches.
    pub(super) typed: bool,
    pub(super) min_length: Option<i64>,
    pub(super) max_length: Option<i64>,
    pub(super) pattern: Option<String>,
    /// Not compared either.
    pub(super) format: Option<String>,
}

/// Limits by their texts.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberRules {
    pub(super) typed: bool,
    pub(super) integer: bool,
    pub(super) minimum: Option<String>,
    pub(super) maximum: Option<String>,
    pub(super) exclusive_minimum: Option<String>,
    pub(super) exclusive_maximum: Option<String>,
    pub(super) multiple_of: Option<String>,
}

/// What holds for members or items that are not named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Rest {
    #[default]
    Allowed,
    Forbidden,
    Schema(NodeId),
}

#[derive(Clone, Debug, Default)]
pub(super) struct ObjectRules {
    pub(super) typed: bool,
    pub(super) properties: Named,
    pub(super) required: HashSet<String>,
    pub(super) additional: Rest,
    /// In the order of the text
    pub(super) patterns: Vec<(String, NodeId)>,
    pub(super) property_names: Option<NodeId>,
    pub(super) min_properties: Option<i64>,
    pub(super) max_properties: Option<i64>,
    pub(super) needs: BTreeMap<String, BTreeSet<String>>,
    pub(super) needs_schema: Named,
    pub(super) unevaluated: Option<NodeId>,
}

/// Schemas by name, in the order of the text.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    list: Vec<(Arc<str>, NodeId)>,
    places: HashMap<Arc<str>, usize>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct ArrayRules {
    pub(super) typed: bool,
    pub(super) items: Option<NodeId>,
    pub(super) tuple: Vec<NodeId>,
    pub(super) additional: Rest,
    pub(super) contains: Option<NodeId>,
    pub(super) min_items: Option<i64>,
    pub(super) max_items: Option<i64>,
    pub(super) unique: bool,
    pub(super) min_contains: Option<String>,
    pub(super) max_contains: Option<String>,
    pub(super) unevaluated: Option<NodeId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Criterion {
    All,
    Any,
    One,
}

#[derive(Clone, Debug)]
pub(super) struct Combined {
    pub(super) criterion: Criterion,
    /// Made from the keywords of one object, not written as such
    pub(super) generated: bool,
    pub(super) branches: Vec<NodeId>,
    /// The branches without those that are written like an earlier one
    pub(super) distinct: Vec<NodeId>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Conditional {
    pub(super) condition: Option<NodeId>,
    pub(super) then: Option<NodeId>,
    pub(super) otherwise: Option<NodeId>,
}

#[derive(Clone, Debug)]
pub(super) struct Reference {
    /// As it is written
    pub(super) text: String,
    pub(super) target: NodeId,
    /// `$dynamicRef`, which the reference implementation expands in place
    pub(super) dynamic: bool,
}

impl Graph {
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    pub(super) fn kind(&self, id: NodeId) -> &Kind {
        &self.nodes[id].kind
    }

    /// One step along a reference; a reference to a reference stays one.
    pub(super) fn follow(&self, id: NodeId) -> NodeId {
        match self.kind(id) {
            Kind::Reference(reference) => reference.target,
            _ => id,
        }
    }

    /// The member `key` of the object a node was read from.
    pub(super) fn raw(&self, id: NodeId, key: &str) -> Option<Value<'_>> {
        let source = self.node(id).source?;
        self.documents.get(source.document)?.value(source.value).get(key)
    }
}

impl Node {
    /// A node that is a part of what one object says.
    pub(super) fn part(kind: Kind) -> Self {
        Self { kind, notes: None, source: None }
    }

    /// A node with what is said about it.
    pub(super) fn noted(kind: Kind, notes: Notes) -> Self {
        Self { kind, notes: (notes != NO_NOTES).then(|| Box::new(notes)), source: None }
    }

    /// What is said about it.
    pub(super) fn notes(&self) -> &Notes {
        self.notes.as_deref().unwrap_or(&NO_NOTES)
    }
}

impl DefaultValue {
    pub(super) fn read(value: Value<'_>) -> Self {
        let is_container = matches!(value.kind(), JsonKind::Object | JsonKind::Array);
        Self { text: value.to_text(KeyOrder::Kept), is_container }
    }
}

impl Kind {
    pub(super) fn combined(criterion: Criterion, generated: bool, branches: Vec<NodeId>) -> Self {
        Self::Combined(Combined { criterion, generated, distinct: branches.clone(), branches })
    }

    /// Whether the two are of one kind, so that their rules can be compared one by one.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::MetaSchema(left), Self::MetaSchema(right)) => left == right,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    /// How much there is to look at when two of the kind are compared.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Object(rules) => {
                let needs = rules.needs.values().map(|names| 1 + names.len()).sum::<usize>();
                rules.properties.len() + rules.required.len() + rules.patterns.len() + rules.needs_schema.len() + needs
            }
            Self::Array(rules) => rules.tuple.len(),
            Self::Combined(combined) => combined.branches.len(),
            Self::Enum(values) => values.iter().map(|value| 1 + value.len() / 64).sum(),
            _ => 0,
        }
    }

    /// The nodes right below, without the targets of references.
    pub(super) fn children(&self) -> Vec<NodeId> {
        match self {
            Self::Object(rules) => {
                let rest = [rules.additional.schema(), rules.property_names, rules.unevaluated];
                let named = rules.properties.iter().chain(rules.needs_schema.iter()).map(|(_, id)| id);
                named.chain(rules.patterns.iter().map(|(_, id)| *id)).chain(rest.into_iter().flatten()).collect()
            }
            Self::Array(rules) => {
                let rest = [rules.items, rules.additional.schema(), rules.contains, rules.unevaluated];
                rules.tuple.iter().copied().chain(rest.into_iter().flatten()).collect()
            }
            Self::Not(inner) => vec![*inner],
            Self::Combined(combined) => combined.branches.clone(),
            Self::Conditional(parts) => [parts.condition, parts.then, parts.otherwise].into_iter().flatten().collect(),
            _ => Vec::new(),
        }
    }
}

impl Rest {
    pub(super) fn schema(self) -> Option<NodeId> {
        match self {
            Self::Schema(id) => Some(id),
            Self::Allowed | Self::Forbidden => None,
        }
    }
}

impl Named {
    /// Adds a schema, in the place of the one that has the name already.
    pub(super) fn insert(&mut self, name: &str, id: NodeId) {
        if let Some(place) = self.places.get(name) {
            self.list[*place].1 = id;
            return;
        }
        let name: Arc<str> = name.into();
        self.places.insert(Arc::clone(&name), self.list.len());
        self.list.push((name, id));
    }

    pub(super) fn get(&self, name: &str) -> Option<NodeId> {
        self.places.get(name).map(|place| self.list[*place].1)
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (&str, NodeId)> {
        self.list.iter().map(|(name, id)| (&**name, *id))
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }
}

impl Criterion {
    /// The keyword.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::All => "allOf",
            Self::Any => "anyOf",
            Self::One => "oneOf",
        }
    }
}
