//! One way through a schema for everything that prints it, without the thread's stack.

use super::model::{Graph, Kind, NodeId};
use crate::SchemaError;

/// Takes a schema apart, in the order of its text.
pub(super) trait Visitor {
    /// A type begins where `space` is the namespace that encloses it. True if its children are wanted; false if all
    /// of it has been dealt with, as with a name that stands for a definition given before.
    fn enter(&mut self, id: NodeId, space: Option<&str>) -> Result<bool, SchemaError>;

    /// The child at `index` of a type that was entered begins.
    fn before_child(&mut self, id: NodeId, index: usize);

    /// The child at `index` ends.
    fn after_child(&mut self, id: NodeId, index: usize) -> Result<(), SchemaError>;

    /// A type whose children were wanted ends.
    fn leave(&mut self, id: NodeId) -> Result<(), SchemaError>;
}

struct Entered<'g> {
    id: NodeId,
    next: usize,
    /// The namespace inside.
    space: Option<&'g str>,
}

/// Leads `visitor` through the type `root`.
pub(super) fn walk(graph: &Graph, root: NodeId, visitor: &mut impl Visitor) -> Result<(), SchemaError> {
    let mut stack: Vec<Entered<'_>> = Vec::new();
    let mut space = None;
    let mut next = root;
    loop {
        if visitor.enter(next, space)? {
            let inside = match graph.kind(next) {
                Kind::Record(record) => record.named.name.space(),
                _ => space,
            };
            stack.push(Entered { id: next, next: 0, space: inside });
        } else if let Some(parent) = stack.last() {
            visitor.after_child(parent.id, parent.next - 1)?;
        }
        next = loop {
            let Some(top) = stack.last_mut() else {
                return Ok(());
            };
            if let Some(child) = graph.child(top.id, top.next) {
                visitor.before_child(top.id, top.next);
                top.next += 1;
                space = top.space;
                break child;
            }
            visitor.leave(top.id)?;
            stack.pop();
            if let Some(parent) = stack.last() {
                visitor.after_child(parent.id, parent.next - 1)?;
            }
        };
    }
}
