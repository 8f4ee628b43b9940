//! The tree: an arena of nodes, so that nothing about it is recursive.

use std::collections::HashMap;

use super::reader::{self, Dialect, JsonError};
use super::writer::{self, KeyOrder};

/// Objects with more members than this are searched through a map when duplicates are looked for.
const SMALL_OBJECT: usize = 8;

/// One JSON value with everything below it.
#[derive(Clone, Debug)]
pub struct Json {
    nodes: Vec<Node>,
    root: u32,
}

#[derive(Clone, Debug)]
pub(super) enum Node {
    Null,
    Bool(bool),
    Number(Box<str>),
    String(Box<str>),
    Array(Vec<u32>),
    Object(Vec<(Box<str>, u32)>),
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, or one of the non-finite tokens if the dialect reads them
    Number,
    /// A string
    String,
    /// An array
    Array,
    /// An object
    Object,
}

/// A place in a [`Json`] tree.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    json: &'a Json,
    id: u32,
}

impl Json {
    /// Reads one value and demands that only white space (and comments, if the dialect has them) follows.
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, JsonError> {
        reader::read_all(text, dialect)
    }

    /// Reads one value and returns it with the number of bytes read, leaving what follows to the caller.
    pub fn parse_prefix(text: &str, dialect: Dialect) -> Result<(Self, usize), JsonError> {
        reader::read_prefix(text, dialect)
    }

    /// A tree that is one number with the given text.
    pub fn number(text: &str) -> Self {
        Self { nodes: vec![Node::Number(text.into())], root: 0 }
    }

    pub(super) fn new() -> Self {
        Self { nodes: Vec::new(), root: 0 }
    }

    /// Adds a node; a tree never has more nodes than its text has bytes, and 4 GiB of text are refused by the reader.
    pub(super) fn push(&mut self, node: Node) -> u32 {
        let id = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes.push(node);
        id
    }

    pub(super) fn set_root(&mut self, root: u32) {
        self.root = root;
    }

    /// Replaces the member `key`, or adds it as the last; an empty list removes it.
    fn put_list(&mut self, members: &mut Vec<(Box<str>, u32)>, key: &str, list: &[String]) {
        let place = members.iter().position(|(name, _)| &**name == key);
        if list.is_empty() {
            members.retain(|(name, _)| &**name != key);
            return;
        }
        let items = list.iter().map(|text| self.push(Node::String(text.as_str().into()))).collect();
        let value = self.push(Node::Array(items));
        match place {
            Some(place) => members[place].1 = value,
            None => members.push((key.into(), value)),
        }
    }

    /// The value at the top.
    pub fn root(&self) -> Value<'_> {
        Value { json: self, id: self.root }
    }

    /// The value that has this [`id`](Value::id) in this tree; the value at the top if none has.
    pub fn value(&self, id: u32) -> Value<'_> {
        let known = (id as usize) < self.nodes.len();
        Value { json: self, id: if known { id } else { self.root } }
    }
}

impl<'a> Value<'a> {
    pub(super) fn node(self) -> &'a Node {
        &self.json.nodes[self.id as usize]
    }

    fn at(self, id: u32) -> Self {
        Self { json: self.json, id }
    }

    /// The value that has the given id in the same tree; see [`Json::value`].
    #[must_use]
    pub fn within(self, id: u32) -> Self {
        self.json.value(id)
    }

    /// A number that names this place within its tree.
    pub fn id(self) -> u32 {
        self.id
    }

    /// What the value is.
    pub fn kind(self) -> Kind {
        match self.node() {
            Node::Null => Kind::Null,
            Node::Bool(_) => Kind::Bool,
            Node::Number(_) => Kind::Number,
            Node::String(_) => Kind::String,
            Node::Array(_) => Kind::Array,
            Node::Object(_) => Kind::Object,
        }
    }

    /// The text of a string, unescaped.
    pub fn as_str(self) -> Option<&'a str> {
        match self.node() {
            Node::String(text) => Some(text),
            _ => None,
        }
    }

    /// The text of a number, as it was written.
    pub fn as_number(self) -> Option<&'a str> {
        match self.node() {
            Node::Number(text) => Some(text),
            _ => None,
        }
    }

    /// The value of `true` or `false`.
    pub fn as_bool(self) -> Option<bool> {
        match self.node() {
            Node::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The value of the member `key`; none if this is no object or has no such member.
    pub fn get(self, key: &str) -> Option<Self> {
        self.members().find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// The members of an object in order; none for any other value.
    pub fn members(self) -> impl ExactSizeIterator<Item = (&'a str, Self)> + use<'a> {
        let members: &'a [(Box<str>, u32)] = match self.node() {
            Node::Object(members) => members,
            _ => &[],
        };
        members.iter().map(move |(key, id)| (&**key, self.at(*id)))
    }

    /// The items of an array in order; none for any other value.
    pub fn items(self) -> impl ExactSizeIterator<Item = Self> + use<'a> {
        let items: &'a [u32] = match self.node() {
            Node::Array(items) => items,
            _ => &[],
        };
        items.iter().map(move |id| self.at(*id))
    }

    /// The value at `index` of an array.
    pub fn item(self, index: usize) -> Option<Self> {
        match self.node() {
            Node::Array(items) => items.get(index).map(|id| self.at(*id)),
            _ => None,
        }
    }

    /// The member at `index` of an object.
    pub fn member(self, index: usize) -> Option<(&'a str, Self)> {
        match self.node() {
            Node::Object(members) => members.get(index).map(|(key, id)| (&**key, self.at(*id))),
            _ => None,
        }
    }

    /// A copy of this value as a tree of its own, the text of every number passed through `number`.
    pub fn to_json(self, number: fn(&str) -> Box<str>) -> Json {
        let mut copy = Json::new();
        if let Some(node) = self.scalar(number) {
            copy.push(node);
            return copy;
        }
        let mut ids: HashMap<u32, u32> = HashMap::new();
        // Children before parents: the reader gives a container its id only when it closes.
        for id in self.below() {
            let value = self.at(id);
            let node = value.scalar(number).unwrap_or_else(|| match value.node() {
                Node::Object(members) => {
                    Node::Object(members.iter().map(|(key, value)| (key.clone(), ids[value])).collect())
                }
                _ => Node::Array(value.items().map(|item| ids[&item.id]).collect()),
            });
            let new = copy.push(node);
            ids.insert(id, new);
            copy.set_root(new);
        }
        copy
    }

    /// A copy in which the member `key` of the objects with these ids is a list of strings; an empty list removes it.
    pub fn with_lists(self, key: &str, lists: &HashMap<u32, Vec<String>>) -> Json {
        let mut copy = Json::new();
        let mut ids: HashMap<u32, u32> = HashMap::new();
        for id in self.below() {
            let node = match (self.at(id).node(), lists.get(&id)) {
                (Node::Object(members), list) => {
                    let mut members: Vec<(Box<str>, u32)> =
                        members.iter().map(|(key, value)| (key.clone(), ids[value])).collect();
                    if let Some(list) = list {
                        copy.put_list(&mut members, key, list);
                    }
                    Node::Object(members)
                }
                (Node::Array(items), _) => Node::Array(items.iter().map(|item| ids[item]).collect()),
                (scalar, _) => scalar.clone(),
            };
            let new = copy.push(node);
            ids.insert(id, new);
            copy.set_root(new);
        }
        copy
    }

    fn scalar(self, number: fn(&str) -> Box<str>) -> Option<Node> {
        match self.node() {
            Node::Null => Some(Node::Null),
            Node::Bool(value) => Some(Node::Bool(*value)),
            Node::Number(text) => Some(Node::Number(number(text))),
            Node::String(text) => Some(Node::String(text.clone())),
            Node::Array(_) | Node::Object(_) => None,
        }
    }

    /// The ids of this value and all below it, in ascending order, which puts children before parents.
    fn below(self) -> Vec<u32> {
        let mut ids = vec![self.id];
        let mut next = 0;
        while let Some(id) = ids.get(next).copied() {
            next += 1;
            match self.at(id).node() {
                Node::Array(items) => ids.extend(items),
                Node::Object(members) => ids.extend(members.iter().map(|(_, value)| value)),
                _ => {}
            }
        }
        ids.sort_unstable();
        ids
    }

    /// The value as compact text.
    pub fn to_text(self, order: KeyOrder) -> String {
        let mut out = String::new();
        writer::write(self, order, &mut out);
        out
    }

    /// Whether both values are alike, whatever the order of members; numbers are alike if their texts are.
    pub fn same(self, other: Value<'_>) -> bool {
        self.to_text(KeyOrder::Sorted) == other.to_text(KeyOrder::Sorted)
    }

    /// The JSON pointer (RFC 6901) of the place `id` below this value; empty for the value itself.
    pub fn pointer_to(self, id: u32) -> String {
        let mut stack = vec![(self, String::new())];
        while let Some((value, path)) = stack.pop() {
            if value.id == id {
                return path;
            }
            // Ids ascend from children to parents: nothing below a smaller id is looked for.
            if value.id < id {
                continue;
            }
            stack.extend(value.items().enumerate().map(|(index, item)| (item, format!("{path}/{index}"))));
            stack.extend(
                value
                    .members()
                    .map(|(key, item)| (item, format!("{path}/{}", key.replace('~', "~0").replace('/', "~1")))),
            );
        }
        String::new()
    }
}

/// Applies the rule for members of one name: the first one's place, the last one's value.
pub(super) fn merge_duplicates(members: Vec<(Box<str>, u32)>) -> Vec<(Box<str>, u32)> {
    if !has_duplicates(&members) {
        return members;
    }
    let mut places: HashMap<Box<str>, usize> = HashMap::new();
    let mut merged: Vec<(Box<str>, u32)> = Vec::with_capacity(members.len());
    for (key, value) in members {
        if let Some(place) = places.get(&key) {
            merged[*place].1 = value;
            continue;
        }
        places.insert(key.clone(), merged.len());
        merged.push((key, value));
    }
    merged
}

fn has_duplicates(members: &[(Box<str>, u32)]) -> bool {
    if members.len() <= SMALL_OBJECT {
        return members
            .iter()
            .enumerate()
            .any(|(index, (key, _))| members[..index].iter().any(|(seen, _)| seen == key));
    }
    let mut keys: Vec<&str> = members.iter().map(|(key, _)| &**key).collect();
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}
