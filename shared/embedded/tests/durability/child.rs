//! The writer, and the check of what it has written.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, KeySchemaElement, KeyType, Put, ScalarAttributeType,
    TransactWriteItem, Update,
};
use registrar_embedded::Embedded;

pub(crate) const ROLE: &str = "write-until-stopped";

const TABLE: &str = "registry";
const COUNTER: &str = "counter";

/// Writes numbered items, each with the counter in one transaction, and prints each number once it is acknowledged.
/// Ends, well, at the first failure that is the server's, of which it prints status and message.
pub(crate) fn write_until_stopped(dir: &Path) -> ExitCode {
    block_on(async {
        let client = client(dir);
        create_table(&client).await;
        let mut next = highest(&client).await + 1;
        loop {
            if let Err(error) = write(&client, next).await {
                return report(&error);
            }
            println!("{next}");
            std::io::stdout().flush().unwrap();
            next += 1;
        }
    })
}

/// The number of transactions found in the folder: the counter and the items say the same, and no item is missing.
pub(crate) fn check(dir: &Path) -> usize {
    block_on(async {
        let client = client(dir);
        let counted = highest(&client).await;
        for number in 1..=counted {
            assert!(get(&client, &number.to_string()).await.is_some(), "{number} of {counted} is missing");
        }
        assert_eq!(get(&client, &(counted + 1).to_string()).await, None, "an item without its count");
        write(&client, counted + 1).await.unwrap();
        counted
    })
}

fn report(error: &SdkError<TransactWriteItemsError>) -> ExitCode {
    let status = error.raw_response().map_or(0, |response| response.status().as_u16());
    let text = error.as_service_error().map(ToString::to_string).unwrap_or_default();
    println!("failed {status} {}", text.replace('\n', " "));
    ExitCode::SUCCESS
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(work)
}

fn client(dir: &Path) -> Client {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(aws_sdk_dynamodb::config::BehaviorVersion::v2026_01_12())
        .region(aws_sdk_dynamodb::config::Region::new("us-east-1"))
        .credentials_provider(aws_credential_types::Credentials::new("key", "secret", None, None, "test"))
        .endpoint_url("http://embedded.invalid")
        .retry_config(aws_sdk_dynamodb::config::retry::RetryConfig::disabled())
        .http_client(Embedded::open(dir).unwrap().http_client())
        .build();
    Client::from_conf(config)
}

async fn create_table(client: &Client) {
    let made = client
        .create_table()
        .table_name(TABLE)
        .billing_mode(BillingMode::PayPerRequest)
        .key_schema(KeySchemaElement::builder().attribute_name("pk").key_type(KeyType::Hash).build().unwrap())
        .attribute_definitions(
            AttributeDefinition::builder().attribute_name("pk").attribute_type(ScalarAttributeType::S).build().unwrap(),
        )
        .send()
        .await;
    if let Err(error) = made {
        assert!(error.as_service_error().unwrap().is_resource_in_use_exception(), "{error:?}");
    }
}

async fn write(client: &Client, number: usize) -> Result<(), SdkError<TransactWriteItemsError>> {
    let put = Put::builder()
        .table_name(TABLE)
        .item("pk", AttributeValue::S(number.to_string()))
        .item("body", AttributeValue::S("x".repeat(2000)))
        .condition_expression("attribute_not_exists(pk)")
        .build()
        .unwrap();
    let count = Update::builder()
        .table_name(TABLE)
        .key("pk", AttributeValue::S(COUNTER.to_owned()))
        .update_expression("ADD hits :one")
        .expression_attribute_values(":one", AttributeValue::N("1".to_owned()))
        .build()
        .unwrap();
    client
        .transact_write_items()
        .transact_items(TransactWriteItem::builder().put(put).build())
        .transact_items(TransactWriteItem::builder().update(count).build())
        .send()
        .await
        .map(drop)
}

async fn highest(client: &Client) -> usize {
    get(client, COUNTER).await.map_or(0, |count| count.as_n().unwrap().parse().unwrap())
}

/// The counter's value, or the key of another item.
async fn get(client: &Client, pk: &str) -> Option<AttributeValue> {
    let got = client.get_item().table_name(TABLE).key("pk", AttributeValue::S(pk.to_owned())).consistent_read(true);
    let mut item = got.send().await.unwrap().item?;
    item.remove("hits").or_else(|| item.remove("pk"))
}
