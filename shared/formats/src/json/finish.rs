//! What can be done only once all nodes are there: branches are taken out of generated lists, branches written alike
//! are found, and `$dynamicRef` in a circle is refused.

use std::collections::HashSet;

use super::form;
use super::model::{Graph, Kind, NodeId};
use crate::SchemaError;

pub(super) fn run(graph: &mut Graph) -> Result<(), SchemaError> {
    let dynamic = graph.nodes.iter().any(|node| matches!(&node.kind, Kind::Reference(to) if to.dynamic));
    if dynamic && has_dynamic_circle(graph) {
        return Err(SchemaError::new("a $dynamicRef that leads back to itself is not supported"));
    }
    let lists: Vec<NodeId> = (0..graph.nodes.len()).filter(|id| matches!(graph.kind(*id), Kind::Combined(_))).collect();
    for id in &lists {
        flatten(graph, *id);
    }
    let mut forms = form::Forms::default();
    for id in lists {
        let Kind::Combined(combined) = graph.kind(id) else { continue };
        // Branches of different kinds cannot be written alike.
        let mut kinds = HashSet::new();
        if combined.branches.iter().all(|branch| kinds.insert(std::mem::discriminant(graph.kind(*branch)))) {
            let branches = combined.branches.clone();
            set_distinct(graph, id, branches);
            continue;
        }
        let mut seen = HashSet::new();
        let distinct =
            combined.branches.iter().copied().filter(|branch| seen.insert(forms.of(graph, *branch))).collect();
        set_distinct(graph, id, distinct);
    }
    Ok(())
}

fn set_distinct(graph: &mut Graph, id: NodeId, branches: Vec<NodeId>) {
    if let Kind::Combined(combined) = &mut graph.nodes[id].kind {
        combined.distinct = branches;
    }
}

/// Newer drafts: a branch that has several parts becomes as many branches. The older drafts keep it.
fn flatten(graph: &mut Graph, id: NodeId) {
    let Kind::Combined(combined) = graph.kind(id) else { return };
    if combined.generated || !graph.splits_branches {
        return;
    }
    let parts = |branch: &NodeId| match graph.kind(*branch) {
        Kind::Combined(inner) if inner.generated => inner.branches.clone(),
        _ => vec![*branch],
    };
    let branches: Vec<NodeId> = combined.branches.iter().flat_map(parts).collect();
    if let Kind::Combined(combined) = &mut graph.nodes[id].kind {
        combined.branches = branches;
    }
}

/// Whether something contains itself when every `$dynamicRef` is replaced by what it refers to.
fn has_dynamic_circle(graph: &Graph) -> bool {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let below = |id: NodeId| match graph.kind(id) {
        Kind::Reference(to) if to.dynamic => vec![to.target],
        kind => kind.children(),
    };
    let mut marks = vec![Mark::New; graph.nodes.len()];
    for start in 0..graph.nodes.len() {
        if marks[start] != Mark::New {
            continue;
        }
        marks[start] = Mark::Open;
        let mut stack = vec![(start, below(start))];
        while let Some((id, children)) = stack.last_mut() {
            let Some(child) = children.pop() else {
                marks[*id] = Mark::Done;
                stack.pop();
                continue;
            };
            match marks[child] {
                Mark::Open => return true,
                Mark::Done => {}
                Mark::New => {
                    marks[child] = Mark::Open;
                    stack.push((child, below(child)));
                }
            }
        }
    }
    false
}
