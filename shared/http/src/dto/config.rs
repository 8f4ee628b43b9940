//! Configuration on the wire (rest-api.md §3.9, §4.5).

use super::metadata::MetadataDto;
use super::read::{Members, Mismatch, boolean, string};
use super::rule_set::RuleSetDto;
use super::{metadata, rule_set};
use crate::error::Failure;
use registrar_formats::json_text::Value;
use registrar_model::{Config, ConfigUpdate, Level, Policy, Update};
use registrar_registry::RegistryError;
use serde::ser::{Serialize, SerializeMap, Serializer};

impl From<Mismatch> for Failure {
    fn from(Mismatch(message): Mismatch) -> Self {
        Self::BadRequest(message)
    }
}

/// Reads an update. An unknown level is refused before anything else is looked at; an unknown policy clears it, as
/// Confluent's server does.
pub(crate) fn read(value: Value<'_>) -> Result<ConfigUpdate, Failure> {
    let members = Members::of(value, "ConfigUpdateRequest")?;
    let level = members.update("compatibility", string)?;
    let policy = members.update("compatibilityPolicy", string)?;
    let update = ConfigUpdate {
        alias: members.update("alias", string)?,
        alias_for_deks: members.update("aliasForDeks", string)?,
        normalize: members.update("normalize", boolean)?,
        validate_fields: members.update("validateFields", boolean)?,
        validate_new_schemas: members.update("validateNewSchemas", boolean)?,
        validate_rules: members.update("validateRules", boolean)?,
        level: Update::Keep,
        policy: parsed(&policy, |name| Policy::parse(name).map_or(Update::Clear, Update::Set)),
        compatibility_group: members.update("compatibilityGroup", string)?,
        default_metadata: members.update("defaultMetadata", metadata::read)?,
        override_metadata: members.update("overrideMetadata", metadata::read)?,
        default_rule_set: members.update("defaultRuleSet", rule_set::read)?,
        override_rule_set: members.update("overrideRuleSet", rule_set::read)?,
    };
    if let Update::Set(name) = &level
        && Level::parse(name).is_none()
    {
        return Err(RegistryError::InvalidLevel.into());
    }
    Ok(ConfigUpdate { level: parsed(&level, |name| Level::parse(name).map_or(Update::Clear, Update::Set)), ..update })
}

fn parsed<T>(update: &Update<String>, parse: impl Fn(&str) -> Update<T>) -> Update<T> {
    match update {
        Update::Keep => Update::Keep,
        Update::Clear => Update::Clear,
        Update::Set(name) => parse(name),
    }
}

/// A configuration in an answer.
pub(crate) enum ConfigDto<'a> {
    /// To GET and DELETE: empty members are left out, the level is `compatibilityLevel`.
    Current(&'a Config),
    /// To PUT: only absent members are left out, the level is `compatibility`.
    Updated(&'a Config),
}

impl Serialize for ConfigDto<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (config, level, keep_empty) = match self {
            Self::Current(config) => (config, "compatibilityLevel", false),
            Self::Updated(config) => (config, "compatibility", true),
        };
        let text = |value: &'_ Option<String>| value.clone().filter(|text| keep_empty || !text.is_empty());
        let mut object = serializer.serialize_map(None)?;
        entry(&mut object, "alias", text(&config.alias))?;
        entry(&mut object, "aliasForDeks", text(&config.alias_for_deks))?;
        entry(&mut object, "normalize", config.normalize)?;
        entry(&mut object, "validateFields", config.validate_fields)?;
        entry(&mut object, "validateNewSchemas", config.validate_new_schemas)?;
        entry(&mut object, "validateRules", config.validate_rules)?;
        entry(&mut object, level, config.level.map(Level::name))?;
        entry(&mut object, "compatibilityPolicy", config.policy.map(Policy::name))?;
        entry(&mut object, "compatibilityGroup", text(&config.compatibility_group))?;
        entry(&mut object, "defaultMetadata", config.default_metadata.as_ref().map(MetadataDto))?;
        entry(&mut object, "overrideMetadata", config.override_metadata.as_ref().map(MetadataDto))?;
        entry(&mut object, "defaultRuleSet", config.default_rule_set.as_ref().map(RuleSetDto::from))?;
        entry(&mut object, "overrideRuleSet", config.override_rule_set.as_ref().map(RuleSetDto::from))?;
        object.end()
    }
}

fn entry<M: SerializeMap>(object: &mut M, name: &str, value: Option<impl Serialize>) -> Result<(), M::Error> {
    match value {
        Some(value) => object.serialize_entry(name, &value),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::read::{Body, parse};
    use super::*;
    use registrar_model::{Metadata, RuleSet};

    fn update(body: &str) -> Result<ConfigUpdate, Failure> {
        match parse(body.as_bytes()).unwrap() {
            Body::Present(json) => read(json.root()),
            Body::Missing => panic!("no body"),
        }
    }

    #[test]
    fn members_have_three_states() {
        let read = update(
            "{\"compatibility\":\"full_transitive\",\"compatibilityPolicy\":\"lenient\",\"normalize\":\"true\",\
             \"validateFields\":null,\"alias\":\"\",\"compatibilityLevel\":\"rubbish\",\"overrideMetadata\":{}}",
        )
        .unwrap();
        let expected = ConfigUpdate {
            level: Update::Set(Level::FullTransitive),
            policy: Update::Set(Policy::Lenient),
            normalize: Update::Set(true),
            validate_fields: Update::Clear,
            alias: Update::Set(String::new()),
            override_metadata: Update::Set(Metadata::default()),
            ..ConfigUpdate::default()
        };
        assert_eq!(read, expected);
        assert_eq!(update("{}").unwrap(), ConfigUpdate::default());
        let cleared = update("{\"compatibility\":null,\"compatibilityPolicy\":\"no such\"}").unwrap();
        assert_eq!((cleared.level, cleared.policy), (Update::Clear, Update::Clear));
    }

    #[test]
    fn unknown_levels_are_refused() {
        for body in ["{\"compatibility\":\"BACKWARDS\"}", "{\"compatibility\":\"\"}", "{\"compatibility\":1}"] {
            let failure = update(body).unwrap_err();
            assert!(matches!(failure, Failure::Registry(RegistryError::InvalidLevel)), "{body}: {failure:?}");
        }
        assert!(matches!(update("{\"compatibility\":[]}"), Err(Failure::BadRequest(_))));
        assert!(matches!(update("[]"), Err(Failure::BadRequest(_))));
    }

    #[test]
    fn answers_to_get_and_put_differ() {
        let config = Config {
            alias: Some(String::new()),
            normalize: Some(false),
            level: Some(Level::Full),
            policy: Some(Policy::Strict),
            compatibility_group: Some("g".into()),
            default_metadata: Some(Metadata::default()),
            override_rule_set: Some(RuleSet::default()),
            ..Config::default()
        };
        assert_eq!(
            serde_json::to_string(&ConfigDto::Current(&config)).unwrap(),
            "{\"normalize\":false,\"compatibilityLevel\":\"FULL\",\"compatibilityPolicy\":\"STRICT\",\
             \"compatibilityGroup\":\"g\",\"defaultMetadata\":{},\"overrideRuleSet\":{}}"
        );
        assert_eq!(
            serde_json::to_string(&ConfigDto::Updated(&config)).unwrap(),
            "{\"alias\":\"\",\"normalize\":false,\"compatibility\":\"FULL\",\"compatibilityPolicy\":\"STRICT\",\
             \"compatibilityGroup\":\"g\",\"defaultMetadata\":{},\"overrideRuleSet\":{}}"
        );
        assert_eq!(serde_json::to_string(&ConfigDto::Updated(&Config::default())).unwrap(), "{}");
    }
}
