//! The documents a schema is made of, and finding things in them by URI and by pointer.

use std::collections::HashMap;
use std::sync::Arc;

use super::dialect::Dialect;
use super::read::Reader;
use super::{text, uri};
use crate::json_text::{Json, Kind, Value};
use crate::{NamedText, SchemaError};

/// Keywords whose members are schemas by name.
const SCHEMA_MAPS: [&str; 5] = ["$defs", "definitions", "properties", "patternProperties", "dependentSchemas"];

/// Keywords whose value is a schema or a list of schemas.
const SCHEMAS: [&str; 16] = [
    "additionalProperties",
    "allOf",
    "anyOf",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "oneOf",
    "prefixItems",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
    "additionalItems",
    "dependencies",
];

/// A place in one of the documents, with the URI that references from there are seen from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) document: usize,
    pub(super) value: u32,
    pub(super) base: Arc<str>,
}

/// Places by URI or id, each with its base URI.
type Places = HashMap<String, (u32, Arc<str>)>;

/// Objects with fewer members than this are searched one by one.
const INDEXED: usize = 32;

pub(super) struct Documents<'a> {
    dialect: Dialect,
    list: Vec<Document>,
    /// What can be referred to by name; read when it is first used.
    waiting: HashMap<String, &'a NamedText>,
    read: HashMap<String, usize>,
}

struct Document {
    json: Arc<Json>,
    name: Arc<str>,
    base: Arc<str>,
    /// Older drafts: what has an id, by the text of the id; made when it is first needed.
    ids: Option<Places>,
    /// Newer drafts: what has an id or an anchor, by its full URI.
    anchors: Places,
    /// The members of large objects by name; made when they are first needed.
    members: HashMap<u32, HashMap<Box<str>, u32>>,
}

impl<'a> Documents<'a> {
    /// The documents of the schema `root`, which may refer to `references` by their names.
    pub(super) fn new(dialect: Dialect, root: Arc<Json>, references: &'a [NamedText]) -> Result<Self, SchemaError> {
        let reader = Reader { json: &root, name: "" };
        let id = root.root().get(dialect.id_keyword());
        let base = id.map(|id| reader.string(id).map(str::to_owned)).transpose()?.unwrap_or_default();
        let at_id = |what: String| SchemaError::new(format!("#/{}: {what}", dialect.id_keyword()));
        uri::check(&base).map_err(at_id)?;
        if dialect == Dialect::Modern && uri::split_fragment(&base).1.is_some_and(|fragment| !fragment.is_empty()) {
            return Err(at_id(format!("a URI with a fragment: {base}")));
        }
        let mut documents = Self { dialect, list: Vec::new(), waiting: HashMap::new(), read: HashMap::new() };
        for reference in references {
            documents.announce(&base, reference)?;
        }
        documents.add(root, "", base.into())?;
        Ok(documents)
    }

    /// The documents of a part of a schema, in which references are not followed.
    pub(super) fn of_part(dialect: Dialect, root: Arc<Json>) -> Self {
        Self { dialect, list: vec![Document::new(root, "", "".into())], waiting: HashMap::new(), read: HashMap::new() }
    }

    /// Makes a reference known under the names it can be used by.
    fn announce(&mut self, base: &str, reference: &'a NamedText) -> Result<(), SchemaError> {
        let name = &reference.name;
        let in_name = |what: String| SchemaError::new(format!("in the name of the reference {name}: {what}"));
        uri::check(name).map_err(in_name)?;
        if self.dialect == Dialect::Modern {
            if uri::scheme(name).is_none() && !name.starts_with('.') {
                self.waiting.insert(format!("./{name}"), reference);
            }
            self.waiting.insert(name.clone(), reference);
            return Ok(());
        }
        // The older drafts read all documents, used or not, and see their names from the schema's own URI.
        let json = text::read(&reference.text).map_err(|error| in_reference(name, &error))?;
        if json.root().kind() != Kind::Object {
            return Err(SchemaError::new(format!("in the reference {name}: expected an object at the root")));
        }
        self.waiting.insert(uri::resolve(base, name), reference);
        Ok(())
    }

    fn add(&mut self, json: Arc<Json>, name: &str, base: Arc<str>) -> Result<usize, SchemaError> {
        let mut document = Document::new(json, name, base);
        if self.dialect == Dialect::Modern {
            document.base = self.base_at(&document.base, document.json.root());
            document.anchors = anchors(&document)?;
        }
        self.list.push(document);
        Ok(self.list.len() - 1)
    }

    pub(super) fn into_list(self) -> Vec<Arc<Json>> {
        self.list.into_iter().map(|document| document.json).collect()
    }

    pub(super) fn json(&self, document: usize) -> Arc<Json> {
        Arc::clone(&self.list[document].json)
    }

    pub(super) fn name(&self, document: usize) -> Arc<str> {
        Arc::clone(&self.list[document].name)
    }

    /// The top of a document.
    pub(super) fn top(&self, document: usize) -> Found {
        let Document { json, base, .. } = &self.list[document];
        Found { document, value: json.root().id(), base: Arc::clone(base) }
    }

    /// The document known as `uri`, if there is one.
    pub(super) fn by_uri(&mut self, uri: &str) -> Result<Option<usize>, SchemaError> {
        if let Some(document) = self.read.get(uri) {
            return Ok(Some(*document));
        }
        let Some(reference) = self.waiting.get(uri).copied() else {
            return Ok(None);
        };
        let json = text::read(&reference.text).map_err(|error| in_reference(&reference.name, &error))?;
        let document = self.add(Arc::new(json), &reference.name, uri.into())?;
        self.read.insert(uri.to_owned(), document);
        Ok(Some(document))
    }

    /// Older drafts: what has the id `id`, word for word, in a document.
    pub(super) fn by_id(&mut self, document: usize, id: &str) -> Option<Found> {
        let keyword = self.dialect.id_keyword();
        let entry = self.list.get_mut(document)?;
        if entry.ids.is_none() {
            entry.ids = Some(ids(entry, keyword));
        }
        let (value, base) = entry.ids.as_ref()?.get(id)?;
        Some(Found { document, value: *value, base: Arc::clone(base) })
    }

    /// Newer drafts: what has the URI `uri`, in any of the documents read so far.
    pub(super) fn by_anchor(&self, uri: &str) -> Option<Found> {
        self.list.iter().enumerate().find_map(|(document, entry)| {
            let (value, base) = entry.anchors.get(uri)?;
            Some(Found { document, value: *value, base: Arc::clone(base) })
        })
    }

    /// Follows a pointer, given as its steps, from `from`.
    pub(super) fn walk<'s>(&mut self, from: Found, steps: impl Iterator<Item = &'s str>) -> Result<Found, SchemaError> {
        let keyword = self.dialect.id_keyword();
        let entry = &mut self.list[from.document];
        let json = Arc::clone(&entry.json);
        let mut value = json.value(from.value);
        let mut base = from.base;
        let mut in_defs = false;
        for step in steps {
            let step = unescape(step);
            let next = match value.kind() {
                Kind::Array => step.parse().ok().and_then(|index| value.item(index)),
                _ => entry.member(value, &step).or_else(|| entry.bridged(&json, value, in_defs, &step)),
            };
            let Some(next) = next else {
                let at = json.root().pointer_to(value.id());
                return Err(SchemaError::new(format!("{}#{at}: key [{step}] not found", entry.name)));
            };
            in_defs = value.id() == json.root().id() && step == "$defs";
            value = next;
            if let Some(id) = entry.member(value, keyword).and_then(Value::as_str) {
                base = within(&base, id);
            }
        }
        Ok(Found { document: from.document, value: value.id(), base })
    }

    /// The URI that references within `value` are seen from.
    pub(super) fn base_at(&self, around: &Arc<str>, value: Value<'_>) -> Arc<str> {
        let id = value.get(self.dialect.id_keyword()).and_then(Value::as_str);
        id.map_or_else(|| Arc::clone(around), |id| within(around, id))
    }
}

impl Document {
    fn new(json: Arc<Json>, name: &str, base: Arc<str>) -> Self {
        Self { json, name: name.into(), base, ids: None, anchors: HashMap::new(), members: HashMap::new() }
    }

    /// A member of an object of this document.
    fn member<'v>(&mut self, value: Value<'v>, key: &str) -> Option<Value<'v>> {
        if value.members().len() < INDEXED {
            return value.get(key);
        }
        let index = self.members.entry(value.id());
        let index = index.or_insert_with(|| value.members().map(|(key, value)| (key.into(), value.id())).collect());
        index.get(key).map(|id| value.within(*id))
    }

    /// What is missing in `$defs` at the top but is in `definitions`; it is not so the other way round.
    fn bridged<'v>(&mut self, json: &'v Json, value: Value<'v>, in_defs: bool, step: &str) -> Option<Value<'v>> {
        let definitions = json.root().get("definitions").filter(|definitions| definitions.kind() == Kind::Object)?;
        if value.id() == json.root().id() && step == "$defs" {
            return Some(definitions);
        }
        if in_defs { self.member(definitions, step) } else { None }
    }
}

fn in_reference(name: &str, error: &SchemaError) -> SchemaError {
    SchemaError::new(format!("in the reference {name}: {error}"))
}

/// The base below an id. An id that the base ends in already changes nothing, and neither does one that is no URI.
fn within(around: &Arc<str>, id: &str) -> Arc<str> {
    let changes = !id.is_empty() && !around.ends_with(id) && uri::check(id).is_ok();
    let base = changes.then(|| uri::resolve(around, id)).filter(|base| base.len() <= uri::MAX_LENGTH);
    base.map_or_else(|| Arc::clone(around), Arc::from)
}

/// Everything that has an id, the first of several alike.
fn ids(document: &Document, keyword: &str) -> Places {
    let mut found = Places::new();
    let mut stack = vec![(document.json.root(), Arc::clone(&document.base))];
    while let Some((value, around)) = stack.pop() {
        let id = value.get(keyword).and_then(Value::as_str);
        let base = id.map_or_else(|| Arc::clone(&around), |id| within(&around, id));
        if let Some(id) = id {
            found.entry(id.to_owned()).or_insert_with(|| (value.id(), Arc::clone(&base)));
        }
        let below: Vec<Value<'_>> = value.items().chain(value.members().map(|(_, member)| member)).collect();
        let containers = below.into_iter().rev().filter(|value| matches!(value.kind(), Kind::Object | Kind::Array));
        stack.extend(containers.map(|value| (value, Arc::clone(&base))));
    }
    found
}

/// Everything that has a URI of its own: ids and anchors, where schemas stand.
fn anchors(document: &Document) -> Result<Places, SchemaError> {
    let reader = Reader { json: &document.json, name: &document.name };
    let root = document.json.root();
    let top = (root.id(), Arc::clone(&document.base));
    let names = [&document.base, &document.name].map(|name| without_empty_fragment(name));
    let mut found: Places = names.into_iter().map(|name| (name, top.clone())).collect();
    let mut stack = vec![(root, Arc::clone(&document.base))];
    while let Some((value, around)) = stack.pop() {
        let mut base = around;
        if let Some(id) = value.get("$id").filter(|_| value.id() != root.id()) {
            let id = reader.string(id)?;
            uri::check(&uri::resolve(&base, id)).map_err(|what| reader.error(value, &what))?;
            base = within(&base, id);
            claim(&mut found, &reader, value, &base, &base)?;
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(anchor) = value.get(keyword) {
                let anchor = format!("#{}", reader.string(anchor)?);
                uri::check(&anchor).map_err(|what| reader.error(value, &what))?;
                let full = format!("{}{anchor}", uri::split_fragment(&base).0);
                claim(&mut found, &reader, value, &full, &base)?;
            }
        }
        for (key, member) in value.members() {
            if SCHEMA_MAPS.contains(&key) {
                stack.extend(member.members().map(|(_, schema)| (schema, Arc::clone(&base))));
            } else if SCHEMAS.contains(&key) {
                stack.extend(member.items().chain(std::iter::once(member)).map(|schema| (schema, Arc::clone(&base))));
            }
        }
    }
    Ok(found)
}

fn claim(
    found: &mut Places,
    reader: &Reader<'_>,
    value: Value<'_>,
    uri: &str,
    base: &Arc<str>,
) -> Result<(), SchemaError> {
    let before = found.insert(without_empty_fragment(uri), (value.id(), Arc::clone(base)));
    match before {
        Some((other, _)) if other != value.id() => {
            Err(reader.error(value, &format!("another schema has the URI {uri} already")))
        }
        _ => Ok(()),
    }
}

fn without_empty_fragment(uri: &str) -> String {
    uri.strip_suffix('#').unwrap_or(uri).to_owned()
}

/// One step of a pointer within a URI: `%41` and `+` as in forms, then `~1` and `~0`.
fn unescape(step: &str) -> String {
    let mut bytes = Vec::with_capacity(step.len());
    let mut rest = step.bytes();
    while let Some(byte) = rest.next() {
        let decoded = match byte {
            b'+' => b' ',
            b'%' => {
                let digits: Option<Vec<u8>> = [rest.next(), rest.next()].into_iter().collect();
                digits.and_then(|digits| hex(&digits)).unwrap_or(b'?')
            }
            _ => byte,
        };
        bytes.push(decoded);
    }
    String::from_utf8_lossy(&bytes).replace("~1", "/").replace("~0", "~")
}

fn hex(digits: &[u8]) -> Option<u8> {
    std::str::from_utf8(digits).ok().and_then(|digits| u8::from_str_radix(digits, 16).ok())
}
