//! Schemas by id, by guid and across subjects (rest-api.md §4.3).

use crate::ErrorCode::{NotFound, SchemaNotFound, SchemaTooLarge};
use crate::openapi::operation::Operation;
use crate::openapi::parameters::{
    ALIASES, ASSOCIATION_TYPE, DELETED, FETCH_MAX_ID, FIND_TAGS, FORMAT, LATEST_ONLY, LIMIT, LISTED_LIFECYCLE, OFFSET,
    REFERENCE_FORMAT, RESOURCE_TYPE, RULE_TYPE, SUBJECT, SUBJECT_PREFIX,
};
use crate::openapi::shape::Shape::{Choice, List, Object, Text};
use crate::openapi::types::schema::{CONTEXT_ID, LISTED_SCHEMA, SCHEMA_STRING, SUBJECT_VERSION, schema_types};

const GROUP: &str = "Schemas";
const FOUND: &str = "The schema.";
const DELETED_TOO: &str = "Soft-deleted schemas are found, too.";

pub(super) static LIST: Operation =
    Operation::new("listSchemas", GROUP, "List schemas", "The schemas.", List(&Object(&LISTED_SCHEMA)))
        .details("Sorted by subject and version. Without a prefix, those of the default context.")
        .query(&[
            &SUBJECT_PREFIX,
            &ALIASES,
            &DELETED,
            &LATEST_ONLY,
            &RULE_TYPE,
            &RESOURCE_TYPE,
            &ASSOCIATION_TYPE,
            &LISTED_LIFECYCLE,
            &OFFSET,
            &LIMIT,
        ])
        .errors(&[NotFound, SchemaTooLarge]);

pub(super) static BY_GUID: Operation =
    Operation::new("getSchemaByGuid", GROUP, "Read a schema by its guid", FOUND, Object(&SCHEMA_STRING))
        .details("Looked for in the default context first, then in the others in order.")
        .query(&[&FORMAT])
        .errors(&[SchemaNotFound]);

pub(super) static IDS: Operation =
    Operation::new("listIdsOfGuid", GROUP, "List the ids of a guid", "The ids.", List(&Object(&CONTEXT_ID)))
        .details("Sorted by context and id; none for an unknown guid.");

pub(super) static BY_ID: Operation =
    Operation::new("getSchemaById", GROUP, "Read a schema by its id", FOUND, Object(&SCHEMA_STRING))
        .details(DELETED_TOO)
        .query(&[&SUBJECT, &FORMAT, &REFERENCE_FORMAT, &FETCH_MAX_ID, &FIND_TAGS])
        .errors(&[SchemaNotFound]);

pub(super) static TEXT_BY_ID: Operation =
    Operation::new("getSchemaTextById", GROUP, "Read a schema text by its id", "", Text)
        .answers_text()
        .details(DELETED_TOO)
        .query(&[&SUBJECT, &FORMAT])
        .errors(&[SchemaNotFound]);

pub(super) static SUBJECTS: Operation =
    Operation::new("listSubjectsOfId", GROUP, "List the subjects of an id", "The subjects.", List(&Text))
        .query(&[&SUBJECT, &DELETED, &OFFSET, &LIMIT])
        .errors(&[SchemaNotFound]);

pub(super) static VERSIONS: Operation = Operation::new(
    "listVersionsOfId",
    GROUP,
    "List the versions of an id",
    "The subjects, each with the version last written with this id.",
    List(&Object(&SUBJECT_VERSION)),
)
.details("`subject` says where the id is looked for; it does not narrow the list.")
.query(&[&SUBJECT, &DELETED, &OFFSET, &LIMIT])
.errors(&[SchemaNotFound]);

pub(super) static TYPES: Operation =
    Operation::new("listSchemaTypes", GROUP, "List schema languages", "Their names.", List(&Choice(schema_types)))
        .without_table();
