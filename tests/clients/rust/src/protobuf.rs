//! Protobuf, which this client sends and reads as text: imports of imports and well-known types.
use schema_registry_converter::async_impl::proto_decoder::ProtoDecoder;
use schema_registry_converter::async_impl::proto_encoder::ProtoEncoder;
use schema_registry_converter::async_impl::schema_registry::{
    SrSettings, get_all_subjects, get_all_versions, get_schema_by_subject_and_version,
};
use schema_registry_converter::prost_reflect::Value as Decoded;
use schema_registry_converter::schema_registry_common::{
    SchemaType, SubjectNameStrategy, SuppliedReference, SuppliedSchema,
};
use serde_json::{Value, json};

use crate::{Checks, Outcome, refusal};

const PRICE: &str = r#"syntax = "proto3";
package shop;
import "google/protobuf/wrappers.proto";
message Price {
  int64 cents = 1;
  google.protobuf.BoolValue taxed = 2;
}
"#;
const ITEM: &str = r#"syntax = "proto3";
package shop;
import "shop/price.proto";
message Item {
  string name = 1;
  Price price = 2;
}
"#;

fn order(more: &str) -> SubjectNameStrategy {
    let schema = format!(
        r#"syntax = "proto3";
package shop;
import "shop/item.proto";
import "google/protobuf/timestamp.proto";
message Order {{
  int64 id = 1;
  repeated Item items = 2;
  google.protobuf.Timestamp placed = 3;
  map<string, int32> counts = 4;
  {more}
}}
"#
    );
    let price = SuppliedReference::new("shop/price.proto".into(), "shop/price.proto".into(), PRICE.into());
    let item = SuppliedReference::new("shop/item.proto".into(), "shop/item.proto".into(), ITEM.into());
    let schema = SuppliedSchema::new(Some("shop.Order".into()), SchemaType::Protobuf, schema)
        .with_references(vec![item.with_references(vec![price])]);
    SubjectNameStrategy::TopicNameStrategyWithSchema("protobuf".into(), false, schema)
}

fn value() -> Value {
    json!({
        "id": "7",
        "items": [{"name": "Tea", "price": {"cents": "450", "taxed": true}}],
        "placed": "2023-11-14T22:13:20Z",
        "counts": {"a": 1},
    })
}

/// The message as JSON; nothing when there was no message.
fn as_json(decoded: &Decoded) -> Result<Value, serde_json::Error> {
    match decoded {
        Decoded::Message(message) => serde_json::to_value(message),
        _ => Ok(Value::Null),
    }
}

pub async fn run(url: &str, checks: &mut Checks) -> Outcome {
    let settings = SrSettings::new(url.into());
    let decoder = ProtoDecoder::new(settings.clone());
    let encoder = || ProtoEncoder::new(settings.clone());

    let old = encoder().encode_json(&value(), "shop.Order", &order("")).await?;
    checks.equal(&as_json(&decoder.decode(Some(&old)).await?)?, &value(), "protobuf: round trip, imports of imports");
    let subjects = get_all_subjects(&settings).await?;
    let files: Vec<_> = subjects.iter().map(String::as_str).filter(|subject| subject.contains(".proto")).collect();
    checks.equal(&files, &vec!["shop/item.proto", "shop/price.proto"], "protobuf: the imports are subjects");
    let stored = get_schema_by_subject_and_version(&settings, "shop/item.proto", Some(1)).await?;
    let imports: Vec<_> = stored.references.iter().map(|each| each.name.as_str()).collect();
    checks.equal(&imports, &vec!["shop/price.proto"], "protobuf: the second level has its reference");

    let latest = SubjectNameStrategy::TopicNameStrategy("protobuf".into(), false);
    let again = encoder().encode_json(&value(), "shop.Order", &latest).await?;
    checks.equal(&again, &old, "protobuf: the latest version gives the same bytes");
    let (bytes, header) = encoder().encode_json_with_header_id(&value(), "shop.Order", &latest, false).await?;
    let read = decoder.decode_with_header_id(Some(&header.value), Some(&bytes)).await?;
    checks.equal(&as_json(&read)?, &value(), "protobuf: round trip, the guid in a header");

    let mut noted = value();
    noted["note"] = json!("hi");
    let new = encoder().encode_json(&noted, "shop.Order", &order("string note = 5;")).await?;
    checks.equal(&as_json(&decoder.decode(Some(&new)).await?)?, &noted, "protobuf: evolution");
    let versions = get_all_versions(&settings, "protobuf-value".into()).await?;
    checks.equal(&versions, &vec![1, 2], "protobuf: versions");
    let bad = order("fixed64 note = 5;");
    let refused = refusal(encoder().encode_json(&value(), "shop.Order", &bad)).await;
    checks.equal(&refused, &Some(40901), "protobuf: incompatible, refused");
    let bad = order("Missing note = 5;");
    let refused = refusal(encoder().encode_json(&value(), "shop.Order", &bad)).await;
    checks.equal(&refused, &Some(42201), "protobuf: an unknown type, refused");
    Ok(())
}
