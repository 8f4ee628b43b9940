//! Settings of a server, fixed for the life of a process.

use crate::SchemaRequest;
use registrar_formats::ProtobufRules;
use registrar_model::{ConfigUpdate, IdRange, Level, RuleSet, SchemaType, Update};

/// Server settings (rest-api.md appendix C), and limits of our own.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent setting of the reference")]
pub struct Settings {
    /// Compatibility level where none is set.
    pub default_level: Level,
    /// Whether modes may be changed.
    pub mode_mutability: bool,
    /// Default of the configuration member `validateFields`.
    pub validate_fields: bool,
    /// Default of the configuration member `validateNewSchemas`.
    pub validate_new_schemas: bool,
    /// Whether an empty or `*` subject is refused on register.
    pub reject_empty_subject: bool,
    /// Whether one reference name at two versions is an error.
    pub strict_reference_versions: bool,
    /// Whether a check says what would be accepted instead, where it knows.
    pub compatibility_advice: bool,
    /// Whether rule sets are dropped from requests, as Confluent's open server does.
    pub drop_rule_sets: bool,
    /// Whether there are associations; their paths are unknown without.
    pub associations: bool,
    /// The rules that oneofs of Protobuf are compared by.
    pub protobuf_rules: ProtobufRules,
    /// The ids that new schemas get. Those of different writers must not overlap.
    pub id_range: IdRange,
    /// Most references of one schema, so that a transaction stays under 100 actions.
    pub max_references: usize,
    /// Most schemas that one schema may reach through references.
    pub max_reference_closure: usize,
    /// Longest schema text in bytes.
    pub max_schema_bytes: usize,
    /// Most bytes of all schemas that one schema reaches through references.
    pub max_referenced_bytes: usize,
    /// How deeply a schema may nest; not more than [`registrar_formats::MAX_NESTING`], which holds in any case.
    pub max_nesting: usize,
    /// Most values of a schema and of all it reaches through references, as [`registrar_formats::Extent`] counts.
    pub max_values: usize,
    /// Most steps of a check of compatibility, all versions together.
    pub max_check_steps: u64,
    /// Most bytes of schemas that one answer lists.
    pub max_answer_bytes: usize,
    /// Schema types that can be registered, in the order `GET /schemas/types` lists them.
    pub schema_types: Vec<SchemaType>,
}

impl Settings {
    /// Takes out of a request what this server does not keep (rest-api.md §6.12).
    pub(crate) fn restrict(&self, request: &mut SchemaRequest) {
        if self.drop_rule_sets {
            request.rule_set = None;
        }
    }

    /// The same for a configuration: either rule set clears both.
    pub(crate) fn restrict_config(&self, update: &mut ConfigUpdate) {
        let sets = |rules: &Update<RuleSet>| matches!(rules, Update::Set(_));
        if self.drop_rule_sets && (sets(&update.default_rule_set) || sets(&update.override_rule_set)) {
            update.default_rule_set = Update::Clear;
            update.override_rule_set = Update::Clear;
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            default_level: Level::Backward,
            mode_mutability: true,
            validate_fields: false,
            validate_new_schemas: true,
            reject_empty_subject: false,
            strict_reference_versions: false,
            associations: true,
            compatibility_advice: false,
            drop_rule_sets: false,
            protobuf_rules: ProtobufRules::Newest,
            id_range: IdRange::ALL,
            max_references: 40,
            max_reference_closure: 1_000,
            max_schema_bytes: 4_500_000,
            max_referenced_bytes: 9_000_000,
            max_nesting: registrar_formats::MAX_NESTING,
            max_values: 120_000,
            max_check_steps: registrar_formats::DEFAULT_STEPS,
            max_answer_bytes: 10_000_000,
            schema_types: SchemaType::ALL.to_vec(),
        }
    }
}
