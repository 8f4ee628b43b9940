//! The stored text: what `GET` returns and lookups compare (avro-canonical.md, stored).

use std::collections::HashSet;

use super::logical;
use super::model::{Enum, Field, Fixed, Graph, Kind, Named, NodeId, Order, Props, Record};
use super::walk::{Visitor, walk};
use super::writer::Writer;
use crate::SchemaError;
use crate::json_text::{Json, KeyOrder};

/// The text of `root`, with the definitions of all names but those `known`.
pub(super) fn print<'a>(graph: &'a Graph, root: NodeId, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut printer = Printer { graph, out: Writer::default(), known: known.into_iter().collect() };
    // The printer never fails.
    let _ = walk(graph, root, &mut printer);
    printer.out.finish()
}

struct Printer<'a> {
    graph: &'a Graph,
    out: Writer,
    /// Names whose definition is not printed again.
    known: HashSet<&'a str>,
}

impl Visitor for Printer<'_> {
    fn enter(&mut self, id: NodeId, space: Option<&str>) -> Result<bool, SchemaError> {
        Ok(self.open(id, space))
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
        match self.graph.kind(id) {
            Kind::Union(_) => self.out.raw("]"),
            Kind::Record(record) => {
                self.out.raw("]");
                self.props_logical_first(id);
                self.end_named(&record.named);
            }
            _ => {
                self.props_logical_first(id);
                self.out.raw("}");
            }
        }
        Ok(())
    }
}

impl<'a> Printer<'a> {
    fn open(&mut self, id: NodeId, space: Option<&str>) -> bool {
        let node = self.graph.node(id);
        if let Some(named) = node.kind.named().filter(|named| !self.known.insert(named.name.full())) {
            self.out.string(named.name.relative_to(space));
            return false;
        }
        match &node.kind {
            Kind::Primitive(primitive) => self.primitive(primitive.name(), &node.props),
            Kind::Enum(enumeration) => self.enumeration(enumeration, &node.props, space),
            Kind::Fixed(fixed) => self.fixed(fixed, &node.props, space),
            Kind::Unresolved(unresolved) => self.out.string(&unresolved.full_name),
            Kind::Union(_) => {
                self.out.raw("[");
                return true;
            }
            Kind::Array(_) => {
                self.out.raw("{\"type\":\"array\",\"items\":");
                return true;
            }
            Kind::Map(_) => {
                self.out.raw("{\"type\":\"map\",\"values\":");
                return true;
            }
            Kind::Record(record) => {
                self.begin_record(record, space);
                return true;
            }
        }
        false
    }

    fn primitive(&mut self, name: &str, props: &'a Props) {
        if props.is_empty() {
            self.out.string(name);
            return;
        }
        self.out.raw("{\"type\":");
        self.out.string(name);
        self.props(props.iter());
        self.out.raw("}");
    }

    fn begin_record(&mut self, record: &Record, space: Option<&str>) {
        self.begin_named(if record.is_error { "error" } else { "record" }, &record.named, space);
        self.out.raw(",\"fields\":[");
    }

    fn enumeration(&mut self, enumeration: &Enum, props: &'a Props, space: Option<&str>) {
        self.begin_named("enum", &enumeration.named, space);
        self.out.texts("symbols", enumeration.symbols.iter().map(String::as_str));
        if let Some(default) = &enumeration.default {
            self.out.text("default", default);
        }
        self.props(props.iter());
        self.end_named(&enumeration.named);
    }

    fn fixed(&mut self, fixed: &Fixed, props: &'a Props, space: Option<&str>) {
        self.begin_named("fixed", &fixed.named, space);
        self.out.number("size", fixed.size);
        self.props(props.iter());
        self.end_named(&fixed.named);
    }

    fn begin_named(&mut self, word: &str, named: &Named, space: Option<&str>) {
        self.out.raw("{\"type\":");
        self.out.string(word);
        self.out.text("name", named.name.simple());
        if named.name.space() != space {
            self.out.text("namespace", named.name.space().unwrap_or_default());
        }
        if let Some(doc) = &named.doc {
            self.out.text("doc", doc);
        }
    }

    fn end_named(&mut self, named: &Named) {
        if !named.aliases.is_empty() {
            let aliases: Vec<_> = named.aliases.iter().map(|alias| alias.as_stored_alias_of(&named.name)).collect();
            self.out.texts("aliases", aliases.iter().map(AsRef::as_ref));
        }
        self.out.raw("}");
    }

    fn end_field(&mut self, field: &'a Field) {
        if let Some(doc) = &field.doc {
            self.out.text("doc", doc);
        }
        if let Some(default) = &field.default {
            self.out.value("default", default.root(), KeyOrder::Kept);
        }
        if field.order != Order::Ascending {
            self.out.text("order", field.order.name());
        }
        if !field.aliases.is_empty() {
            self.out.texts("aliases", field.aliases.iter().map(String::as_str));
        }
        self.props(field.props.iter());
        self.out.raw("}");
    }

    /// The properties of a record, array or map: Java copies these types when it resolves names, and the copy gets
    /// its logical type first if that is valid.
    fn props_logical_first(&mut self, id: NodeId) {
        let props = &self.graph.node(id).props;
        let first = if logical::valid(self.graph, id).is_some() { "logicalType" } else { "" };
        self.props(props.iter().filter(|(key, _)| key == first));
        self.props(props.iter().filter(|(key, _)| key != first));
    }

    fn props(&mut self, props: impl Iterator<Item = &'a (String, Json)>) {
        for (key, value) in props {
            self.out.value(key, value.root(), KeyOrder::Kept);
        }
    }
}
