//! A schema's content as bytes.

use super::rules::{index, read_metadata, read_rule_set, write_metadata, write_rule_set};
use super::{Reader, Writer};
use crate::StoreError;
use registrar_model::{Reference, SchemaContent, SchemaType};

/// Order of the stored type byte; never to be reordered.
const TYPES: [SchemaType; 3] = [SchemaType::Avro, SchemaType::Json, SchemaType::Protobuf];

pub(crate) fn encode_content(content: &SchemaContent) -> Vec<u8> {
    let mut w = Writer::new();
    w.byte(index(&TYPES, &content.schema_type));
    w.text(&content.text);
    w.list(content.references.iter(), |w, reference| {
        w.text(&reference.name);
        w.text(&reference.subject);
        w.signed(reference.version);
    });
    w.optional(content.metadata.as_ref(), write_metadata);
    w.optional(content.rule_set.as_ref(), write_rule_set);
    w.finish()
}

pub(crate) fn decode_content(bytes: &[u8]) -> Result<SchemaContent, StoreError> {
    let mut r = Reader::new(bytes)?;
    Ok(SchemaContent {
        schema_type: r.choice(&TYPES)?,
        text: r.text()?,
        references: r.list(|r| Ok(Reference { name: r.text()?, subject: r.text()?, version: r.signed()? }))?,
        metadata: r.optional(read_metadata)?,
        rule_set: r.optional(read_rule_set)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use registrar_model::{EnableAt, JavaString, Metadata, Rule, RuleSet};

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
        for content in [rich(), plain] {
            assert_eq!(decode_content(&encode_content(&content)), Ok(content));
        }
    }

    #[test]
    fn damaged_bytes_are_an_error() {
        let bytes = encode_content(&rich());
        for length in 0..bytes.len() {
            assert!(decode_content(&bytes[..length]).is_err(), "cut at {length}");
        }
        assert!(decode_content(&[9]).unwrap_err().to_string().contains("format 9"));
    }
}
