//! Configuration and modes (rest-api.md §3.9, §3.10).

use super::schema::{METADATA, RULE_SET};
use crate::openapi::shape::Shape::{Choice, Flag, Object, Text};
use crate::openapi::shape::{Member, Type, nullable, sometimes};
use registrar_model::{Level, Mode, Policy};

fn levels() -> Vec<&'static str> {
    Level::ALL.iter().map(|level| level.name()).collect()
}

fn policies() -> Vec<&'static str> {
    [Policy::Strict, Policy::Lenient, Policy::Logical].iter().map(|policy| policy.name()).collect()
}

fn modes() -> Vec<&'static str> {
    Mode::ALL.iter().map(|mode| mode.name()).collect()
}

const ALIAS: &str = "The subject that requests for this one mean.";
const ALIAS_FOR_DEKS: &str = "The same for requests of the key registry.";
const NORMALIZE: &str = "Whether schemas are brought into normal form.";
const VALIDATE_FIELDS: &str = "Whether the fields of schemas are checked by stricter rules.";
const VALIDATE_NEW_SCHEMAS: &str = "Whether defaults and the like of new schemas are checked.";
const VALIDATE_RULES: &str = "Stored, and without effect.";
const LEVEL: &str = "Which earlier versions a new one must be compatible with, and in which direction.";
const POLICY: &str = "How strict the check is.";
const GROUP: &str =
    "The metadata property whose value divides versions into groups; only those of one group are compared.";
const DEFAULT_METADATA: &str = "Metadata below that of each new schema.";
const OVERRIDE_METADATA: &str = "Metadata above that of each new schema.";
const DEFAULT_RULE_SET: &str = "Rules below those of each new schema.";
const OVERRIDE_RULE_SET: &str = "Rules above those of each new schema.";

pub(in crate::openapi) static CONFIG: Type = Type {
    name: "Config",
    meaning: "A configuration; what is not set is left out.",
    members: &[
        sometimes("alias", Text, ALIAS),
        sometimes("aliasForDeks", Text, ALIAS_FOR_DEKS),
        sometimes("normalize", Flag, NORMALIZE),
        sometimes("validateFields", Flag, VALIDATE_FIELDS),
        sometimes("validateNewSchemas", Flag, VALIDATE_NEW_SCHEMAS),
        sometimes("validateRules", Flag, VALIDATE_RULES),
        sometimes("compatibilityLevel", Choice(levels), LEVEL),
        sometimes("compatibilityPolicy", Choice(policies), POLICY),
        sometimes("compatibilityGroup", Text, GROUP),
        sometimes("defaultMetadata", Object(&METADATA), DEFAULT_METADATA),
        sometimes("overrideMetadata", Object(&METADATA), OVERRIDE_METADATA),
        sometimes("defaultRuleSet", Object(&RULE_SET), DEFAULT_RULE_SET),
        sometimes("overrideRuleSet", Object(&RULE_SET), OVERRIDE_RULE_SET),
    ],
};

pub(in crate::openapi) static CONFIG_UPDATE: Type = Type {
    name: "ConfigUpdateRequest",
    meaning: "What to change in a configuration: a member that is missing stays as it is, null clears it. In the answer, \
              all that is set afterwards.",
    members: CONFIG_UPDATE_MEMBERS,
};

const CONFIG_UPDATE_MEMBERS: &[Member] = &[
    nullable("alias", Text, ALIAS),
    nullable("aliasForDeks", Text, ALIAS_FOR_DEKS),
    nullable("normalize", Flag, NORMALIZE),
    nullable("validateFields", Flag, VALIDATE_FIELDS),
    nullable("validateNewSchemas", Flag, VALIDATE_NEW_SCHEMAS),
    nullable("validateRules", Flag, VALIDATE_RULES),
    nullable("compatibility", Choice(levels), LEVEL),
    nullable("compatibilityPolicy", Choice(policies), POLICY),
    nullable("compatibilityGroup", Text, GROUP),
    nullable("defaultMetadata", Object(&METADATA), DEFAULT_METADATA),
    nullable("overrideMetadata", Object(&METADATA), OVERRIDE_METADATA),
    nullable("defaultRuleSet", Object(&RULE_SET), DEFAULT_RULE_SET),
    nullable("overrideRuleSet", Object(&RULE_SET), OVERRIDE_RULE_SET),
];

pub(in crate::openapi) static MODE: Type = Type {
    name: "Mode",
    meaning: "A mode; without a member where none is set.",
    members: &[sometimes("mode", Choice(modes), "What may be written.")],
};

pub(in crate::openapi) static MODE_UPDATE: Type = Type {
    name: "ModeUpdateRequest",
    meaning: "The mode to set. The answer repeats the request.",
    members: &[nullable(
        "mode",
        Text,
        "READWRITE, READONLY, READONLY_OVERRIDE, IMPORT or FORWARD, in any case; null clears it.",
    )],
};
