//! A text that two schemas share exactly if they count as equal (rest-api.md §6.2, content equality).
//!
//! Everything a schema refers to is part of it. The order of properties, of aliases and of the members of defaults
//! does not count; docs, aliases and enum defaults do; whether a record is an error does not. The text goes into
//! hashes that are stored: its shape must not change.

use std::collections::HashSet;

use super::model::{Field, Graph, Kind, Named, NodeId, Props};
use super::name::Name;
use super::walk::{Visitor, walk};
use crate::SchemaError;
use crate::json_text::{KeyOrder, utf16_order, write, write_string};

/// The equality text of the type `root`.
pub(super) fn print(graph: &Graph, root: NodeId) -> String {
    let mut printer = Printer { graph, out: String::new(), seen: HashSet::new() };
    // The printer never fails.
    let _ = walk(graph, root, &mut printer);
    printer.out
}

struct Printer<'a> {
    graph: &'a Graph,
    out: String,
    seen: HashSet<&'a str>,
}

impl Visitor for Printer<'_> {
    fn enter(&mut self, id: NodeId, _space: Option<&str>) -> Result<bool, SchemaError> {
        Ok(self.open(id))
    }

    fn before_child(&mut self, id: NodeId, index: usize) {
        if index > 0 {
            self.out.push(',');
        }
        if let Kind::Record(record) = self.graph.kind(id) {
            self.out.push_str("{\"name\":");
            write_string(&record.fields[index].name, &mut self.out);
            self.out.push_str(",\"type\":");
        }
    }

    fn after_child(&mut self, id: NodeId, index: usize) -> Result<(), SchemaError> {
        if let Kind::Record(record) = self.graph.kind(id) {
            self.end_field(&record.fields[index]);
        }
        Ok(())
    }

    fn leave(&mut self, id: NodeId) -> Result<(), SchemaError> {
        if !matches!(self.graph.kind(id), Kind::Array(_) | Kind::Map(_)) {
            self.out.push(']');
        }
        if !matches!(self.graph.kind(id), Kind::Union(_)) {
            self.props(&self.graph.node(id).props);
            self.out.push('}');
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
                write_string(full, &mut self.out);
                return false;
            }
        }
        if matches!(node.kind, Kind::Union(_)) {
            self.out.push('[');
            return true;
        }
        self.out.push_str("{\"type\":");
        write_string(node.kind.type_name(), &mut self.out);
        if let Some(named) = node.kind.named() {
            self.named(named);
        }
        match &node.kind {
            Kind::Array(_) | Kind::Map(_) => {
                self.out.push_str(",\"of\":");
                return true;
            }
            Kind::Record(_) => {
                self.out.push_str(",\"fields\":[");
                return true;
            }
            Kind::Enum(enumeration) => {
                self.texts("symbols", enumeration.symbols.iter().map(String::as_str));
                if let Some(default) = &enumeration.default {
                    self.text("default", default);
                }
            }
            Kind::Fixed(fixed) => {
                self.out.push_str(",\"size\":");
                self.out.push_str(&fixed.size.to_string());
            }
            Kind::Primitive(_) | Kind::Union(_) | Kind::Unresolved(_) => {}
        }
        self.props(&node.props);
        self.out.push('}');
        false
    }

    fn named(&mut self, named: &Named) {
        self.text("name", named.name.full());
        self.doc(named.doc.as_deref());
        let space = named.name.space();
        // As the stored text means them, so that a schema equals what is read back from it.
        let stored = |alias: &Name| Name::new(alias.relative_to(space), space).full().to_owned();
        self.aliases(named.aliases.iter().map(stored).collect());
    }

    fn end_field(&mut self, field: &Field) {
        self.text("order", field.order.name());
        self.doc(field.doc.as_deref());
        if let Some(default) = &field.default {
            self.out.push_str(",\"default\":");
            write(default.root(), KeyOrder::Sorted, &mut self.out);
        }
        self.aliases(field.aliases.clone());
        self.props(&field.props);
        self.out.push('}');
    }

    fn doc(&mut self, doc: Option<&str>) {
        if let Some(doc) = doc {
            self.text("doc", doc);
        }
    }

    fn aliases(&mut self, mut aliases: Vec<String>) {
        if !aliases.is_empty() {
            aliases.sort_unstable();
            aliases.dedup();
            self.texts("aliases", aliases.iter().map(String::as_str));
        }
    }

    fn props(&mut self, props: &Props) {
        if props.is_empty() {
            return;
        }
        let mut sorted: Vec<_> = props.iter().collect();
        sorted.sort_by(|(left, _), (right, _)| utf16_order(left, right));
        self.out.push_str(",\"props\":{");
        for (index, (key, value)) in sorted.into_iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            write_string(key, &mut self.out);
            self.out.push(':');
            write(value.root(), KeyOrder::Sorted, &mut self.out);
        }
        self.out.push('}');
    }

    fn text(&mut self, key: &str, value: &str) {
        self.out.push(',');
        write_string(key, &mut self.out);
        self.out.push(':');
        write_string(value, &mut self.out);
    }

    fn texts<'t>(&mut self, key: &str, values: impl Iterator<Item = &'t str>) {
        self.out.push(',');
        write_string(key, &mut self.out);
        self.out.push_str(":[");
        for (index, value) in values.enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            write_string(value, &mut self.out);
        }
        self.out.push(']');
    }
}
