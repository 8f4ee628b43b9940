//! A client over a fresh table, and short names for the SDK's builders.

use std::collections::HashMap;
use std::fmt::Display;

use aws_credential_types::Credentials;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Region};
use aws_sdk_dynamodb::error::ProvideErrorMetadata as _;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, CancellationReason, ConditionCheck, Delete, KeySchemaElement,
    KeyType, Put, ReturnValuesOnConditionCheckFailure, ScalarAttributeType, TransactWriteItem, Update,
};
use registrar_embedded::Embedded;

pub(crate) const TABLE: &str = "registry";

pub(crate) type Item = HashMap<String, AttributeValue>;

pub(crate) fn client_of(embedded: &Embedded) -> Client {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::v2026_01_12())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("key", "secret", None, None, "test"))
        .endpoint_url("http://embedded.invalid")
        .retry_config(RetryConfig::disabled())
        .http_client(embedded.http_client())
        .build();
    Client::from_conf(config)
}

/// A client of an empty table in memory, keyed `pk` and `sk`, both strings.
pub(crate) async fn table() -> Client {
    let client = client_of(&Embedded::in_memory().unwrap());
    create_table(&client).await;
    client
}

pub(crate) async fn create_table(client: &Client) {
    let key = |name: &str, kind| KeySchemaElement::builder().attribute_name(name).key_type(kind).build().unwrap();
    let text = |name: &str| {
        AttributeDefinition::builder().attribute_name(name).attribute_type(ScalarAttributeType::S).build().unwrap()
    };
    client
        .create_table()
        .table_name(TABLE)
        .billing_mode(BillingMode::PayPerRequest)
        .key_schema(key("pk", KeyType::Hash))
        .key_schema(key("sk", KeyType::Range))
        .attribute_definitions(text("pk"))
        .attribute_definitions(text("sk"))
        .send()
        .await
        .unwrap();
}

pub(crate) fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

pub(crate) fn n(number: impl Display) -> AttributeValue {
    AttributeValue::N(format!("{number}"))
}

pub(crate) fn b(bytes: impl Into<Vec<u8>>) -> AttributeValue {
    AttributeValue::B(Blob::new(bytes.into()))
}

/// An item of the two key attributes and these.
pub(crate) fn item<const N: usize>(pk: &str, sk: &str, rest: [(&str, AttributeValue); N]) -> Item {
    let mut item = key(pk, sk);
    item.extend(rest.into_iter().map(|(name, value)| (name.to_owned(), value)));
    item
}

pub(crate) fn key(pk: &str, sk: &str) -> Item {
    HashMap::from([("pk".to_owned(), s(pk)), ("sk".to_owned(), s(sk))])
}

fn values<const N: usize>(values: [(&str, AttributeValue); N]) -> Option<Item> {
    (N > 0).then(|| values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

pub(crate) fn put(item: Item) -> TransactWriteItem {
    let put = Put::builder().table_name(TABLE).set_item(Some(item)).build().unwrap();
    TransactWriteItem::builder().put(put).build()
}

pub(crate) fn put_if<const N: usize>(
    item: Item,
    condition: &str,
    with: [(&str, AttributeValue); N],
) -> TransactWriteItem {
    let put = Put::builder()
        .table_name(TABLE)
        .set_item(Some(item))
        .condition_expression(condition)
        .set_expression_attribute_values(values(with))
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .build()
        .unwrap();
    TransactWriteItem::builder().put(put).build()
}

pub(crate) fn update<const N: usize>(
    key: Item,
    change: &str,
    condition: Option<&str>,
    with: [(&str, AttributeValue); N],
) -> TransactWriteItem {
    let update = Update::builder()
        .table_name(TABLE)
        .set_key(Some(key))
        .update_expression(change)
        .set_condition_expression(condition.map(str::to_owned))
        .set_expression_attribute_values(values(with))
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .build()
        .unwrap();
    TransactWriteItem::builder().update(update).build()
}

pub(crate) fn delete<const N: usize>(
    key: Item,
    condition: &str,
    with: [(&str, AttributeValue); N],
) -> TransactWriteItem {
    let delete = Delete::builder()
        .table_name(TABLE)
        .set_key(Some(key))
        .condition_expression(condition)
        .set_expression_attribute_values(values(with))
        .build()
        .unwrap();
    TransactWriteItem::builder().delete(delete).build()
}

pub(crate) fn check<const N: usize>(
    key: Item,
    condition: &str,
    with: [(&str, AttributeValue); N],
) -> TransactWriteItem {
    let check = ConditionCheck::builder()
        .table_name(TABLE)
        .set_key(Some(key))
        .condition_expression(condition)
        .set_expression_attribute_values(values(with))
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .build()
        .unwrap();
    TransactWriteItem::builder().condition_check(check).build()
}

/// What became of a transaction.
#[derive(Debug)]
pub(crate) enum Outcome {
    Committed,
    Cancelled(Vec<CancellationReason>),
    /// Error code and message.
    Refused(String, String),
}

impl Outcome {
    /// The code of each reason, in the order of the actions; empty if the transaction was committed.
    #[track_caller]
    pub(crate) fn codes(&self) -> Vec<&str> {
        match self {
            Self::Committed => Vec::new(),
            Self::Cancelled(reasons) => reasons.iter().map(|reason| reason.code().unwrap_or("")).collect(),
            Self::Refused(code, message) => panic!("refused: {code} {message}"),
        }
    }

    #[track_caller]
    pub(crate) fn refusal(&self) -> (&str, &str) {
        match self {
            Self::Refused(code, message) => (code, message),
            other => panic!("not refused: {other:?}"),
        }
    }
}

pub(crate) async fn transact(client: &Client, actions: impl IntoIterator<Item = TransactWriteItem>) -> Outcome {
    let actions: Vec<_> = actions.into_iter().collect();
    let sent = client.transact_write_items().set_transact_items(Some(actions)).send().await;
    outcome(sent.err().map(aws_sdk_dynamodb::error::SdkError::into_service_error))
}

pub(crate) fn outcome(error: Option<TransactWriteItemsError>) -> Outcome {
    match error {
        None => Outcome::Committed,
        Some(TransactWriteItemsError::TransactionCanceledException(e)) => {
            Outcome::Cancelled(e.cancellation_reasons().to_vec())
        }
        Some(e) => Outcome::Refused(e.code().unwrap_or("").to_owned(), e.message().unwrap_or("").to_owned()),
    }
}

pub(crate) async fn get(client: &Client, pk: &str, sk: &str) -> Option<Item> {
    let got = client.get_item().table_name(TABLE).set_key(Some(key(pk, sk))).consistent_read(true).send().await;
    got.unwrap().item
}

pub(crate) async fn put_all(client: &Client, items: impl IntoIterator<Item = Item>) {
    for item in items {
        client.put_item().table_name(TABLE).set_item(Some(item)).send().await.unwrap();
    }
}

/// Code and message of a failed call.
#[track_caller]
pub(crate) fn refused<T: std::fmt::Debug, E, R>(
    result: Result<T, aws_sdk_dynamodb::error::SdkError<E, R>>,
) -> (String, String)
where
    E: aws_sdk_dynamodb::error::ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
    R: std::fmt::Debug + Send + Sync + 'static,
{
    let error = result.unwrap_err();
    (error.code().unwrap_or("").to_owned(), error.message().unwrap_or("").to_owned())
}
