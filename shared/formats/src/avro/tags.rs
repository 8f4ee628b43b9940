//! Tags within the schema: those of records and of fields, by their full names (rest-api.md §6.6).

use std::collections::{HashMap, HashSet, VecDeque};

use super::model::{Graph, Kind, NodeId, Props};
use super::name::Name;
use crate::json_tags::{self, TAGS, texts};
use crate::json_text::{Dialect, Json, Value};
use crate::tags::Collected;
use crate::{EntityKind, SchemaError, TagEdit, TaggedEntity};

/// Reads a stored text as JSON.
pub(super) fn read(text: &str) -> Result<Json, SchemaError> {
    let dialect = Dialect { comments: false, non_finite: false };
    Json::parse(text, dialect).map_err(|error| SchemaError::new(error.to_string()))
}

/// Every record and field that has tags, each record once.
pub(super) fn entities(graph: &Graph, root: NodeId) -> Result<Vec<TaggedEntity>, SchemaError> {
    let mut found = Collected::default();
    let mut seen = HashSet::new();
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        let mut below = Vec::new();
        match graph.kind(id) {
            Kind::Array(child) | Kind::Map(child) => below.push(*child),
            Kind::Union(branches) => below.extend(branches),
            Kind::Record(record) if seen.insert(record.named.name.full()) => {
                let full = record.named.name.full();
                found.add(full.to_owned(), EntityKind::Record, tags(&graph.node(id).props))?;
                for field in &record.fields {
                    let tags = tags(&field.props);
                    if !tags.is_empty() {
                        found.add(format!("{full}.{}", field.name), EntityKind::Field, tags)?;
                    }
                    below.push(field.schema);
                }
            }
            _ => {}
        }
        stack.extend(below.into_iter().rev());
    }
    Ok(found.into_vec())
}

fn tags(props: &Props) -> Vec<String> {
    props.iter().find(|(key, _)| key == TAGS).map(|(_, value)| texts(value.root())).unwrap_or_default()
}

/// The text with changed tags.
pub(super) fn edit(json: &Json, edits: &[TagEdit]) -> Result<Json, SchemaError> {
    let places = Places::of(json);
    let places: Vec<u32> =
        edits.iter().map(|edit| places.find(edit).ok_or_else(|| edit.no_match())).collect::<Result<_, _>>()?;
    json_tags::edited(json, edits.iter().zip(places))
}

/// What a text defines, by full names and, for paths without a namespace, by simple ones: of several the first that a
/// search by levels finds.
#[derive(Default)]
struct Places<'j> {
    records: HashMap<String, u32>,
    simple: HashMap<&'j str, u32>,
    /// By the id of the record.
    fields: HashMap<(u32, &'j str), u32>,
    fields_of_simple: HashMap<(&'j str, &'j str), u32>,
}

/// What the search comes to.
enum Next<'j> {
    /// A type, and the number of the namespace that encloses it.
    Type(Value<'j>, usize),
    Field(Value<'j>, usize),
}

impl<'j> Places<'j> {
    fn of(json: &'j Json) -> Self {
        let mut places = Self::default();
        let mut spaces: Vec<Option<String>> = vec![None];
        let mut queue = VecDeque::from([Next::Type(json.root(), 0)]);
        while let Some(next) = queue.pop_front() {
            let (value, space) = match next {
                Next::Field(field, space) => {
                    queue.extend(field.get("type").map(|kind| Next::Type(kind, space)));
                    continue;
                }
                Next::Type(value, space) => (value, space),
            };
            queue.extend(value.items().map(|branch| Next::Type(branch, space)));
            match value.get("type").and_then(Value::as_str) {
                Some("array") => queue.extend(value.get("items").map(|items| Next::Type(items, space))),
                Some("map") => queue.extend(value.get("values").map(|values| Next::Type(values, space))),
                Some("record" | "error") => {
                    let inside = places.record(value, space, &mut spaces);
                    let fields = value.get("fields").into_iter().flat_map(Value::items);
                    queue.extend(fields.map(|field| Next::Field(field, inside)));
                }
                _ => {}
            }
        }
        places
    }

    /// Notes a record with its fields and gives the number of the namespace inside.
    fn record(&mut self, value: Value<'j>, space: usize, spaces: &mut Vec<Option<String>>) -> usize {
        let text = |value: Value<'j>, key: &str| value.get(key).and_then(Value::as_str);
        let written = text(value, "name").unwrap_or_default();
        let name = Name::new(written, text(value, "namespace").or(spaces[space].as_deref()));
        let simple = written.rsplit_once('.').map_or(written, |(_, simple)| simple);
        for field in value.get("fields").into_iter().flat_map(Value::items) {
            let field_name = text(field, "name").unwrap_or_default();
            self.fields.entry((value.id(), field_name)).or_insert(field.id());
            self.fields_of_simple.entry((simple, field_name)).or_insert(field.id());
        }
        self.simple.entry(simple).or_insert(value.id());
        self.records.entry(name.full().to_owned()).or_insert(value.id());
        if name.space() == spaces[space].as_deref() {
            return space;
        }
        spaces.push(name.space().map(str::to_owned));
        spaces.len() - 1
    }

    fn find(&self, edit: &TagEdit) -> Option<u32> {
        // In what is not new, a namespace may begin with a dot.
        self.find_path(edit.kind, &edit.path).or_else(|| self.find_path(edit.kind, edit.plain_path()))
    }

    fn find_path(&self, kind: EntityKind, path: &str) -> Option<u32> {
        if kind == EntityKind::Record {
            let simple = || self.simple.get(path);
            return self.records.get(path).or_else(simple).copied();
        }
        let (record, field) = path.rsplit_once('.')?;
        let of_simple = || self.fields_of_simple.get(&(record, field));
        let of_record = self.records.get(record).and_then(|record| self.fields.get(&(*record, field)));
        of_record.or_else(of_simple).copied()
    }
}
