//! JSON Schema: text, validity and compatibility as in Confluent's registry, draft-04 to 2020-12.
//!
//! The crate `jsonschema` is not used: it checks schemas against meta-schemas, which the reference does not, and has no
//! model to compare (jsonschema-crate.md).

mod advice;
mod arrays;
mod changes;
mod classic;
mod combined;
mod compat;
mod dialect;
mod documents;
mod findings;
mod finish;
mod form;
mod matching;
mod model;
mod modern;
mod normalize;
mod number;
mod objects;
mod order;
mod parse;
mod pattern;
mod product;
mod read;
mod references;
mod scalars;
mod tags;
mod text;
mod uri;

use std::sync::{Arc, OnceLock};

use registrar_model::Policy;

use crate::budget::{Budget, Exceeded};
use crate::difference::{self, Difference, UNEXPECTED_EXCEPTION};
use crate::json_text::{Json, Value};
use crate::{NamedText, SchemaError, Strictness, TagEdit, TaggedEntity, json_tags};
use compat::Wanted;
use model::{Graph, Kind};

pub(crate) use changes::message;
pub use compat::MAX_PAIRS;

/// A parsed JSON Schema. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct JsonSchema {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    json: Arc<Json>,
    text: String,
    references: Arc<[NamedText]>,
    strictness: Strictness,
    /// Built when it is first needed: what was imported may be no valid schema, and is served all the same.
    graph: OnceLock<Result<Graph, SchemaError>>,
}

impl JsonSchema {
    /// Reads `text`, which may refer to `references` by their names.
    ///
    /// Only as [`Strictness::New`] is it checked that the model can be built.
    pub(crate) fn parse(text: &str, references: Arc<[NamedText]>, strictness: Strictness) -> Result<Self, SchemaError> {
        let schema = Self::of(text::read(text)?, references, strictness);
        if strictness == Strictness::New {
            schema.graph()?;
        }
        Ok(schema)
    }

    fn of(json: Json, references: Arc<[NamedText]>, strictness: Strictness) -> Self {
        let text = text::print(&json);
        let inner = Inner { json: Arc::new(json), text, references, strictness, graph: OnceLock::new() };
        Self { inner: Arc::new(inner) }
    }

    /// The stored text.
    pub fn text(&self) -> &str {
        &self.inner.text
    }

    /// The schema with the members of every object sorted.
    pub fn normalized(&self) -> Result<Self, SchemaError> {
        let Inner { json, references, strictness, .. } = &*self.inner;
        let json = text::read(&normalize::print(json))?;
        Ok(Self::of(json, Arc::clone(references), *strictness))
    }

    /// The names of the properties at the top.
    pub fn field_names(&self) -> Vec<String> {
        let properties = self.inner.json.root().get("properties");
        properties.into_iter().flat_map(Value::members).map(|(name, _)| name.to_owned()).collect()
    }

    /// Checks that the model can be built and, if `strict`, that no property of an object at the top has a reserved
    /// name.
    pub fn validate(&self, strict: bool) -> Result<(), SchemaError> {
        let graph = self.graph()?;
        let Kind::Object(rules) = graph.kind(graph.root) else {
            return Ok(());
        };
        match rules.properties.iter().find(|(name, _)| strict && name.starts_with("$$")) {
            Some((name, _)) => {
                Err(SchemaError::new(format!("#/properties/{name}: Field names cannot start with $$ prefix")))
            }
            None => Ok(()),
        }
    }

    /// Refuses references to other documents that would have to be fetched.
    ///
    /// # Errors
    /// [`SchemaError`] with the first of them.
    pub fn check_remote(&self) -> Result<(), SchemaError> {
        match self.graph() {
            Err(error) if is_remote(&error) => Err(error),
            _ => Ok(()),
        }
    }

    /// Every tag anywhere in the text, in its order, each once.
    ///
    /// # Errors
    /// [`SchemaError`] if `confluent:tags` is somewhere no list, which registering does not mind.
    pub fn inline_tags(&self) -> Result<Vec<String>, SchemaError> {
        json_tags::inline(&self.inner.json)
    }

    /// Everything that has tags, with its path; the order means nothing.
    ///
    /// # Errors
    /// [`SchemaError`] if the model cannot be built, or if there are so many tags that nobody wants them.
    pub fn tagged_entities(&self) -> Result<Vec<TaggedEntity>, SchemaError> {
        tags::entities(&self.inner.json, self.graph()?)
    }

    /// The schema with changed tags. They are added after those that are there.
    ///
    /// # Errors
    /// [`SchemaError`] if a path leads nowhere, or to tags that are no list.
    pub fn with_tags(&self, edits: &[TagEdit]) -> Result<Self, SchemaError> {
        let Inner { json, references, strictness, .. } = &*self.inner;
        // A list of tags at the bottom may be one level too many.
        let json = text::read(&text::print(&tags::edit(json, self.graph()?, edits)?))?;
        Ok(Self::of(json, Arc::clone(references), *strictness))
    }

    /// The differences that keep this schema from reading what `writer` wrote.
    ///
    /// # Errors
    /// [`Exceeded`] if that takes too much.
    pub(crate) fn differences_within(
        &self,
        writer: &Self,
        policy: Policy,
        budget: &mut Budget,
    ) -> Result<Vec<Difference>, Exceeded> {
        self.compare(writer, policy, Wanted::Incompatible, budget)
    }

    /// All differences from `writer`, whether they matter or not; which there are can depend on the policy.
    pub fn all_differences_from(&self, writer: &Self, policy: Policy) -> Vec<Difference> {
        let found = self.compare(writer, policy, Wanted::All, &mut Budget::default());
        found.unwrap_or_else(difference::exceeded)
    }

    /// One sentence about what would be accepted instead of this schema, which does not read what `writer` wrote because
    /// of `differences`; none if there are none. Nothing in Confluent says it, so it belongs where it is asked for.
    pub fn advice_as_reader(&self, writer: &Self, policy: Policy, differences: &[Difference]) -> Option<String> {
        Some(advice::to_reader(differences.first()?, self.would_do_leniently(writer, policy)))
    }

    /// The same for a schema whose data `reader` does not read because of `differences`.
    pub fn advice_as_writer(&self, reader: &Self, policy: Policy, differences: &[Difference]) -> Option<String> {
        Some(advice::to_writer(differences.first()?, reader.would_do_leniently(self, policy)))
    }

    /// Whether the policy could be changed to LENIENT, and then this schema reads what `writer` wrote.
    fn would_do_leniently(&self, writer: &Self, policy: Policy) -> bool {
        let lenient = || self.compare(writer, Policy::Lenient, Wanted::Incompatible, &mut Budget::default());
        policy != Policy::Lenient && lenient().is_ok_and(|differences| differences.is_empty())
    }

    fn compare(
        &self,
        writer: &Self,
        policy: Policy,
        wanted: Wanted,
        budget: &mut Budget,
    ) -> Result<Vec<Difference>, Exceeded> {
        Ok(match (writer.graph(), self.graph()) {
            (Ok(old), Ok(new)) => return compat::compare(old, new, policy, wanted, budget),
            (Err(error), _) if is_remote(&error) => {
                vec![Difference { kind: changes::UNSUPPORTED_REFERENCE, path: "#/".to_owned(), info: String::new() }]
            }
            (Err(error), _) | (_, Err(error)) => {
                vec![Difference { kind: UNEXPECTED_EXCEPTION, path: "#/".to_owned(), info: error.to_string() }]
            }
        })
    }

    fn graph(&self) -> Result<&Graph, SchemaError> {
        let Inner { json, references, graph, .. } = &*self.inner;
        graph.get_or_init(|| parse::load(json, references)).as_ref().map_err(SchemaError::clone)
    }
}

fn is_remote(error: &SchemaError) -> bool {
    error.message().contains("reference fetching")
}
