//! From JSON text to the model.
//!
//! The order of things is that of Avro for Java 1.12: a text is read whole, names are looked up while it is read, a
//! name that is not known yet is resolved when the text ends. The reader keeps its own stack, so depth costs no
//! thread stack.

use std::collections::{HashMap, HashSet};

use super::model::{Enum, Field, Fixed, Graph, Kind, Named, NodeId, Order, Primitive, Props, Record, Unresolved};
use super::name::{self, Name};
use super::{number, resolve};
use crate::json_text::{Dialect, Json, KeyOrder, Kind as JsonKind, Value};
use crate::{SchemaError, Strictness};

/// How much of an offending piece of JSON is shown in a message, in characters.
const SHOWN: usize = 200;

/// The largest size of a fixed type: what a Java array can hold.
const MAX_FIXED_SIZE: i32 = i32::MAX - 8;

/// How many bytes the full names of everything in a schema and its references, and of every mention of a type, may have
/// in all: names within a long namespace would multiply.
pub const MAX_NAME_BYTES: usize = 16 << 20;

/// Members of a schema that are no properties.
const RESERVED: [&str; 10] =
    ["doc", "fields", "items", "name", "namespace", "size", "symbols", "values", "type", "aliases"];
const RESERVED_IN_ENUM: [&str; 11] =
    ["doc", "fields", "items", "name", "namespace", "size", "symbols", "values", "type", "aliases", "default"];
const RESERVED_IN_FIELD: [&str; 6] = ["default", "doc", "name", "order", "type", "aliases"];

/// Reads `text` into `graph`, whose names it may use, and returns the type at its top.
pub(super) fn read(graph: &mut Graph, text: &str, strictness: Strictness) -> Result<NodeId, SchemaError> {
    let dialect = Dialect { comments: true, non_finite: false };
    if text.trim_matches(|c: char| c <= ' ').is_empty() {
        return Err(SchemaError::new("Empty schema"));
    }
    let (json, length) = Json::parse_prefix(text, dialect).map_err(|error| SchemaError::new(error.to_string()))?;
    let first = graph.len();
    let root = Reading { graph, json: &json, strictness, stack: Vec::new() }.run()?;
    let root = resolve::finish(graph, &json, first, root, strictness)?;
    let dangling = text[length..].trim_matches(|c: char| c <= ' ');
    if !dangling.is_empty() {
        return Err(SchemaError::new(format!("dangling content after end of schema: {}", shorten(dangling))));
    }
    Ok(root)
}

/// `text`, cut where messages would grow too long.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// A text that is being read.
struct Reading<'g, 'j> {
    graph: &'g mut Graph,
    json: &'j Json,
    strictness: Strictness,
    stack: Vec<Open<'j>>,
}

/// A type whose children are being read.
struct Open<'j> {
    source: Value<'j>,
    /// Where in the stack the record is whose namespace holds inside this type.
    record: Option<usize>,
    part: Part<'j>,
    children: Vec<NodeId>,
}

enum Part<'j> {
    Array(Value<'j>),
    Map(Value<'j>),
    Union,
    Record { named: Named, is_error: bool, fields: Value<'j> },
}

impl<'j> Reading<'_, 'j> {
    fn run(mut self) -> Result<NodeId, SchemaError> {
        let mut next = self.json.root();
        loop {
            let mut done = self.start(next)?;
            next = loop {
                if let Some(child) = done.take() {
                    let Some(open) = self.stack.last_mut() else {
                        return Ok(child);
                    };
                    open.children.push(child);
                }
                if let Some(child) = self.next_child()? {
                    break child;
                }
                if let Some(open) = self.stack.pop() {
                    done = Some(self.close(open)?);
                }
            };
        }
    }

    /// Begins the type at `source`; the id is there at once unless the type has children.
    fn start(&mut self, source: Value<'j>) -> Result<Option<NodeId>, SchemaError> {
        match source.kind() {
            JsonKind::String => self.reference(source, source.as_str().unwrap_or_default()).map(Some),
            JsonKind::Array => self.open(source, Part::Union),
            JsonKind::Object => self.start_object(source),
            _ => Err(self.error(source, &format!("Schema not yet supported: {}", show(source)))),
        }
    }

    fn start_object(&mut self, source: Value<'j>) -> Result<Option<NodeId>, SchemaError> {
        let word = self.required_text(source, "type", "No type")?;
        if let Some(primitive) = Primitive::from_name(word) {
            return Ok(Some(self.graph.push(Kind::Primitive(primitive), props(source, &RESERVED))));
        }
        match word {
            "record" | "error" => self.start_record(source, word == "error"),
            "enum" => self.read_enum(source).map(Some),
            "fixed" => self.read_fixed(source).map(Some),
            "array" => {
                let items = self.required(source, "items", "Array has no items type")?;
                self.open(source, Part::Array(items))
            }
            "map" => {
                let values = self.required(source, "values", "Map has no values type")?;
                self.open(source, Part::Map(values))
            }
            _ => self.reference(source, word).map(Some),
        }
    }

    fn start_record(&mut self, source: Value<'j>, is_error: bool) -> Result<Option<NodeId>, SchemaError> {
        let named = self.named(source)?;
        let fields = source.get("fields").filter(|fields| fields.kind() == JsonKind::Array);
        let Some(fields) = fields else {
            return Err(self.error(source, &format!("Record has no fields: {}", show(source))));
        };
        self.open(source, Part::Record { named, is_error, fields })
    }

    #[expect(clippy::unnecessary_wraps, reason = "the result of beginning a type that has children")]
    fn open(&mut self, source: Value<'j>, part: Part<'j>) -> Result<Option<NodeId>, SchemaError> {
        let record = match part {
            Part::Record { .. } => Some(self.stack.len()),
            _ => self.stack.last().and_then(|open| open.record),
        };
        self.stack.push(Open { source, record, part, children: Vec::new() });
        Ok(None)
    }

    /// The next child of the innermost open type; none once it is complete.
    fn next_child(&self) -> Result<Option<Value<'j>>, SchemaError> {
        let Some(open) = self.stack.last() else {
            return Ok(None);
        };
        let index = open.children.len();
        match &open.part {
            Part::Array(child) | Part::Map(child) => Ok((index == 0).then_some(*child)),
            Part::Union => Ok(open.source.item(index)),
            Part::Record { fields, .. } => {
                let Some(field) = fields.item(index) else {
                    return Ok(None);
                };
                self.required_text(field, "name", "No field name")?;
                self.required(field, "type", "No field type").map(Some)
            }
        }
    }

    fn close(&mut self, open: Open<'j>) -> Result<NodeId, SchemaError> {
        let Open { source, part, children, .. } = open;
        match part {
            Part::Array(_) => Ok(self.graph.push(Kind::Array(children[0]), props(source, &RESERVED))),
            Part::Map(_) => Ok(self.graph.push(Kind::Map(children[0]), props(source, &RESERVED))),
            Part::Union => {
                if children.iter().any(|child| matches!(self.graph.kind(*child), Kind::Union(_))) {
                    return Err(self.error(source, &format!("Nested union: {}", show(source))));
                }
                Ok(self.graph.push(Kind::Union(children), Props::new()))
            }
            Part::Record { named, is_error, fields } => {
                let mut record =
                    Record { named, is_error, fields: Vec::with_capacity(children.len()), places: HashMap::new() };
                for (field_source, schema) in fields.items().zip(children) {
                    let field = self.field(field_source, schema)?;
                    if record.places.insert(field.name.clone(), record.fields.len()).is_some() {
                        let what = format!("Duplicate field {} in record {}", field.name, record.named.name.full());
                        return Err(self.error(field_source, &what));
                    }
                    record.fields.push(field);
                }
                self.define(source, Kind::Record(record), &RESERVED)
            }
        }
    }

    fn field(&self, source: Value<'j>, schema: NodeId) -> Result<Field, SchemaError> {
        let name = self.required_text(source, "name", "No field name")?;
        name::check(name, self.strictness).map_err(|what| self.error(source, &what))?;
        let order = match source.get("order") {
            None => Order::Ascending,
            Some(order) => order
                .as_str()
                .and_then(Order::from_name)
                .ok_or_else(|| self.error(source, &format!("No order of fields: {}", show(order))))?,
        };
        Ok(Field {
            name: name.to_owned(),
            schema,
            doc: optional_text(source, "doc"),
            default: self.field_default(source, schema)?,
            order,
            aliases: self.alias_texts(source)?,
            props: props(source, &RESERVED_IN_FIELD),
        })
    }

    /// The default; a string for a float or double becomes the number that Java reads in it.
    fn field_default(&self, source: Value<'j>, schema: NodeId) -> Result<Option<Json>, SchemaError> {
        let Some(default) = source.get("default") else {
            return Ok(None);
        };
        let floating = matches!(self.graph.kind(schema), Kind::Primitive(Primitive::Float | Primitive::Double));
        let Some(text) = default.as_str().filter(|_| floating) else {
            return Ok(Some(default.to_json(number::stored)));
        };
        let Some(value) = number::parse_java_double(text) else {
            return Err(self.error(default, &format!("No number: {}", show(default))));
        };
        Ok(Some(Json::number(&number::java_double(value))))
    }

    fn read_enum(&mut self, source: Value<'j>) -> Result<NodeId, SchemaError> {
        let named = self.named(source)?;
        let list = source.get("symbols").filter(|symbols| symbols.kind() == JsonKind::Array);
        let Some(list) = list else {
            return Err(self.error(source, &format!("Enum has no symbols: {}", show(source))));
        };
        let mut symbols: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for item in list.items() {
            let symbol = item.as_str().ok_or_else(|| self.error(item, &format!("No symbol: {}", show(item))))?;
            name::check(symbol, self.strictness).map_err(|what| self.error(item, &what))?;
            if !seen.insert(symbol) {
                return Err(self.error(item, &format!("Duplicate enum symbol: {symbol}")));
            }
            symbols.push(symbol.to_owned());
        }
        let default = optional_text(source, "default");
        if let Some(default) = default.as_deref().filter(|default| !seen.contains(default)) {
            let set = shorten(&symbols.join(", "));
            let what = format!("The Enum Default: {default} is not in the enum symbol set: [{set}]");
            return Err(self.error(source, &what));
        }
        self.define(source, Kind::Enum(Enum { named, symbols, default }), &RESERVED_IN_ENUM)
    }

    fn read_fixed(&mut self, source: Value<'j>) -> Result<NodeId, SchemaError> {
        let named = self.named(source)?;
        let size = source.get("size").and_then(Value::as_number).and_then(number::as_int);
        let Some(size) = size.filter(|size| (0..=MAX_FIXED_SIZE).contains(size)) else {
            return Err(self.error(source, &format!("Invalid or no size: {}", show(source))));
        };
        self.define(source, Kind::Fixed(Fixed { named, size }), &RESERVED)
    }

    /// The name, doc and aliases of a named type.
    fn named(&mut self, source: Value<'j>) -> Result<Named, SchemaError> {
        let space = source.get("namespace").and_then(Value::as_str).or_else(|| self.space());
        let name = Name::new(self.required_text(source, "name", "No name in schema")?, space);
        let alias_texts = self.alias_texts(source)?;
        let around = name.full().len() - name.simple().len();
        let alias_bytes = alias_texts.iter().map(|alias| around + alias.len()).sum::<usize>();
        self.count_names(source, name.full().len() + alias_bytes)?;
        let fail = |what: String| self.error(source, &what);
        name::check(name.simple(), self.strictness).map_err(fail)?;
        if Primitive::from_name(name.full()).is_some() {
            return Err(fail(format!("Schemas may not be named after primitives: {}", name.full())));
        }
        name::check_space(&name, self.strictness).map_err(fail)?;
        let mut seen = HashSet::new();
        let mut aliases: Vec<Name> = Vec::new();
        for alias in alias_texts {
            let alias = Name::new(&alias, name.space());
            name::check(alias.simple(), self.strictness).map_err(fail)?;
            if seen.insert(alias.clone()) {
                aliases.push(alias);
            }
        }
        Ok(Named { name, doc: optional_text(source, "doc"), aliases })
    }

    /// The texts of `aliases`, each once.
    fn alias_texts(&self, source: Value<'j>) -> Result<Vec<String>, SchemaError> {
        let Some(list) = source.get("aliases") else {
            return Ok(Vec::new());
        };
        if list.kind() != JsonKind::Array {
            return Err(self.error(source, &format!("aliases not an array: {}", show(source))));
        }
        let mut seen = HashSet::new();
        let mut aliases = Vec::new();
        for item in list.items() {
            let alias =
                item.as_str().ok_or_else(|| self.error(item, &format!("alias not a string: {}", show(item))))?;
            if seen.insert(alias) {
                aliases.push(alias.to_owned());
            }
        }
        Ok(aliases)
    }

    /// Adds a named type. A second definition of a name must be like the first.
    fn define(&mut self, source: Value<'j>, kind: Kind, reserved: &[&str]) -> Result<NodeId, SchemaError> {
        let full_name = kind.named().map(|named| named.name.full().to_owned()).unwrap_or_default();
        let id = self.graph.push(kind, props(source, reserved));
        let Some(known) = self.graph.names.get(&full_name).copied() else {
            self.graph.names.insert(full_name, id);
            return Ok(id);
        };
        if !resolve::same_definition(self.graph, known, id) {
            return Err(self.error(source, &format!("Can't redefine: {full_name}")));
        }
        Ok(id)
    }

    /// The type that `text` names here: a primitive, a known name in this namespace or in none, or one still to come.
    fn reference(&mut self, source: Value<'j>, text: &str) -> Result<NodeId, SchemaError> {
        if let Some(primitive) = Primitive::from_name(text) {
            return Ok(self.graph.push(Kind::Primitive(primitive), Props::new()));
        }
        let full_name = name::qualify(text, self.space());
        self.count_names(source, full_name.len())?;
        let known = self.graph.names.get(&full_name).or_else(|| self.graph.names.get(text)).copied();
        Ok(known.unwrap_or_else(|| {
            self.graph.push(Kind::Unresolved(Unresolved { full_name, source: source.id() }), Props::new())
        }))
    }

    fn count_names(&mut self, source: Value<'j>, bytes: usize) -> Result<(), SchemaError> {
        self.graph.name_bytes += bytes;
        if self.graph.name_bytes > MAX_NAME_BYTES {
            return Err(self.error(source, &format!("the full names are longer than {MAX_NAME_BYTES} bytes in all")));
        }
        Ok(())
    }

    /// The namespace that holds here: the one of the innermost open record.
    fn space(&self) -> Option<&str> {
        let record = self.stack.last()?.record?;
        match &self.stack.get(record)?.part {
            Part::Record { named, .. } => named.name.space(),
            _ => None,
        }
    }

    fn required(&self, source: Value<'j>, key: &str, missing: &str) -> Result<Value<'j>, SchemaError> {
        source.get(key).ok_or_else(|| self.error(source, &format!("{missing}: {}", show(source))))
    }

    fn required_text(&self, source: Value<'j>, key: &str, missing: &str) -> Result<&'j str, SchemaError> {
        source
            .get(key)
            .and_then(Value::as_str)
            .ok_or_else(|| self.error(source, &format!("{missing}: {}", show(source))))
    }

    fn error(&self, source: Value<'_>, what: &str) -> SchemaError {
        error_at(self.json, source.id(), what)
    }
}

/// An error about the place `source` of the text.
pub(super) fn error_at(json: &Json, source: u32, what: &str) -> SchemaError {
    let pointer = json.root().pointer_to(source);
    let place = if pointer.is_empty() { "/" } else { &pointer };
    SchemaError::new(format!("{what} (at {place})"))
}

fn show(value: Value<'_>) -> String {
    shorten(&value.to_text(KeyOrder::Kept))
}

fn optional_text(source: Value<'_>, key: &str) -> Option<String> {
    source.get(key).and_then(Value::as_str).map(str::to_owned)
}

fn props(source: Value<'_>, reserved: &[&str]) -> Props {
    source
        .members()
        .filter(|(key, _)| !reserved.contains(key))
        .map(|(key, value)| (key.to_owned(), value.to_json(number::stored)))
        .collect()
}
