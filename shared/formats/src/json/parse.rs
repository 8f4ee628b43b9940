//! From documents to the model: a queue of places that become nodes, so that depth costs no stack.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::dialect::Dialect;
use super::documents::{Documents, Found};
use super::model::{Graph, Kind, Node, NodeId, Reference, Rest, Source};
use super::read::{Fields, Reader};
use super::references::{self, Target};
use super::{classic, finish, modern, pattern};
use crate::json_text::{Json, Kind as JsonKind, Value};
use crate::{NamedText, SchemaError};

/// Builds the model of the schema `json`, which may refer to `references`.
pub(super) fn load(json: &Arc<Json>, references: &[NamedText]) -> Result<Graph, SchemaError> {
    let dialect = Dialect::of(json.root())?;
    let documents = Documents::new(dialect, Arc::clone(json), references)?;
    let top = documents.top(0);
    Loader::new(dialect, documents, true).run(top)
}

/// Builds the model of a part of a schema as if it were one of its own, without following its references.
pub(super) fn load_part(json: &Arc<Json>, value: u32) -> Result<Graph, SchemaError> {
    let dialect = Dialect::of(json.value(value))?;
    let documents = Documents::of_part(dialect, Arc::clone(json));
    let top = Found { document: 0, value, base: "".into() };
    Loader::new(dialect, documents, false).run(top)
}

pub(super) struct Loader<'a> {
    pub(super) dialect: Dialect,
    documents: Documents<'a>,
    follows: bool,
    pub(super) graph: Graph,
    bases: HashMap<Arc<str>, usize>,
    known: HashMap<Key, NodeId>,
    targets: HashMap<(usize, u32, Arc<str>), NodeId>,
    /// The meta-schemas referred to, by URI.
    meta_schemas: HashMap<String, NodeId>,
    queue: VecDeque<(NodeId, Found, Owner)>,
}

/// More nodes than this are not made by copying what is referred to; then all references share.
const MAX_COPIED: usize = 20_000;

/// What a node was read for.
///
/// As in the reference implementation, what a reference leads to is read anew, and is not what stands in its place: it
/// matters where differences in recursive schemas are reported.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Owner {
    Root,
    /// The node a reference leads to, with all below it
    Target(NodeId),
    Shared,
}

/// A place: document, value and the number of the base URI.
type Key = (usize, u32, usize, Owner);

/// A place that becomes a node, with the document it is in.
pub(super) struct Place {
    found: Found,
    owner: Owner,
    json: Arc<Json>,
    name: Arc<str>,
}

impl Place {
    /// The keywords that stand here.
    pub(super) fn fields(&self) -> Fields<'_> {
        Fields { reader: self.reader(), source: self.json.value(self.found.value) }
    }

    /// Members in the order in which the reference implementation sees them: that of a Java hash map. Only documents that
    /// the newer drafts refer to are seen as they are written.
    pub(super) fn in_order<'m>(&self, dialect: Dialect, mut members: Vec<Member<'m>>) -> Vec<Member<'m>> {
        if dialect != Dialect::Modern || self.found.document == 0 {
            let buckets = (members.len() * 4).div_ceil(3).next_power_of_two().max(16);
            members.sort_by_key(|(key, _)| bucket(key, buckets));
        }
        members
    }

    fn reader(&self) -> Reader<'_> {
        Reader { json: &self.json, name: &self.name }
    }
}

/// A member of an object.
pub(super) type Member<'j> = (&'j str, Value<'j>);

/// The place of a string in a Java hash map with a number of places that is a power of two.
fn bucket(key: &str, buckets: usize) -> usize {
    let hash = key.encode_utf16().fold(0_u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(u32::from(unit)));
    (hash ^ (hash >> 16)) as usize & (buckets - 1)
}

impl<'a> Loader<'a> {
    fn new(dialect: Dialect, documents: Documents<'a>, follows: bool) -> Self {
        Self {
            dialect,
            documents,
            follows,
            graph: Graph::default(),
            bases: HashMap::new(),
            known: HashMap::new(),
            targets: HashMap::new(),
            meta_schemas: HashMap::new(),
            queue: VecDeque::new(),
        }
    }

    fn run(mut self, top: Found) -> Result<Graph, SchemaError> {
        self.graph.root = self.at(top, Owner::Root)?;
        while let Some((id, found, owner)) = self.queue.pop_front() {
            let source = Source { document: found.document, value: found.value };
            let (json, name) = (self.documents.json(found.document), self.documents.name(found.document));
            let place = Place { found, owner, json, name };
            let mut node = match place.fields().source.as_bool() {
                Some(true) => Node::part(Kind::True),
                Some(false) => Node::part(Kind::False),
                None if self.dialect == Dialect::Modern => modern::build(&mut self, id, &place)?,
                None => classic::build(&mut self, &place)?,
            };
            node.source = Some(source);
            self.graph.nodes[id] = node;
        }
        self.graph.splits_branches = self.dialect == Dialect::Modern;
        self.graph.documents = self.documents.into_list();
        finish::run(&mut self.graph)?;
        Ok(self.graph)
    }

    /// The node of the schema `value`, which stands in the place's document.
    pub(super) fn child(&mut self, place: &Place, value: Value<'_>) -> Result<NodeId, SchemaError> {
        let base = self.documents.base_at(&place.found.base, value);
        self.at(Found { document: place.found.document, value: value.id(), base }, place.owner)
    }

    /// The node of the schema under a keyword.
    pub(super) fn schema(&mut self, place: &Place, key: &str) -> Result<Option<NodeId>, SchemaError> {
        place.fields().get(key).map(|value| self.child(place, value)).transpose()
    }

    /// The nodes of the list of schemas under a keyword.
    pub(super) fn schemas(&mut self, place: &Place, key: &str) -> Result<Option<Vec<NodeId>>, SchemaError> {
        let list = place.fields().array(key)?;
        list.map(|list| list.into_iter().map(|value| self.child(place, value)).collect()).transpose()
    }

    /// What a keyword says about members or items without a schema of their own.
    pub(super) fn rest(&mut self, place: &Place, key: &str) -> Result<Rest, SchemaError> {
        match place.fields().get(key) {
            None => Ok(Rest::Allowed),
            Some(value) => match value.as_bool() {
                Some(true) => Ok(Rest::Allowed),
                Some(false) => Ok(Rest::Forbidden),
                None => self.child(place, value).map(Rest::Schema),
            },
        }
    }

    /// The node of a place; it is built later if there is none yet.
    fn at(&mut self, found: Found, owner: Owner) -> Result<NodeId, SchemaError> {
        let count = self.bases.len();
        let base = self.bases.get(&found.base).copied().unwrap_or(count);
        if base == count {
            self.bases.insert(Arc::clone(&found.base), base);
        }
        let owner = if self.graph.nodes.len() > MAX_COPIED { Owner::Shared } else { owner };
        let key = (found.document, found.value, base, owner);
        if let Some(id) = self.known.get(&key) {
            return Ok(*id);
        }
        let json = self.documents.json(found.document);
        let value = json.value(found.value);
        if !matches!(value.kind(), JsonKind::Object | JsonKind::Bool) {
            let reader = Reader { json: &json, name: &self.documents.name(found.document) };
            return Err(reader.expected(value, "a boolean or an object"));
        }
        let id = self.push(Kind::Empty);
        self.known.insert(key, id);
        self.queue.push_back((id, found, owner));
        Ok(id)
    }

    /// The node of a place that a reference leads to: one for all references.
    fn target_at(&mut self, found: Found) -> Result<NodeId, SchemaError> {
        let owner = Owner::Target(self.graph.nodes.len());
        let key = (found.document, found.value, Arc::clone(&found.base));
        if let Some(id) = self.targets.get(&key) {
            return Ok(*id);
        }
        let id = self.at(found, owner)?;
        self.targets.insert(key, id);
        Ok(id)
    }

    /// Adds a node that is a part of what an object says.
    pub(super) fn push(&mut self, kind: Kind) -> NodeId {
        self.graph.nodes.push(Node::part(kind));
        self.graph.nodes.len() - 1
    }

    /// The rules of a node that refers to another, as written at `value`.
    pub(super) fn reference(&mut self, place: &Place, value: Value<'_>, dynamic: bool) -> Result<Kind, SchemaError> {
        let text = place.reader().string(value)?.to_owned();
        let target = if self.follows { self.target(place, value, &text)? } else { self.push(Kind::Empty) };
        Ok(Kind::Reference(Reference { text, target, dynamic }))
    }

    fn target(&mut self, place: &Place, value: Value<'_>, text: &str) -> Result<NodeId, SchemaError> {
        match references::find(&mut self.documents, self.dialect, &place.found, text) {
            Ok(Target::Place(found)) => self.target_at(found),
            Ok(Target::MetaSchema(uri)) => {
                if let Some(id) = self.meta_schemas.get(&uri) {
                    return Ok(*id);
                }
                let id = self.push(Kind::MetaSchema(uri.clone()));
                self.meta_schemas.insert(uri, id);
                Ok(id)
            }
            Err(error) => Err(place.reader().error(value, error.message())),
        }
    }
}

/// Checks that Java could read the regular expression `text`, which stands at `value`.
pub(super) fn check_pattern(place: &Place, value: Value<'_>, text: &str) -> Result<(), SchemaError> {
    pattern::check(text).map_err(|what| place.reader().error(value, &what))
}
