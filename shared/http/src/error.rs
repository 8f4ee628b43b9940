//! From an error of the registry to status, `error_code` and message: one total match (rest-api.md §5).

use crate::posted::{parse_failure, validation_failure};
use crate::routes::Route;
use http::StatusCode;
use registrar_model::{ContextName, IdRange, Subject};
use registrar_registry::{Denied, InvalidMode, InvalidSchema, Limit, RegistryError};
use registrar_store::StoreError;
use serde::Serialize;

/// Why a request gets no answer: the registry's reason, or one of HTTP (rest-api.md §1.8).
#[derive(Debug)]
pub(crate) enum Failure {
    /// The registry says no, or could not.
    Registry(RegistryError),
    /// No such path, or a number in it that is none.
    NotFound,
    /// The path has other methods.
    MethodNotAllowed,
    /// The client takes no type on offer.
    NotAcceptable,
    /// A body of another type.
    UnsupportedMediaType,
    /// What was sent does not parse; the words for the client.
    BadRequest(String),
    /// No body; the name of the argument it is for.
    MissingBody(&'static str),
    /// A body longer than this many bytes.
    BodyTooLarge(usize),
    /// Of more values than this.
    BodyTooFull(usize),
    /// Nested deeper than this.
    BodyTooDeep(usize),
    /// Bodies and answers under way of this many bytes.
    TooManyRequests(usize),
    /// A body that did not arrive within so many seconds.
    BodyTimeout(u64),
    /// A bug; the words for the log.
    Internal(String),
}

impl From<RegistryError> for Failure {
    fn from(error: RegistryError) -> Self {
        Self::Registry(error)
    }
}

/// The numbers in `error_code`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "rest-api.md §5 gives each by its number")]
pub enum ErrorCode {
    BadRequest = 400,
    NotFound = 404,
    MethodNotAllowed = 405,
    NotAcceptable = 406,
    BodyTimeout = 408,
    /// [`ErrorCode::Incompatible`] as older servers had it.
    LegacyIncompatible = 409,
    BodyTooLarge = 413,
    UnsupportedMediaType = 415,
    MissingBody = 422,
    TooManyRequests = 429,
    Internal = 500,
    SubjectNotFound = 40401,
    VersionNotFound = 40402,
    SchemaNotFound = 40403,
    SubjectSoftDeleted = 40404,
    SubjectNotSoftDeleted = 40405,
    VersionSoftDeleted = 40406,
    VersionNotSoftDeleted = 40407,
    ConfigNotSet = 40408,
    ModeNotSet = 40409,
    AssociationNotFound = 40410,
    Incompatible = 40901,
    AssociationExists = 40903,
    SubjectAssociated = 40904,
    SubjectStronglyAssociated = 40905,
    NoActiveVersion = 40907,
    AssociationFrozen = 40908,
    InvalidSchema = 42201,
    InvalidVersion = 42202,
    InvalidLevel = 42203,
    InvalidMode = 42204,
    Denied = 42205,
    Referenced = 42206,
    InvalidSubject = 42208,
    SchemaTooLarge = 42209,
    InvalidRuleSet = 42210,
    ContextNotEmpty = 42211,
    InvalidAssociation = 42212,
    Store = 50001,
    Timeout = 50002,
}

impl ErrorCode {
    /// All of them, by number.
    pub const ALL: [Self; 40] = [
        Self::BadRequest,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::NotAcceptable,
        Self::BodyTimeout,
        Self::LegacyIncompatible,
        Self::BodyTooLarge,
        Self::UnsupportedMediaType,
        Self::MissingBody,
        Self::TooManyRequests,
        Self::Internal,
        Self::SubjectNotFound,
        Self::VersionNotFound,
        Self::SchemaNotFound,
        Self::SubjectSoftDeleted,
        Self::SubjectNotSoftDeleted,
        Self::VersionSoftDeleted,
        Self::VersionNotSoftDeleted,
        Self::ConfigNotSet,
        Self::ModeNotSet,
        Self::AssociationNotFound,
        Self::Incompatible,
        Self::AssociationExists,
        Self::SubjectAssociated,
        Self::SubjectStronglyAssociated,
        Self::NoActiveVersion,
        Self::AssociationFrozen,
        Self::InvalidSchema,
        Self::InvalidVersion,
        Self::InvalidLevel,
        Self::InvalidMode,
        Self::Denied,
        Self::Referenced,
        Self::InvalidSubject,
        Self::SchemaTooLarge,
        Self::InvalidRuleSet,
        Self::ContextNotEmpty,
        Self::InvalidAssociation,
        Self::Store,
        Self::Timeout,
    ];

    /// The number.
    pub fn number(self) -> u16 {
        self as u16
    }

    /// The HTTP status: the first three digits.
    pub fn status(self) -> StatusCode {
        let number = self.number();
        let digits = if number > 999 { number / 100 } else { number };
        StatusCode::from_u16(digits).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

/// The body of every error.
#[derive(Debug, Serialize)]
pub(crate) struct ErrorBody {
    pub(crate) error_code: u16,
    pub(crate) message: String,
}

/// An error as it leaves: what the client reads, and what only the log gets.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
    pub(crate) detail: Option<String>,
}

impl Refusal {
    fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), detail: None }
    }

    fn logged(code: ErrorCode, message: impl Into<String>, detail: &str) -> Self {
        Self { code, message: message.into(), detail: Some(detail.to_owned()) }
    }

    /// A bug or a panic.
    pub(crate) fn internal(detail: &str) -> Self {
        Self::logged(ErrorCode::Internal, "Internal Server Error", detail)
    }

    /// The status and the body.
    pub(crate) fn into_parts(self) -> (StatusCode, ErrorBody) {
        (self.code.status(), ErrorBody { error_code: self.code.number(), message: self.message })
    }
}

/// What the client is told about `failure`; `route` is what was tried, if it came that far.
pub(crate) fn refusal(failure: Failure, route: Option<&Route>, legacy_conflict_code: bool) -> Refusal {
    use ErrorCode as Code;
    match failure {
        Failure::Registry(RegistryError::Incompatible(subject, messages)) if legacy_conflict_code => {
            Refusal::new(Code::LegacyIncompatible, incompatible(&subject, &messages))
        }
        Failure::Registry(RegistryError::IncompatibleAssociation(messages)) if legacy_conflict_code => {
            Refusal::new(Code::LegacyIncompatible, details(&messages))
        }
        Failure::Registry(error) => of_registry(error, route),
        Failure::NotFound => Refusal::new(Code::NotFound, "HTTP 404 Not Found"),
        Failure::MethodNotAllowed => Refusal::new(Code::MethodNotAllowed, "HTTP 405 Method Not Allowed"),
        Failure::NotAcceptable => Refusal::new(Code::NotAcceptable, "HTTP 406 Not Acceptable"),
        Failure::UnsupportedMediaType => Refusal::new(Code::UnsupportedMediaType, "HTTP 415 Unsupported Media Type"),
        Failure::BadRequest(message) => Refusal::new(Code::BadRequest, message),
        Failure::MissingBody(argument) => {
            Refusal::new(Code::MissingBody, format!("{argument} must not be null (was null)"))
        }
        Failure::BodyTooLarge(limit) => {
            let message =
                format!("The request body is longer than the limit of {limit} bytes (REGISTRAR_MAX_BODY_BYTES)");
            Refusal::new(Code::BodyTooLarge, message)
        }
        Failure::BodyTooFull(limit) => {
            let message = format!("The request body has more than {limit} values (REGISTRAR_MAX_VALUES)");
            Refusal::new(Code::BodyTooLarge, message)
        }
        Failure::BodyTooDeep(limit) => {
            let message = format!("The request body is nested more than {limit} levels deep (REGISTRAR_MAX_NESTING)");
            Refusal::new(Code::BadRequest, message)
        }
        Failure::TooManyRequests(limit) => {
            let message = format!(
                "Requests under way have {limit} bytes of bodies and answers; try again (REGISTRAR_MAX_BYTES_IN_FLIGHT)"
            );
            Refusal::new(Code::TooManyRequests, message)
        }
        Failure::BodyTimeout(seconds) => {
            let message = format!(
                "HTTP 408 Request Timeout: the request body took more than {seconds} s (REGISTRAR_BODY_SECONDS)"
            );
            Refusal::new(Code::BodyTimeout, message)
        }
        Failure::Internal(detail) => Refusal::internal(&detail),
    }
}

fn of_registry(error: RegistryError, route: Option<&Route>) -> Refusal {
    use ErrorCode as Code;
    use RegistryError as Error;
    let (code, message) = match error {
        Error::SubjectNotFound(subject) => (Code::SubjectNotFound, format!("Subject '{subject}' not found.")),
        Error::VersionNotFound(version) => (Code::VersionNotFound, format!("Version {version} not found.")),
        Error::SchemaNotFound => (Code::SchemaNotFound, "Schema not found".to_owned()),
        Error::SchemaIdNotFound(id) => (Code::SchemaNotFound, format!("Schema {id} not found")),
        Error::SubjectSoftDeleted(subject) => (
            Code::SubjectSoftDeleted,
            format!("Subject '{subject}' was soft deleted.Set permanent=true to delete permanently"),
        ),
        Error::SubjectNotSoftDeleted(subject) => (
            Code::SubjectNotSoftDeleted,
            format!("Subject '{subject}' was not deleted first before being permanently deleted"),
        ),
        Error::VersionSoftDeleted(subject, version) => (
            Code::VersionSoftDeleted,
            format!("Subject '{subject}' Version {version} was soft deleted.Set permanent=true to delete permanently"),
        ),
        Error::VersionNotSoftDeleted(subject, version) => (
            Code::VersionNotSoftDeleted,
            format!("Subject '{subject}' Version {version} was not deleted first before being permanently deleted"),
        ),
        Error::ConfigNotSet(subject) => {
            (Code::ConfigNotSet, format!("Subject '{subject}' does not have subject-level compatibility configured"))
        }
        Error::ModeNotSet(subject) => {
            (Code::ModeNotSet, format!("Subject '{subject}' does not have subject-level mode configured"))
        }
        Error::Incompatible(subject, messages) => (Code::Incompatible, incompatible(&subject, &messages)),
        Error::InvalidSchema(reason) => (Code::InvalidSchema, invalid_schema(&reason)),
        Error::InvalidVersion(text) => (
            Code::InvalidVersion,
            format!(
                "The specified version '{text}' is not a valid version id. Allowed values are between [1, 2^31-1] \
                 and the string \"latest\""
            ),
        ),
        Error::InvalidLevel => (Code::InvalidLevel, INVALID_LEVEL.to_owned()),
        Error::InvalidMode(reason) => (Code::InvalidMode, invalid_mode(reason).to_owned()),
        Error::Denied(reason) => (Code::Denied, denied(&reason)),
        Error::Referenced(subject, version) => (
            Code::Referenced,
            format!(
                "One or more references exist to the schema \
                 {{magic=1,keytype=SCHEMA,subject={subject},version={version}}}."
            ),
        ),
        Error::InvalidSubject(subject) => {
            (Code::InvalidSubject, format!("The specified subject '{subject}' is not a valid."))
        }
        Error::OverLimit(limit) => over_limit(limit),
        Error::ConfigTooLarge(limit) => {
            (Code::SchemaTooLarge, format!("The configuration is larger than the limit of {limit} bytes"))
        }
        Error::ContextNotFound(context) => (Code::NotFound, format!("Context '{}' not found.", context.qualified())),
        Error::ContextNotEmpty(context) => {
            (Code::ContextNotEmpty, format!("The specified context '{}' is not empty.", context.qualified()))
        }
        Error::DescriptionTooLong(limit) => {
            (Code::SchemaTooLarge, format!("The description is longer than the limit of {limit} bytes"))
        }
        Error::InvalidRuleSet(reason) => (Code::InvalidRuleSet, reason.to_string()),
        Error::AmbiguousRuleSet => {
            (Code::InvalidRuleSet, "ruleSet should be omitted if specifying rulesToMerge or rulesToRemove".to_owned())
        }
        Error::Aliased(subject) => return Refusal::internal(&format!("an alias of {subject} was not followed")),
        Error::AssociationNotFound(id) => (Code::AssociationNotFound, format!("Association for '{id}' not found.")),
        Error::AssociationExists(of, id) => (
            Code::AssociationExists,
            format!("An association of type '{}' already exists for resource '{id}'", of.name()),
        ),
        Error::SubjectAssociated(subject) => {
            (Code::SubjectAssociated, format!("An association already exists for subject '{subject}'"))
        }
        Error::SubjectStronglyAssociated(subject) => {
            (Code::SubjectStronglyAssociated, format!("A strong association already exists for subject '{subject}'"))
        }
        Error::NoActiveVersion(subject) => {
            (Code::NoActiveVersion, format!("No active (non-deleted) version exists for subject '{subject}'"))
        }
        Error::AssociationFrozen(of, subject) => (
            Code::AssociationFrozen,
            format!("The association of type  '{}' is frozen for subject '{subject}'", of.name()),
        ),
        Error::SubjectReferenced(subject) => {
            (Code::Referenced, format!("One or more references exist to the schema {subject}."))
        }
        Error::IncompatibleAssociation(messages) => (Code::Incompatible, details(&messages)),
        Error::InvalidAssociation { property, detail } => (
            Code::InvalidAssociation,
            format!("The association specified an invalid value for property: '{property}', detail: {detail}"),
        ),
        Error::Store(error) => return of_store(&error, route),
    };
    Refusal::new(code, message)
}

const INVALID_LEVEL: &str = "Invalid compatibility level. Valid values are none, backward, forward, full, \
                             backward_transitive, forward_transitive, and full_transitive";

/// The table's own words are for the log only.
fn of_store(error: &StoreError, route: Option<&Route>) -> Refusal {
    let detail = error.to_string();
    let doing = || format!("Error while {}", route.map_or("answering the request", |route| route.name));
    match error {
        StoreError::Exhausted(_) => match route.and_then(|route| route.timeout) {
            Some(message) => Refusal::logged(ErrorCode::Timeout, message, &detail),
            None => Refusal::logged(ErrorCode::Store, doing(), &detail),
        },
        StoreError::Refused(_) => Refusal::logged(ErrorCode::Store, doing(), &detail),
        StoreError::Broken(_) => Refusal::internal(&detail),
        // Said to the client as well: only who runs the server can help, and the words name what to look for.
        StoreError::Locked(why) | StoreError::Disk(why) => {
            Refusal::logged(ErrorCode::Store, format!("{}: {why}", doing()), &detail)
        }
        StoreError::TooLarge(_) => Refusal::logged(
            ErrorCode::SchemaTooLarge,
            "Register operation failed because schema is too large: compressed it has more than 3600000 bytes, or more \
             than fits one transaction",
            &detail,
        ),
    }
}

/// A message about a limit ends with the setting that it comes from.
fn over_limit(limit: Limit) -> (ErrorCode, String) {
    use ErrorCode::{InvalidSchema, SchemaTooLarge};
    match limit {
        Limit::SchemaBytes(bytes) => (
            SchemaTooLarge,
            format!(
                "Register operation failed because schema is too large: more than {bytes} bytes \
                 (REGISTRAR_MAX_SCHEMA_BYTES)"
            ),
        ),
        Limit::Values(values) => (
            SchemaTooLarge,
            format!(
                "Register operation failed because schema is too large: more than {values} values, those it refers to \
                 counted (REGISTRAR_MAX_VALUES)"
            ),
        ),
        Limit::ReferencedBytes(bytes) => (
            SchemaTooLarge,
            format!("A schema may refer to schemas of at most {bytes} bytes in all (REGISTRAR_MAX_REFERENCED_BYTES)"),
        ),
        Limit::References(count) => {
            (InvalidSchema, format!("A schema may have at most {count} references (REGISTRAR_MAX_REFERENCES)"))
        }
        Limit::ReferenceClosure(count) => (
            InvalidSchema,
            format!(
                "A schema may reach at most {count} schemas through its references (REGISTRAR_MAX_REFERENCE_CLOSURE)"
            ),
        ),
        Limit::Nesting(levels) => {
            (InvalidSchema, format!("A schema may be nested at most {levels} levels deep (REGISTRAR_MAX_NESTING)"))
        }
        Limit::CheckSteps(steps) => (
            SchemaTooLarge,
            format!("The compatibility check takes more than {steps} steps (REGISTRAR_MAX_CHECK_STEPS)"),
        ),
        Limit::CheckPairs(pairs) => {
            (SchemaTooLarge, format!("The compatibility check has to remember more than {pairs} pairs of types"))
        }
        Limit::AnswerBytes(bytes) => (
            SchemaTooLarge,
            format!(
                "The schemas of this page have more than {bytes} bytes, ask for fewer with limit \
                 (REGISTRAR_MAX_ANSWER_BYTES)"
            ),
        ),
    }
}

fn incompatible(subject: &Subject, messages: &[String]) -> String {
    let details = details(messages);
    format!(
        "Schema being registered is incompatible with an earlier schema for subject \"{subject}\", details: {details}"
    )
}

fn details(messages: &[String]) -> String {
    format!("[{}]", messages.join(", "))
}

pub(crate) fn invalid_schema(reason: &InvalidSchema) -> String {
    match reason {
        InvalidSchema::UnknownType(name) => format!("Invalid schema type {name}"),
        InvalidSchema::Unparsable { request, details } => parse_failure(request, details),
        InvalidSchema::Tags(details) => details.clone(),
        InvalidSchema::Unsound { request, details } => validation_failure(request, details),
        InvalidSchema::Empty => "Empty schema".to_owned(),
        InvalidSchema::WrongVersion => "Version is not one more than previous version".to_owned(),
    }
}

fn invalid_mode(reason: InvalidMode) -> &'static str {
    match reason {
        InvalidMode::Unknown => "Invalid mode. Valid values are READWRITE, READONLY, IMPORT and FORWARD.",
        InvalidMode::ForwardNotGlobal => "Forward mode only supported on global level",
    }
}

fn denied(reason: &Denied) -> String {
    let not_in = |subject: &Subject, mode: &str| {
        format!("Subject {subject} in context {} is not in {mode} mode", subject.context().qualified())
    };
    match reason {
        Denied::ReadOnly(subject) => {
            let name = subject.as_ref().map_or_else(|| "null".to_owned(), ToString::to_string);
            let context = subject.as_ref().map(Subject::context).map(ContextName::qualified).unwrap_or_default();
            format!("Subject {name} in context {context} is in read-only mode")
        }
        Denied::NotImport(subject) => not_in(subject, "import"),
        Denied::NotReadWrite(subject) => not_in(subject, "read-write"),
        Denied::OverwriteId(subject, id) => {
            let context = subject.context().qualified();
            format!("Overwrite new schema with id {id} in context {context} is not permitted.")
        }
        Denied::IdsUsedUp(subject, range) if *range == IdRange::ALL => {
            format!("No schema ids are left in context {}", subject.context().as_str())
        }
        Denied::IdsUsedUp(subject, range) => {
            format!("No schema ids of the range {range} are left in context {}", subject.context().as_str())
        }
        Denied::ExistingSubjects => "Cannot import since found existing subjects".to_owned(),
        Denied::ModeImmutable => "Mode changes are not allowed".to_owned(),
        Denied::StronglyAssociated(subject) => {
            format!("Subject '{subject}' has a strong association and cannot be referenced")
        }
    }
}

#[cfg(test)]
mod tests;
