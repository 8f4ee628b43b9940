//! The order in which branches are counted in the paths of tags (json-tags-rules.md): by kind, then by what is said
//! about them, then by what they demand.

use std::collections::HashMap;
use std::rc::Rc;

use super::model::{Graph, Kind, NodeId};

/// Nothing deeper than this decides.
const MAX_DEPTH: usize = 6;

/// Nothing beyond this many bytes decides.
const MAX_KEY: usize = 1024;

/// Sorts nodes as their branches are counted.
pub(super) fn sort(graph: &Graph, mut nodes: Vec<NodeId>) -> Vec<NodeId> {
    let mut keys = Keys { graph, known: HashMap::new() };
    nodes.sort_by_cached_key(|id| keys.of(*id, 0));
    nodes
}

/// Bytes by which nodes are ordered. Everything in them is in the order of what it stands for.
struct Keys<'a> {
    graph: &'a Graph,
    known: HashMap<(NodeId, usize), Rc<[u8]>>,
}

impl Keys<'_> {
    fn of(&mut self, id: NodeId, depth: usize) -> Rc<[u8]> {
        if let Some(key) = self.known.get(&(id, depth)) {
            return Rc::clone(key);
        }
        let mut key = self.build(id, depth);
        key.truncate(MAX_KEY);
        let key: Rc<[u8]> = key.into();
        self.known.insert((id, depth), Rc::clone(&key));
        key
    }

    fn build(&mut self, id: NodeId, depth: usize) -> Vec<u8> {
        let node = self.graph.node(id);
        let mut key = vec![rank(&node.kind)];
        add_optional(&mut key, node.notes().title.as_deref());
        add_optional(&mut key, node.notes().description.as_deref());
        add_optional(&mut key, node.notes().default.as_ref().map(|default| plain(&default.text)));
        if depth >= MAX_DEPTH {
            return key;
        }
        match &node.kind {
            Kind::Const(value) => add(&mut key, plain(value)),
            Kind::Enum(values) => add_all(&mut key, values.iter().map(|value| plain(value)).collect()),
            Kind::Combined(combined) => {
                add(&mut key, combined.criterion.word());
                add_count(&mut key, combined.branches.len());
                let mut branches: Vec<Rc<[u8]>> =
                    combined.branches.iter().map(|branch| self.of(*branch, depth + 1)).collect();
                branches.sort();
                key.extend(branches.iter().flat_map(|branch| branch.iter()));
            }
            Kind::Not(inner) => key.extend_from_slice(&self.of(*inner, depth + 1)),
            Kind::Conditional(parts) => {
                for part in [parts.condition, parts.then, parts.otherwise] {
                    self.add_node(&mut key, part, depth, Some(&Kind::Empty));
                }
            }
            Kind::Object(rules) => {
                add_all(&mut key, rules.properties.iter().map(|(name, _)| name).collect());
                add_all(&mut key, rules.required.iter().map(String::as_str).collect());
            }
            Kind::Array(rules) => self.add_node(&mut key, rules.items, depth, None),
            Kind::Reference(to) => self.add_node(&mut key, Some(to.target), depth, None),
            _ => {}
        }
        key
    }

    /// Adds the key of a node; if there is none, that of `instead`, or what comes before all keys.
    fn add_node(&mut self, key: &mut Vec<u8>, id: Option<NodeId>, depth: usize, instead: Option<&Kind>) {
        match (id, instead) {
            (Some(id), _) => key.extend_from_slice(&self.of(id, depth + 1)),
            (None, Some(kind)) => key.extend_from_slice(&[rank(kind), 0, 0, 0]),
            (None, None) => key.push(0),
        }
    }
}

/// The place of a kind in the order of names.
fn rank(kind: &Kind) -> u8 {
    match kind {
        Kind::Array(_) => 1,
        Kind::Boolean => 2,
        Kind::Combined(_) => 3,
        Kind::Conditional(_) => 4,
        Kind::Const(_) => 5,
        Kind::Empty => 6,
        Kind::Enum(_) => 7,
        Kind::False => 8,
        Kind::Not(_) => 9,
        Kind::Null => 10,
        Kind::Number(_) => 11,
        Kind::Object(_) | Kind::MetaSchema(_) => 12,
        Kind::Reference(_) => 13,
        Kind::String(_) => 14,
        Kind::True => 15,
    }
}

/// A string without the quotes of JSON, anything else as it is.
fn plain(json: &str) -> &str {
    json.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(json)
}

fn add_optional(key: &mut Vec<u8>, text: Option<&str>) {
    key.push(u8::from(text.is_some()));
    if let Some(text) = text {
        add(key, text);
    }
}

/// Java orders strings by their UTF-16 units.
fn add(key: &mut Vec<u8>, text: &str) {
    key.extend(text.encode_utf16().take(MAX_KEY / 2).flat_map(u16::to_be_bytes));
    key.extend([0, 0]);
}

fn add_count(key: &mut Vec<u8>, count: usize) {
    key.extend(u64::try_from(count).unwrap_or(u64::MAX).to_be_bytes());
}

/// Adds a set: its size decides first, then its sorted members.
fn add_all(key: &mut Vec<u8>, mut texts: Vec<&str>) {
    add_count(key, texts.len());
    texts.sort_unstable();
    for text in texts {
        add(key, text);
        if key.len() > MAX_KEY {
            return;
        }
    }
}
