//! Hashes of contents: Confluent's guid, and the registry's own keys.

use md5::{Digest as _, Md5};
use registrar_model::{Guid, Metadata, Reference, Rule, RuleSet, SchemaContent, SchemaType, Sha256Hash};
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
        .flat_map(|(key, tags)| std::iter::once(key.as_str()).chain(tags.iter().map(|tag| tag.as_str())));
    let properties = metadata.properties.iter().flat_map(|(key, value)| [key.as_str(), value.as_str()]);
    tags.chain(properties).chain(metadata.sensitive.iter().map(|name| name.as_str()))
}

fn texts_of_rule(rule: &Rule) -> impl Iterator<Item = &str> {
    let head = rule.name.as_deref().into_iter().chain(rule.doc.as_deref());
    let kinds = [rule.kind.name(), rule.mode.name()].into_iter().chain(rule.rule_type.as_deref());
    let tags = rule.tags.iter().flatten().map(|tag| tag.as_str());
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

/// The hash by which contents that count as equal are found (rest-api.md §6.2), over a schema's equality text.
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
    hash.metadata(metadata);
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
        text.into_iter().for_each(|text| self.text(text));
    }

    fn flag(&mut self, flag: bool) {
        self.0.update([u8::from(flag)]);
    }

    fn texts<'a>(&mut self, texts: impl ExactSizeIterator<Item = &'a str>) {
        self.count(texts.len());
        texts.for_each(|text| self.text(text));
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
            self.texts(tags.iter().map(|tag| tag.as_str()));
        }
        self.count(metadata.properties.len());
        for (key, value) in &metadata.properties {
            self.text(key.as_str());
            self.text(value);
        }
        self.texts(metadata.sensitive.iter().map(|name| name.as_str()));
    }

    fn rule_set(&mut self, rule_set: Option<&RuleSet>) {
        self.flag(rule_set.is_some());
        let Some(rule_set) = rule_set else {
            return;
        };
        for rules in [&rule_set.migration_rules, &rule_set.domain_rules, &rule_set.encoding_rules] {
            self.count(rules.len());
            rules.iter().for_each(|rule| self.rule(rule));
        }
        self.optional(rule_set.enable_at.map(|enable_at| enable_at.name()));
    }

    fn rule(&mut self, rule: &Rule) {
        self.optional(rule.name.as_deref());
        self.optional(rule.doc.as_deref());
        self.text(rule.kind.name());
        self.text(rule.mode.name());
        self.optional(rule.rule_type.as_deref());
        self.flag(rule.tags.is_some());
        if let Some(tags) = &rule.tags {
            self.texts(tags.iter().map(|tag| tag.as_str()));
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
