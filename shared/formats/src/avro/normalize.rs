//! The text that is read again to normalize a schema (avro-canonical.md, normalized).
//!
//! Confluent builds a second text, with full names and sorted properties, and parses it like any other; what its way
//! of building loses or cannot write is lost or refused here too.

use std::collections::HashSet;

use super::logical::{self, Logical};
use super::model::{Field, Graph, Kind, Named, NodeId, Props};
use super::walk::{Visitor, walk};
use super::writer::Writer;
use super::{number, typed_default};
use crate::SchemaError;
use crate::json_text::{Json, KeyOrder, Kind as JsonKind, Value, utf16_order};

/// The second text of `root`; the definitions of `known` names are left out.
pub(super) fn print<'a>(
    graph: &'a Graph,
    root: NodeId,
    known: impl IntoIterator<Item = &'a str>,
) -> Result<String, SchemaError> {
    let mut printer = Printer { graph, out: Writer::default(), known: known.into_iter().collect() };
    walk(graph, root, &mut printer)?;
    Ok(printer.out.finish())
}

struct Printer<'a> {
    graph: &'a Graph,
    out: Writer,
    known: HashSet<&'a str>,
}

impl Visitor for Printer<'_> {
    fn enter(&mut self, id: NodeId, _space: Option<&str>) -> Result<bool, SchemaError> {
        self.open(id)
    }

    fn before_child(&mut self, id: NodeId, index: usize) {
        self.out.before_child(self.graph.node(id), index);
    }

    fn after_child(&mut self, id: NodeId, index: usize) -> Result<(), SchemaError> {
        match self.graph.kind(id) {
            Kind::Record(record) => self.end_field(&record.fields[index]),
            _ => Ok(()),
        }
    }

    fn leave(&mut self, id: NodeId) -> Result<(), SchemaError> {
        let node = self.graph.node(id);
        match &node.kind {
            Kind::Union(_) => {
                self.out.raw("]");
                return Ok(());
            }
            Kind::Record(record) => {
                self.out.raw("]");
                self.doc_and_aliases(&record.named);
            }
            _ => {}
        }
        self.props(&node.props)?;
        self.out.raw("}");
        Ok(())
    }
}

impl Printer<'_> {
    fn open(&mut self, id: NodeId) -> Result<bool, SchemaError> {
        let node = self.graph.node(id);
        if let Some(named) = node.kind.named() {
            let full = named.name.full();
            if !self.known.insert(full) {
                self.out.string(full);
                return Ok(false);
            }
            self.out.raw("{\"name\":");
            self.out.string(full);
            self.out.text("type", node.kind.type_name());
        }
        match &node.kind {
            Kind::Primitive(primitive) => {
                self.primitive(primitive.name(), id)?;
                return Ok(false);
            }
            Kind::Unresolved(unresolved) => {
                self.out.string(&unresolved.full_name);
                return Ok(false);
            }
            Kind::Union(_) => self.out.raw("["),
            Kind::Array(_) => self.out.raw("{\"type\":\"array\",\"items\":"),
            Kind::Map(_) => self.out.raw("{\"type\":\"map\",\"values\":"),
            Kind::Record(_) => self.out.raw(",\"fields\":["),
            Kind::Enum(enumeration) => {
                self.out.texts("symbols", enumeration.symbols.iter().map(String::as_str));
                self.doc_and_aliases(&enumeration.named);
                if let Some(default) = &enumeration.default {
                    self.out.text("default", default);
                }
                return self.end_leaf(&node.props);
            }
            Kind::Fixed(fixed) => {
                self.out.number("size", fixed.size);
                self.logical(logical::valid(self.graph, id));
                self.doc_and_aliases(&fixed.named);
                return self.end_leaf(&node.props);
            }
        }
        Ok(true)
    }

    fn end_leaf(&mut self, props: &Props) -> Result<bool, SchemaError> {
        self.props(props)?;
        self.out.raw("}");
        Ok(false)
    }

    fn primitive(&mut self, name: &str, id: NodeId) -> Result<(), SchemaError> {
        let props = &self.graph.node(id).props;
        if props.is_empty() {
            self.out.string(name);
            return Ok(());
        }
        self.out.raw("{\"type\":");
        self.out.string(name);
        self.logical(logical::valid(self.graph, id));
        self.props(props)?;
        self.out.raw("}");
        Ok(())
    }

    /// The logical type goes first; that it comes once more among the properties does not move it.
    fn logical(&mut self, logical: Option<Logical<'_>>) {
        let Some(logical) = logical else {
            return;
        };
        self.out.text("logicalType", logical.name);
        if let Some((precision, scale)) = logical.decimal {
            self.out.number("precision", precision);
            if scale != 0 {
                self.out.number("scale", scale);
            }
        }
    }

    fn doc_and_aliases(&mut self, named: &Named) {
        if let Some(doc) = named.doc.as_deref().filter(|doc| !doc.is_empty()) {
            self.out.text("doc", doc);
        }
        self.aliases(named.aliases.iter().map(|alias| alias.as_alias_of(&named.name)).collect());
    }

    fn end_field(&mut self, field: &Field) -> Result<(), SchemaError> {
        self.out.text("order", field.order.name());
        if let Some(doc) = &field.doc {
            self.out.text("doc", doc);
        }
        self.aliases(field.aliases.clone());
        let default = typed_default::print(self.graph, field)
            .map_err(|what| SchemaError::new(format!("Field {} cannot be normalized: {what}", field.name)))?;
        if let Some(default) = default {
            self.out.key("default");
            self.out.raw(&default);
        }
        self.props(&field.props)?;
        self.out.raw("}");
        Ok(())
    }

    fn aliases(&mut self, mut aliases: Vec<String>) {
        if !aliases.is_empty() {
            aliases.sort_by(|left, right| utf16_order(left, right));
            self.out.texts("aliases", aliases.iter().map(String::as_str));
        }
    }

    fn props(&mut self, props: &Props) -> Result<(), SchemaError> {
        let mut sorted: Vec<&(String, Json)> = props.iter().collect();
        sorted.sort_by(|(left, _), (right, _)| utf16_order(left, right));
        for (key, value) in sorted {
            if has_big_integer(value.root()) {
                let what = format!("Property {key} cannot be normalized: an integer of more than 64 bits");
                return Err(SchemaError::new(what));
            }
            self.out.value(key, value.root(), KeyOrder::Sorted);
        }
        Ok(())
    }
}

/// Whether an integer beyond 64 bits stands anywhere in `value`; Java's way through its own objects has none.
fn has_big_integer(value: Value<'_>) -> bool {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if value.kind() == JsonKind::Number {
            let text = value.as_number().unwrap_or_default();
            if number::is_integer(text) && number::as_long(text).is_none() {
                return true;
            }
        }
        pending.extend(value.items());
        pending.extend(value.members().map(|(_, member)| member));
    }
    false
}
