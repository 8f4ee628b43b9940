//! Avro: text, validity, normalizing and compatibility as in Avro for Java 1.12 and Confluent's registry.
//!
//! The `apache-avro` crate is not used: it panics on some bad names, and neither prints nor judges as Java does.

mod candidates;
mod compat;
mod defaults;
mod equality;
mod findings;
mod logical;
mod model;
mod name;
mod normalize;
mod number;
mod parse;
mod resolve;
mod tags;
mod text;
mod typed_default;
mod walk;
mod writer;

use std::sync::Arc;

use crate::budget::{Budget, Exceeded};
use crate::difference::Difference;
use crate::json_text::{KeyOrder, MAX_DEPTH};
use crate::{NamedText, SchemaError, Strictness, TagEdit, TaggedEntity, json_tags};
use model::{Graph, Kind, NodeId};

pub use compat::MAX_PAIRS;
pub use defaults::MAX_STEPS;
pub use findings::{MAX_DIFFERENCE_BYTES, MAX_DIFFERENCES};
pub use parse::MAX_NAME_BYTES;

/// A parsed Avro schema. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct AvroSchema {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    graph: Graph,
    root: NodeId,
    text: String,
    references: Arc<[NamedText]>,
    /// Full names of the types at the top of the references: they stay names in the stored text.
    known: Vec<String>,
    strictness: Strictness,
}

impl AvroSchema {
    /// Reads `text`, which may use the types of `references`; those must be in an order in which none uses a later one.
    pub(crate) fn parse(text: &str, references: Arc<[NamedText]>, strictness: Strictness) -> Result<Self, SchemaError> {
        let mut graph = Graph::default();
        let mut known = Vec::new();
        for reference in references.iter() {
            let root = parse::read(&mut graph, &reference.text, strictness)
                .map_err(|error| SchemaError::new(format!("{error}, in the reference {}", reference.name)))?;
            known.extend(graph.named(root).map(|named| named.name.full().to_owned()));
        }
        let root = parse::read(&mut graph, text, strictness)?;
        let text = text::print(&graph, root, known.iter().map(String::as_str));
        // Types used before their definition nest deeper in the stored text, which must be readable again.
        if nesting(&text) > MAX_DEPTH {
            return Err(SchemaError::new(format!("nested more than {MAX_DEPTH} levels deep")));
        }
        Ok(Self { inner: Arc::new(Inner { graph, root, text, references, known, strictness }) })
    }

    /// The stored text.
    pub fn text(&self) -> &str {
        &self.inner.text
    }

    /// The normalized schema.
    pub fn normalized(&self) -> Result<Self, SchemaError> {
        let Inner { graph, root, references, known, strictness, .. } = &*self.inner;
        let text = normalize::print(graph, *root, known.iter().map(String::as_str))?;
        Self::parse(&text, Arc::clone(references), *strictness)
    }

    /// The text with everything it refers to inlined (`format=resolved`).
    pub fn resolved(&self) -> String {
        text::print(&self.inner.graph, self.inner.root, [])
    }

    /// See [`Schema::equality_text`](crate::Schema::equality_text).
    pub fn equality_text(&self) -> String {
        equality::print(&self.inner.graph, self.inner.root)
    }

    /// Every tag anywhere in the text, in its order, each once.
    ///
    /// # Errors
    /// [`SchemaError`] if `confluent:tags` is somewhere no list, which registering does not mind.
    pub fn inline_tags(&self) -> Result<Vec<String>, SchemaError> {
        json_tags::inline(&tags::read(self.text())?)
    }

    /// Every record and field that has tags, those of references too.
    ///
    /// # Errors
    /// [`SchemaError`] if there are so many tags that nobody wants them.
    pub fn tagged_entities(&self) -> Result<Vec<TaggedEntity>, SchemaError> {
        tags::entities(&self.inner.graph, self.inner.root)
    }

    /// The schema with changed tags. They are added after those that are there.
    ///
    /// # Errors
    /// [`SchemaError`] if a path leads nowhere in the text, or to tags that are no list.
    pub fn with_tags(&self, edits: &[TagEdit]) -> Result<Self, SchemaError> {
        let json = tags::edit(&tags::read(self.text())?, edits)?;
        Self::parse(&json.root().to_text(KeyOrder::Kept), Arc::clone(&self.inner.references), self.inner.strictness)
    }

    /// The names of the fields, if this is a record.
    pub fn field_names(&self) -> Vec<String> {
        match self.inner.graph.kind(self.inner.root) {
            Kind::Record(record) => record.fields.iter().map(|field| field.name.clone()).collect(),
            _ => Vec::new(),
        }
    }

    /// The differences that keep this schema from reading what `writer` wrote.
    ///
    /// # Errors
    /// [`Exceeded`] if that takes too much.
    pub(crate) fn differences_within(&self, writer: &Self, budget: &mut Budget) -> Result<Vec<Difference>, Exceeded> {
        compat::compare(self.side(), writer.side(), budget)
    }

    fn side(&self) -> compat::Side<'_> {
        compat::Side { graph: &self.inner.graph, root: self.inner.root }
    }
}

/// How deeply arrays and objects nest in JSON text that is known to be well formed.
fn nesting(text: &str) -> usize {
    let mut deepest = 0;
    let mut depth: usize = 0;
    let mut in_string = false;
    let mut escaped = false;
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}
