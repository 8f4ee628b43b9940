//! Snapshots of bodies: the order of members, and which are left out.

use super::*;
use registrar_formats::EntityKind;
use registrar_model::{Guid, Metadata, Rule, RuleSet, SchemaId, SchemaType};

const GUID: &str = "01010101-0101-0101-0101-010101010101";

fn bare() -> SchemaContent {
    SchemaContent {
        schema_type: SchemaType::Avro,
        text: "\"größe/<&>\"".into(),
        references: Vec::new(),
        metadata: None,
        rule_set: None,
    }
}

fn full() -> SchemaContent {
    let rule = Rule {
        name: Some("r".into()),
        doc: Some(String::new()),
        rule_type: Some("CEL".into()),
        tags: Some(["PII".into()].into()),
        params: Some([("k".into(), "v".into())].into()),
        expr: Some("true".into()),
        on_failure: Some("DLQ".into()),
        ..Rule::default()
    };
    SchemaContent {
        references: vec![Reference { name: "n".into(), subject: "s".into(), version: 1 }],
        metadata: Some(Metadata {
            tags: [("a".into(), ["T".into()].into())].into(),
            properties: [("\u{1F600}".into(), "1".into()), ("\u{E000}".into(), "2".into())].into(),
            sensitive: ["p".into()].into(),
        }),
        rule_set: Some(RuleSet {
            domain_rules: vec![rule],
            enable_at: Some(registrar_model::EnableAt::All),
            ..RuleSet::default()
        }),
        ..bare()
    }
}

fn versioned(content: SchemaContent, ts: Option<u64>, deleted: Option<bool>) -> VersionedSchema {
    let subject = Subject::parse(":.c:s");
    let (version, id) = (Version::FIRST, SchemaId::new(7).unwrap());
    VersionedSchema { subject, version, id, guid: Guid([1; 16]), content, ts, deleted, tagged: Vec::new() }
}

fn tagged() -> Vec<TaggedEntity> {
    let entity = |path: &str, kind, tag: &str| TaggedEntity { path: path.into(), kind, tags: vec![tag.into()] };
    vec![entity("R", EntityKind::Record, "T"), entity("R.f", EntityKind::Field, "U")]
}

#[track_caller]
fn check(body: impl Serialize, expected: &str) {
    assert_eq!(serde_json::to_string(&body).unwrap(), expected.replace("GUID", GUID));
}

const RULE_SET: &str = "{\"domainRules\":[{\"name\":\"r\",\"kind\":\"TRANSFORM\",\"mode\":\"WRITEREAD\",\"type\":\"CEL\",\
                        \"tags\":[\"PII\"],\"params\":{\"k\":\"v\"},\"expr\":\"true\",\"onFailure\":\"DLQ\",\
                        \"disabled\":false}],\"enableAt\":\"ALL\"}";
const METADATA: &str =
    "{\"tags\":{\"a\":[\"T\"]},\"properties\":{\"\u{1F600}\":\"1\",\"\u{E000}\":\"2\"},\"sensitive\":[\"p\"]}";
const TAGS: &str = "[{\"schemaEntity\":{\"entityPath\":\"R\",\"entityType\":\"sr_record\"},\"tags\":[\"T\"]},\
                    {\"schemaEntity\":{\"entityPath\":\"R.f\",\"entityType\":\"sr_field\"},\"tags\":[\"U\"]}]";
const REFERENCES: &str = "[{\"name\":\"n\",\"subject\":\"s\",\"version\":1}]";

#[test]
fn versions() {
    check(
        SchemaDto::from(&versioned(bare(), None, None)),
        "{\"subject\":\":.c:s\",\"version\":1,\"id\":7,\"guid\":\"GUID\",\"schemaType\":\"AVRO\",\"schema\":\"\\\"größe/<&>\\\"\"}",
    );
    check(
        SchemaDto::from(&versioned(full(), Some(5), Some(false))),
        &format!(
            "{{\"subject\":\":.c:s\",\"version\":1,\"id\":7,\"guid\":\"GUID\",\"schemaType\":\"AVRO\",\"references\":\
             {REFERENCES},\"metadata\":{METADATA},\"schema\":\"\\\"größe/<&>\\\"\",\"ts\":5,\"deleted\":false,\
             \"ruleSet\":{RULE_SET}}}"
        ),
    );
}

#[test]
fn tags_of_a_version() {
    check(
        SchemaDto::from(&VersionedSchema { tagged: tagged(), ..versioned(bare(), Some(5), None) }),
        &format!(
            "{{\"subject\":\":.c:s\",\"version\":1,\"id\":7,\"guid\":\"GUID\",\"schemaType\":\"AVRO\",\"schema\":\
             \"\\\"größe/<&>\\\"\",\"schemaTags\":{TAGS},\"ts\":5}}"
        ),
    );
}

#[test]
fn empty_metadata_and_rules_are_objects() {
    let content = SchemaContent { metadata: Some(Metadata::default()), rule_set: Some(RuleSet::default()), ..bare() };
    check(
        SchemaDto::from(&versioned(content, None, None)),
        "{\"subject\":\":.c:s\",\"version\":1,\"id\":7,\"guid\":\"GUID\",\"schemaType\":\"AVRO\",\"metadata\":{},\
         \"schema\":\"\\\"größe/<&>\\\"\",\"ruleSet\":{}}",
    );
}

#[test]
fn schemas_by_id() {
    let schema = SchemaById {
        subject: Some(Subject::parse("s")),
        version: Some(Version::FIRST),
        guid: Guid([1; 16]),
        content: full(),
        max_id: SchemaId::new(9),
        ts: Some(5),
        tagged: tagged(),
    };
    check(
        SchemaStringDto::from(&schema),
        &format!(
            "{{\"subject\":\"s\",\"version\":1,\"guid\":\"GUID\",\"schemaType\":\"AVRO\",\"schema\":\
             \"\\\"größe/<&>\\\"\",\"references\":{REFERENCES},\"metadata\":{METADATA},\"ruleSet\":{RULE_SET},\
             \"schemaTags\":{TAGS},\"maxId\":9,\"ts\":5}}"
        ),
    );
    let by_guid = SchemaById {
        subject: None,
        version: None,
        max_id: None,
        ts: None,
        content: bare(),
        tagged: Vec::new(),
        ..schema
    };
    check(
        SchemaStringDto::from(&by_guid),
        "{\"guid\":\"GUID\",\"schemaType\":\"AVRO\",\"schema\":\"\\\"größe/<&>\\\"\"}",
    );
}

#[test]
fn registrations() {
    let registered = Registered {
        id: SchemaId::new(7).unwrap(),
        version: Version::FIRST,
        guid: Guid([1; 16]),
        content: full(),
        ts: Some(5),
        deleted: Some(false),
        is_new: false,
    };
    check(
        RegisteredDto::from(&registered),
        &format!(
            "{{\"id\":7,\"version\":1,\"guid\":\"GUID\",\"schemaType\":\"AVRO\",\"references\":{REFERENCES},\
             \"metadata\":{METADATA},\"ruleSet\":{RULE_SET},\"schema\":\"\\\"größe/<&>\\\"\",\"ts\":5,\
             \"deleted\":false}}"
        ),
    );
}
