//! What requests ask for, freed of HTTP.

use crate::SubjectAssociations;
use registrar_formats::TaggedEntity;
use registrar_model::{Metadata, RuleSet, SchemaId, SubjectPrefix};

/// A schema as posted to register, lookup and compatibility (rest-api.md §3.1).
#[derive(Clone, Debug, Default)]
pub struct SchemaRequest {
    /// 0 = unspecified, −1 = the next, ≥ 1 = exactly this one.
    pub version: i32,
    /// An explicit id, for IMPORT.
    pub id: Option<SchemaId>,
    /// `AVRO` where absent.
    pub schema_type: Option<String>,
    /// References in order.
    pub references: Vec<ReferenceRequest>,
    /// None and empty differ.
    pub metadata: Option<Metadata>,
    /// None and empty differ.
    pub rule_set: Option<RuleSet>,
    /// The text; blank or absent stands for the latest version's on register.
    pub schema: Option<String>,
    /// Changes of the tags in the text; on register only.
    pub tags: TagChanges,
}

/// Changes of the tags in a schema's text (rest-api.md §3.7, §6.6).
#[derive(Clone, Debug, Default)]
pub struct TagChanges {
    /// What gets which tags.
    pub add: Vec<TaggedEntity>,
    /// What loses which tags, after that.
    pub remove: Vec<TaggedEntity>,
    /// Whether the tags of the latest version are added.
    pub propagate: bool,
}

/// Body of `POST /subjects/{s}/versions/{v}/tags` (rest-api.md §4.2).
#[derive(Clone, Debug, Default)]
pub struct TagRequest {
    /// The version that the copy gets; 0 = the next.
    pub new_version: i32,
    /// Changes of the tags in the text.
    pub tags: TagChanges,
    /// Instead of the version's metadata.
    pub metadata: Option<Metadata>,
    /// Instead of the rule set of the version before.
    pub rule_set: Option<RuleSet>,
    /// Rules added to the rule set of the version before.
    pub rules_to_merge: Option<RuleSet>,
    /// Names of rules it loses.
    pub rules_to_remove: Option<Vec<String>>,
}

/// A reference whose members a client may have left out (42201 then).
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "as `registrar_model::Reference`")]
pub struct ReferenceRequest {
    pub name: Option<String>,
    pub subject: Option<String>,
    pub version: Option<i32>,
}

/// Query of `POST /subjects/{s}/versions` (rest-api.md §4.2).
#[derive(Clone, Debug, Default)]
pub struct RegisterOptions {
    /// Normalise; OR-ed with the configuration.
    pub normalize: bool,
    /// Rendering of the text in the answer.
    pub format: String,
    /// Skip the compatibility check.
    pub force: bool,
    /// Only say what would come of it: nothing is written, no id given out.
    pub dry_run: bool,
}

/// Query of `POST /subjects/{s}` (rest-api.md §4.1).
#[derive(Clone, Debug, Default)]
pub struct LookupOptions {
    /// Normalise; OR-ed with the configuration.
    pub normalize: bool,
    /// Find soft-deleted versions, too.
    pub deleted: bool,
    /// Rendering of the text in the answer.
    pub format: String,
}

/// Query of the compatibility calls (rest-api.md §4.4).
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckOptions {
    /// Normalise; OR-ed with the configuration.
    pub normalize: bool,
}

/// Query of `GET /subjects/{s}/versions/{v}` (rest-api.md §4.2).
#[derive(Clone, Debug, Default)]
pub struct VersionOptions {
    /// Show soft-deleted versions, too.
    pub deleted: bool,
    /// Rendering of the text.
    pub format: String,
    /// `qualified`: references with their context.
    pub reference_format: String,
    /// Tags whose entities are wanted, too; `*` is any.
    pub find_tags: Vec<String>,
}

/// Which subjects to list (rest-api.md §4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SubjectFilter {
    /// Those with a live version.
    #[default]
    Live,
    /// Those whose every version is soft-deleted, too.
    WithDeleted,
    /// Only those.
    OnlyDeleted,
}

/// Which versions to list (rest-api.md §4.2).
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs, reason = "the names are the wire's")]
pub struct VersionFilter {
    pub deleted: bool,
    pub deleted_only: bool,
    pub deleted_as_negative: bool,
}

/// Query of `GET /schemas` (rest-api.md §4.3).
#[derive(Clone, Debug)]
pub struct SchemasQuery {
    /// Which subjects.
    pub prefix: SubjectPrefix,
    /// Show soft-deleted versions, too.
    pub deleted: bool,
    /// Also what the aliases among these subjects lead to, each schema with its aliases.
    pub aliases: bool,
    /// Only the highest version of each subject.
    pub latest_only: bool,
    /// Only schemas with a rule of this type; applied after `latest_only`. Empty = all.
    pub rule_type: String,
    /// Only schemas of subjects with such associations, which are shown then.
    pub associations: Option<SubjectAssociations>,
    /// How many to leave out.
    pub offset: usize,
    /// How many to answer at most.
    pub limit: usize,
}

/// Query of the calls by id (rest-api.md §4.3, §6.4).
#[derive(Clone, Debug, Default)]
pub struct IdQuery {
    /// Narrows where the id is resolved; absent and empty mean the same.
    pub subject: Option<String>,
    /// Rendering of the text.
    pub format: String,
    /// `qualified`: references with their context.
    pub reference_format: String,
    /// Tags whose entities are wanted, too; `*` is any.
    pub find_tags: Vec<String>,
    /// Answer the highest id of the context, too.
    pub fetch_max_id: bool,
    /// Show soft-deleted versions, too (lists only).
    pub deleted: bool,
}
