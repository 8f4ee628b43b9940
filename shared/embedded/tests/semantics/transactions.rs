//! `TransactWriteItems`: all or nothing, one reason per action, old items returned, tokens.

use aws_sdk_dynamodb::types::ReturnConsumedCapacity;

use crate::support::{
    Outcome, check, delete, get, item, key, n, outcome, put, put_all, put_if, s, table, transact, update,
};

#[tokio::test]
async fn commits_all_actions_or_none_and_gives_a_reason_for_each() {
    let client = table().await;
    put_all(&client, [item("a", "!", [("tag", n(3))]), item("b", "!", [("tag", n(7))])]).await;
    let actions = |seen_a: i32, seen_b: i32| {
        [
            update(key("a", "!"), "SET tag = :next", Some("tag = :seen"), [(":next", n(4)), (":seen", n(seen_a))]),
            check(key("b", "!"), "tag = :seen", [(":seen", n(seen_b))]),
            put_if(item("c", "#", []), "attribute_not_exists(pk)", []),
            delete(key("d", "#"), "attribute_not_exists(pk)", []),
        ]
    };

    let cancelled = transact(&client, actions(3, 8)).await;
    assert_eq!(cancelled.codes(), ["None", "ConditionalCheckFailed", "None", "None"]);
    assert_eq!(get(&client, "a", "!").await.unwrap()["tag"], n(3));
    assert_eq!(get(&client, "c", "#").await, None);

    let both = transact(&client, actions(2, 8)).await;
    assert_eq!(both.codes(), ["ConditionalCheckFailed", "ConditionalCheckFailed", "None", "None"]);

    assert!(matches!(transact(&client, actions(3, 7)).await, Outcome::Committed));
    assert_eq!(get(&client, "a", "!").await.unwrap()["tag"], n(4));
    assert!(get(&client, "c", "#").await.is_some());
}

#[tokio::test]
async fn a_failed_condition_returns_the_item_it_failed_on() {
    let client = table().await;
    let winner = item("f", "#", [("id", n(7)), ("body", s(""))]);
    put_all(&client, [winner.clone()]).await;

    for action in [
        put_if(item("f", "#", [("id", n(8))]), "attribute_not_exists(pk)", []),
        update(key("f", "#"), "ADD uses :one", Some("id = :id"), [(":one", n(1)), (":id", n(8))]),
        check(key("f", "#"), "id = :id", [(":id", n(8))]),
    ] {
        let Outcome::Cancelled(reasons) = transact(&client, [put(item("g", "#", [])), action]).await else {
            panic!("committed");
        };
        assert_eq!(reasons[0].item, None);
        assert_eq!(reasons[1].item, Some(winner.clone()));
    }
    let absent = transact(&client, [check(key("h", "#"), "attribute_exists(pk)", [])]).await;
    let Outcome::Cancelled(reasons) = absent else { panic!("committed") };
    assert_eq!((reasons[0].code(), &reasons[0].item), (Some("ConditionalCheckFailed"), &None));
}

#[tokio::test]
async fn one_item_takes_one_action() {
    let client = table().await;
    let twice = transact(&client, [put(item("a", "!", [])), check(key("a", "!"), "attribute_exists(pk)", [])]).await;
    let (code, message) = twice.refusal();
    assert_eq!(code, "ValidationException");
    assert!(message.contains("multiple operations on one item"), "{message}");
    assert_eq!(get(&client, "a", "!").await, None);
}

#[tokio::test]
async fn a_token_makes_a_repeat_a_success_without_effect() {
    let client = table().await;
    let send = |token: &'static str, by: i32| {
        let add = update(key("n", "#"), "ADD hits :by", None, [(":by", n(by))]);
        let new = put_if(item("x", token, []), "attribute_not_exists(pk)", []);
        let call = client.transact_write_items().client_request_token(token).transact_items(add).transact_items(new);
        async move { outcome(call.send().await.err().map(aws_sdk_dynamodb::error::SdkError::into_service_error)) }
    };
    assert!(matches!(send("one", 1).await, Outcome::Committed));
    assert!(matches!(send("one", 1).await, Outcome::Committed));
    assert_eq!(get(&client, "n", "#").await.unwrap()["hits"], n(1));

    assert_eq!(send("one", 2).await.refusal().0, "IdempotentParameterMismatchException");
    assert!(matches!(send("two", 2).await, Outcome::Committed));
    assert_eq!(get(&client, "n", "#").await.unwrap()["hits"], n(3));

    let long = "x".repeat(37);
    let refused = client.transact_write_items().client_request_token(long).transact_items(put(item("y", "#", [])));
    let refused = refused.send().await.map_err(aws_sdk_dynamodb::error::SdkError::into_service_error);
    assert_eq!(outcome(refused.err()).refusal().0, "ValidationException");
}

#[tokio::test]
async fn a_token_of_a_cancelled_transaction_is_tried_again() {
    let client = table().await;
    let send = || {
        let update = update(key("n", "#"), "ADD hits :by", Some("attribute_exists(pk)"), [(":by", n(1))]);
        let call = client.transact_write_items().client_request_token("t").transact_items(update);
        async move { outcome(call.send().await.err().map(aws_sdk_dynamodb::error::SdkError::into_service_error)) }
    };
    assert_eq!(send().await.codes(), ["ConditionalCheckFailed"]);
    put_all(&client, [item("n", "#", [("hits", n(5))])]).await;
    assert!(matches!(send().await, Outcome::Committed));
    assert_eq!(get(&client, "n", "#").await.unwrap()["hits"], n(6));
}

#[tokio::test]
async fn a_repeat_is_charged_as_a_read() {
    let client = table().await;
    let send = || {
        client
            .transact_write_items()
            .client_request_token("t")
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .transact_items(put(item("a", "#", [])))
            .transact_items(put(item("b", "#", [])))
            .send()
    };
    let mut units = Vec::new();
    for _ in 0..2 {
        units.push(send().await.unwrap().consumed_capacity()[0].clone());
    }
    // Two items of under 1 KB: 2 × 2 units to write, and as a replay 2 × 2 units to read.
    assert_eq!((units[0].capacity_units(), units[0].read_capacity_units()), (Some(4.0), None));
    assert_eq!((units[1].capacity_units(), units[1].read_capacity_units()), (Some(4.0), Some(4.0)));
}

#[tokio::test]
async fn many_writers_of_one_counter_lose_nothing() {
    let client = table().await;
    let writers = (0..16).map(|_| {
        let client = client.clone();
        tokio::spawn(async move {
            for _ in 0..25 {
                let add = update(key("n", "#"), "ADD hits :by", None, [(":by", n(1))]);
                assert!(matches!(transact(&client, [add]).await, Outcome::Committed));
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    assert_eq!(get(&client, "n", "#").await.unwrap()["hits"], n(400));
}
