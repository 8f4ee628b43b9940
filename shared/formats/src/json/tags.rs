//! Tags within the schema: reading them with the paths they are at, and changing them (json-tags-rules.md).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::model::{Graph, Kind, NodeId};
use super::{order, parse};
use crate::json_tags::{self, TAGS, texts};
use crate::json_text::{Json, Kind as JsonKind, Value};
use crate::tags::Collected;
use crate::{EntityKind, SchemaError, TagEdit, TaggedEntity};

/// Everything that has tags, with its path, in no order that means anything.
pub(super) fn entities(json: &Arc<Json>, graph: &Graph) -> Result<Vec<TaggedEntity>, SchemaError> {
    let mut found = Collected::default();
    let mut seen = HashSet::new();
    let mut walk = Walk::new(json, graph);
    while let Some(entity) = walk.next() {
        let tags = json.value(entity.value).get(TAGS).map(texts).unwrap_or_default();
        if tags.is_empty() {
            continue;
        }
        let path = walk.path(entity.place);
        if seen.insert((path.clone(), entity.kind)) {
            found.add(path, entity.kind, tags)?;
        }
    }
    Ok(found.into_vec())
}

/// The text with changed tags.
pub(super) fn edit(json: &Arc<Json>, graph: &Graph, edits: &[TagEdit]) -> Result<Json, SchemaError> {
    json_tags::edited(json, edits.iter().zip(find(json, graph, edits)?))
}

/// The objects that the paths of `edits` lead to.
fn find(json: &Arc<Json>, graph: &Graph, edits: &[TagEdit]) -> Result<Vec<u32>, SchemaError> {
    let wanted: HashSet<(usize, EntityKind)> = edits.iter().map(|edit| (edit.path.len(), edit.kind)).collect();
    let mut known: HashMap<(String, EntityKind), u32> = HashMap::new();
    let mut walk = Walk::new(json, graph);
    while let Some(entity) = walk.next() {
        if wanted.contains(&(walk.length(entity.place), entity.kind)) {
            known.entry((walk.path(entity.place), entity.kind)).or_insert(entity.value);
        }
    }
    let find = |edit: &TagEdit| {
        let by_model = known.get(&(edit.path.clone(), edit.kind)).copied();
        let place = by_model.or_else(|| by_text(json.root(), &edit.path));
        place.filter(|place| json.value(*place).kind() == JsonKind::Object).ok_or_else(|| edit.no_match())
    };
    edits.iter().map(find).collect()
}

/// Follows a path through the text alone: properties can be named without the lists the model puts around them.
fn by_text(root: Value<'_>, path: &str) -> Option<u32> {
    let mut words = path.split('.').peekable();
    let mut value = root;
    while let Some(word) = words.next() {
        value = match word {
            "object" => {
                let Some(next) = words.peek().copied() else { return Some(value.id()) };
                let keyword = if matches!(next, "definitions" | "$defs") { next } else { "properties" };
                if keyword == next {
                    words.next();
                }
                let members = value.get(keyword)?;
                let mut name = words.next()?.to_owned();
                while members.get(&name).is_none() {
                    name = format!("{name}.{}", words.next()?);
                }
                members.get(&name)?
            }
            "array" => value.get("items")?,
            "not" => value.get("not")?,
            "conditional" => value.get(words.next()?)?,
            "allof" | "anyof" | "oneof" => {
                let index = words.next()?;
                let keyword = match word {
                    "allof" => "allOf",
                    "anyof" => "anyOf",
                    _ => "oneOf",
                };
                match value.get(keyword) {
                    Some(list) => list.item(index.parse().ok()?)?,
                    None => value,
                }
            }
            _ => return None,
        };
    }
    path.contains('.').then(|| value.id())
}

/// An object or a property that could have tags.
struct Entity {
    place: usize,
    kind: EntityKind,
    value: u32,
}

/// A step of the walk: a node of one of the graphs.
struct Visit {
    graph: usize,
    id: NodeId,
    place: usize,
    in_field: bool,
}

/// A walk over the model, and over definitions as schemas of their own.
struct Walk<'a> {
    json: &'a Arc<Json>,
    graph: &'a Graph,
    /// Of definitions in the older drafts
    parts: Vec<Graph>,
    /// The place before, and what is added to its path.
    places: Vec<(usize, String)>,
    stack: Vec<Visit>,
    found: Vec<Entity>,
}

impl<'a> Walk<'a> {
    fn new(json: &'a Arc<Json>, graph: &'a Graph) -> Self {
        let start = Visit { graph: 0, id: graph.root, place: 0, in_field: false };
        Self { json, graph, parts: Vec::new(), places: vec![(0, String::new())], stack: vec![start], found: Vec::new() }
    }

    fn next(&mut self) -> Option<Entity> {
        while self.found.is_empty() {
            let visit = self.stack.pop()?;
            self.visit(&visit);
        }
        self.found.pop()
    }

    fn path(&self, place: usize) -> String {
        let mut parts = Vec::new();
        let mut at = place;
        while at != 0 {
            let (before, part) = &self.places[at];
            parts.push(part.as_str());
            at = *before;
        }
        parts.iter().rev().copied().collect()
    }

    fn length(&self, place: usize) -> usize {
        let mut length = 0;
        let mut at = place;
        while at != 0 {
            let (before, part) = &self.places[at];
            length += part.len();
            at = *before;
        }
        length
    }

    fn place(&mut self, before: usize, part: String) -> usize {
        self.places.push((before, part));
        self.places.len() - 1
    }

    fn graph(&self, index: usize) -> &Graph {
        index.checked_sub(1).and_then(|index| self.parts.get(index)).unwrap_or(self.graph)
    }

    fn visit(&mut self, visit: &Visit) {
        let graph = self.graph(visit.graph);
        let below: Vec<(NodeId, String)> = match graph.kind(visit.id) {
            Kind::Combined(combined) => {
                let word = combined.criterion.word().to_ascii_lowercase();
                let branches = order::sort(graph, combined.branches.clone());
                branches.into_iter().enumerate().map(|(index, id)| (id, format!("{word}.{index}."))).collect()
            }
            Kind::Array(rules) => rules.items.into_iter().map(|id| (id, "array.".to_owned())).collect(),
            Kind::Not(inner) => vec![(*inner, "not.".to_owned())],
            Kind::Conditional(parts) => [("if", parts.condition), ("then", parts.then), ("else", parts.otherwise)]
                .into_iter()
                .filter_map(|(word, id)| Some((id?, format!("conditional.{word}."))))
                .collect(),
            Kind::Object(_) => return self.visit_object(visit),
            _ => return,
        };
        for (id, part) in below {
            let place = self.place(visit.place, part);
            self.stack.push(Visit { graph: visit.graph, id, place, in_field: false });
        }
    }

    fn visit_object(&mut self, visit: &Visit) {
        let graph = self.graph(visit.graph);
        let Kind::Object(rules) = graph.kind(visit.id) else { return };
        let value_of = |id: NodeId| graph.node(id).source.map(|source| source.value);
        let own = value_of(visit.id);
        let properties: Vec<(String, NodeId, Option<u32>)> =
            rules.properties.iter().map(|(name, id)| (name.to_owned(), id, value_of(id))).collect();
        let definitions: Vec<(&'static str, String, NodeId)> =
            graph.definitions.get(&visit.id).cloned().unwrap_or_default();
        let object = self.place(visit.place, "object".to_owned());
        if let (Some(value), false) = (own, visit.in_field) {
            self.found.push(Entity { place: object, kind: EntityKind::Record, value });
        }
        for (name, id, value) in properties {
            let field = self.place(object, format!(".{name}"));
            self.found.extend(value.map(|value| Entity { place: field, kind: EntityKind::Field, value }));
            let place = self.place(field, ".".to_owned());
            self.stack.push(Visit { graph: visit.graph, id, place, in_field: true });
        }
        for (keyword, name, id) in definitions {
            let place = self.place(object, format!(".{keyword}.{name}."));
            self.stack.push(Visit { graph: visit.graph, id, place, in_field: false });
        }
        if let (Some(value), false) = (own, self.graph.splits_branches) {
            self.visit_definitions(object, value);
        }
    }

    /// Older drafts: definitions are no part of the model. Each is read as a schema of its own; what is none has no tags.
    fn visit_definitions(&mut self, object: usize, value: u32) {
        let json = self.json;
        for (name, definition) in json.value(value).get("definitions").into_iter().flat_map(Value::members) {
            let Ok(part) = parse::load_part(json, definition.id()) else { continue };
            let id = part.root;
            self.parts.push(part);
            let place = self.place(object, format!(".definitions.{name}."));
            self.stack.push(Visit { graph: self.parts.len(), id, place, in_field: false });
        }
    }
}
