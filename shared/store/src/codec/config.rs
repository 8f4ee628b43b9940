//! Configurations as bytes.

use super::rules::{index, read_rule_set, write_rule_set};
use super::sealing::{read_metadata, write_metadata, writer_for};
use super::{Reader, Vault, Writer};
use crate::StoreError;
use registrar_model::{Config, Level, Policy};

const POLICIES: [Policy; 3] = [Policy::Strict, Policy::Lenient, Policy::Logical];

/// What seals of each metadata are bound to.
const DEFAULT_METADATA: &str = "defaultMetadata";
const OVERRIDE_METADATA: &str = "overrideMetadata";

pub(crate) fn encode_config(config: &Config, vault: &Vault<'_>) -> Result<Vec<u8>, StoreError> {
    let (default, above) = (config.default_metadata.as_ref(), config.override_metadata.as_ref());
    let default_seals = vault.seal(DEFAULT_METADATA, default)?;
    let above_seals = vault.seal(OVERRIDE_METADATA, above)?;
    let mut w = writer_for(&[&default_seals, &above_seals]);
    for text in [&config.alias, &config.alias_for_deks, &config.compatibility_group] {
        w.optional(text.as_deref(), Writer::text);
    }
    for flag in [config.normalize, config.validate_fields, config.validate_new_schemas, config.validate_rules] {
        w.optional(flag, Writer::flag);
    }
    w.optional(config.level, |w, level| w.byte(index(&Level::ALL, &level)));
    w.optional(config.policy, |w, policy| w.byte(index(&POLICIES, &policy)));
    for (metadata, seals) in [(default, &default_seals), (above, &above_seals)] {
        w.optional(metadata, |w, metadata| write_metadata(w, metadata, seals));
    }
    for rules in [&config.default_rule_set, &config.override_rule_set] {
        w.optional(rules.as_ref(), write_rule_set);
    }
    Ok(w.finish())
}

pub(crate) fn decode_config(bytes: &[u8], vault: &Vault<'_>) -> Result<Config, StoreError> {
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
        default_metadata: r.optional(|r| read_metadata(r, vault, DEFAULT_METADATA))?,
        override_metadata: r.optional(|r| read_metadata(r, vault, OVERRIDE_METADATA))?,
        default_rule_set: r.optional(read_rule_set)?,
        override_rule_set: r.optional(read_rule_set)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Scope;
    use crate::keyring::{DataKey, Keyring, Part, Place};
    use registrar_model::{Metadata, RuleSet};

    fn vault(keys: &Keyring) -> Vault<'_> {
        Vault { keys, place: Place::Scope(&Scope::Shared, Part::Own) }
    }

    fn secret(value: &str) -> Metadata {
        let properties = [("s".into(), value.into()), ("other".into(), "clear".into())].into();
        Metadata { properties, sensitive: ["s".into()].into(), ..Metadata::default() }
    }

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
        let secrets =
            Config { default_metadata: Some(secret("one")), override_metadata: Some(secret("two")), ..full.clone() };
        let keys = Keyring::new([DataKey::new("k", &[1; 32]).unwrap()]).unwrap();
        for config in [full, Config::default(), secrets] {
            for keys in [&Keyring::default(), &keys] {
                let bytes = encode_config(&config, &vault(keys)).unwrap();
                assert_eq!(decode_config(&bytes, &vault(keys)), Ok(config.clone()));
            }
        }
    }

    #[test]
    fn sensitive_values_are_sealed_in_their_member() {
        let keys = Keyring::new([DataKey::new("k", &[1; 32]).unwrap()]).unwrap();
        let config = Config { default_metadata: Some(secret("hunter2")), ..Config::default() };
        let bytes = encode_config(&config, &vault(&keys)).unwrap();
        assert!(!bytes.windows(7).any(|part| part == b"hunter2"));
        let refused = decode_config(&bytes, &vault(&Keyring::default()));
        assert!(matches!(&refused, Err(StoreError::Locked(why)) if why.contains("key 'k'")), "{refused:?}");
    }
}
