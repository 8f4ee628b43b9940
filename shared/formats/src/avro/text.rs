//! The stored text: what `GET` returns and lookups compare (avro-canonical.md, stored).

use std::collections::HashSet;

use super::logical;
use super::model::{Enum, Field, Fixed, Graph, Kind, Named, NodeId, Order, Props, Record};
use super::walk::{Visitor, walk};
use crate::SchemaError;
use crate::json_text::{KeyOrder, write, write_string};

/// The text of `root`, with the definitions of all names but those `known`.
pub(super) fn print<'a>(graph: &'a Graph, root: NodeId, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut printer = Printer { graph, out: String::new(), known: known.into_iter().collect() };
    // The printer never fails.
    let _ = walk(graph, root, &mut printer);
    printer.out
}

struct Printer<'a> {
    graph: &'a Graph,
    out: String,
    /// Names whose definition is not printed again.
    known: HashSet<&'a str>,
}

impl Visitor for Printer<'_> {
    fn enter(&mut self, id: NodeId, space: Option<&str>) -> Result<bool, SchemaError> {
        Ok(self.open(id, space))
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
        match self.graph.kind(id) {
            Kind::Union(_) => self.out.push(']'),
            Kind::Record(record) => {
                self.out.push(']');
                self.props_logical_first(id);
                self.end_named(&record.named);
            }
            _ => {
                self.props_logical_first(id);
                self.out.push('}');
            }
        }
        Ok(())
    }
}

impl<'a> Printer<'a> {
    fn open(&mut self, id: NodeId, space: Option<&str>) -> bool {
        let node = self.graph.node(id);
        if let Some(named) = node.kind.named().filter(|named| !self.known.insert(named.name.full())) {
            write_string(named.name.relative_to(space), &mut self.out);
            return false;
        }
        match &node.kind {
            Kind::Primitive(primitive) => self.primitive(primitive.name(), &node.props),
            Kind::Enum(enumeration) => self.enumeration(enumeration, &node.props, space),
            Kind::Fixed(fixed) => self.fixed(fixed, &node.props, space),
            Kind::Unresolved(unresolved) => write_string(&unresolved.full_name, &mut self.out),
            Kind::Union(_) => {
                self.out.push('[');
                return true;
            }
            Kind::Array(_) => {
                self.out.push_str("{\"type\":\"array\",\"items\":");
                return true;
            }
            Kind::Map(_) => {
                self.out.push_str("{\"type\":\"map\",\"values\":");
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
            write_string(name, &mut self.out);
            return;
        }
        self.out.push_str("{\"type\":");
        write_string(name, &mut self.out);
        self.props(props.iter());
        self.out.push('}');
    }

    fn begin_record(&mut self, record: &Record, space: Option<&str>) {
        self.begin_named(if record.is_error { "error" } else { "record" }, &record.named, space);
        self.out.push_str(",\"fields\":[");
    }

    fn enumeration(&mut self, enumeration: &Enum, props: &'a Props, space: Option<&str>) {
        self.begin_named("enum", &enumeration.named, space);
        self.texts("symbols", enumeration.symbols.iter().map(String::as_str));
        if let Some(default) = &enumeration.default {
            self.text("default", default);
        }
        self.props(props.iter());
        self.end_named(&enumeration.named);
    }

    fn fixed(&mut self, fixed: &Fixed, props: &'a Props, space: Option<&str>) {
        self.begin_named("fixed", &fixed.named, space);
        self.out.push_str(",\"size\":");
        self.out.push_str(&fixed.size.to_string());
        self.props(props.iter());
        self.end_named(&fixed.named);
    }

    fn begin_named(&mut self, word: &str, named: &Named, space: Option<&str>) {
        self.out.push_str("{\"type\":");
        write_string(word, &mut self.out);
        self.text("name", named.name.simple());
        if named.name.space() != space {
            self.text("namespace", named.name.space().unwrap_or_default());
        }
        if let Some(doc) = &named.doc {
            self.text("doc", doc);
        }
    }

    fn end_named(&mut self, named: &Named) {
        if !named.aliases.is_empty() {
            let space = named.name.space();
            self.texts("aliases", named.aliases.iter().map(|alias| alias.relative_to(space)));
        }
        self.out.push('}');
    }

    fn end_field(&mut self, field: &'a Field) {
        if let Some(doc) = &field.doc {
            self.text("doc", doc);
        }
        if let Some(default) = &field.default {
            self.out.push_str(",\"default\":");
            write(default.root(), KeyOrder::Kept, &mut self.out);
        }
        if field.order != Order::Ascending {
            self.text("order", field.order.name());
        }
        if !field.aliases.is_empty() {
            self.texts("aliases", field.aliases.iter().map(String::as_str));
        }
        self.props(field.props.iter());
        self.out.push('}');
    }

    /// The properties of a record, array or map: Java copies these types when it resolves names, and the copy gets
    /// its logical type first if that is valid.
    fn props_logical_first(&mut self, id: NodeId) {
        let props = &self.graph.node(id).props;
        let first = if logical::valid(self.graph, id).is_some() { "logicalType" } else { "" };
        self.props(props.iter().filter(|(key, _)| key == first));
        self.props(props.iter().filter(|(key, _)| key != first));
    }

    fn props(&mut self, props: impl Iterator<Item = &'a (String, crate::json_text::Json)>) {
        for (key, value) in props {
            self.out.push(',');
            write_string(key, &mut self.out);
            self.out.push(':');
            write(value.root(), KeyOrder::Kept, &mut self.out);
        }
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
