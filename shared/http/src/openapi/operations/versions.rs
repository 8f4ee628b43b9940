//! Versions of a subject (rest-api.md §4.2).

use super::SCHEMA_EXAMPLE;
use crate::ErrorCode::{
    Denied, Incompatible, InvalidRuleSet, InvalidSchema, InvalidSubject, InvalidVersion, LegacyIncompatible,
    Referenced, SchemaTooLarge, SubjectAssociated, SubjectNotFound, VersionNotFound, VersionNotSoftDeleted,
    VersionSoftDeleted,
};
use crate::openapi::operation::Operation;
use crate::openapi::parameters::{
    DELETED, DELETED_AS_NEGATIVE, DELETED_ONLY, FIND_TAGS, FORCE_REGISTER, FORMAT, LIMIT, NORMALIZE, OFFSET, PERMANENT,
    REFERENCE_FORMAT,
};
use crate::openapi::shape::Shape::{Integer, List, Object, Text as AnyText};
use crate::openapi::types::schema::{REGISTERED, SCHEMA, SCHEMA_REQUEST, TAG_REQUEST};

const GROUP: &str = "Versions";

pub(super) static LIST: Operation =
    Operation::new("listVersions", GROUP, "List the versions of a subject", "Their numbers.", List(&Integer(i32::MIN)))
        .details("Sorted without regard to the minus signs of `deletedAsNegative`.")
        .query(&[&DELETED, &DELETED_ONLY, &DELETED_AS_NEGATIVE, &OFFSET, &LIMIT])
        .errors(&[SubjectNotFound]);

pub(super) static REGISTER: Operation =
    Operation::new("registerSchema", GROUP, "Register a schema", "The schema as registered.", Object(&REGISTERED))
        .details("What is there already is answered with the version it has; then nothing is written.")
        .query(&[&NORMALIZE, &FORMAT, &FORCE_REGISTER])
        .body(&SCHEMA_REQUEST, SCHEMA_EXAMPLE)
        .errors(&[
            LegacyIncompatible,
            Incompatible,
            InvalidSchema,
            Denied,
            InvalidSubject,
            SchemaTooLarge,
            InvalidRuleSet,
        ]);

pub(super) static GET: Operation =
    Operation::new("getVersion", GROUP, "Read a version", "The version.", Object(&SCHEMA))
        .query(&[&FORMAT, &REFERENCE_FORMAT, &DELETED, &FIND_TAGS])
        .errors(&[SubjectNotFound, VersionNotFound, InvalidVersion]);

pub(super) static TEXT: Operation =
    Operation::new("getVersionText", GROUP, "Read the schema text of a version", "", AnyText)
        .answers_text()
        .query(&[&FORMAT, &DELETED])
        .errors(&[SubjectNotFound, VersionNotFound, InvalidVersion]);

pub(super) static REFERENCED_BY: Operation = Operation::new(
    "listReferrers",
    GROUP,
    "List the schemas that refer to a version",
    "The ids of the schemas.",
    List(&Integer(0)),
)
.query(&[&DELETED, &OFFSET, &LIMIT])
.errors(&[SubjectNotFound, VersionNotFound, InvalidVersion]);

pub(super) static DELETE: Operation =
    Operation::new("deleteVersion", GROUP, "Delete a version", "The number of the version.", Integer(1))
        .details("Softly first, then for good with `permanent`.")
        .query(&[&PERMANENT])
        .errors(&[
            SubjectNotFound,
            VersionNotFound,
            VersionSoftDeleted,
            VersionNotSoftDeleted,
            InvalidVersion,
            Denied,
            Referenced,
            SubjectAssociated,
        ]);

pub(super) static TAG: Operation = Operation::new(
    "tagVersion",
    GROUP,
    "Register a copy of a version with other tags, metadata or rules",
    "The copy as registered.",
    Object(&REGISTERED),
)
.body(
    &TAG_REQUEST,
    r#"{"tagsToAdd":[{"schemaEntity":{"entityPath":"Order.id","entityType":"sr_field"},"tags":["PII"]}]}"#,
)
.errors(&[
    SubjectNotFound,
    VersionNotFound,
    LegacyIncompatible,
    Incompatible,
    InvalidSchema,
    InvalidVersion,
    Denied,
    InvalidSubject,
    SchemaTooLarge,
    InvalidRuleSet,
]);
