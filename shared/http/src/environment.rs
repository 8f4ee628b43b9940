//! Settings of a server from the environment: the only place that knows the names of the variables.

use crate::HttpOptions;
use registrar_formats::{MAX_NESTING, ProtobufRules};
use registrar_model::{IdRange, Level};
use registrar_registry::Settings;
use std::fmt;

/// A setting that can be given in the environment.
pub struct Variable {
    /// The name of the environment variable.
    pub name: &'static str,
    /// What a value may be, and the default.
    pub values: &'static str,
    /// What it does. Where Confluent's server has the setting, too, its name follows in brackets.
    pub meaning: &'static str,
    set: fn(&mut ServerSettings, &str) -> Result<(), ()>,
}

/// All settings of a server that do not say where the data is.
#[derive(Clone, Debug, Default)]
pub struct ServerSettings {
    /// Those of the registry.
    pub registry: Settings,
    /// Those of the HTTP layer.
    pub http: HttpOptions,
}

/// A variable whose value is none of those it may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingError {
    /// The variable.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// What it may be.
    pub values: &'static str,
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={:?} is not {}", self.name, self.value, self.values)
    }
}

impl std::error::Error for SettingError {}

const BOOLEAN: &str = "true or false";
const COUNT: &str = "a whole number above 0";

/// The variables a server reads (rest-api.md appendix C, and limits of our own).
pub static VARIABLES: &[Variable] = &[
    Variable {
        name: "REGISTRAR_BASE_PATH",
        values: "a path such as /registry",
        meaning: "prefix in front of every path",
        set: |settings, value| set(&mut settings.http.base_path, base_path(value)),
    },
    Variable {
        name: "REGISTRAR_COMPATIBILITY_LEVEL",
        values: "NONE, BACKWARD, BACKWARD_TRANSITIVE, FORWARD, FORWARD_TRANSITIVE, FULL or FULL_TRANSITIVE",
        meaning: "compatibility level where none is set; default BACKWARD [schema.compatibility.level]",
        set: |settings, value| set(&mut settings.registry.default_level, Level::parse(value)),
    },
    Variable {
        name: "REGISTRAR_MODE_MUTABILITY",
        values: BOOLEAN,
        meaning: "whether modes may be changed; default true [mode.mutability]",
        set: |settings, value| set(&mut settings.registry.mode_mutability, boolean(value)),
    },
    Variable {
        name: "REGISTRAR_VALIDATE_FIELDS",
        values: BOOLEAN,
        meaning: "default of the configuration member validateFields; default false [schema.validate.fields]",
        set: |settings, value| set(&mut settings.registry.validate_fields, boolean(value)),
    },
    Variable {
        name: "REGISTRAR_VALIDATE_NEW_SCHEMAS",
        values: BOOLEAN,
        meaning: "default of the configuration member validateNewSchemas; default true [schema.validate.new.schemas]",
        set: |settings, value| set(&mut settings.registry.validate_new_schemas, boolean(value)),
    },
    Variable {
        name: "REGISTRAR_REJECT_EMPTY_SUBJECT",
        values: BOOLEAN,
        meaning: "refuse empty and * subjects on register; default false [schema.reject.empty.subject]",
        set: |settings, value| set(&mut settings.registry.reject_empty_subject, boolean(value)),
    },
    Variable {
        name: "REGISTRAR_STRICT_REFERENCE_VERSIONS",
        values: BOOLEAN,
        meaning: "refuse one reference name at two versions; default false \
                  [schema.providers.reference.versions.strict]",
        set: |settings, value| set(&mut settings.registry.strict_reference_versions, boolean(value)),
    },
    Variable {
        name: "REGISTRAR_COMPATIBILITY_ADVICE",
        values: BOOLEAN,
        meaning: "with verbose=true, end the messages of an incompatible JSON schema with a sentence on what would be \
                  accepted; default false",
        set: |settings, value| set(&mut settings.registry.compatibility_advice, boolean(value)),
    },
    Variable {
        name: "REGISTRAR_DROP_RULE_SETS",
        values: BOOLEAN,
        meaning: "drop rule sets from requests, as Confluent's open server does; default false",
        set: |settings, value| set(&mut settings.registry.drop_rule_sets, boolean(value)),
    },
    Variable {
        name: "REGISTRAR_ASSOCIATIONS",
        values: BOOLEAN,
        meaning: "offer associations of topics with subjects; default true [associations.enable]",
        set: |settings, value| set(&mut settings.registry.associations, boolean(value)),
    },
    Variable {
        name: "REGISTRAR_PROTOBUF_RULES",
        values: "newest or 8.1.1",
        meaning: "how oneofs are compared: as by the newest source of the reference, or as by its releases up to 8.3.1; \
                  default newest",
        set: |settings, value| set(&mut settings.registry.protobuf_rules, protobuf_rules(value)),
    },
    Variable {
        name: "REGISTRAR_ID_RANGE",
        values: "FIRST-LAST, ids from 1 to 2147483647",
        meaning: "ids that new schemas get, in each context; writers in different regions need ranges that do not \
                  overlap; default 1-2147483647, all",
        set: |settings, value| set(&mut settings.registry.id_range, IdRange::parse(value)),
    },
    Variable {
        name: "REGISTRAR_MAX_REFERENCES",
        values: COUNT,
        meaning: "most references of one schema; default 40, so that a transaction stays under 100 actions",
        set: |settings, value| set(&mut settings.registry.max_references, count(value)),
    },
    Variable {
        name: "REGISTRAR_MAX_REFERENCE_CLOSURE",
        values: COUNT,
        meaning: "most schemas one schema may reach through references; default 1000",
        set: |settings, value| set(&mut settings.registry.max_reference_closure, count(value)),
    },
    Variable {
        name: "REGISTRAR_MAX_SCHEMA_BYTES",
        values: COUNT,
        meaning: "longest schema text in bytes; default 4500000",
        set: |settings, value| set(&mut settings.registry.max_schema_bytes, count(value)),
    },
    Variable {
        name: "REGISTRAR_MAX_REFERENCED_BYTES",
        values: COUNT,
        meaning: "most bytes of all schemas that one schema may reach through references; default 9000000",
        set: |settings, value| set(&mut settings.registry.max_referenced_bytes, count(value)),
    },
    Variable {
        name: "REGISTRAR_MAX_NESTING",
        values: "a whole number from 1 to 1000",
        meaning: "how deeply the JSON of a request body, and a schema, may nest; default 1000 (messages of Protobuf nest \
                  at most 100 levels in any case)",
        set: |settings, value| {
            let nesting = count(value).filter(|&levels| levels <= MAX_NESTING);
            set(&mut settings.registry.max_nesting, nesting)?;
            set(&mut settings.http.max_nesting, nesting)
        },
    },
    Variable {
        name: "REGISTRAR_MAX_VALUES",
        values: COUNT,
        meaning: "most values of a request body, and of a schema with all it reaches through references, counted by \
                  brackets, braces and commas (Protobuf: semicolons, too); memory grows with them, by up to 1 KB for \
                  each; default 120000",
        set: |settings, value| {
            set(&mut settings.registry.max_values, count(value))?;
            set(&mut settings.http.max_values, count(value))
        },
    },
    Variable {
        name: "REGISTRAR_MAX_CHECK_STEPS",
        values: COUNT,
        meaning: "most steps of one check of compatibility, all versions together; a million take about 0.02 to 0.2 s; \
                  default 30000000",
        set: |settings, value| set(&mut settings.registry.max_check_steps, steps(value)),
    },
    Variable {
        name: "REGISTRAR_MAX_ANSWER_BYTES",
        values: COUNT,
        meaning: "most bytes of schema texts in one list of schemas; default 10000000",
        set: |settings, value| set(&mut settings.registry.max_answer_bytes, count(value)),
    },
    Variable {
        name: "REGISTRAR_MAX_BODY_BYTES",
        values: COUNT,
        meaning: "longest request body in bytes; default 10485760 [size.limit.filter.max.request.body.size]",
        set: |settings, value| set(&mut settings.http.max_body_bytes, count(value)),
    },
    Variable {
        name: "REGISTRAR_BODY_SECONDS",
        values: COUNT,
        meaning: "seconds that a request body may take to arrive; default 30; only serve",
        set: |settings, value| set(&mut settings.http.body_seconds, steps(value)),
    },
    Variable {
        name: "REGISTRAR_MAX_BYTES_IN_FLIGHT",
        values: COUNT,
        meaning: "most bytes of bodies and answers that are held at a time, all requests together; default 32000000; \
                  only serve",
        set: |settings, value| set(&mut settings.http.max_bytes_in_flight, count(value)),
    },
    Variable {
        name: "REGISTRAR_MAX_HEADER_BYTES",
        values: "a whole number from 8192 to 1000000",
        meaning: "longest first line and headers of a request in bytes; default 65536; only serve",
        set: |settings, value| {
            let bytes = count(value).filter(|bytes| (8_192..=1_000_000).contains(bytes));
            set(&mut settings.http.transport.max_header_bytes, bytes)
        },
    },
    Variable {
        name: "REGISTRAR_HEADER_SECONDS",
        values: COUNT,
        meaning: "seconds that a client may take over its headers, and that an idle connection is kept; default 60; \
                  only serve",
        set: |settings, value| set(&mut settings.http.transport.header_seconds, steps(value)),
    },
    Variable {
        name: "REGISTRAR_WRITE_SECONDS",
        values: COUNT,
        meaning: "seconds that a client may go without taking in anything of an answer; default 30; only serve",
        set: |settings, value| set(&mut settings.http.transport.write_seconds, steps(value)),
    },
    Variable {
        name: "REGISTRAR_MAX_CONNECTIONS",
        values: COUNT,
        meaning: "most connections, further ones wait; default 1000; only serve",
        set: |settings, value| set(&mut settings.http.transport.max_connections, count(value)),
    },
    Variable {
        name: "REGISTRAR_MAX_RUNNING",
        values: COUNT,
        meaning: "most requests with a body that are worked on at a time, and that wait for a thread for long work; further \
                  ones wait untouched; default 32; only serve",
        set: |settings, value| set(&mut settings.http.transport.max_running, count(value)),
    },
    Variable {
        name: "REGISTRAR_HEAVY_THREADS",
        values: "a whole number from 1 to 64",
        meaning: "threads for requests that take long (large bodies, large schemas, long checks), each with up to \
                  150 MB; default 1; only serve",
        set: |settings, value| {
            set(&mut settings.http.transport.heavy_threads, count(value).filter(|&threads| threads <= 64))
        },
    },
    Variable {
        name: "REGISTRAR_GZIP",
        values: BOOLEAN,
        meaning: "compress answers for clients that ask; default true [compression.enable]",
        set: |settings, value| set(&mut settings.http.gzip, boolean(value)),
    },
    Variable {
        name: "REGISTRAR_LEGACY_CONFLICT_CODE",
        values: BOOLEAN,
        meaning: "answer an incompatible schema with error_code 409 instead of 40901; default false",
        set: |settings, value| set(&mut settings.http.legacy_conflict_code, boolean(value)),
    },
    Variable {
        name: "REGISTRAR_SCHEMA_DEFAULT_LIMIT",
        values: COUNT,
        meaning: "page size of lists of schemas; default 1000 [schema.search.default.limit]",
        set: |settings, value| set(&mut settings.http.schema_limits.default, limit(value)),
    },
    Variable {
        name: "REGISTRAR_SCHEMA_MAX_LIMIT",
        values: COUNT,
        meaning: "largest page of a list of schemas; default 1000 [schema.search.max.limit]",
        set: |settings, value| set(&mut settings.http.schema_limits.max, limit(value)),
    },
    Variable {
        name: "REGISTRAR_SUBJECT_DEFAULT_LIMIT",
        values: COUNT,
        meaning: "page size of lists of subjects; default 2147483647 [subject.search.default.limit]",
        set: |settings, value| set(&mut settings.http.subject_limits.default, limit(value)),
    },
    Variable {
        name: "REGISTRAR_SUBJECT_MAX_LIMIT",
        values: COUNT,
        meaning: "largest page of a list of subjects; default 2147483647 [subject.search.max.limit]",
        set: |settings, value| set(&mut settings.http.subject_limits.max, limit(value)),
    },
    Variable {
        name: "REGISTRAR_VERSION_DEFAULT_LIMIT",
        values: COUNT,
        meaning: "page size of lists of versions; default 2147483647 [subject.version.search.default.limit]",
        set: |settings, value| set(&mut settings.http.version_limits.default, limit(value)),
    },
    Variable {
        name: "REGISTRAR_VERSION_MAX_LIMIT",
        values: COUNT,
        meaning: "largest page of a list of versions; default 2147483647 [subject.version.search.max.limit]",
        set: |settings, value| set(&mut settings.http.version_limits.max, limit(value)),
    },
    Variable {
        name: "REGISTRAR_CONTEXT_DEFAULT_LIMIT",
        values: COUNT,
        meaning: "page size of the list of contexts; default 2147483647 [context.search.default.limit]",
        set: |settings, value| set(&mut settings.http.context_limits.default, limit(value)),
    },
    Variable {
        name: "REGISTRAR_CONTEXT_MAX_LIMIT",
        values: COUNT,
        meaning: "largest page of the list of contexts; default 2147483647 [context.search.max.limit]",
        set: |settings, value| set(&mut settings.http.context_limits.max, limit(value)),
    },
    Variable {
        name: "REGISTRAR_CLUSTER_ID",
        values: "a text",
        meaning: "schema-registry-cluster in GET /v1/metadata/id; default schema-registry [schema.registry.group.id]",
        set: |settings, value| set(&mut settings.http.registry_cluster_id, Some(value.to_owned())),
    },
    Variable {
        name: "REGISTRAR_KAFKA_CLUSTER_ID",
        values: "a text",
        meaning: "kafka-cluster in GET /v1/metadata/id; default empty",
        set: |settings, value| set(&mut settings.http.kafka_cluster_id, Some(value.to_owned())),
    },
    Variable {
        name: "REGISTRAR_DEPLOYMENT",
        values: "texts separated by commas",
        meaning: "attributes in GET /v1/metadata/deployment; default none",
        set: |settings, value| set(&mut settings.http.deployment, Some(attributes(value))),
    },
];

impl ServerSettings {
    /// The defaults, changed by the variables that `lookup` has. An empty value counts as none.
    pub fn from_environment(lookup: impl Fn(&str) -> Option<String>) -> Result<Self, SettingError> {
        let mut settings = Self::default();
        for variable in VARIABLES {
            let Some(value) = lookup(variable.name).filter(|value| !value.trim().is_empty()) else { continue };
            let bad = |()| SettingError { name: variable.name, value: value.clone(), values: variable.values };
            (variable.set)(&mut settings, value.trim()).map_err(bad)?;
        }
        Ok(settings)
    }

    /// Changes one setting as its variable would.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let Some(variable) = VARIABLES.iter().find(|variable| variable.name == name) else { return Ok(()) };
        let bad = |()| SettingError { name: variable.name, value: value.to_owned(), values: variable.values };
        (variable.set)(self, value).map_err(bad)
    }
}

fn set<T>(place: &mut T, value: Option<T>) -> Result<(), ()> {
    *place = value.ok_or(())?;
    Ok(())
}

fn boolean(value: &str) -> Option<bool> {
    value.to_ascii_lowercase().parse().ok()
}

fn protobuf_rules(value: &str) -> Option<ProtobufRules> {
    match value {
        "newest" => Some(ProtobufRules::Newest),
        "8.1.1" => Some(ProtobufRules::V8_1_1),
        _ => None,
    }
}

fn count(value: &str) -> Option<usize> {
    value.parse().ok().filter(|&count| count > 0)
}

fn steps(value: &str) -> Option<u64> {
    value.parse().ok().filter(|&count| count > 0)
}

fn limit(value: &str) -> Option<u32> {
    value.parse().ok().filter(|limit| (1..=i32::MAX.unsigned_abs()).contains(limit))
}

/// With a slash in front and none at the end; `/` alone is no prefix.
fn base_path(value: &str) -> Option<String> {
    let path = value.trim_end_matches('/');
    let plain = path.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'?' | b'#'));
    (value.starts_with('/') && plain && !path.contains("//")).then(|| path.to_owned())
}

fn attributes(value: &str) -> Vec<String> {
    value.split(',').map(str::trim).filter(|attribute| !attribute.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
