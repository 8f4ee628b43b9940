//! Settings of a subject, a context or the registry.

use crate::{Level, Metadata, Policy, RuleSet};

/// A stored configuration (rest-api.md §3.9): every member is optional, and inherits as §6.10 says where absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Another subject that requests for this one go to.
    pub alias: Option<String>,
    /// The same for the key registry.
    pub alias_for_deks: Option<String>,
    /// Normalise what is registered and looked up.
    pub normalize: Option<bool>,
    /// Strict validation of field names.
    pub validate_fields: Option<bool>,
    /// Whether new schemas are read by the strict rules.
    pub validate_new_schemas: Option<bool>,
    /// Kept for clients; the server does not act on it.
    pub validate_rules: Option<bool>,
    /// Compatibility level.
    pub level: Option<Level>,
    /// Compatibility policy.
    pub policy: Option<Policy>,
    /// Metadata property whose value separates versions into groups checked on their own.
    pub compatibility_group: Option<String>,
    /// Metadata merged under what is registered.
    pub default_metadata: Option<Metadata>,
    /// Metadata merged over what is registered.
    pub override_metadata: Option<Metadata>,
    /// Rules merged under what is registered.
    pub default_rule_set: Option<RuleSet>,
    /// Rules merged over what is registered.
    pub override_rule_set: Option<RuleSet>,
}

impl Config {
    /// The subject that requests go to instead; an empty name is none.
    pub fn alias(&self) -> Option<&str> {
        self.alias.as_deref().filter(|alias| !alias.is_empty())
    }
}

/// What an update does to one member: absent, null or a value in the request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Update<T> {
    /// Leave it.
    #[default]
    Keep,
    /// Remove it.
    Clear,
    /// Replace it.
    Set(T),
}

impl<T> Update<T> {
    /// The member after the update.
    pub fn apply(self, old: Option<T>) -> Option<T> {
        match self {
            Self::Keep => old,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }
}

/// An update of a configuration: three-state for each member.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "each member updates the member of `Config` of the same name")]
pub struct ConfigUpdate {
    pub alias: Update<String>,
    pub alias_for_deks: Update<String>,
    pub normalize: Update<bool>,
    pub validate_fields: Update<bool>,
    pub validate_new_schemas: Update<bool>,
    pub validate_rules: Update<bool>,
    pub level: Update<Level>,
    pub policy: Update<Policy>,
    pub compatibility_group: Update<String>,
    pub default_metadata: Update<Metadata>,
    pub override_metadata: Update<Metadata>,
    pub default_rule_set: Update<RuleSet>,
    pub override_rule_set: Update<RuleSet>,
}

impl ConfigUpdate {
    /// The configuration after the update.
    pub fn apply(self, old: Config) -> Config {
        Config {
            alias: self.alias.apply(old.alias),
            alias_for_deks: self.alias_for_deks.apply(old.alias_for_deks),
            normalize: self.normalize.apply(old.normalize),
            validate_fields: self.validate_fields.apply(old.validate_fields),
            validate_new_schemas: self.validate_new_schemas.apply(old.validate_new_schemas),
            validate_rules: self.validate_rules.apply(old.validate_rules),
            level: self.level.apply(old.level),
            policy: self.policy.apply(old.policy),
            compatibility_group: self.compatibility_group.apply(old.compatibility_group),
            default_metadata: self.default_metadata.apply(old.default_metadata),
            override_metadata: self.override_metadata.apply(old.override_metadata),
            default_rule_set: self.default_rule_set.apply(old.default_rule_set),
            override_rule_set: self.override_rule_set.apply(old.override_rule_set),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_keeps_clears_and_sets() {
        let old = Config { normalize: Some(true), level: Some(Level::Full), ..Config::default() };
        let update =
            ConfigUpdate { normalize: Update::Clear, policy: Update::Set(Policy::Lenient), ..ConfigUpdate::default() };
        let expected = Config { level: Some(Level::Full), policy: Some(Policy::Lenient), ..Config::default() };
        assert_eq!(update.apply(old), expected);
    }
}
