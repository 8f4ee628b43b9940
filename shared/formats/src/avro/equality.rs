//! A text that two schemas share exactly if they count as equal (rest-api.md §6.2, content equality).
//!
//! Everything a schema refers to is part of it. The order of properties, of aliases and of the members of defaults
//! does not count; docs, aliases and enum defaults do; whether a record is an error does not. The text goes into
//! hashes that are stored: its shape must not change.

use std::collections::HashSet;

use super::model::{Field, Graph, Kind, Named, NodeId, Props};
use super::name::Name;
use super::walk::{Visitor, walk};
use super::writer::Writer;
use crate::SchemaError;
use crate::json_text::{KeyOrder, utf16_order};

/// The equality text of the type `root`.
pub(super) fn print(graph: &Graph, root: NodeId) -> String {
    let mut printer = Printer { graph, out: Writer::default(), seen: HashSet::new() };
    // The printer never fails.
    let _ = walk(graph, root, &mut printer);
    printer.out.finish()
}

struct Printer<'a> {
    graph: &'a Graph,
    out: Writer,
    seen: HashSet<&'a str>,
}

impl Visitor for Printer<'_> {
    fn enter(&mut self, id: NodeId, _space: Option<&str>) -> Result<bool, SchemaError> {
        Ok(self.open(id))
    }

    fn before_child(&mut self, id: NodeId, index: usize) {
        self.out.before_child(self.graph.node(id), index);
    }

    fn after_child(&mut self, id: NodeId, index: usize) -> Result<(), SchemaError> {
        if let Kind::Record(record) = self.graph.kind(id) {
            self.end_field(&record.fields[index]);
        }
        Ok(())
    }

    fn leave(&mut self, id: NodeId) -> Result<(), SchemaError> {
        if !matches!(self.graph.kind(id), Kind::Array(_) | Kind::Map(_)) {
            self.out.raw("]");
        }
        if !matches!(self.graph.kind(id), Kind::Union(_)) {
            self.props(&self.graph.node(id).props);
            self.out.raw("}");
        }
        Ok(())
    }
}

impl Printer<'_> {
    fn open(&mut self, id: NodeId) -> bool {
        let node = self.graph.node(id);
        if let Some(named) = node.kind.named() {
            let full = named.name.full();
            if !self.seen.insert(full) {
                self.out.string(full);
                return false;
            }
        }
        if matches!(node.kind, Kind::Union(_)) {
            self.out.raw("[");
            return true;
        }
        self.out.raw("{\"type\":");
        self.out.string(node.kind.type_name());
        if let Some(named) = node.kind.named() {
            self.named(named);
        }
        match &node.kind {
            Kind::Array(_) | Kind::Map(_) => {
                self.out.raw(",\"of\":");
                return true;
            }
            Kind::Record(_) => {
                self.out.raw(",\"fields\":[");
                return true;
            }
            Kind::Enum(enumeration) => {
                self.out.texts("symbols", enumeration.symbols.iter().map(String::as_str));
                if let Some(default) = &enumeration.default {
                    self.out.text("default", default);
                }
            }
            Kind::Fixed(fixed) => {
                self.out.number("size", fixed.size);
            }
            Kind::Primitive(_) | Kind::Union(_) | Kind::Unresolved(_) => {}
        }
        self.props(&node.props);
        self.out.raw("}");
        false
    }

    fn named(&mut self, named: &Named) {
        self.out.text("name", named.name.full());
        self.doc(named.doc.as_deref());
        let space = named.name.space();
        // As the stored text means them, so that a schema equals what is read back from it.
        let stored = |alias: &Name| Name::new(&alias.as_stored_alias_of(&named.name), space).full().to_owned();
        self.aliases(named.aliases.iter().map(stored).collect());
    }

    fn end_field(&mut self, field: &Field) {
        self.out.text("order", field.order.name());
        self.doc(field.doc.as_deref());
        if let Some(default) = &field.default {
            self.out.value("default", default.root(), KeyOrder::Sorted);
        }
        self.aliases(field.aliases.clone());
        self.props(&field.props);
        self.out.raw("}");
    }

    fn doc(&mut self, doc: Option<&str>) {
        if let Some(doc) = doc {
            self.out.text("doc", doc);
        }
    }

    fn aliases(&mut self, mut aliases: Vec<String>) {
        if !aliases.is_empty() {
            aliases.sort_unstable();
            aliases.dedup();
            self.out.texts("aliases", aliases.iter().map(String::as_str));
        }
    }

    fn props(&mut self, props: &Props) {
        if props.is_empty() {
            return;
        }
        let mut sorted: Vec<_> = props.iter().collect();
        sorted.sort_by(|(left, _), (right, _)| utf16_order(left, right));
        self.out.key("props");
        self.out.object(sorted.into_iter().map(|(key, value)| (key.as_str(), value.root())), KeyOrder::Sorted);
    }
}
