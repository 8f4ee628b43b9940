//! The meter and the faults themselves, with a plain SDK client over the database.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata as _, SdkError};
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::operation::update_item::{UpdateItemError, UpdateItemOutput};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, KeySchemaElement, KeyType, Put, ReturnValue, ScalarAttributeType,
    TransactWriteItem,
};
use registrar_harness::{Fault, Faults, Meter, Point, Usage, instant_runtime, new_table};

const TABLE: &str = "registry";

async fn client() -> (Client, Meter, Faults) {
    let at = new_table(instant_runtime(1));
    let faults = Faults::around(at.http_client());
    let meter = Meter::around(faults.http_client());
    let client = at.client_through(meter.http_client());
    client
        .create_table()
        .table_name(TABLE)
        .billing_mode(BillingMode::PayPerRequest)
        .key_schema(KeySchemaElement::builder().attribute_name("pk").key_type(KeyType::Hash).build().unwrap())
        .attribute_definitions(
            AttributeDefinition::builder().attribute_name("pk").attribute_type(ScalarAttributeType::S).build().unwrap(),
        )
        .send()
        .await
        .unwrap();
    meter.take();
    faults.reset();
    (client, meter, faults)
}

fn key(pk: &str) -> AttributeValue {
    AttributeValue::S(pk.to_owned())
}

async fn count(client: &Client) -> Result<UpdateItemOutput, SdkError<UpdateItemError>> {
    let add = client.update_item().table_name(TABLE).key("pk", key("n")).update_expression("ADD hits :one");
    let add = add.expression_attribute_values(":one", AttributeValue::N("1".to_owned()));
    add.return_values(ReturnValue::UpdatedNew).send().await
}

async fn hits(client: &Client) -> Option<String> {
    let got = client.get_item().table_name(TABLE).key("pk", key("n")).consistent_read(true).send().await.unwrap();
    Some(got.item?["hits"].as_n().unwrap().clone())
}

async fn transact(client: &Client) -> Result<(), SdkError<TransactWriteItemsError>> {
    let put = |pk| {
        let put = Put::builder().table_name(TABLE).item("pk", key(pk)).build().unwrap();
        TransactWriteItem::builder().put(put).build()
    };
    client.transact_write_items().transact_items(put("a")).transact_items(put("b")).send().await.map(drop)
}

#[tokio::test]
async fn the_meter_counts_calls_rounds_and_units() {
    let (client, meter, _) = client().await;
    transact(&client).await.unwrap();
    tokio::join!(hits(&client), hits(&client), hits(&client));
    count(&client).await.unwrap();
    let expected = Usage {
        calls: BTreeMap::from([("GetItem".into(), 3), ("TransactWriteItems".into(), 1), ("UpdateItem".into(), 1)]),
        rounds: 3,
        read_units: 3.0,
        write_units: 5.0,
    };
    assert_eq!(meter.take(), expected);
    assert_eq!(meter.take(), Usage::default());
}

#[tokio::test]
async fn a_chain_beside_another_call_is_still_a_chain() {
    let (client, meter, faults) = client().await;
    let mut stop = faults.stop_at_call(1, Point::Before);
    let slow = hits(&client);
    let chain = async {
        stop.reached().await;
        hits(&client).await;
        hits(&client).await;
        stop.release();
    };
    tokio::join!(slow, chain);
    assert_eq!((meter.take().rounds, faults.left()), (2, 0));
}

#[tokio::test]
async fn each_fault_fails_once_and_has_its_effect_or_not() {
    let (client, _, faults) = client().await;
    let mut expected = 0;
    for fault in Fault::ALL.into_iter().filter(|fault| fault.can_hit("UpdateItem")) {
        faults.at_next("UpdateItem", fault);
        let error = count(&client).await.unwrap_err();
        match fault {
            Fault::TimeoutBefore | Fault::TimeoutAfter => {
                assert!(matches!(&error, SdkError::DispatchFailure(e) if e.is_timeout()), "{error:?}");
            }
            Fault::InternalError | Fault::InternalErrorAfter => {
                assert_eq!(error.code(), Some("InternalServerError"));
                assert_eq!(error.raw_response().unwrap().status().as_u16(), 500);
            }
            Fault::Refused => assert_eq!(error.code(), Some("AccessDeniedException")),
            Fault::Throttled => assert_eq!(error.code(), Some("ThrottlingException")),
            Fault::Conflict => assert_eq!(error.code(), Some("TransactionConflictException")),
            _ => panic!("{fault:?} is not for a single write"),
        }
        expected += i32::from(fault.takes_effect());
        assert_eq!(hits(&client).await.unwrap_or_else(|| "0".into()), expected.to_string(), "{fault:?}");
    }
    assert_eq!((expected, faults.left()), (2, 0));
    count(&client).await.unwrap();
}

#[tokio::test]
async fn cancelled_transactions_give_a_reason_for_each_action() {
    let (client, _, faults) = client().await;
    for (fault, code) in [(Fault::Conflict, "TransactionConflict"), (Fault::CancelledForLoad, "ThrottlingError")] {
        faults.at_call(1, fault);
        let error = transact(&client).await.unwrap_err().into_service_error();
        let TransactWriteItemsError::TransactionCanceledException(cancelled) = error else { panic!("{error:?}") };
        let codes: Vec<_> = cancelled.cancellation_reasons().iter().map(|reason| reason.code().unwrap()).collect();
        assert_eq!(codes, [code, "None"]);
    }
    transact(&client).await.unwrap();
    assert_eq!(faults.reset(), ["TransactWriteItems"; 3]);
}

#[tokio::test]
async fn faults_strike_the_call_they_are_meant_for() {
    let (client, _, faults) = client().await;
    faults.at_call(3, Fault::TimeoutBefore);
    for succeeds in [true, true, false, true] {
        assert_eq!(count(&client).await.is_ok(), succeeds);
    }
    faults.at_call(1, Fault::TimeoutBefore);
    assert_eq!(faults.reset(), ["UpdateItem"; 4]);
    count(&client).await.unwrap();
    assert_eq!(hits(&client).await.as_deref(), Some("4"));
}

#[tokio::test]
async fn a_call_dropped_at_a_stop_has_happened_or_not() {
    let (client, _, faults) = client().await;
    for (point, expected) in [(Point::Before, None), (Point::After, Some("1".to_owned()))] {
        let mut stop = faults.stop_at_nth("UpdateItem", 1, point);
        tokio::select! {
            _ = count(&client) => panic!("went past the stop"),
            () = stop.reached() => {}
        }
        assert_eq!(hits(&client).await, expected);
    }
}

#[test]
fn a_seed_gives_the_same_numbers_again() {
    let numbers = |seed| {
        let entropy = instant_runtime(seed).entropy;
        (0..4).map(|_| entropy.next()).collect::<Vec<_>>()
    };
    assert_eq!(numbers(7), numbers(7));
    assert_ne!(numbers(7), numbers(8));
    // The generator's published first value for this seed.
    assert_eq!(numbers(1_234_567)[0], 6_457_827_717_110_365_317);
}
