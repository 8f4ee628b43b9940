//! Subjects (rest-api.md §4.1).

use super::SCHEMA_EXAMPLE;
use crate::ErrorCode::{
    Denied, InvalidSchema, Referenced, SchemaNotFound, SchemaTooLarge, SubjectAssociated, SubjectNotFound,
    SubjectNotSoftDeleted, SubjectSoftDeleted,
};
use crate::openapi::operation::Operation;
use crate::openapi::parameters::{
    DELETED, DELETED_ONLY, FORMAT, KEY, LIMIT, NORMALIZE, OFFSET, PERMANENT, SUBJECT_PREFIX, VALUE,
};
use crate::openapi::shape::Shape::{Integer, List, Object, Text};
use crate::openapi::types::schema::{SCHEMA, SCHEMA_REQUEST};

const GROUP: &str = "Subjects";

pub(super) static LIST: Operation =
    Operation::new("listSubjects", GROUP, "List subjects", "Their names, each with its context.", List(&Text))
        .details("Sorted. Without a prefix, those of all contexts. A subject is deleted when all its versions are.")
        .query(&[&SUBJECT_PREFIX, &DELETED, &DELETED_ONLY, &OFFSET, &LIMIT]);

pub(super) static LOOKUP: Operation =
    Operation::new("lookUpSchema", GROUP, "Look up a schema by its content", "The version.", Object(&SCHEMA))
        .query(&[&NORMALIZE, &FORMAT, &DELETED])
        .body(&SCHEMA_REQUEST, SCHEMA_EXAMPLE)
        .errors(&[SubjectNotFound, SchemaNotFound, InvalidSchema, SchemaTooLarge]);

pub(super) static DELETE: Operation =
    Operation::new("deleteSubject", GROUP, "Delete a subject", "The numbers of its versions.", List(&Integer(1)))
        .details("Softly first, then for good with `permanent`. Its ids keep their schemas until the latter.")
        .query(&[&PERMANENT])
        .errors(&[SubjectNotFound, SubjectSoftDeleted, SubjectNotSoftDeleted, Denied, Referenced, SubjectAssociated]);

pub(super) static WITH_METADATA: Operation = Operation::new(
    "getLatestWithMetadata",
    GROUP,
    "Read the latest version with given metadata properties",
    "The version.",
    Object(&SCHEMA),
)
.details("Without properties, the latest version that has metadata.")
.query(&[&KEY, &VALUE, &FORMAT, &DELETED])
.errors(&[SubjectNotFound, SchemaNotFound]);
