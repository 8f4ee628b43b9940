//! Schemas and what belongs to them (rest-api.md §3.1 to §3.8).

use super::association::ASSOCIATION;
use crate::openapi::shape::Shape::{Choice, Flag, Integer, List, Map, Object, Text, Time};
use crate::openapi::shape::{Type, always, nullable, sometimes};
use registrar_model::{EnableAt, RuleKind, RuleMode, SchemaType};

pub(in crate::openapi) fn schema_types() -> Vec<&'static str> {
    SchemaType::ALL.iter().map(|schema_type| schema_type.name()).collect()
}

fn rule_kinds() -> Vec<&'static str> {
    RuleKind::ALL.iter().map(|kind| kind.name()).collect()
}

fn rule_modes() -> Vec<&'static str> {
    RuleMode::ALL.iter().map(|mode| mode.name()).collect()
}

fn places() -> Vec<&'static str> {
    EnableAt::ALL.iter().map(|place| place.name()).collect()
}

const SUBJECT: &str = "The subject, with its context unless that is the default one.";
const VERSION: &str = "The number of the version.";
const ID: &str = "The id in its context.";
const GUID: &str = "The hash of the content, as a UUID.";
const TYPE: &str = "The schema language.";
const REFERENCES: &str = "The schemas it refers to, as stored; left out where there are none.";
const CONTENT_METADATA: &str = "Metadata, where there are any.";
const RULES: &str = "Rules, where there are any.";
const TEXT: &str = "The schema text.";
const TAGS: &str = "The tagged entities that were asked for with `findTags`, with their tags.";
const TIMESTAMP: &str = "When the version was written, in milliseconds since 1970; on stored versions.";
const DELETED: &str = "Whether it is soft-deleted; on stored versions.";

pub(in crate::openapi) static SCHEMA_REQUEST: Type = Type {
    name: "SchemaRequest",
    meaning: "A schema to register, to look up or to check.",
    members: &[
        nullable(
            "version",
            Integer(-1),
            "The version it is to become: the next one, -1 for the next or latest, 0 for any.",
        ),
        nullable("id", Integer(-1), "The id it is to have, which needs mode IMPORT; negative for none."),
        nullable("schemaType", Choice(schema_types), "The schema language; AVRO where absent."),
        nullable("references", List(&Object(&REFERENCE)), "The schemas it refers to."),
        nullable("metadata", Object(&METADATA), "Metadata; none and empty differ."),
        nullable("ruleSet", Object(&RULE_SET), "Rules."),
        nullable("schema", Text, "The schema text. Without it, that of the latest version is registered."),
        nullable("schemaTagsToAdd", List(&Object(&SCHEMA_TAGS)), "Tags to write into the text; on registration only."),
        nullable(
            "schemaTagsToRemove",
            List(&Object(&SCHEMA_TAGS)),
            "Tags to take out of the text; on registration only.",
        ),
        nullable(
            "propagateSchemaTags",
            Flag,
            "Whether the tags of the latest version are taken over; on registration only.",
        ),
    ],
};

pub(in crate::openapi) static TAG_REQUEST: Type = Type {
    name: "TagSchemaRequest",
    meaning: "What a copy of a version is to have that the version has not.",
    members: &[
        nullable("newVersion", Integer(0), "The version it is to become; the next one where absent."),
        nullable("tagsToAdd", List(&Object(&SCHEMA_TAGS)), "Tags to write into the text."),
        nullable("tagsToRemove", List(&Object(&SCHEMA_TAGS)), "Tags to take out of the text."),
        nullable("metadata", Object(&METADATA), "Metadata in place of those it has."),
        nullable("ruleSet", Object(&RULE_SET), "Rules in place of those it has; not with the two that follow."),
        nullable("rulesToMerge", Object(&RULE_SET), "Rules to add or to replace by their names."),
        nullable("rulesToRemove", List(&Text), "Names of rules to leave out."),
    ],
};

static SCHEMA_TAGS: Type = Type {
    name: "SchemaTags",
    meaning: "Tags of one entity of a schema.",
    members: &[
        always("schemaEntity", Object(&SCHEMA_ENTITY), "The entity."),
        sometimes("tags", List(&Text), "Its tags."),
    ],
};

static SCHEMA_ENTITY: Type = Type {
    name: "SchemaEntity",
    meaning: "A record or a field of a schema.",
    members: &[
        always("entityPath", Text, "Names from the outermost in, with dots between them; one in front does not count."),
        always("entityType", Choice(|| vec!["sr_record", "sr_field"]), "What it is."),
    ],
};

pub(in crate::openapi) static REFERENCE: Type = Type {
    name: "SchemaReference",
    meaning: "A schema that another one uses.",
    members: &[
        sometimes("name", Text, "The name that the text uses for it."),
        sometimes("subject", Text, "The subject that has it."),
        sometimes("version", Integer(-1), "Its version there; -1 in a request stands for the latest."),
    ],
};

pub(in crate::openapi) static METADATA: Type = Type {
    name: "Metadata",
    meaning: "What is said about a schema beside its text. Empty members are left out.",
    members: &[
        sometimes("tags", Map(&List(&Text)), "Tags by the path of the entity they are for."),
        sometimes("properties", Map(&Text), "Properties by their names."),
        sometimes("sensitive", List(&Text), "Names of the properties that must not be shown to everybody."),
    ],
};

pub(in crate::openapi) static RULE_SET: Type = Type {
    name: "RuleSet",
    meaning: "Rules that clients run. Empty lists are left out.",
    members: &[
        sometimes("migrationRules", List(&Object(&RULE)), "Rules between versions."),
        sometimes("domainRules", List(&Object(&RULE)), "Rules on records."),
        sometimes("encodingRules", List(&Object(&RULE)), "Rules on encoded records."),
        sometimes("enableAt", Choice(places), "Where the rules run."),
    ],
};

static RULE: Type = Type {
    name: "Rule",
    meaning: "One rule. What is empty is left out of answers.",
    members: &[
        sometimes("name", Text, "A name that is unique in the rule set; a request must have it."),
        sometimes("doc", Text, "What it is for."),
        sometimes("kind", Choice(rule_kinds), "What it does; TRANSFORM where absent."),
        sometimes("mode", Choice(rule_modes), "When it runs; WRITEREAD where absent."),
        sometimes("type", Text, "The engine that runs it, such as CEL; a request must have it."),
        sometimes("tags", List(&Text), "Tags of the fields it is for."),
        sometimes("params", Map(&Text), "Parameters of the engine."),
        sometimes("expr", Text, "The expression it runs."),
        sometimes("onSuccess", Text, "What then happens."),
        sometimes("onFailure", Text, "What happens otherwise."),
        sometimes("disabled", Flag, "Whether it is left aside; false where absent."),
    ],
};

pub(in crate::openapi) static SCHEMA: Type = Type {
    name: "Schema",
    meaning: "A version of a subject.",
    members: &[
        always("subject", Text, SUBJECT),
        always("version", Integer(1), VERSION),
        always("id", Integer(0), ID),
        always("guid", Text, GUID),
        always("schemaType", Choice(schema_types), TYPE),
        sometimes("references", List(&Object(&REFERENCE)), REFERENCES),
        sometimes("metadata", Object(&METADATA), CONTENT_METADATA),
        always("schema", Text, TEXT),
        sometimes("schemaTags", List(&Object(&SCHEMA_TAGS)), TAGS),
        sometimes("ts", Time, TIMESTAMP),
        sometimes("deleted", Flag, DELETED),
        sometimes("ruleSet", Object(&RULE_SET), RULES),
    ],
};

pub(in crate::openapi) static LISTED_SCHEMA: Type = Type {
    name: "ExtendedSchema",
    meaning: "A version of a subject in a list.",
    members: &[
        always("subject", Text, SUBJECT),
        always("version", Integer(1), VERSION),
        always("id", Integer(0), ID),
        always("guid", Text, GUID),
        always("schemaType", Choice(schema_types), TYPE),
        sometimes("references", List(&Object(&REFERENCE)), REFERENCES),
        sometimes("metadata", Object(&METADATA), CONTENT_METADATA),
        always("schema", Text, TEXT),
        sometimes("ts", Time, TIMESTAMP),
        sometimes("deleted", Flag, DELETED),
        sometimes("aliases", List(&Text), "The aliases that lead to the subject, if asked for."),
        sometimes("associations", List(&Object(&ASSOCIATION)), "The associations of the subject, if asked for."),
        sometimes("ruleSet", Object(&RULE_SET), RULES),
    ],
};

pub(in crate::openapi) static SCHEMA_STRING: Type = Type {
    name: "SchemaString",
    meaning: "A schema by its id or guid.",
    members: &[
        sometimes("subject", Text, "A subject that has it; not by guid."),
        sometimes("version", Integer(1), "Its version there; not by guid."),
        always("guid", Text, GUID),
        always("schemaType", Choice(schema_types), TYPE),
        always("schema", Text, TEXT),
        sometimes("references", List(&Object(&REFERENCE)), REFERENCES),
        sometimes("metadata", Object(&METADATA), CONTENT_METADATA),
        sometimes("ruleSet", Object(&RULE_SET), RULES),
        sometimes("schemaTags", List(&Object(&SCHEMA_TAGS)), TAGS),
        sometimes("maxId", Integer(0), "The highest id of the context, if asked for."),
        sometimes("ts", Time, TIMESTAMP),
    ],
};

pub(in crate::openapi) static REGISTERED: Type = Type {
    name: "RegisterSchemaResponse",
    meaning: "A schema as registered.",
    members: &[
        always("id", Integer(0), ID),
        always("version", Integer(1), VERSION),
        always("guid", Text, GUID),
        always("schemaType", Choice(schema_types), TYPE),
        sometimes("references", List(&Object(&REFERENCE)), REFERENCES),
        sometimes("metadata", Object(&METADATA), CONTENT_METADATA),
        sometimes("ruleSet", Object(&RULE_SET), RULES),
        always("schema", Text, TEXT),
        sometimes("ts", Time, TIMESTAMP),
        sometimes("deleted", Flag, DELETED),
    ],
};

pub(in crate::openapi) static SUBJECT_VERSION: Type = Type {
    name: "SubjectVersion",
    meaning: "A subject and one of its versions.",
    members: &[always("subject", Text, SUBJECT), always("version", Integer(1), VERSION)],
};

pub(in crate::openapi) static CONTEXT_ID: Type = Type {
    name: "ContextId",
    meaning: "A context and the id that a schema has there.",
    members: &[
        always("context", Text, "The context with a dot in front; `.` is the default one."),
        always("id", Integer(0), "The id there."),
    ],
};
