//! Why an operation is refused or fails. Codes and texts on the wire are given in one table, in `http`.

use registrar_formats::Exceeded;
use registrar_model::{
    AssociationType, ContextName, IdRange, RuleSetError, SchemaContent, SchemaId, Subject, Version, VersionSpec,
};
use registrar_store::StoreError;

/// Everything an operation can answer but success.
#[derive(Debug)]
pub enum RegistryError {
    /// The subject has no version in scope.
    SubjectNotFound(Subject),
    /// The subject exists, the version does not.
    VersionNotFound(VersionSpec),
    /// No version has the content, metadata or id asked for.
    SchemaNotFound,
    /// No schema has this id or guid; the text as the request gave it.
    SchemaIdNotFound(String),
    /// Soft delete of a subject without live versions.
    SubjectSoftDeleted(Subject),
    /// Permanent delete of a subject with live versions.
    SubjectNotSoftDeleted(Subject),
    /// Soft delete of a soft-deleted version.
    VersionSoftDeleted(Subject, Version),
    /// Permanent delete of a live version.
    VersionNotSoftDeleted(Subject, Version),
    /// No configuration is set exactly there.
    ConfigNotSet(Subject),
    /// No mode is set exactly there.
    ModeNotSet(Subject),
    /// The schema may not follow earlier versions; the messages in order.
    Incompatible(Subject, Vec<String>),
    /// The schema cannot be registered or looked up.
    InvalidSchema(InvalidSchema),
    /// Text that is no version.
    InvalidVersion(String),
    /// Text that is no compatibility level.
    InvalidLevel,
    /// A mode that cannot be set.
    InvalidMode(InvalidMode),
    /// The mode in force, or another setting, forbids it.
    Denied(Denied),
    /// A schema refers to this version, so it stays.
    Referenced(Subject, Version),
    /// Nothing may be stored under this name.
    InvalidSubject(Subject),
    /// More than a setting allows.
    OverLimit(Limit),
    /// A configuration of more than this many bytes.
    ConfigTooLarge(usize),
    /// No such context.
    ContextNotFound(ContextName),
    /// The context holds a version, live or soft-deleted.
    ContextNotEmpty(ContextName),
    /// A description of more than this many bytes.
    DescriptionTooLong(usize),
    /// The rule set breaks a rule of its own.
    InvalidRuleSet(RuleSetError),
    /// A whole rule set beside changes of one.
    AmbiguousRuleSet,
    /// The subject is an alias of this one. Nothing was done; the same is to be asked about this one, through
    /// [`Registry::past_aliases`](crate::Registry::past_aliases).
    Aliased(Subject),
    /// The resource has none of the associations to delete; its id.
    AssociationNotFound(String),
    /// The resource, by its id, has another association of this type.
    AssociationExists(AssociationType, String),
    /// The subject has an association, and so cannot have a STRONG one, or go.
    SubjectAssociated(Subject),
    /// The subject has a STRONG association, and so cannot have another.
    SubjectStronglyAssociated(Subject),
    /// An association with a subject that has no live version.
    NoActiveVersion(Subject),
    /// The association cannot be changed, or go without its subject.
    AssociationFrozen(AssociationType, Subject),
    /// Schemas refer to the subject, and so it cannot belong to a topic, or go with it.
    SubjectReferenced(Subject),
    /// A schema that came with an association may not follow earlier versions; the messages in order.
    IncompatibleAssociation(Vec<String>),
    /// A request to change associations is wrong by itself, or does not go with what is there.
    InvalidAssociation {
        /// The member, as the wire names it.
        property: &'static str,
        /// What is wrong with it.
        detail: String,
    },
    /// The table could not be read or written.
    Store(StoreError),
}

/// A limit of the settings that a request is over, by the field of [`Settings`](crate::Settings), with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// `max_schema_bytes`
    SchemaBytes(usize),
    /// `max_references`
    References(usize),
    /// `max_reference_closure`
    ReferenceClosure(usize),
    /// `max_referenced_bytes`
    ReferencedBytes(usize),
    /// `max_nesting`
    Nesting(usize),
    /// `max_values`
    Values(usize),
    /// `max_check_steps`
    CheckSteps(u64),
    /// Pairs of types of two schemas, of which a check remembers no more than this: no setting.
    CheckPairs(usize),
    /// `max_answer_bytes`
    AnswerBytes(usize),
}

/// Why a schema is invalid (all 42201; rest-api.md §5 "42201 texts").
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidSchema {
    /// No such schema type, or one this server does not offer.
    UnknownType(String),
    /// The text does not parse or breaks a rule of its language.
    Unparsable {
        /// What was posted, for the Avro message, which repeats it.
        request: Box<Posted>,
        /// The parser's own words.
        details: String,
    },
    /// Tags that cannot be changed as asked; the reason.
    Tags(String),
    /// The text parses, but breaks a rule beyond that, or has no normal form.
    Unsound {
        /// What was posted, which the message repeats.
        request: Box<Posted>,
        /// The rule, in words.
        details: String,
    },
    /// No text, and no earlier version to take it from.
    Empty,
    /// An explicit version that is not the next.
    WrongVersion,
}

/// What a message about an unparsable schema repeats of the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The subject.
    pub subject: Subject,
    /// The version asked for, 0 for none.
    pub version: i32,
    /// The id asked for.
    pub id: Option<SchemaId>,
    /// Type, text as posted, references, metadata, rules.
    pub content: SchemaContent,
}

/// Which mode cannot be set (42204).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidMode {
    /// Not a mode.
    Unknown,
    /// FORWARD anywhere but at `:.__GLOBAL:`.
    ForwardNotGlobal,
}

/// What is not permitted (42205; rest-api.md §5 "42205 texts").
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Denied {
    /// The scope is read-only; no subject stands for the top level.
    ReadOnly(Option<Subject>),
    /// An explicit id outside IMPORT.
    NotImport(Subject),
    /// No id in IMPORT.
    NotReadWrite(Subject),
    /// The id is taken by another content.
    OverwriteId(Subject, SchemaId),
    /// The last id of the server's range is given in the context, or was imported; the counter does not go back.
    IdsUsedUp(Subject, IdRange),
    /// IMPORT where live versions are.
    ExistingSubjects,
    /// Mode changes are switched off.
    ModeImmutable,
    /// A reference to what belongs to a topic.
    StronglyAssociated(Subject),
}

impl From<StoreError> for RegistryError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Limit> for RegistryError {
    fn from(limit: Limit) -> Self {
        Self::OverLimit(limit)
    }
}

impl From<Exceeded> for RegistryError {
    fn from(what: Exceeded) -> Self {
        Self::OverLimit(match what {
            Exceeded::Steps(limit) => Limit::CheckSteps(limit),
            Exceeded::Pairs(limit) => Limit::CheckPairs(limit),
        })
    }
}

impl From<InvalidSchema> for RegistryError {
    fn from(error: InvalidSchema) -> Self {
        Self::InvalidSchema(error)
    }
}

impl From<Denied> for RegistryError {
    fn from(error: Denied) -> Self {
        Self::Denied(error)
    }
}
