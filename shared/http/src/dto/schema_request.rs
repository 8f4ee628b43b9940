//! The body of register, lookup and compatibility (rest-api.md §3.1).

use super::read::{Members, Mismatch, boolean, integer, list, string};
use super::{metadata, rule_set, tags};
use registrar_formats::json_text::{Kind, Value};
use registrar_model::SchemaId;
use registrar_registry::{ReferenceRequest, SchemaRequest, TagChanges};

/// Reads the body.
pub(crate) fn read(value: Value<'_>) -> Result<SchemaRequest, Mismatch> {
    let members = Members::of(value, "SchemaRequest")?;
    let tags = TagChanges {
        add: members.get("schemaTagsToAdd", tags::read)?.unwrap_or_default(),
        remove: members.get("schemaTagsToRemove", tags::read)?.unwrap_or_default(),
        propagate: members.get("propagateSchemaTags", boolean)?.unwrap_or_default(),
    };
    // Tags without a version ask for the next one (§6.1 C1).
    let version = if tags.add.is_empty() && tags.remove.is_empty() { 0 } else { -1 };
    Ok(SchemaRequest {
        version: members.get("version", integer)?.unwrap_or(version),
        // Negative is unset.
        id: members.get("id", integer)?.and_then(|id| SchemaId::new(i64::from(id))),
        schema_type: members.get("schemaType", string)?,
        references: members.get("references", |value| list(value, reference))?.unwrap_or_default(),
        metadata: members.get("metadata", metadata::read)?,
        rule_set: members.get("ruleSet", rule_set::read)?,
        schema: members.get("schema", string)?,
        tags,
    })
}

/// A null reference is one without members, which the registry refuses.
fn reference(value: Value<'_>) -> Result<Option<ReferenceRequest>, Mismatch> {
    if value.kind() == Kind::Null {
        return Ok(Some(ReferenceRequest::default()));
    }
    let members = Members::of(value, "SchemaReference")?;
    Ok(Some(ReferenceRequest {
        name: members.get("name", string)?,
        subject: members.get("subject", string)?,
        version: members.get("version", integer)?,
    }))
}

#[cfg(test)]
mod tests {
    use super::super::read::{Body, parse};
    use super::*;
    use registrar_formats::{EntityKind, TaggedEntity};

    fn request(body: &str) -> Result<SchemaRequest, Mismatch> {
        match parse(body.as_bytes())? {
            Body::Present(json) => read(json.root()),
            Body::Missing => panic!("no body"),
        }
    }

    #[test]
    fn a_whole_request() {
        let request = request(
            "{\"subject\":\"x\",\"version\":\"-1\",\"id\":7.0,\"schemaType\":\"AVRO\",\"references\":[{\"name\":\"n\",\
             \"subject\":\"s\",\"version\":1,\"properties\":null,\"tags\":null},null],\"metadata\":{\"properties\":\
             {\"a\":1.50}},\"ruleSet\":{\"domainRules\":[{\"name\":\"r\",\"kind\":\"CONDITION\",\"type\":\"CEL\"},null]},\
             \"schema\":\"\\\"int\\\"\",\"schemaTagsToAdd\":[{\"schemaEntity\":\
             {\"entityPath\":\".R.f\",\"entityType\":\"sr_field\"},\"tags\":[\"PII\"]}],\"unknown\":{\"x\":[NaN]}}",
        )
        .unwrap();
        assert_eq!(request.version, -1);
        assert_eq!(request.id, SchemaId::new(7));
        assert_eq!(request.references.len(), 2);
        assert_eq!(request.references[0].version, Some(1));
        assert_eq!(request.references[1].name, None);
        assert_eq!(request.metadata.unwrap().property("a"), Some("1.50"));
        assert_eq!(request.rule_set.unwrap().domain_rules.len(), 1);
        assert_eq!(request.schema.as_deref(), Some("\"int\""));
        let tagged = TaggedEntity { path: ".R.f".into(), kind: EntityKind::Field, tags: vec!["PII".into()] };
        assert_eq!(request.tags.add, [tagged]);
    }

    #[test]
    fn defaults() {
        let request = request("{\"id\":-1,\"references\":null,\"metadata\":null}").unwrap();
        assert_eq!((request.version, request.id, request.schema_type), (0, None, None));
        assert!(request.tags.add.is_empty() && request.tags.remove.is_empty() && !request.tags.propagate);
        assert!(request.references.is_empty() && request.metadata.is_none() && request.schema.is_none());
    }

    #[test]
    fn tags_ask_for_the_next_version() {
        let tag = "[{\"schemaEntity\":{\"entityPath\":\"R\",\"entityType\":\"sr_record\"},\"tags\":[\"T\"]}]";
        for (members, version) in [
            (format!("\"schemaTagsToAdd\":{tag}"), -1),
            (format!("\"schemaTagsToRemove\":{tag}"), -1),
            (format!("\"schemaTagsToRemove\":{tag},\"version\":0"), 0),
            (format!("\"schemaTagsToRemove\":{tag},\"version\":3"), 3),
            ("\"schemaTagsToAdd\":[],\"propagateSchemaTags\":true".to_owned(), 0),
        ] {
            assert_eq!(request(&format!("{{{members}}}")).unwrap().version, version, "{members}");
        }
    }

    #[test]
    fn wrong_shapes() {
        for (body, part) in [
            ("[]", "`SchemaRequest` from Array"),
            ("\"x\"", "`SchemaRequest` from String"),
            ("{\"schema\":{\"type\":\"int\"}}", "in member \"schema\""),
            ("{\"references\":{}}", "in member \"references\""),
            ("{\"references\":[1]}", "`SchemaReference` from Integer"),
            ("{\"metadata\":[]}", "`Metadata` from Array"),
            ("{\"metadata\":{\"tags\":{\"a\":\"b\"}}}", "in member \"tags\" in member \"metadata\""),
            ("{\"ruleSet\":{\"domainRules\":[{\"kind\":\"x\"}]}}", "accepted for Enum class: [TRANSFORM, CONDITION]"),
            ("{\"version\":\"one\"}", "not a valid `Integer` value"),
            ("{\"schemaTagsToAdd\":{}}", "in member \"schemaTagsToAdd\""),
            ("{\"schemaTagsToAdd\":[{}]}", "Missing member \"schemaEntity\""),
            ("{\"schemaTagsToAdd\":[{\"schemaEntity\":{\"entityPath\":\"R\"}}]}", "Missing member \"entityType\""),
            (
                "{\"schemaTagsToRemove\":[{\"schemaEntity\":{\"entityPath\":\"R\",\"entityType\":\"RECORD\"}}]}",
                "accepted for Enum class: [sr_record, sr_field]",
            ),
        ] {
            let Mismatch(message) = request(body).unwrap_err();
            assert!(message.contains(part), "{body}: {message}");
        }
    }
}
