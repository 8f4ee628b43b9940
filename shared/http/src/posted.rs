//! The message about a schema that does not parse, which for Avro repeats the request as Java prints it
//! (rest-api.md §5 "42201 texts").

use registrar_model::{JavaString, Metadata, Reference, Rule, RuleSet, SchemaType};
use registrar_registry::Posted;
use std::fmt::Display;

/// `details` are the parser's own words.
pub(crate) fn parse_failure(posted: &Posted, details: &str) -> String {
    let name = posted.content.schema_type.name();
    let inner = match posted.content.schema_type {
        SchemaType::Avro => {
            let refs = list(posted.content.references.iter().map(reference));
            format!("Invalid schema {} with refs {refs} of type {name}, details: {details}", schema(posted))
        }
        SchemaType::Json | SchemaType::Protobuf => format!("Invalid schema of type {name}, details: {details}"),
    };
    format!("Invalid schema of type {name}, details: {inner}")
}

/// `details` say which rule the schema breaks.
pub(crate) fn validation_failure(posted: &Posted, details: &str) -> String {
    format!("Invalid schema {}, details: {details}", schema(posted))
}

/// What the server adds to a schema when it stores it is not there yet, and prints as null.
fn schema(posted: &Posted) -> String {
    let content = &posted.content;
    let id = posted.id.map_or(-1, |id| i64::from(id.get()));
    format!(
        "{{subject={},version={},id={id},guid=null,schemaType={},references={},metadata={},ruleSet={},schema={},\
         schemaTags=null,ts=null,deleted=null}}",
        posted.subject,
        posted.version,
        content.schema_type.name(),
        list(content.references.iter().map(reference)),
        content.metadata.as_ref().map_or_else(null, metadata),
        content.rule_set.as_ref().map_or_else(null, rule_set),
        content.text,
    )
}

fn reference(reference: &Reference) -> String {
    format!("{{name='{}', subject='{}', version={}}}", reference.name, reference.subject, reference.version)
}

fn metadata(metadata: &Metadata) -> String {
    let tags = metadata.tags.iter().map(|(path, tags)| (path, list(tags.iter().map(JavaString::as_str))));
    format!(
        "Metadata{{tags={}, properties={}, sensitive={}}}",
        map(tags),
        map(metadata.properties.iter()),
        list(metadata.sensitive.iter().map(JavaString::as_str)),
    )
}

fn rule_set(rules: &RuleSet) -> String {
    format!(
        "RuleSet{{migrationRules={}, domainRules={}, encodingRules={}, enableAt={}}}",
        list(rules.migration_rules.iter().map(rule)),
        list(rules.domain_rules.iter().map(rule)),
        list(rules.encoding_rules.iter().map(rule)),
        rules.enable_at.map_or("null", |place| place.name()),
    )
}

fn rule(rule: &Rule) -> String {
    let text = |value: &Option<String>| value.as_ref().map_or_else(null, |text| format!("'{text}'"));
    let tags = rule.tags.as_ref().map_or_else(null, |tags| list(tags.iter().map(JavaString::as_str)));
    let params = rule.params.as_ref().map_or_else(null, |params| map(params.iter()));
    format!(
        "Rule{{name={}, doc={}, kind={}, mode={}, type={}, tags={tags}, params={params}, expr={}, onSuccess={}, \
         onFailure={}, disabled={}}}",
        text(&rule.name),
        text(&rule.doc),
        rule.kind.name(),
        rule.mode.name(),
        text(&rule.rule_type),
        text(&rule.expr),
        text(&rule.on_success),
        text(&rule.on_failure),
        rule.disabled,
    )
}

fn null() -> String {
    "null".to_owned()
}

fn list(items: impl Iterator<Item = impl Into<String>>) -> String {
    let items: Vec<String> = items.map(Into::into).collect();
    format!("[{}]", items.join(", "))
}

fn map<'a>(entries: impl Iterator<Item = (&'a JavaString, impl Display)>) -> String {
    let entries: Vec<String> = entries.map(|(key, value)| format!("{}={value}", key.as_str())).collect();
    format!("{{{}}}", entries.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use registrar_model::{SchemaContent, SchemaId, Subject};

    fn posted(schema_type: SchemaType) -> Posted {
        let content = SchemaContent {
            schema_type,
            text: "{\"type\": 1}".into(),
            references: vec![Reference { name: "n".into(), subject: "s".into(), version: 2 }],
            metadata: Some(Metadata {
                tags: [("a.b".into(), ["PII".into(), "X".into()].into())].into(),
                properties: [("k".into(), "v".into()), ("l".into(), "w".into())].into(),
                sensitive: ["k".into()].into(),
            }),
            rule_set: None,
        };
        Posted { subject: Subject::parse(":.c:s"), version: 3, id: SchemaId::new(7), content }
    }

    #[test]
    fn avro_repeats_the_request() {
        let expected = "Invalid schema of type AVRO, details: Invalid schema {subject=:.c:s,version=3,id=7,guid=null,\
                        schemaType=AVRO,references=[{name='n', subject='s', version=2}],metadata=Metadata{tags={a.b=\
                        [PII, X]}, properties={k=v, l=w}, sensitive=[k]},ruleSet=null,schema={\"type\": 1},\
                        schemaTags=null,ts=null,deleted=null} with refs [{name='n', subject='s', version=2}] of type \
                        AVRO, details: no such type";
        assert_eq!(parse_failure(&posted(SchemaType::Avro), "no such type"), expected);
    }

    #[test]
    fn other_types_do_not() {
        let expected = "Invalid schema of type JSON, details: Invalid schema of type JSON, details: no";
        assert_eq!(parse_failure(&posted(SchemaType::Json), "no"), expected);
    }

    #[test]
    fn a_broken_rule_repeats_the_request_for_every_type() {
        let message = validation_failure(&posted(SchemaType::Json), "no");
        assert!(
            message.starts_with("Invalid schema {subject=:.c:s,version=3,id=7,guid=null,schemaType=JSON,"),
            "{message}"
        );
        assert!(message.ends_with(",schemaTags=null,ts=null,deleted=null}, details: no"), "{message}");
    }

    #[test]
    fn rules_print_their_members() {
        let rules = RuleSet {
            domain_rules: vec![Rule { name: Some("r".into()), rule_type: Some("CEL".into()), ..Rule::default() }],
            ..RuleSet::default()
        };
        let expected = "RuleSet{migrationRules=[], domainRules=[Rule{name='r', doc=null, kind=TRANSFORM, \
                        mode=WRITEREAD, type='CEL', tags=null, params=null, expr=null, onSuccess=null, \
                        onFailure=null, disabled=false}], encodingRules=[], enableAt=null}";
        assert_eq!(rule_set(&rules), expected);
    }
}
