//! The query parameters (rest-api.md §1.6, §1.7, §4).

use super::operation::Parameter;
use super::shape::Shape;
use super::types::association::{lifecycles, listed_lifecycles};

const fn flag(name: &'static str, meaning: &'static str) -> Parameter {
    Parameter { name, shape: Shape::Flag, meaning }
}

const fn text(name: &'static str, meaning: &'static str) -> Parameter {
    Parameter { name, shape: Shape::Text, meaning }
}

const fn texts(name: &'static str, meaning: &'static str) -> Parameter {
    Parameter { name, shape: Shape::List(&Shape::Text), meaning }
}

pub(super) static OFFSET: Parameter = Parameter {
    name: "offset",
    shape: Shape::Integer(0),
    meaning: "How many items of the list to leave out in front; 0 where absent.",
};
pub(super) static LIMIT: Parameter = Parameter {
    name: "limit",
    shape: Shape::Integer(-1),
    meaning: "How many items to answer at most. Below 1, above the server's maximum and absent all mean the server's \
              default.",
};
pub(super) static SUBJECT_PREFIX: Parameter = text(
    "subjectPrefix",
    "Only subjects that begin so: `:.context:prefix` within a context, `:*:prefix` in all, `prefix` in the default one.",
);
pub(super) static DELETED: Parameter = flag("deleted", "Whether what is soft-deleted counts as well.");
pub(super) static DELETED_ONLY: Parameter =
    flag("deletedOnly", "Whether only what is soft-deleted counts; wins over `deleted`.");
pub(super) static DELETED_AS_NEGATIVE: Parameter =
    flag("deletedAsNegative", "Whether all versions are listed, soft-deleted ones with a minus sign.");
pub(super) static PERMANENT: Parameter = flag("permanent", "Whether what is soft-deleted already goes for good.");
pub(super) static NORMALIZE: Parameter =
    flag("normalize", "Whether the schema is brought into normal form first; the configuration may ask for it, too.");
pub(super) static FORCE_REGISTER: Parameter =
    flag("force", "Whether the schema is stored without a compatibility check.");
pub(super) static FORCE_MODE: Parameter =
    flag("force", "Whether IMPORT is entered although there are schemas; then nothing is deleted.");
pub(super) static VERBOSE: Parameter = flag("verbose", "Whether the answer gives the reasons.");
pub(super) static DEFAULT_TO_GLOBAL: Parameter = flag(
    "defaultToGlobal",
    "Whether what is not set here is taken from the context, the global settings or the server.",
);
pub(super) static RECURSIVE: Parameter = flag("recursive", "Whether the modes of the subjects below go, too.");
pub(super) static LATEST_ONLY: Parameter =
    flag("latestOnly", "Whether only the latest version of each subject counts.");
pub(super) static FETCH_MAX_ID: Parameter = flag("fetchMaxId", "Whether the answer has the highest id of the context.");
pub(super) static FORMAT: Parameter = text(
    "format",
    "The form of the schema text, by its type: `resolved` for Avro; `serialized` or `ignore_extensions` for \
     Protobuf. Absent, empty and unknown mean the stored text.",
);
pub(super) static REFERENCE_FORMAT: Parameter =
    text("referenceFormat", "`qualified` puts the context in front of the subjects of references.");
pub(super) static SUBJECT: Parameter = text(
    "subject",
    "The subject, or with `:.context:` the context, in which the id is looked for; the default context where absent.",
);
pub(super) static RULE_TYPE: Parameter = text("ruleType", "Only schemas with a rule of this type.");
pub(super) static KEY: Parameter =
    texts("key", "Names of metadata properties, each with its `value` in the same place.");
pub(super) static VALUE: Parameter = texts("value", "The values of the properties that `key` names.");
pub(super) static FIND_TAGS: Parameter = texts(
    "findTags",
    "Tags; the answer names the entities of the schema that have one of them. `*` stands for every tag.",
);
pub(super) static ALIASES: Parameter =
    flag("aliases", "Whether schemas that an alias leads to are listed, too, each with its aliases.");
pub(super) static CONTEXT_PREFIX: Parameter =
    text("contextPrefix", "Only contexts whose names, with the dot in front, begin so.");
pub(super) static RESOURCE_NAME: Parameter = text("resourceName", "The name of the topic.");
pub(super) static RESOURCE_NAMESPACE: Parameter = text("resourceNamespace", "The namespace of the topic.");
pub(super) static RESOURCE_TYPE: Parameter =
    text("resourceType", "The type of the resource. There are topics only, so any other finds nothing.");
pub(super) static ASSOCIATION_TYPE: Parameter =
    texts("associationType", "Only associations of these types, `key` or `value`; of both where absent.");
pub(super) static LIFECYCLE: Parameter =
    Parameter { name: "lifecycle", shape: Shape::Choice(lifecycles), meaning: "Only associations of this lifecycle." };
pub(super) static LISTED_LIFECYCLE: Parameter = Parameter {
    name: "lifecycle",
    shape: Shape::List(&Shape::Choice(listed_lifecycles)),
    meaning: "Only schemas of subjects with an association of these lifecycles, or with `NONE` without one.",
};
pub(super) static CONTEXT: Parameter = text("context", "The context of subjects that name none.");
pub(super) static DRY_RUN: Parameter = flag("dryRun", "Whether everything is checked and nothing written.");
pub(super) static CASCADE_LIFECYCLE: Parameter =
    flag("cascadeLifecycle", "Whether the subjects of STRONG associations go, too, with all their versions.");
pub(super) static INCLUDE_SCHEMAS: Parameter =
    flag("includeSchemas", "Whether the latest schema of each subject is in the answer.");
