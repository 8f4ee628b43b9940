//! The schema languages: parse, stored text, normalize, equality, compatibility. Pure computation.
//!
//! Nothing here leans on the thread's stack for the depth of a schema, and nothing takes more than the documented
//! limits: [`MAX_NESTING`] levels of JSON, [`MAX_DIFFERENCES`] reported differences, [`MAX_STEPS`](avro::MAX_STEPS) to
//! check the defaults of Avro, and for a comparison a [`Budget`].

pub mod avro;
mod budget;
mod difference;
mod error;
mod extent;
mod fingerprint;
pub mod json;
mod json_tags;
pub mod json_text;
pub mod protobuf;
mod tags;

use registrar_model::{Policy, Reference, SchemaType};

pub use avro::MAX_DIFFERENCES;
pub use budget::{BYTES_PER_STEP, Budget, DEFAULT_STEPS, Exceeded};
pub use difference::Difference;
pub use error::SchemaError;
pub use extent::{Extent, extent, json_extent};
pub use fingerprint::{content_hash, equality_hash, guid};
pub use protobuf::Rules as ProtobufRules;
pub use tags::{EntityKind, TagEdit, TaggedEntity};

/// How deeply the JSON of a schema may nest, also in its stored text.
pub const MAX_NESTING: usize = json_text::MAX_DEPTH;

/// One schema a schema refers to. A list of them has dependencies first (rest-api.md §6.9).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedText {
    /// The name of the reference.
    pub name: String,
    /// The stored text of the schema referred to.
    pub text: String,
}

/// How strictly to read (rest-api.md §7.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strictness {
    /// What is registered: names are ASCII, namespaces are checked, defaults must fit their types.
    New,
    /// Lookups, IMPORT, stored rows, and everything while `validateNewSchemas` is false: none of that.
    Existing,
}

/// A parsed schema. Cloning is cheap.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Schema {
    /// An Avro schema.
    Avro(avro::AvroSchema),
    /// A JSON Schema.
    Json(json::JsonSchema),
    /// A Protobuf schema.
    Protobuf(protobuf::ProtobufSchema),
}

/// Reads the schema `text`, which may use what `references` define.
///
/// # Errors
/// [`SchemaError`] if the text or one of the references is no valid schema, and for a type that is not supported.
pub fn parse(
    schema_type: SchemaType,
    text: &str,
    references: &[NamedText],
    strictness: Strictness,
) -> Result<Schema, SchemaError> {
    match schema_type {
        SchemaType::Avro => avro::AvroSchema::parse(text, references.into(), strictness).map(Schema::Avro),
        SchemaType::Json => json::JsonSchema::parse(text, references.into(), strictness).map(Schema::Json),
        SchemaType::Protobuf => protobuf::ProtobufSchema::parse(text, references).map(Schema::Protobuf),
    }
}

impl Schema {
    /// The language of the schema.
    pub fn schema_type(&self) -> SchemaType {
        match self {
            Self::Avro(_) => SchemaType::Avro,
            Self::Json(_) => SchemaType::Json,
            Self::Protobuf(_) => SchemaType::Protobuf,
        }
    }

    /// The same schema, knowing which versions of which subjects its own references are: Protobuf does not compare the
    /// types of a version with themselves (protobuf-diff-rules.md). The verdict of a check does not depend on it.
    #[must_use]
    pub fn with_references(self, references: &[Reference]) -> Self {
        match self {
            Self::Protobuf(schema) => Self::Protobuf(schema.with_references(references)),
            other => other,
        }
    }

    /// The stored text: what is hashed, kept and returned.
    pub fn text(&self) -> &str {
        match self {
            Self::Avro(schema) => schema.text(),
            Self::Json(schema) => schema.text(),
            Self::Protobuf(schema) => schema.text(),
        }
    }

    /// The schema whose [`text`](Self::text) is the normalized one.
    ///
    /// # Errors
    /// [`SchemaError`] for the few valid schemas that cannot be normalized (avro-canonical.md, normalized).
    pub fn normalized(&self) -> Result<Self, SchemaError> {
        match self {
            Self::Avro(schema) => schema.normalized().map(Self::Avro),
            Self::Json(schema) => schema.normalized().map(Self::Json),
            Self::Protobuf(schema) => schema.normalized().map(Self::Protobuf),
        }
    }

    /// Checks what reading does not, as registering does outside of IMPORT: for Protobuf, that every type is known and, if
    /// `strict` (`validateFields`), that descriptors can be built; for JSON Schema, that the model can be built and, if
    /// `strict`, that no property at the top has a reserved name (rest-api.md §7.5). Avro is checked when it is read.
    ///
    /// # Errors
    /// [`SchemaError`] with the first thing that is wrong.
    pub fn validate(&self, strict: bool) -> Result<(), SchemaError> {
        match self {
            Self::Avro(_) => Ok(()),
            Self::Json(schema) => schema.validate(strict),
            Self::Protobuf(schema) => schema.validate(strict),
        }
    }

    /// Checks that the schema refers to nothing that would have to be fetched over the network; nothing else.
    ///
    /// # Errors
    /// [`SchemaError`] that names the document.
    pub fn check_remote(&self) -> Result<(), SchemaError> {
        match self {
            Self::Json(schema) => schema.check_remote(),
            Self::Avro(_) | Self::Protobuf(_) => Ok(()),
        }
    }

    /// The text in another format (`format=`, any case); the stored text if the format is not known (§6.11).
    pub fn formatted(&self, format: &str) -> String {
        match self {
            Self::Avro(schema) if format.eq_ignore_ascii_case("resolved") => schema.resolved(),
            Self::Avro(schema) => schema.text().to_owned(),
            Self::Json(schema) => schema.text().to_owned(),
            Self::Protobuf(schema) => schema.formatted(format),
        }
    }

    /// A text that two schemas share exactly if their contents are equal (rest-api.md §6.2).
    ///
    /// For Avro it is of the fully inlined schema, so references do not count; for JSON Schema it is the stored text. It
    /// goes into stored hashes and stays the same across releases.
    pub fn equality_text(&self) -> String {
        match self {
            Self::Avro(schema) => schema.equality_text(),
            Self::Json(schema) => schema.text().to_owned(),
            Self::Protobuf(schema) => schema.text().to_owned(),
        }
    }

    /// Every tag within the schema, each once (json-tags-rules.md).
    ///
    /// # Errors
    /// [`SchemaError`] if `confluent:tags` is somewhere no list.
    pub fn inline_tags(&self) -> Result<Vec<String>, SchemaError> {
        match self {
            Self::Avro(schema) => schema.inline_tags(),
            Self::Json(schema) => schema.inline_tags(),
            Self::Protobuf(schema) => Ok(schema.inline_tags()),
        }
    }

    /// Everything that has tags, with its path; the order means nothing (rest-api.md §4.2 `findTags`).
    ///
    /// # Errors
    /// [`SchemaError`] if the schema cannot be walked.
    pub fn tagged_entities(&self) -> Result<Vec<TaggedEntity>, SchemaError> {
        match self {
            Self::Avro(schema) => schema.tagged_entities(),
            Self::Json(schema) => schema.tagged_entities(),
            Self::Protobuf(schema) => schema.tagged_entities(),
        }
    }

    /// The schema with changed tags, in the order of `edits` (rest-api.md §6.6).
    ///
    /// # Errors
    /// [`SchemaError`] if a path leads nowhere.
    pub fn with_tags(&self, edits: &[TagEdit]) -> Result<Self, SchemaError> {
        match self {
            Self::Avro(schema) => schema.with_tags(edits).map(Self::Avro),
            Self::Json(schema) => schema.with_tags(edits).map(Self::Json),
            Self::Protobuf(schema) => schema.with_tags(edits).map(Self::Protobuf),
        }
    }

    /// One sentence on what would be accepted instead of this schema, which does not read what `writer` wrote because of
    /// `differences`. None if there are none, and for languages that have no advice: only JSON Schema has. Nothing in
    /// Confluent says it, so it belongs where it is asked for.
    pub fn advice_as_reader(&self, writer: &Self, policy: Policy, differences: &[Difference]) -> Option<String> {
        match (self, writer) {
            (Self::Json(new), Self::Json(old)) => new.advice_as_reader(old, policy, differences),
            _ => None,
        }
    }

    /// The same for a schema whose data `reader` does not read because of `differences`.
    pub fn advice_as_writer(&self, reader: &Self, policy: Policy, differences: &[Difference]) -> Option<String> {
        match (self, reader) {
            (Self::Json(new), Self::Json(old)) => new.advice_as_writer(old, policy, differences),
            _ => None,
        }
    }

    /// The names of the fields at the top, for `confluent:reserved` (rest-api.md §6.8).
    pub fn top_level_fields(&self) -> Vec<String> {
        match self {
            Self::Avro(schema) => schema.field_names(),
            Self::Json(schema) => schema.field_names(),
            Self::Protobuf(schema) => schema.field_names(),
        }
    }
}

/// The differences that keep `reader` from reading what `writer` wrote, by the STRICT policy; none means compatible.
///
/// Schemas of different types are the caller's business; here they have no differences. Where that takes more than the
/// default budget, that is the difference: a server has [`compatibility_within`], which gives no verdict then.
pub fn compatibility(reader: &Schema, writer: &Schema) -> Vec<Difference> {
    compatibility_with(Policy::Strict, ProtobufRules::default(), reader, writer)
}

/// The same by a policy and by the rules of a release; see [`compatibility_within`].
pub fn compatibility_with(
    policy: Policy,
    protobuf: ProtobufRules,
    reader: &Schema,
    writer: &Schema,
) -> Vec<Difference> {
    let found = compatibility_within(&mut Budget::default(), policy, protobuf, reader, writer);
    found.unwrap_or_else(difference::exceeded)
}

/// The differences that keep `reader` from reading what `writer` wrote, by a policy, which only JSON Schema knows
/// (json-diff-rules.md §8), and by the rules of a release, which only Protobuf does; none means compatible.
///
/// # Errors
/// [`Exceeded`] if that takes more than is left of the budget.
pub fn compatibility_within(
    budget: &mut Budget,
    policy: Policy,
    protobuf: ProtobufRules,
    reader: &Schema,
    writer: &Schema,
) -> Result<Vec<Difference>, Exceeded> {
    match (reader, writer) {
        (Schema::Avro(reader), Schema::Avro(writer)) => reader.differences_within(writer, budget),
        (Schema::Json(reader), Schema::Json(writer)) => reader.differences_within(writer, policy, budget),
        (Schema::Protobuf(reader), Schema::Protobuf(writer)) => {
            reader.differences_within(writer, protobuf, protobuf::Report::Incompatible, budget)
        }
        _ => Ok(Vec::new()),
    }
}
