//! `UpdateItem`: counters, first writes, and changes within maps.

use std::collections::HashMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValue};

use crate::support::{Item, TABLE, get, item, key, n, put_all, refused, s, table};

async fn update<const N: usize>(
    client: &Client,
    change: &str,
    condition: Option<&str>,
    with: [(&str, AttributeValue); N],
) -> Result<Item, (String, String)> {
    let mut call = client
        .update_item()
        .table_name(TABLE)
        .set_key(Some(key("a", "#")))
        .update_expression(change)
        .set_condition_expression(condition.map(str::to_owned))
        .return_values(ReturnValue::UpdatedNew);
    for (name, value) in with {
        call = call.expression_attribute_values(name, value);
    }
    match call.send().await {
        Ok(done) => Ok(done.attributes.unwrap_or_default()),
        Err(e) => Err(refused::<(), _, _>(Err(e))),
    }
}

#[tokio::test]
async fn add_counts_from_nothing_and_returns_the_new_value() {
    let client = table().await;
    for expected in 1..=3 {
        let new = update(&client, "ADD hits :one", None, [(":one", n(1))]).await.unwrap();
        assert_eq!(new, HashMap::from([("hits".to_owned(), n(expected))]));
    }
    let new = update(&client, "ADD hits :by SET room = :s", None, [(":by", n(-5)), (":s", n(0))]).await.unwrap();
    assert_eq!(new["hits"], n(-2));
}

#[tokio::test]
async fn concurrent_adds_never_give_one_number_twice() {
    let client = table().await;
    let tasks: Vec<_> = (0..64)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { update(&client, "ADD hits :one", None, [(":one", n(1))]).await.unwrap() })
        })
        .collect();
    let mut seen = Vec::new();
    for task in tasks {
        seen.push(task.await.unwrap()["hits"].as_n().unwrap().parse::<u32>().unwrap());
    }
    seen.sort_unstable();
    assert_eq!(seen, (1..=64).collect::<Vec<_>>());
}

#[tokio::test]
async fn set_guards_first_writes() {
    let client = table().await;
    let first = update(&client, "SET tag = :t", Some("attribute_not_exists(pk)"), [(":t", n(1))]).await;
    assert_eq!(first.unwrap()["tag"], n(1));
    let second = update(&client, "SET tag = :t", Some("attribute_not_exists(pk)"), [(":t", n(2))]).await;
    assert_eq!(second.unwrap_err().0, "ConditionalCheckFailedException");

    let kept = update(&client, "SET tag = if_not_exists(tag, :t), low = if_not_exists(low, :t)", None, [(":t", n(9))]);
    assert_eq!(kept.await.unwrap(), HashMap::from([("tag".to_owned(), n(1)), ("low".to_owned(), n(9))]));
    let sum = update(&client, "SET tag = if_not_exists(tag, :zero) + :one", None, [(":zero", n(0)), (":one", n(1))]);
    assert_eq!(sum.await.unwrap()["tag"], n(2));
}

#[tokio::test]
async fn members_of_maps_are_set_and_removed_alone() {
    let client = table().await;
    let map = AttributeValue::M(HashMap::from([("x".to_owned(), n(1)), ("y".to_owned(), s("why"))]));
    put_all(&client, [item("a", "#", [("m", map), ("keep", s("kept"))])]).await;
    update(&client, "SET m.x = :x, m.z = :z REMOVE m.y", None, [(":x", n(2)), (":z", s("new"))]).await.unwrap();
    let expected = AttributeValue::M(HashMap::from([("x".to_owned(), n(2)), ("z".to_owned(), s("new"))]));
    assert_eq!(get(&client, "a", "#").await.unwrap(), item("a", "#", [("m", expected), ("keep", s("kept"))]));

    let no_parent = update(&client, "SET absent.x = :x", None, [(":x", n(2))]).await.unwrap_err();
    assert_eq!(no_parent.0, "ValidationException");
    let guarded = update(&client, "SET m.x = :x", Some("m.x = :seen"), [(":x", n(3)), (":seen", n(1))]).await;
    assert_eq!(guarded.unwrap_err().0, "ConditionalCheckFailedException");
}

#[tokio::test]
async fn an_update_that_only_removes_creates_the_item() {
    let client = table().await;
    update(&client, "REMOVE nothing", None, []).await.unwrap();
    assert_eq!(get(&client, "a", "#").await.unwrap(), key("a", "#"));
}

#[tokio::test]
async fn keys_and_mistakes_are_refused() {
    let client = table().await;
    for (change, with) in [
        ("SET pk = :v", [(":v", s("other"))]),
        ("SET name = :v", [(":v", s("a reserved word"))]),
        ("SET tag = :unknown", [(":v", s("unused"))]),
        ("SET tag == :v", [(":v", s("syntax"))]),
        ("ADD tag :v", [(":v", s("text"))]),
    ] {
        assert_eq!(update(&client, change, None, with).await.unwrap_err().0, "ValidationException", "{change}");
    }
    assert_eq!(get(&client, "a", "#").await, None);
}
