//! Associations (rest-api.md appendix A).

use super::schema::{SCHEMA, SCHEMA_REQUEST};
use super::server::ERROR;
use crate::openapi::shape::Shape::{Choice, Flag, List, Object, Text, Time};
use crate::openapi::shape::{Type, always, nullable, sometimes};
use registrar_model::{AssociationType, Lifecycle, TOPIC};

pub(in crate::openapi) fn lifecycles() -> Vec<&'static str> {
    Lifecycle::ALL.iter().map(|lifecycle| lifecycle.name()).collect()
}

pub(in crate::openapi) fn listed_lifecycles() -> Vec<&'static str> {
    std::iter::once("NONE").chain(lifecycles()).collect()
}

fn types() -> Vec<&'static str> {
    AssociationType::ALL.iter().map(|association_type| association_type.name()).collect()
}

fn resource_types() -> Vec<&'static str> {
    vec![TOPIC]
}

fn operations() -> Vec<&'static str> {
    vec!["CREATE", "UPSERT", "DELETE"]
}

const NAME: &str = "The name of the topic: up to 256 letters, digits, `_` and `-`.";
const NAMESPACE: &str = "Its namespace, the Kafka cluster; of the same characters.";
const ID: &str = "Its id, which it has for life.";
const ID_ASKED: &str = "Its id, which it has for life. Only a dry run may leave it out.";
const TYPE: &str = "`topic`.";
const SUBJECT: &str = "The subject, with its context unless that is the default one.";
const SUBJECT_ASKED: &str = "The subject. A STRONG association has `:.<namespace>:<name>-<type>` and may leave it out.";
const ASSOCIATION_TYPE: &str = "Whether the keys or the values of the topic have schemas of the subject.";
const TYPE_ASKED: &str =
    "Whether the keys or the values of the topic have schemas of the subject; `value` where absent.";
const LIFECYCLE: &str = "STRONG where the subject belongs to the topic and goes with it.";
const LIFECYCLE_ASKED: &str =
    "STRONG where the subject is to belong to the topic; WEAK where absent, unless there is a schema.";
const FROZEN: &str = "Whether it is frozen, as STRONG ones always are.";
const SCHEMA_ASKED: &str = "A schema to register under the subject.";
const NORMALIZE: &str = "Whether that schema is brought into normal form first.";

pub(in crate::openapi) static ASSOCIATION: Type = Type {
    name: "Association",
    meaning: "A topic and a subject.",
    members: &[
        always("subject", Text, SUBJECT),
        always("guid", Text, "A name of the association's own."),
        always("resourceName", Text, NAME),
        always("resourceNamespace", Text, NAMESPACE),
        always("resourceId", Text, ID),
        always("resourceType", Choice(resource_types), TYPE),
        always("associationType", Choice(types), ASSOCIATION_TYPE),
        always("lifecycle", Choice(lifecycles), LIFECYCLE),
        always("createTs", Time, "When it was made, in milliseconds since 1970."),
        always("updateTs", Time, "When it was last written, likewise."),
    ],
};

pub(in crate::openapi) static CREATE_OR_UPDATE_REQUEST: Type = Type {
    name: "AssociationCreateOrUpdateRequest",
    meaning: "A topic and the associations it is to have.",
    members: &[
        nullable("resourceName", Text, NAME),
        nullable("resourceNamespace", Text, NAMESPACE),
        nullable("resourceId", Text, ID_ASKED),
        nullable("resourceType", Text, TYPE),
        nullable("associations", List(&Object(&INFO_REQUEST)), "The associations, one of each type at most."),
    ],
};

static INFO_REQUEST: Type = Type {
    name: "AssociationCreateOrUpdateInfo",
    meaning: "An association that a topic is to have.",
    members: &[
        nullable("subject", Text, SUBJECT_ASKED),
        nullable("associationType", Text, TYPE_ASKED),
        nullable("lifecycle", Choice(lifecycles), LIFECYCLE_ASKED),
        nullable("frozen", Flag, FROZEN),
        nullable("schema", Object(&SCHEMA_REQUEST), SCHEMA_ASKED),
        nullable("normalize", Flag, NORMALIZE),
    ],
};

pub(in crate::openapi) static ASSOCIATION_RESPONSE: Type = Type {
    name: "AssociationResponse",
    meaning: "A topic and some of its associations. What is empty is left out.",
    members: &[
        sometimes("resourceName", Text, NAME),
        sometimes("resourceNamespace", Text, NAMESPACE),
        sometimes("resourceId", Text, ID),
        sometimes("resourceType", Text, TYPE),
        sometimes("associations", List(&Object(&INFO)), "The associations; none in a dry run."),
    ],
};

static INFO: Type = Type {
    name: "AssociationInfo",
    meaning: "An association of a topic.",
    members: &[
        always("subject", Text, SUBJECT),
        always("associationType", Choice(types), ASSOCIATION_TYPE),
        always("lifecycle", Choice(lifecycles), LIFECYCLE),
        sometimes("schema", Object(&SCHEMA), "The schema that was registered, or the latest one if asked for."),
    ],
};

pub(in crate::openapi) static BATCH_REQUEST: Type = Type {
    name: "AssociationBatchRequest",
    meaning: "Changes of several topics.",
    members: &[nullable("requests", List(&Object(&OP_REQUEST)), "At most 1,000 of them.")],
};

static OP_REQUEST: Type = Type {
    name: "AssociationOpRequest",
    meaning: "A topic and what is to become of its associations.",
    members: &[
        nullable("resourceName", Text, NAME),
        nullable("resourceNamespace", Text, NAMESPACE),
        nullable("resourceId", Text, ID_ASKED),
        nullable("resourceType", Text, TYPE),
        nullable("associations", List(&Object(&OP)), "The changes, one for each association type at most."),
    ],
};

static OP: Type = Type {
    name: "AssociationOp",
    meaning: "What is to become of an association.",
    members: &[
        always("opType", Choice(operations), "What to do; DELETE takes only the association type and the last member."),
        nullable("subject", Text, SUBJECT_ASKED),
        nullable("associationType", Text, TYPE_ASKED),
        nullable("lifecycle", Choice(lifecycles), LIFECYCLE_ASKED),
        nullable("frozen", Flag, FROZEN),
        nullable("schema", Object(&SCHEMA_REQUEST), SCHEMA_ASKED),
        nullable("normalize", Flag, NORMALIZE),
        nullable("cascadeLifecycle", Flag, "Whether the subject of a STRONG one goes, too, with all its versions."),
    ],
};

pub(in crate::openapi) static BATCH_GET_REQUEST: Type = Type {
    name: "AssociationBatchGetRequest",
    meaning: "Topics whose associations are asked for.",
    members: &[nullable("requests", List(&Object(&GET_REQUEST)), "At most 1,000 of them.")],
};

static GET_REQUEST: Type = Type {
    name: "AssociationGetRequest",
    meaning: "A topic, by its id or by its name and namespace, and which of its associations to show.",
    members: &[
        nullable("resourceName", Text, NAME),
        nullable("resourceNamespace", Text, NAMESPACE),
        nullable("resourceId", Text, ID),
        nullable("resourceType", Text, TYPE),
        nullable("associationTypes", List(&Text), "Association types; all where there are none."),
        nullable("lifecycle", Choice(lifecycles), "Only associations of this lifecycle."),
    ],
};

pub(in crate::openapi) static BATCH_RESPONSE: Type = Type {
    name: "AssociationBatchResponse",
    meaning: "What became of the requests of a batch.",
    members: &[always("results", List(&Object(&RESULT)), "One for each request, in their order.")],
};

static RESULT: Type = Type {
    name: "AssociationResult",
    meaning: "An error or an answer.",
    members: &[
        sometimes("error", Object(&ERROR), "Why there is no answer."),
        sometimes("result", Object(&ASSOCIATION_RESPONSE), "The answer."),
    ],
};
