//! Logical types: whether one is valid for the type that carries it.
//!
//! An invalid or unknown one is an ordinary property. It matters only where a text puts the logical type before
//! the other properties.

use super::model::{Graph, Kind, NodeId, Primitive, Props};
use super::number;

/// A valid logical type.
pub(super) struct Logical<'a> {
    pub(super) name: &'a str,
    /// Precision and scale of a decimal.
    pub(super) decimal: Option<(i32, i32)>,
}

/// The logical type of a node, if it has one that is known and valid.
pub(super) fn valid(graph: &Graph, id: NodeId) -> Option<Logical<'_>> {
    let node = graph.node(id);
    let name = prop(&node.props, "logicalType")?.root().as_str()?;
    let kind = &node.kind;
    let decimal = match name {
        "decimal" => Some(decimal(kind, &node.props)?),
        _ => None,
    };
    let primitive = |wanted: Primitive| matches!(kind, Kind::Primitive(primitive) if *primitive == wanted);
    let fixed = |size: i32| matches!(kind, Kind::Fixed(fixed) if fixed.size == size);
    let valid = match name {
        "decimal" => true,
        "date" | "time-millis" => primitive(Primitive::Int),
        "time-micros"
        | "timestamp-millis"
        | "timestamp-micros"
        | "timestamp-nanos"
        | "local-timestamp-millis"
        | "local-timestamp-micros"
        | "local-timestamp-nanos" => primitive(Primitive::Long),
        "uuid" => primitive(Primitive::String) || fixed(16),
        "duration" => fixed(12),
        "big-decimal" => primitive(Primitive::Bytes),
        "map" => matches!(kind, Kind::Array(items) if has_fields(graph, *items, ["key", "value"])),
        "variant" => is_variant(graph, id),
        _ => false,
    };
    valid.then_some(Logical { name, decimal })
}

fn prop<'a>(props: &'a Props, key: &str) -> Option<&'a crate::json_text::Json> {
    props.iter().find(|(name, _)| name == key).map(|(_, value)| value)
}

/// Precision and scale, if the type can hold them.
fn decimal(kind: &Kind, props: &Props) -> Option<(i32, i32)> {
    let integer = |key: &str| match prop(props, key) {
        None => Some(None),
        Some(value) => value.root().as_number().and_then(number::as_int).map(Some),
    };
    let precision = integer("precision")??;
    let scale = integer("scale")?.unwrap_or(0);
    let largest = match kind {
        Kind::Primitive(Primitive::Bytes) => f64::from(i32::MAX),
        Kind::Fixed(fixed) => (2f64.log10() * f64::from(fixed.size.wrapping_mul(8).wrapping_sub(1))).floor(),
        _ => return None,
    };
    let fits = precision > 0 && f64::from(precision) <= largest && (0..=precision).contains(&scale);
    fits.then_some((precision, scale))
}

fn has_fields(graph: &Graph, id: NodeId, names: [&str; 2]) -> bool {
    match graph.kind(id) {
        Kind::Record(record) => record.fields.iter().map(|field| field.name.as_str()).eq(names),
        _ => false,
    }
}

/// Confluent's variant: a record of two bytes fields, in any order.
fn is_variant(graph: &Graph, id: NodeId) -> bool {
    let Kind::Record(record) = graph.kind(id) else {
        return false;
    };
    let bytes = |name: &str| {
        let field = record.places.get(name).and_then(|place| record.fields.get(*place));
        field.is_some_and(|field| matches!(graph.kind(field.schema), Kind::Primitive(Primitive::Bytes)))
    };
    record.fields.len() == 2 && bytes("metadata") && bytes("value")
}
