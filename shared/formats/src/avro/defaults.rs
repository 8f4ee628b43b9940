//! Whether defaults fit the types of their fields.
//!
//! A default is compared with a type as Avro for Java 1.12 does it: any branch of a union will do, a member missing in
//! the default of a record is filled from the default of its field, symbols and sizes are not looked at.

use std::collections::HashMap;

use super::model::{Graph, Kind, NodeId, Primitive, Record};
use super::number;
use super::parse::shorten;
use super::text;
use crate::SchemaError;
use crate::json_text::{Json, KeyOrder, Kind as JsonKind, Value};

/// How many comparisons of a value with a type the defaults of one text may take; a text that needs more is refused.
pub const MAX_STEPS: usize = 5_000_000;

/// Objects with more members than this are looked up through a map.
const SMALL_OBJECT: usize = 16;

/// Checks the defaults of all fields of the records numbered from `first` on.
///
/// Before names are resolved (`root` is none), a name still to come is taken for a record without fields, as Java's
/// placeholder is. After that, a record that is not complete when the default is checked, because it contains the
/// field itself, takes no default at all.
pub(super) fn check(graph: &Graph, first: usize, root: Option<NodeId>) -> Result<(), SchemaError> {
    let completed = root.map(|root| completion(graph, root)).unwrap_or_default();
    let mut steps = 0;
    for (id, node) in graph.nodes_from(first) {
        let Kind::Record(record) = &node.kind else {
            continue;
        };
        let owner = completed.get(&id).copied();
        let mut checker = Checker { graph, completed: &completed, owner, steps: &mut steps };
        for field in &record.fields {
            let Some(default) = &field.default else {
                continue;
            };
            if !checker.fits(field.schema, default)? {
                let shown = shorten(&default.root().to_text(KeyOrder::Kept));
                let schema = shorten(&text::print(graph, field.schema, []));
                let record = record.named.name.full();
                let what = format!("Invalid default for field {}: {shown} not a {schema} (in {record})", field.name);
                return Err(SchemaError::new(what));
            }
        }
    }
    Ok(())
}

/// The order in which records are complete when types are resolved from `root` on, depth first.
fn completion(graph: &Graph, root: NodeId) -> HashMap<NodeId, usize> {
    let mut completed: HashMap<NodeId, usize> = HashMap::new();
    let mut begun = std::collections::HashSet::from([root]);
    let mut stack = vec![(root, 0)];
    while let Some((id, next)) = stack.last_mut() {
        if let Some(child) = graph.child(*id, *next) {
            *next += 1;
            if begun.insert(child) {
                stack.push((child, 0));
            }
            continue;
        }
        let place = completed.len();
        completed.insert(*id, place);
        stack.pop();
    }
    completed
}

struct Checker<'s> {
    graph: &'s Graph,
    completed: &'s HashMap<NodeId, usize>,
    /// When the record whose field has the default is complete.
    owner: Option<usize>,
    steps: &'s mut usize,
}

/// What a value needs in order to fit a type.
enum Need<'a> {
    Nothing,
    Impossible,
    All(Vec<(NodeId, Value<'a>)>),
    Any(Vec<(NodeId, Value<'a>)>),
}

/// A comparison that waits for comparisons below it.
struct Waiting<'a> {
    key: (NodeId, u32),
    any: bool,
    parts: Vec<(NodeId, Value<'a>)>,
    next: usize,
}

impl Checker<'_> {
    /// Each pair of type and value is compared once, however many unions offer it.
    fn fits<'a>(&mut self, schema: NodeId, default: &'a Json) -> Result<bool, SchemaError> {
        let mut known: HashMap<(NodeId, u32), bool> = HashMap::new();
        let mut stack: Vec<Waiting<'a>> = Vec::new();
        let mut next = (schema, default.root());
        loop {
            let key = (next.0, next.1.id());
            let mut answer = match known.get(&key) {
                Some(answer) => Some(*answer),
                None => match self.need(next.0, next.1)? {
                    Need::Nothing => Some(true),
                    Need::Impossible => Some(false),
                    Need::All(parts) => {
                        stack.push(Waiting { key, any: false, parts, next: 0 });
                        None
                    }
                    Need::Any(parts) => {
                        stack.push(Waiting { key, any: true, parts, next: 0 });
                        None
                    }
                },
            };
            next = loop {
                let Some(waiting) = stack.last_mut() else {
                    return Ok(answer.unwrap_or(false));
                };
                let decided = answer.take().filter(|part| *part == waiting.any);
                let exhausted = (waiting.next == waiting.parts.len()).then_some(!waiting.any);
                if let Some(whole) = decided.or(exhausted) {
                    known.insert(waiting.key, whole);
                    stack.pop();
                    answer = Some(whole);
                    continue;
                }
                waiting.next += 1;
                break waiting.parts[waiting.next - 1];
            };
        }
    }

    fn need<'a>(&mut self, schema: NodeId, value: Value<'a>) -> Result<Need<'a>, SchemaError> {
        self.count()?;
        let fits = match self.graph.kind(schema) {
            Kind::Primitive(primitive) => fits_primitive(*primitive, value),
            Kind::Enum(_) | Kind::Fixed(_) => value.kind() == JsonKind::String,
            Kind::Unresolved(_) => value.kind() == JsonKind::Object,
            Kind::Array(items) if value.kind() == JsonKind::Array => {
                return Ok(Need::All(value.items().map(|item| (*items, item)).collect()));
            }
            Kind::Map(values) if value.kind() == JsonKind::Object => {
                return Ok(Need::All(value.members().map(|(_, member)| (*values, member)).collect()));
            }
            Kind::Union(branches) => return self.branches(branches, value),
            Kind::Record(record) if value.kind() == JsonKind::Object => {
                self.check_complete(schema, record)?;
                return Ok(members(record, value).map_or(Need::Impossible, Need::All));
            }
            Kind::Array(_) | Kind::Map(_) | Kind::Record(_) => false,
        };
        Ok(if fits { Need::Nothing } else { Need::Impossible })
    }

    /// What a union needs: nothing if a branch without children fits, otherwise one of those with children.
    fn branches<'a>(&mut self, branches: &[NodeId], value: Value<'a>) -> Result<Need<'a>, SchemaError> {
        let container = matches!(value.kind(), JsonKind::Array | JsonKind::Object);
        let mut parts = Vec::new();
        for branch in branches {
            self.count()?;
            match self.graph.kind(*branch) {
                Kind::Array(_) | Kind::Map(_) | Kind::Record(_) if container => parts.push((*branch, value)),
                Kind::Array(_) | Kind::Map(_) | Kind::Record(_) => {}
                _ => {
                    if let Need::Nothing = self.need(*branch, value)? {
                        return Ok(Need::Nothing);
                    }
                }
            }
        }
        Ok(if parts.is_empty() { Need::Impossible } else { Need::Any(parts) })
    }

    fn count(&mut self) -> Result<(), SchemaError> {
        *self.steps += 1;
        if *self.steps > MAX_STEPS {
            return Err(SchemaError::new(format!("checking the defaults takes more than {MAX_STEPS} steps")));
        }
        Ok(())
    }

    fn check_complete(&self, schema: NodeId, record: &Record) -> Result<(), SchemaError> {
        let complete = self.completed.get(&schema).copied();
        if self.owner.is_some() && complete >= self.owner {
            let name = record.named.name.full();
            return Err(SchemaError::new(format!("A default contains the record {name} that contains the field")));
        }
        Ok(())
    }
}

/// The fields of a record with their values. A missing member is filled from the field's own default, which has its
/// own check; without one the value does not fit.
fn members<'a>(record: &Record, value: Value<'a>) -> Option<Vec<(NodeId, Value<'a>)>> {
    let map: Option<HashMap<&str, Value<'a>>> =
        (value.members().len() > SMALL_OBJECT).then(|| value.members().collect());
    let mut parts = Vec::new();
    for field in &record.fields {
        let member = match &map {
            Some(map) => map.get(field.name.as_str()).copied(),
            None => value.get(&field.name),
        };
        match member {
            Some(member) => parts.push((field.schema, member)),
            None if field.default.is_some() => {}
            None => return None,
        }
    }
    Some(parts)
}

fn fits_primitive(primitive: Primitive, value: Value<'_>) -> bool {
    match primitive {
        Primitive::Null => value.kind() == JsonKind::Null,
        Primitive::Boolean => value.kind() == JsonKind::Bool,
        Primitive::Int => value.as_number().and_then(number::as_int).is_some(),
        Primitive::Long => value.as_number().and_then(number::as_long).is_some(),
        Primitive::Float | Primitive::Double => value.kind() == JsonKind::Number,
        Primitive::Bytes | Primitive::String => value.kind() == JsonKind::String,
    }
}
