//! What operations answer, freed of HTTP. The order of members on the wire is the business of `http`.

use crate::ResourceAssociation;
use registrar_formats::TaggedEntity;
use registrar_model::{ContextName, Guid, SchemaContent, SchemaId, Subject, Version};

/// A version of a subject (rest-api.md §3.2). `content.text` is rendered as the request asked for.
#[derive(Clone, Debug)]
pub struct VersionedSchema {
    /// The subject.
    pub subject: Subject,
    /// Its version.
    pub version: Version,
    /// The id within the subject's context.
    pub id: SchemaId,
    /// The name of the content everywhere; never changed by `format`.
    pub guid: Guid,
    /// Type, text, references, metadata, rules.
    pub content: SchemaContent,
    /// When the row was written, in milliseconds since the epoch; absent where the answer is built from the request.
    pub ts: Option<u64>,
    /// Whether the row is soft-deleted; absent likewise.
    pub deleted: Option<bool>,
    /// The tagged entities that were asked for.
    pub tagged: Vec<TaggedEntity>,
}

/// The answer to a registration (rest-api.md §3.8).
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "as `VersionedSchema`")]
pub struct Registered {
    pub id: SchemaId,
    pub version: Version,
    pub guid: Guid,
    pub content: SchemaContent,
    pub ts: Option<u64>,
    pub deleted: Option<bool>,
    /// Whether this request made the version or, in a dry run, would have; `id` is then the last one there is, standing
    /// for one that was not given out, unless the content has an id.
    pub is_new: bool,
}

/// A schema in a list of all (rest-api.md §3.2 "List-schemas items").
#[derive(Clone, Debug)]
pub struct ListedSchema {
    /// The schema.
    pub schema: VersionedSchema,
    /// The aliases that lead to its subject, if asked for.
    pub aliases: Vec<Subject>,
    /// The associations of its subject that the list was filtered by.
    pub associations: Vec<ResourceAssociation>,
}

/// A schema by id or guid (rest-api.md §3.3).
#[derive(Clone, Debug)]
pub struct SchemaById {
    /// A subject that uses it; absent by guid.
    pub subject: Option<Subject>,
    /// The version there.
    pub version: Option<Version>,
    /// The name of the content everywhere.
    pub guid: Guid,
    /// Type, text, references, metadata, rules.
    pub content: SchemaContent,
    /// The highest id of the context, if asked for.
    pub max_id: Option<SchemaId>,
    /// When that version was written.
    pub ts: Option<u64>,
    /// The tagged entities that were asked for.
    pub tagged: Vec<TaggedEntity>,
}

/// A context and what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextDescription {
    /// The context.
    pub name: ContextName,
    /// In the words of whoever created it.
    pub description: Option<String>,
}

/// The answer of a compatibility check (rest-api.md §3.10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the schema may follow.
    pub is_compatible: bool,
    /// Why not. Always filled; clients see them only if they ask.
    pub messages: Vec<String>,
    /// One sentence on what would be accepted instead, if the settings ask for it and it is known.
    pub advice: Option<String>,
}
