//! Hashes of contents: Confluent's guid, and the registry's own keys.

use md5::{Digest as _, Md5};
use registrar_model::{
    EnableAt, Guid, JavaString, Metadata, Reference, Rule, RuleSet, SchemaContent, SchemaType, Sha256Hash,
};
use sha2::Sha256;

/// Confluent's MD5 of a content, which is its guid (rest-api.md §6.0). The schema type is not part of it.
pub fn guid(content: &SchemaContent) -> Guid {
    let mut hash = Md5::new();
    hash.update(&content.text);
    for reference in &content.references {
        hash.update(&reference.name);
        hash.update(&reference.subject);
        hash.update(reference.version.to_be_bytes());
    }
    if let Some(metadata) = &content.metadata {
        hash.update([1]);
        texts_of(metadata).for_each(|text| hash.update(text));
    }
    if let Some(rule_set) = &content.rule_set {
        hash.update([1]);
        for rule in rule_set.rules() {
            texts_of_rule(rule).for_each(|text| hash.update(text));
            if rule.disabled {
                hash.update([1]);
            }
        }
        if let Some(enable_at) = rule_set.enable_at {
            hash.update(enable_at.name());
        }
    }
    Guid(hash.finalize().into())
}

/// Everything in metadata, in the order Confluent hashes it: the model's maps and sets are in Java's order.
fn texts_of(metadata: &Metadata) -> impl Iterator<Item = &str> {
    let tags = metadata
        .tags
        .iter()
        .flat_map(|(key, tags)| std::iter::once(key.as_str()).chain(tags.iter().map(JavaString::as_str)));
    let properties = metadata.properties.iter().flat_map(|(key, value)| [key.as_str(), value.as_str()]);
    tags.chain(properties).chain(metadata.sensitive.iter().map(JavaString::as_str))
}

fn texts_of_rule(rule: &Rule) -> impl Iterator<Item = &str> {
    let head = rule.name.as_deref().into_iter().chain(rule.doc.as_deref());
    let kinds = [rule.kind.name(), rule.mode.name()].into_iter().chain(rule.rule_type.as_deref());
    let tags = rule.tags.iter().flatten().map(JavaString::as_str);
    let params = rule.params.iter().flatten().flat_map(|(key, value)| [key.as_str(), value.as_str()]);
    let tail = rule.expr.as_deref().into_iter().chain(rule.on_success.as_deref()).chain(rule.on_failure.as_deref());
    head.chain(kinds).chain(tags).chain(params).chain(tail)
}

/// The hash by which one content has one id in a context: no two contents share it, null and empty differ.
pub fn content_hash(content: &SchemaContent) -> Sha256Hash {
    let mut hash = Fields::new("registrar content 1");
    hash.text(content.schema_type.name());
    hash.text(&content.text);
    hash.references(&content.references);
    hash.metadata(content.metadata.as_ref());
    hash.rule_set(content.rule_set.as_ref());
    hash.finish()
}

/// The hash by which contents that count as equal are found (rest-api.md §6.2), over a schema's equality text. It leaves
/// out of metadata what [`Metadata::filed`] does, so [`VersionMark`](registrar_model::VersionMark) has to agree as well.
pub fn equality_hash(
    schema_type: SchemaType,
    equality_text: &str,
    references: &[Reference],
    metadata: Option<&Metadata>,
    rule_set: Option<&RuleSet>,
) -> Sha256Hash {
    let mut hash = Fields::new("registrar equality 1");
    hash.text(schema_type.name());
    hash.text(equality_text);
    hash.references(references);
    hash.metadata(Metadata::filed(metadata).as_ref());
    hash.rule_set(rule_set);
    hash.finish()
}

/// SHA-256 over fields that each carry their length, so that no two lists of fields give the same bytes.
struct Fields(Sha256);

impl Fields {
    fn new(domain: &str) -> Self {
        let mut fields = Self(Sha256::new());
        fields.text(domain);
        fields
    }

    fn count(&mut self, count: usize) {
        self.0.update(u64::try_from(count).unwrap_or(u64::MAX).to_be_bytes());
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.update(text);
    }

    /// Presence first, so that null differs from empty.
    fn optional(&mut self, text: Option<&str>) {
        self.flag(text.is_some());
        if let Some(text) = text {
            self.text(text);
        }
    }

    fn flag(&mut self, flag: bool) {
        self.0.update([u8::from(flag)]);
    }

    fn texts<'a>(&mut self, texts: impl ExactSizeIterator<Item = &'a str>) {
        self.count(texts.len());
        for text in texts {
            self.text(text);
        }
    }

    fn references(&mut self, references: &[Reference]) {
        self.count(references.len());
        for reference in references {
            self.text(&reference.name);
            self.text(&reference.subject);
            self.0.update(reference.version.to_be_bytes());
        }
    }

    fn metadata(&mut self, metadata: Option<&Metadata>) {
        self.flag(metadata.is_some());
        let Some(metadata) = metadata else {
            return;
        };
        self.count(metadata.tags.len());
        for (key, tags) in &metadata.tags {
            self.text(key.as_str());
            self.texts(tags.iter().map(JavaString::as_str));
        }
        self.count(metadata.properties.len());
        for (key, value) in &metadata.properties {
            self.text(key.as_str());
            self.text(value);
        }
        self.texts(metadata.sensitive.iter().map(JavaString::as_str));
    }

    fn rule_set(&mut self, rule_set: Option<&RuleSet>) {
        self.flag(rule_set.is_some());
        let Some(rule_set) = rule_set else {
            return;
        };
        for rules in [&rule_set.migration_rules, &rule_set.domain_rules, &rule_set.encoding_rules] {
            self.count(rules.len());
            for rule in rules {
                self.rule(rule);
            }
        }
        self.optional(rule_set.enable_at.map(EnableAt::name));
    }

    fn rule(&mut self, rule: &Rule) {
        self.optional(rule.name.as_deref());
        self.optional(rule.doc.as_deref());
        self.text(rule.kind.name());
        self.text(rule.mode.name());
        self.optional(rule.rule_type.as_deref());
        self.flag(rule.tags.is_some());
        if let Some(tags) = &rule.tags {
            self.texts(tags.iter().map(JavaString::as_str));
        }
        self.flag(rule.params.is_some());
        if let Some(params) = &rule.params {
            self.count(params.len());
            for (key, value) in params {
                self.text(key.as_str());
                self.text(value);
            }
        }
        self.optional(rule.expr.as_deref());
        self.optional(rule.on_success.as_deref());
        self.optional(rule.on_failure.as_deref());
        self.flag(rule.disabled);
    }

    fn finish(self) -> Sha256Hash {
        Sha256Hash(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn content() -> SchemaContent {
        SchemaContent {
            schema_type: SchemaType::Avro,
            text: "\"string\"".to_owned(),
            references: Vec::new(),
            metadata: None,
            rule_set: None,
        }
    }

    fn reference(name: &str, subject: &str, version: i32) -> Reference {
        Reference { name: name.to_owned(), subject: subject.to_owned(), version }
    }

    fn metadata() -> Metadata {
        Metadata {
            tags: [("t".into(), ["b".into(), "a".into()].into())].into(),
            properties: [("k".into(), "v".to_owned())].into(),
            sensitive: ["k".into()].into(),
        }
    }

    fn rule(name: &str) -> Rule {
        Rule { name: Some(name.to_owned()), rule_type: Some("CEL".to_owned()), ..Rule::default() }
    }

    /// The sanity values of rest-api.md §6.0.
    #[test]
    fn guids_are_confluents() {
        let plain = content();
        let empty_metadata = SchemaContent { metadata: Some(Metadata::default()), ..content() };
        let referring = SchemaContent { references: vec![reference("a", "b", 1)], ..content() };
        let properties = Metadata { properties: [("k".into(), "v".to_owned())].into(), ..Metadata::default() };
        let with_property = SchemaContent { metadata: Some(properties), ..content() };
        for (content, expected) in [
            (plain, "095d71cf-1255-6b9d-5e33-0ad575b3df5d"),
            (empty_metadata, "cecc02e2-232b-87f1-1b0c-aa0e70dbb74d"),
            (referring, "e4d06983-8c9e-a396-41dd-58d1eedc1f9d"),
            (with_property, "27593e84-e584-f2c4-de4b-bc8cccc28a51"),
        ] {
            assert_eq!(guid(&content).to_string(), expected);
        }
    }

    /// The bytes that §6.0 says are hashed, put together by hand.
    #[test]
    fn guids_hash_metadata_and_rules_in_order() {
        let mut bytes = b"\"string\"".to_vec();
        bytes.extend(b"ab\x00\x00\x00\x07");
        bytes.extend(b"\x01tabkvk");
        bytes.extend(b"\x01mdCONDITIONWRITECELxykvesf\x01");
        bytes.extend(b"ALL");
        let rule = Rule {
            name: Some("m".to_owned()),
            doc: Some("d".to_owned()),
            kind: registrar_model::RuleKind::Condition,
            mode: registrar_model::RuleMode::Write,
            rule_type: Some("CEL".to_owned()),
            tags: Some(["y".into(), "x".into()].into()),
            params: Some([("k".into(), "v".to_owned())].into()),
            expr: Some("e".to_owned()),
            on_success: Some("s".to_owned()),
            on_failure: Some("f".to_owned()),
            disabled: true,
        };
        let rule_set = RuleSet { domain_rules: vec![rule], enable_at: Some(EnableAt::All), ..RuleSet::default() };
        let content = SchemaContent {
            references: vec![reference("a", "b", 7)],
            metadata: Some(metadata()),
            rule_set: Some(rule_set),
            ..content()
        };
        let expected: [u8; 16] = Md5::digest(&bytes).into();
        assert_eq!(guid(&content), Guid(expected));
    }

    #[test]
    fn different_contents_have_different_hashes() {
        let contents = [
            content(),
            SchemaContent { schema_type: SchemaType::Json, ..content() },
            SchemaContent { text: "\"string\" ".to_owned(), ..content() },
            SchemaContent { metadata: Some(Metadata::default()), ..content() },
            SchemaContent { rule_set: Some(RuleSet::default()), ..content() },
            SchemaContent { metadata: Some(metadata()), ..content() },
            SchemaContent { references: vec![reference("a", "b", 1)], ..content() },
            SchemaContent { references: vec![reference("ab", "", 1)], ..content() },
            SchemaContent { references: vec![reference("a", "b", 2)], ..content() },
            SchemaContent { references: vec![reference("a", "b", 1), reference("a", "b", 1)], ..content() },
            SchemaContent {
                rule_set: Some(RuleSet { domain_rules: vec![rule("r")], ..RuleSet::default() }),
                ..content()
            },
            SchemaContent {
                rule_set: Some(RuleSet { migration_rules: vec![rule("r")], ..RuleSet::default() }),
                ..content()
            },
            SchemaContent {
                rule_set: Some(RuleSet {
                    domain_rules: vec![Rule { doc: Some(String::new()), ..rule("r") }],
                    ..RuleSet::default()
                }),
                ..content()
            },
            SchemaContent {
                rule_set: Some(RuleSet { enable_at: Some(EnableAt::None), ..RuleSet::default() }),
                ..content()
            },
        ];
        let by_content: HashSet<Sha256Hash> = contents.iter().map(content_hash).collect();
        assert_eq!(by_content.len(), contents.len());
        let equality = |one: &SchemaContent| {
            let (metadata, rule_set) = (one.metadata.as_ref(), one.rule_set.as_ref());
            equality_hash(one.schema_type, &one.text, &one.references, metadata, rule_set)
        };
        let by_equality: HashSet<Sha256Hash> = contents.iter().map(equality).collect();
        // None and empty metadata are filed together.
        assert_eq!(by_equality.len(), contents.len() - 1);
        assert!(by_content.is_disjoint(&by_equality));
    }

    /// Stored keys depend on them: a change here is a change of stored data.
    #[test]
    fn hashes_stay_what_they_are() {
        let content =
            SchemaContent { metadata: Some(metadata()), references: vec![reference("a", "b", 1)], ..content() };
        assert_eq!(
            content_hash(&content).to_string(),
            "595f767d9a38c9ff60ab62d25051779a375d862c188242244a34cb1d59f501fe"
        );
        let equal = equality_hash(SchemaType::Avro, "\"x\"", &content.references, content.metadata.as_ref(), None);
        assert_eq!(equal.to_string(), "18d54e85bebf39da8e1d30dd8ce13d9a4f5603d770bd879b3619c26fbcd183fd");
    }
}
