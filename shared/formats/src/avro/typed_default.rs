//! A default as normalizing writes it: through a value of the field's type, and back.

use super::model::{Field, Graph, Kind, NodeId, Primitive};
use super::number;
use crate::json_text::{Kind as JsonKind, Value, utf16_order, write_string};

/// What becomes of one value.
enum Step<'a> {
    /// Its text is written.
    Written,
    /// Its JSON type does not fit: as the whole default it is dropped, within one it is an error.
    Lost,
    Items(Value<'a>, Option<NodeId>),
    Members(Vec<(&'a str, Value<'a>)>, Option<NodeId>),
}

struct Open<'a> {
    step: Step<'a>,
    next: usize,
}

/// The text of the default of `field`, none if it has none or it is lost.
///
/// A union takes its first branch, whatever the default was meant for. Errors say why Java would throw.
pub(super) fn print(graph: &Graph, field: &Field) -> Result<Option<String>, String> {
    let schema = first_branch(graph, field.schema)?;
    let Some(default) = &field.default else {
        return Ok(None);
    };
    let mut out = String::new();
    let mut stack: Vec<Open<'_>> = Vec::new();
    let mut next = (default.root(), Some(schema));
    loop {
        match begin(graph, next.0, next.1, &mut out)? {
            Step::Written => {}
            Step::Lost if stack.is_empty() => return Ok(None),
            Step::Lost => {
                return Err(format!("{} does not fit its type", next.0.to_text(crate::json_text::KeyOrder::Kept)));
            }
            step => stack.push(Open { step, next: 0 }),
        }
        next = loop {
            let Some(open) = stack.last_mut() else {
                return Ok(Some(out));
            };
            match advance(graph, open, &mut out)? {
                Some(child) => break child,
                None => stack.pop(),
            };
        };
    }
}

/// Writes the scalar `value`, or opens the container it is.
fn begin<'a>(graph: &Graph, value: Value<'a>, schema: Option<NodeId>, out: &mut String) -> Result<Step<'a>, String> {
    let schema = schema.map(|schema| first_branch(graph, schema)).transpose()?;
    let kind = schema.map(|schema| graph.kind(schema));
    let text = match value.kind() {
        JsonKind::Null => Some("null".to_owned()),
        JsonKind::Bool => value.as_bool().map(|value| value.to_string()),
        JsonKind::Number => typed_number(value.as_number().unwrap_or_default(), kind),
        JsonKind::String => typed_string(value.as_str().unwrap_or_default(), kind),
        JsonKind::Array => {
            let items = match kind {
                None => None,
                Some(Kind::Array(items)) => Some(*items),
                Some(_) if value.items().len() == 0 => None,
                Some(_) => return Err("Not an array".to_owned()),
            };
            out.push('[');
            return Ok(Step::Items(value, items));
        }
        JsonKind::Object => {
            out.push('{');
            let mut members: Vec<_> = value.members().collect();
            members.sort_by(|(left, _), (right, _)| utf16_order(left, right));
            return Ok(Step::Members(members, schema));
        }
    };
    Ok(text.map_or(Step::Lost, |text| {
        out.push_str(&text);
        Step::Written
    }))
}

/// The next child of an open container; none once it is closed.
fn advance<'a>(
    graph: &Graph,
    open: &mut Open<'a>,
    out: &mut String,
) -> Result<Option<(Value<'a>, Option<NodeId>)>, String> {
    let index = open.next;
    open.next += 1;
    match &open.step {
        Step::Items(array, items) => {
            let Some(item) = array.item(index) else {
                out.push(']');
                return Ok(None);
            };
            if index > 0 {
                out.push(',');
            }
            Ok(Some((item, *items)))
        }
        Step::Members(members, schema) => {
            let Some((key, member)) = members.get(index) else {
                out.push('}');
                return Ok(None);
            };
            if index > 0 {
                out.push(',');
            }
            write_string(key, out);
            out.push(':');
            Ok(Some((*member, member_type(graph, *schema, key)?)))
        }
        Step::Written | Step::Lost => Ok(None),
    }
}

/// The type of a member of a map or record; any other type says nothing about it.
fn member_type(graph: &Graph, schema: Option<NodeId>, key: &str) -> Result<Option<NodeId>, String> {
    match schema.map(|schema| graph.kind(schema)) {
        Some(Kind::Map(values)) => Ok(Some(*values)),
        Some(Kind::Record(record)) => {
            let field = record.places.get(key).and_then(|place| record.fields.get(*place));
            field.map(|field| Some(field.schema)).ok_or_else(|| format!("no field {key} in the record of the default"))
        }
        _ => Ok(None),
    }
}

fn first_branch(graph: &Graph, schema: NodeId) -> Result<NodeId, String> {
    match graph.kind(schema) {
        Kind::Union(branches) => branches.first().copied().ok_or_else(|| "an empty union".to_owned()),
        _ => Ok(schema),
    }
}

fn typed_number(text: &str, kind: Option<&Kind>) -> Option<String> {
    let primitive = match kind {
        None => None,
        Some(Kind::Primitive(primitive)) => Some(*primitive),
        Some(_) => return None,
    };
    if number::is_integer(text) {
        number::as_long(text)?;
    }
    match primitive {
        None => Some(quoted(text.to_owned())),
        Some(Primitive::Double) => Some(quoted(number::java_double(text.parse().unwrap_or(f64::NAN)))),
        Some(Primitive::Float) => Some(quoted(number::java_float(to_float(text)))),
        Some(Primitive::Int) => number::as_int(text).map(|_| text.to_owned()),
        Some(Primitive::Long) => number::as_long(text).map(|_| text.to_owned()),
        Some(_) => None,
    }
}

/// Java narrows the double, it does not read the text again.
fn to_float(text: &str) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "narrowing is what Java does")]
    let narrowed = text.parse().unwrap_or(f64::NAN) as f32;
    narrowed
}

fn quoted(number: String) -> String {
    if number.ends_with(|last: char| last.is_ascii_digit()) {
        return number;
    }
    format!("\"{number}\"")
}

fn typed_string(text: &str, kind: Option<&Kind>) -> Option<String> {
    let mut out = String::new();
    match kind {
        None | Some(Kind::Primitive(Primitive::String) | Kind::Enum(_)) => write_string(text, &mut out),
        Some(Kind::Primitive(Primitive::Bytes) | Kind::Fixed(_)) => {
            let bytes: String = text.chars().map(|c| if c <= '\u{FF}' { c } else { '?' }).collect();
            write_string(&bytes, &mut out);
        }
        Some(_) => return None,
    }
    Some(out)
}
