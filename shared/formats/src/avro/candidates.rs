//! Which branches of a reader's union can read a type at all.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::model::{Graph, Kind, NodeId};

/// A union of more branches is searched by name. What the skipped branches lack is then not remembered, which at most
/// changes the path of a difference that is met again elsewhere.
const WIDE: usize = 16;

/// What is known about the names in the reader.
pub(super) struct Candidates<'a> {
    reader: &'a Graph,
    /// The named types that have a full name among their aliases.
    aliased: HashMap<String, BTreeSet<NodeId>>,
    wide: HashMap<NodeId, ByName<'a>>,
}

/// The branches of one wide union.
#[derive(Default)]
struct ByName<'a> {
    unnamed: Vec<NodeId>,
    named: HashMap<&'a str, Vec<NodeId>>,
    members: HashSet<NodeId>,
}

impl<'a> Candidates<'a> {
    pub(super) fn new(reader: &'a Graph) -> Self {
        let mut aliased: HashMap<String, BTreeSet<NodeId>> = HashMap::new();
        for (id, node) in reader.nodes_from(0) {
            let Some(named) = node.kind.named() else {
                continue;
            };
            for alias in &named.aliases {
                aliased.entry(alias.as_alias_of(&named.name)).or_default().insert(id);
            }
        }
        Self { reader, aliased, wide: HashMap::new() }
    }

    /// Named types match by their name without namespace, or by an alias of the reader; types without a name do.
    pub(super) fn names_match(&self, id: NodeId, writer: &Graph, writer_id: NodeId) -> bool {
        match (self.reader.named(id), writer.named(writer_id)) {
            (Some(reader), Some(writer)) => {
                reader.name.simple() == writer.name.simple()
                    || self.aliased.get(writer.name.full()).is_some_and(|readers| readers.contains(&id))
            }
            _ => true,
        }
    }

    /// The branch at `index` of those in the reader's `union` that may read the writer's type.
    pub(super) fn branch(&mut self, union: NodeId, index: usize, writer: &Graph, writer_id: NodeId) -> Option<NodeId> {
        let Kind::Union(branches) = self.reader.kind(union) else {
            return None;
        };
        if branches.len() <= WIDE {
            return branches.get(index).copied();
        }
        let reader = self.reader;
        let by_name = self.wide.entry(union).or_insert_with(|| ByName::new(reader, branches));
        let Some(index) = index.checked_sub(by_name.unnamed.len()) else {
            return by_name.unnamed.get(index).copied();
        };
        let name = &writer.named(writer_id)?.name;
        let same = by_name.named.get(name.simple()).map(Vec::as_slice).unwrap_or_default();
        let Some(index) = index.checked_sub(same.len()) else {
            return same.get(index).copied();
        };
        let aliased = self.aliased.get(name.full())?;
        aliased.iter().filter(|id| by_name.members.contains(id)).nth(index).copied()
    }
}

impl<'a> ByName<'a> {
    fn new(reader: &'a Graph, branches: &[NodeId]) -> Self {
        let mut by_name = Self::default();
        for branch in branches {
            match reader.named(*branch) {
                None => by_name.unnamed.push(*branch),
                Some(named) => {
                    by_name.named.entry(named.name.simple()).or_default().push(*branch);
                    by_name.members.insert(*branch);
                }
            }
        }
        by_name
    }
}
