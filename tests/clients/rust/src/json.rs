//! JSON Schema: references of references by name, validation, evolution.
use schema_registry_converter::async_impl::json::{JsonDecoder, JsonEncoder};
use schema_registry_converter::async_impl::schema_registry::{SrSettings, get_all_versions};
use schema_registry_converter::schema_registry_common::{
    SchemaType, SubjectNameStrategy, SuppliedReference, SuppliedSchema,
};
use serde_json::{Value, json};

use crate::{Checks, Outcome, refusal};

fn closed(properties: &Value, required: &[&str]) -> String {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false}).to_string()
}

fn customer(mut properties: Value, required: &[&str]) -> SubjectNameStrategy {
    properties["home"] = json!({"$ref": "address.json"});
    let street = closed(&json!({"name": {"type": "string"}}), &["name"]);
    let street = SuppliedReference::new("street.json".into(), "json-street".into(), street);
    let address = closed(&json!({"street": {"$ref": "street.json"}}), &["street"]);
    let address = SuppliedReference::new("address.json".into(), "json-address".into(), address);
    let schema = SuppliedSchema::new(None, SchemaType::Json, closed(&properties, required))
        .with_references(vec![address.with_references(vec![street])]);
    SubjectNameStrategy::TopicNameStrategyWithSchema("json".into(), false, schema)
}

pub async fn run(url: &str, checks: &mut Checks) -> Outcome {
    let settings = SrSettings::new(url.into());
    let decoder = JsonDecoder::new(settings.clone());
    let encoder = || JsonEncoder::new(settings.clone());

    let value = json!({"home": {"street": {"name": "Quay"}}});
    let data = encoder().encode(&value, customer(json!({}), &["home"])).await?;
    let read = decoder.decode(Some(&data)).await?.ok_or("nothing decoded")?;
    checks.equal(&read.value, &value, "json: round trip, references of references");
    checks.equal(&decoder.validate(&read.schema, &value).is_ok(), &true, "json: the value is valid as read");
    let wrong = json!({"home": {"street": {"number": 3}}});
    checks.equal(&decoder.validate(&read.schema, &wrong).is_ok(), &false, "json: checked two references deep");

    let latest = SubjectNameStrategy::TopicNameStrategy("json".into(), false);
    let (bytes, header) = encoder().encode_with_header_id(&value, latest, false).await?;
    let read = decoder.decode_with_header_id(Some(&header.value), Some(&bytes)).await?;
    checks.equal(&read.map(|read| read.value), &Some(value), "json: round trip, the guid in a header");

    let noted = json!({"home": {"street": {"name": "Quay"}}, "note": "hi"});
    let data = encoder().encode(&noted, customer(json!({"note": {"type": "string"}}), &["home"])).await?;
    let read = decoder.decode(Some(&data)).await?.map(|read| read.value);
    checks.equal(&read, &Some(noted.clone()), "json: evolution");
    let versions = get_all_versions(&settings, "json-value".into()).await?;
    checks.equal(&versions, &vec![1, 2], "json: versions");
    let bad = customer(json!({"note": {"type": "string"}}), &["home", "note"]);
    checks.equal(&refusal(encoder().encode(&noted, bad)).await, &Some(40901), "json: incompatible, refused");
    Ok(())
}
