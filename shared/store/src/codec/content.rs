//! A schema's content as bytes.

use super::rules::{index, read_rule_set, write_rule_set};
use super::sealing::{read_metadata, write_metadata, writer_for};
use super::{Reader, Vault};
use crate::StoreError;
use registrar_model::{Reference, SchemaContent, SchemaType};

/// What seals of its metadata are bound to.
const METADATA: &str = "metadata";

/// Order of the stored type byte; never to be reordered.
const TYPES: [SchemaType; 3] = [SchemaType::Avro, SchemaType::Json, SchemaType::Protobuf];

pub(crate) fn encode_content(content: &SchemaContent, vault: &Vault<'_>) -> Result<Vec<u8>, StoreError> {
    let seals = vault.seal(METADATA, content.metadata.as_ref())?;
    let mut w = writer_for(&[&seals]);
    w.byte(index(&TYPES, &content.schema_type));
    w.text(&content.text);
    w.list(content.references.iter(), |w, reference| {
        w.text(&reference.name);
        w.text(&reference.subject);
        w.signed(reference.version);
    });
    w.optional(content.metadata.as_ref(), |w, metadata| write_metadata(w, metadata, &seals));
    w.optional(content.rule_set.as_ref(), write_rule_set);
    Ok(w.finish())
}

pub(crate) fn decode_content(bytes: &[u8], vault: &Vault<'_>) -> Result<SchemaContent, StoreError> {
    let mut r = Reader::new(bytes)?;
    Ok(SchemaContent {
        schema_type: r.choice(&TYPES)?,
        text: r.text()?,
        references: r.list(|r| Ok(Reference { name: r.text()?, subject: r.text()?, version: r.signed()? }))?,
        metadata: r.optional(|r| read_metadata(r, vault, METADATA))?,
        rule_set: r.optional(read_rule_set)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keyring::{DataKey, Keyring, Place};
    use registrar_model::{EnableAt, JavaString, Metadata, Rule, RuleSet, Sha256Hash};

    fn vault(keys: &Keyring) -> Vault<'_> {
        Vault { keys, place: Place::Content(Sha256Hash([0; 32])) }
    }

    fn encode(content: &SchemaContent, keys: &Keyring) -> Vec<u8> {
        encode_content(content, &vault(keys)).unwrap()
    }

    fn keys(byte: u8) -> Keyring {
        Keyring::new([DataKey::new("k", &[byte; 32]).unwrap()]).unwrap()
    }

    fn secret() -> SchemaContent {
        let properties = [("owner".into(), "team".into()), ("s".into(), "hunter2".into())].into();
        let metadata = rich().metadata.map(|metadata| Metadata { properties, ..metadata });
        SchemaContent { metadata, ..rich() }
    }

    fn holds(bytes: &[u8], text: &str) -> bool {
        bytes.windows(text.len()).any(|part| part == text.as_bytes())
    }

    fn rich() -> SchemaContent {
        let rule = Rule {
            name: Some("größe".into()),
            tags: Some([JavaString::from("PII")].into()),
            params: Some([(JavaString::from("k"), String::new())].into()),
            disabled: true,
            ..Rule::default()
        };
        SchemaContent {
            schema_type: SchemaType::Protobuf,
            text: "x\u{0}\u{1F600}".repeat(100),
            references: vec![Reference { name: String::new(), subject: ":.c:a/b#".into(), version: i32::MAX }],
            metadata: Some(Metadata {
                tags: [("p".into(), ["t".into()].into())].into(),
                properties: [("".into(), "v".into())].into(),
                sensitive: ["s".into()].into(),
            }),
            rule_set: Some(RuleSet { domain_rules: vec![rule], enable_at: Some(EnableAt::None), ..RuleSet::default() }),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let plain = SchemaContent { references: vec![], metadata: None, rule_set: None, ..rich() };
        for content in [rich(), plain, secret()] {
            for keys in [Keyring::default(), keys(1)] {
                assert_eq!(decode_content(&encode(&content, &keys), &vault(&keys)), Ok(content.clone()));
            }
        }
    }

    #[test]
    fn sensitive_values_are_sealed_and_nothing_else() {
        let bytes = encode(&secret(), &keys(1));
        assert!(!holds(&bytes, "hunter2") && holds(&bytes, "owner") && holds(&bytes, "team"));
        assert!(holds(&encode(&secret(), &Keyring::default()), "hunter2"));
        let why = decode_content(&bytes, &vault(&Keyring::default())).unwrap_err();
        assert!(matches!(&why, StoreError::Locked(why) if why.contains("'s'") && why.contains("key 'k'")), "{why}");
        assert!(matches!(decode_content(&bytes, &vault(&keys(2))), Err(StoreError::Locked(_))));
        // Written before there was a key, or without anything sensitive: read with and without one.
        for content in [secret(), rich()] {
            let clear = encode(&content, &Keyring::default());
            assert_eq!(decode_content(&clear, &vault(&keys(1))), Ok(content));
        }
        assert_eq!(encode(&rich(), &keys(1)), encode(&rich(), &Keyring::default()));
    }

    #[test]
    fn damaged_bytes_are_an_error() {
        let keys = keys(1);
        for bytes in [encode(&rich(), &keys), encode(&secret(), &keys)] {
            for length in 0..bytes.len() {
                assert!(decode_content(&bytes[..length], &vault(&keys)).is_err(), "cut at {length}");
            }
        }
        assert!(decode_content(&[9], &vault(&keys)).unwrap_err().to_string().contains("format 9"));
    }
}
