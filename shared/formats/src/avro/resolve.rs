//! The end of a text: names used before their definition, what unions may hold, what a redefinition may change.

use std::collections::{HashMap, HashSet};

use super::defaults;
use super::model::{Field, Graph, Kind, NodeId, Props};
use super::parse::error_at;
use crate::json_text::Json;
use crate::{SchemaError, Strictness};

/// Completes the nodes that `json` added to `graph`, numbered from `first` on, and returns the type at its top.
pub(super) fn finish(
    graph: &mut Graph,
    json: &Json,
    first: usize,
    root: NodeId,
    strictness: Strictness,
) -> Result<NodeId, SchemaError> {
    let is_new = strictness == Strictness::New;
    if is_new {
        defaults::check(graph, first, None)?;
    }
    let targets = targets(graph, json, first)?;
    // A type that was defined before is that definition, also at the top.
    let root = targets.get(&root).copied().unwrap_or(root);
    let root = graph.named(root).and_then(|named| graph.names.get(named.name.full())).copied().unwrap_or(root);
    if !targets.is_empty() {
        graph.replace_children(first, &targets);
        if is_new {
            // Now that forward references have a type, their defaults are checked once more.
            defaults::check(graph, first, Some(root))?;
        }
    }
    check_unions(graph, first)?;
    Ok(root)
}

/// What every unresolved name means.
fn targets(graph: &Graph, json: &Json, first: usize) -> Result<HashMap<NodeId, NodeId>, SchemaError> {
    let mut targets = HashMap::new();
    for (id, node) in graph.nodes_from(first) {
        let Kind::Unresolved(unresolved) = &node.kind else {
            continue;
        };
        let Some(target) = graph.names.get(&unresolved.full_name) else {
            let what = format!("Undefined schema: {}", unresolved.full_name);
            return Err(error_at(json, unresolved.source, &what));
        };
        targets.insert(id, *target);
    }
    Ok(targets)
}

/// Branches of a union are told apart by their type, named ones by their full name.
fn check_unions(graph: &Graph, first: usize) -> Result<(), SchemaError> {
    for (_, node) in graph.nodes_from(first) {
        let Kind::Union(branches) = &node.kind else {
            continue;
        };
        let mut seen = HashSet::new();
        for branch in branches {
            let kind = graph.kind(*branch);
            let name = kind.named().map_or_else(|| kind.type_name(), |named| named.name.full());
            if !seen.insert(name) {
                return Err(SchemaError::new(format!("Duplicate in union: {name}")));
            }
        }
    }
    Ok(())
}

/// Whether two definitions are alike in everything but docs, aliases and enum defaults. A name that is not resolved
/// yet is like no other type.
pub(super) fn same_definition(graph: &Graph, left: NodeId, right: NodeId) -> bool {
    let mut seen = HashSet::new();
    let mut pending = vec![(left, right)];
    while let Some(pair) = pending.pop() {
        if pair.0 == pair.1 || !seen.insert(pair) {
            continue;
        }
        if !same_node(graph, pair.0, pair.1, &mut pending) {
            return false;
        }
    }
    true
}

/// Compares two nodes without their children, which are put among `pending`.
fn same_node(graph: &Graph, left: NodeId, right: NodeId, pending: &mut Vec<(NodeId, NodeId)>) -> bool {
    let (left, right) = (graph.node(left), graph.node(right));
    let same_names = match (left.kind.named(), right.kind.named()) {
        (Some(left), Some(right)) => left.name == right.name,
        (left, right) => left.is_none() && right.is_none(),
    };
    if !same_names || !same_props(&left.props, &right.props) {
        return false;
    }
    match (&left.kind, &right.kind) {
        (Kind::Primitive(left), Kind::Primitive(right)) => left == right,
        (Kind::Array(left), Kind::Array(right)) | (Kind::Map(left), Kind::Map(right)) => {
            pending.push((*left, *right));
            true
        }
        (Kind::Union(left), Kind::Union(right)) => {
            pending.extend(left.iter().copied().zip(right.iter().copied()));
            left.len() == right.len()
        }
        (Kind::Record(left), Kind::Record(right)) => {
            pending.extend(left.fields.iter().zip(&right.fields).map(|(left, right)| (left.schema, right.schema)));
            left.fields.len() == right.fields.len()
                && left.fields.iter().zip(&right.fields).all(|(left, right)| same_field(left, right))
        }
        (Kind::Enum(left), Kind::Enum(right)) => left.symbols == right.symbols,
        (Kind::Fixed(left), Kind::Fixed(right)) => left.size == right.size,
        _ => false,
    }
}

fn same_field(left: &Field, right: &Field) -> bool {
    let same_default = match (&left.default, &right.default) {
        (Some(left), Some(right)) => left.root().same(right.root()),
        (left, right) => left.is_none() && right.is_none(),
    };
    left.name == right.name && left.order == right.order && same_default && same_props(&left.props, &right.props)
}

fn same_props(left: &Props, right: &Props) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let right: HashMap<&str, &Json> = right.iter().map(|(key, value)| (key.as_str(), value)).collect();
    left.iter().all(|(key, value)| right.get(key.as_str()).is_some_and(|other| value.root().same(other.root())))
}
