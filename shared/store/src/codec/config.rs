//! Configurations as bytes.

use super::rules::{index, read_metadata, read_rule_set, write_metadata, write_rule_set};
use super::{Reader, Writer};
use crate::StoreError;
use registrar_model::{Config, Level, Policy};

const POLICIES: [Policy; 3] = [Policy::Strict, Policy::Lenient, Policy::Logical];

pub(crate) fn encode_config(config: &Config) -> Vec<u8> {
    let mut w = Writer::new();
    for text in [&config.alias, &config.alias_for_deks, &config.compatibility_group] {
        w.optional(text.as_deref(), Writer::text);
    }
    for flag in [config.normalize, config.validate_fields, config.validate_new_schemas, config.validate_rules] {
        w.optional(flag, Writer::flag);
    }
    w.optional(config.level, |w, level| w.byte(index(&Level::ALL, &level)));
    w.optional(config.policy, |w, policy| w.byte(index(&POLICIES, &policy)));
    for metadata in [&config.default_metadata, &config.override_metadata] {
        w.optional(metadata.as_ref(), write_metadata);
    }
    for rules in [&config.default_rule_set, &config.override_rule_set] {
        w.optional(rules.as_ref(), write_rule_set);
    }
    w.finish()
}

pub(crate) fn decode_config(bytes: &[u8]) -> Result<Config, StoreError> {
    let mut r = Reader::new(bytes)?;
    // Members are read in the order written above.
    Ok(Config {
        alias: r.optional(Reader::text)?,
        alias_for_deks: r.optional(Reader::text)?,
        compatibility_group: r.optional(Reader::text)?,
        normalize: r.optional(Reader::flag)?,
        validate_fields: r.optional(Reader::flag)?,
        validate_new_schemas: r.optional(Reader::flag)?,
        validate_rules: r.optional(Reader::flag)?,
        level: r.optional(|r| r.choice(&Level::ALL))?,
        policy: r.optional(|r| r.choice(&POLICIES))?,
        default_metadata: r.optional(read_metadata)?,
        override_metadata: r.optional(read_metadata)?,
        default_rule_set: r.optional(read_rule_set)?,
        override_rule_set: r.optional(read_rule_set)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use registrar_model::{Metadata, RuleSet};

    #[test]
    fn what_is_written_is_read() {
        let full = Config {
            alias: Some("a".into()),
            alias_for_deks: Some("d".into()),
            normalize: Some(false),
            validate_fields: Some(true),
            validate_new_schemas: Some(false),
            validate_rules: Some(true),
            level: Some(Level::FullTransitive),
            policy: Some(Policy::Logical),
            compatibility_group: Some("g".into()),
            default_metadata: Some(Metadata::default()),
            override_metadata: Some(Metadata { sensitive: ["s".into()].into(), ..Metadata::default() }),
            default_rule_set: Some(RuleSet::default()),
            override_rule_set: None,
        };
        for config in [full, Config::default()] {
            assert_eq!(decode_config(&encode_config(&config)), Ok(config));
        }
    }
}
