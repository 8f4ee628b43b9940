//! Avro: a reference of a reference, inlined by the client, evolution, refusals, the header form.
use apache_avro::types::Value;
use schema_registry_converter::async_impl::avro::{AvroDecoder, AvroEncoder};
use schema_registry_converter::async_impl::schema_registry::{SrSettings, get_all_versions};
use schema_registry_converter::schema_registry_common::{
    SchemaType, SubjectNameStrategy, SuppliedReference, SuppliedSchema,
};

use crate::{Checks, Outcome, refusal};

const STREET: &str =
    r#"{"type":"record","name":"Street","namespace":"shop","fields":[{"name":"name","type":"string"}]}"#;
const ADDRESS: &str =
    r#"{"type":"record","name":"Address","namespace":"shop","fields":[{"name":"street","type":"Street"}]}"#;

fn customer(more: &str) -> SuppliedSchema {
    let schema = format!(
        r#"{{"type":"record","name":"Customer","namespace":"shop","fields":[{{"name":"home","type":"Address"}}{more}]}}"#
    );
    let street = SuppliedReference::new("shop.Street".into(), "street".into(), STREET.into());
    let address = SuppliedReference::new("shop.Address".into(), "address".into(), ADDRESS.into());
    SuppliedSchema::new(Some("shop.Customer".into()), SchemaType::Avro, schema)
        .with_references(vec![address.with_references(vec![street])])
}

fn home() -> Value {
    let street = Value::Record(vec![("name".into(), Value::String("Quay".into()))]);
    Value::Record(vec![("street".into(), street)])
}

fn with_schema(schema: SuppliedSchema) -> SubjectNameStrategy {
    SubjectNameStrategy::TopicNameStrategyWithSchema("avro".into(), false, schema)
}

pub async fn run(url: &str, checks: &mut Checks) -> Outcome {
    let settings = SrSettings::new(url.into());
    let decoder = AvroDecoder::new(settings.clone());
    let encoder = || AvroEncoder::new(settings.clone());

    let old = encoder().encode(vec![("home", home())], with_schema(customer(""))).await?;
    let wanted = Value::Record(vec![("home".into(), home())]);
    checks.equal(&decoder.decode(Some(&old)).await?.value, &wanted, "avro: round trip, references of references");

    let latest = SubjectNameStrategy::TopicNameStrategy("avro".into(), false);
    let again = encoder().encode(vec![("home", home())], latest.clone()).await?;
    checks.equal(&again, &old, "avro: the latest version gives the same bytes");
    let (bytes, header) = encoder().encode_with_header_id(vec![("home", home())], latest, false).await?;
    let read = decoder.decode_with_header_id(Some(&header.value), Some(&bytes)).await?;
    checks.equal(&read.value, &wanted, "avro: round trip, the guid in a header");

    let note = customer(r#",{"name":"note","type":"string","default":""}"#);
    let values = || vec![("home", home()), ("note", Value::String("hi".into()))];
    let new = encoder().encode(values(), with_schema(note)).await?;
    let wanted = Value::Record(values().into_iter().map(|(name, value)| (name.into(), value)).collect());
    checks.equal(&decoder.decode(Some(&new)).await?.value, &wanted, "avro: evolution");
    let versions = get_all_versions(&settings, "avro-value".into()).await?;
    checks.equal(&versions, &vec![1, 2], "avro: versions");

    let bad = with_schema(customer(r#",{"name":"total","type":"double"}"#));
    let values = vec![("home", home()), ("total", Value::Double(1.0))];
    checks.equal(&refusal(encoder().encode(values, bad)).await, &Some(40901), "avro: incompatible, refused");
    let nowhere = SubjectNameStrategy::RecordNameStrategy("nowhere".into());
    checks.equal(&refusal(encoder().encode(vec![], nowhere)).await, &Some(40401), "avro: an unknown subject");
    checks.equal(&refusal(decoder.decode(Some(&[0, 0, 15, 0, 0]))).await, &Some(40403), "avro: an unknown id");
    Ok(())
}
