//! Associations of topics with subjects (rest-api.md appendix A).

use crate::ErrorCode::{
    AssociationExists, AssociationFrozen, AssociationNotFound, Denied, Incompatible, InvalidAssociation,
    InvalidRuleSet, InvalidSchema, InvalidSubject, LegacyIncompatible, NoActiveVersion, NotFound, Referenced,
    SchemaTooLarge, SubjectAssociated, SubjectStronglyAssociated,
};
use crate::openapi::operation::Operation;
use crate::openapi::parameters::{
    ASSOCIATION_TYPE, CASCADE_LIFECYCLE, CONTEXT, DRY_RUN, INCLUDE_SCHEMAS, LIFECYCLE, LIMIT, OFFSET, RESOURCE_NAME,
    RESOURCE_NAMESPACE, RESOURCE_TYPE,
};
use crate::openapi::shape::Shape::{List, Object, Text};
use crate::openapi::types::association::{
    ASSOCIATION, ASSOCIATION_RESPONSE, BATCH_GET_REQUEST, BATCH_REQUEST, BATCH_RESPONSE, CREATE_OR_UPDATE_REQUEST,
};

const GROUP: &str = "Associations";
const FOUND: &str = "The associations.";
const SORTED: &str = "Sorted by name, namespace, association type and subject.";
const CREATE_EXAMPLE: &str = r#"{"resourceName":"orders","resourceNamespace":"lkc-1","resourceId":"5c4a1d2e","associations":[{"subject":"orders-shared","associationType":"value"}]}"#;

pub(super) static FIND: Operation =
    Operation::new("findAssociations", GROUP, "List associations by name", FOUND, List(&Object(&ASSOCIATION)))
        .details("A name that is absent or `-` stands for any. An addition to Confluent's calls.")
        .query(&[&RESOURCE_NAME, &RESOURCE_NAMESPACE, &RESOURCE_TYPE, &ASSOCIATION_TYPE, &LIFECYCLE, &OFFSET, &LIMIT])
        .errors(&[NotFound]);

pub(super) static CREATE: Operation = Operation::new(
    "createAssociation",
    GROUP,
    "Associate a topic with subjects",
    "The associations that are new; without those that were there already.",
    Object(&ASSOCIATION_RESPONSE),
)
.details(
    "All of them or none. An association with a schema is STRONG: its subject belongs to the topic, has no other schema \
     and is named after it. Others are WEAK, and their subjects have a version already.",
)
.query(&[&CONTEXT, &DRY_RUN])
.body(&CREATE_OR_UPDATE_REQUEST, CREATE_EXAMPLE)
.errors(CHANGE_ERRORS);

pub(super) static OF_RESOURCE: Operation = Operation::new(
    "getAssociationsByResourceId",
    GROUP,
    "List the associations of a topic, by its id",
    FOUND,
    List(&Object(&ASSOCIATION)),
)
.details(SORTED)
.query(&[&RESOURCE_TYPE, &ASSOCIATION_TYPE, &LIFECYCLE, &OFFSET, &LIMIT])
.errors(&[NotFound]);

pub(super) static UPSERT: Operation = Operation::new(
    "createOrUpdateAssociation",
    GROUP,
    "Associate a topic with subjects, or give it other schemas",
    "The associations that are new or have another schema.",
    Object(&ASSOCIATION_RESPONSE),
)
.details(
    "All of them or none. New associations are WEAK. One that is there stays as it is; a schema is registered under the \
     subject of a STRONG one.",
)
.query(&[&CONTEXT, &DRY_RUN])
.body(&CREATE_OR_UPDATE_REQUEST, CREATE_EXAMPLE)
.errors(CHANGE_ERRORS);

pub(super) static DELETE: Operation =
    Operation::new("deleteAssociations", GROUP, "Delete associations of a topic", "They are gone.", Text)
        .answers_nothing()
        .details("A STRONG one goes only together with its subject and all its versions.")
        .query(&[&RESOURCE_TYPE, &ASSOCIATION_TYPE, &CASCADE_LIFECYCLE, &DRY_RUN])
        .errors(&[AssociationNotFound, AssociationFrozen, Denied, Referenced, NotFound]);

pub(super) static OF_NAME: Operation = Operation::new(
    "getAssociationsByResourceName",
    GROUP,
    "List the associations of topics, by name",
    FOUND,
    List(&Object(&ASSOCIATION)),
)
.details(SORTED)
.query(&[&RESOURCE_TYPE, &ASSOCIATION_TYPE, &LIFECYCLE, &OFFSET, &LIMIT])
.errors(&[NotFound]);

pub(super) static OF_SUBJECT: Operation = Operation::new(
    "getAssociationsBySubject",
    GROUP,
    "List the associations with a subject",
    FOUND,
    List(&Object(&ASSOCIATION)),
)
.details(SORTED)
.query(&[&RESOURCE_TYPE, &ASSOCIATION_TYPE, &LIFECYCLE, &OFFSET, &LIMIT])
.errors(&[NotFound]);

pub(super) static BATCH_GET: Operation = Operation::new(
    "batchGetAssociations",
    GROUP,
    "List the associations of several topics",
    "The answer or error of each request, in their order.",
    Object(&BATCH_RESPONSE),
)
.answers_each()
.query(&[&INCLUDE_SCHEMAS])
.body(&BATCH_GET_REQUEST, r#"{"requests":[{"resourceId":"5c4a1d2e"}]}"#)
.errors(&[InvalidAssociation, NotFound]);

pub(super) static BATCH_MUTATE: Operation = Operation::new(
    "mutateAssociations",
    GROUP,
    "Change the associations of several topics",
    "The answer or error of each request, in their order.",
    Object(&BATCH_RESPONSE),
)
.answers_each()
.details("Each request is carried out as a whole or not at all, one after the other.")
.query(&[&CONTEXT, &DRY_RUN])
.body(
    &BATCH_REQUEST,
    r#"{"requests":[{"resourceName":"orders","resourceNamespace":"lkc-1","resourceId":"5c4a1d2e","associations":[{"opType":"CREATE","subject":"orders-shared"}]}]}"#,
)
.errors(&[InvalidAssociation, NotFound]);

const CHANGE_ERRORS: &[crate::ErrorCode] = &[
    LegacyIncompatible,
    Incompatible,
    AssociationExists,
    SubjectAssociated,
    SubjectStronglyAssociated,
    NoActiveVersion,
    AssociationFrozen,
    InvalidSchema,
    Denied,
    Referenced,
    InvalidSubject,
    SchemaTooLarge,
    InvalidRuleSet,
    InvalidAssociation,
    NotFound,
];
