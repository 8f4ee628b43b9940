//! Queries and batch reads: ranges, order, limits, pages.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::{KeysAndAttributes, ReturnConsumedCapacity};

use crate::support::{TABLE, b, item, key, n, put_all, s, table};

fn query(client: &Client, condition: &str, pk: &str) -> QueryFluentBuilder {
    client
        .query()
        .table_name(TABLE)
        .consistent_read(true)
        .key_condition_expression(condition)
        .expression_attribute_values(":pk", s(pk))
}

fn sort_keys(page: &QueryOutput) -> Vec<&str> {
    page.items().iter().map(|item| item["sk"].as_s().unwrap().as_str()).collect()
}

/// A subject of 20 versions among the items of others.
async fn subject() -> Client {
    let client = table().await;
    put_all(&client, [item("s", "!", []), item("s", "L#0", []), item("s", "R#0", []), item("s!", "V#0000000001", [])])
        .await;
    put_all(&client, (1..=20).rev().map(|v| item("s", &format!("V#{v:010}"), [("id", n(100 + v))]))).await;
    client
}

#[tokio::test]
async fn ranges_run_in_key_order_both_ways() {
    let client = subject().await;
    let all = query(&client, "pk = :pk", "s").send().await.unwrap();
    assert_eq!(all.count(), 23);
    assert_eq!(sort_keys(&all)[..3], ["!", "L#0", "R#0"]);

    let versions = query(&client, "pk = :pk AND begins_with(sk, :p)", "s").expression_attribute_values(":p", s("V#"));
    let up = versions.clone().send().await.unwrap();
    let down = versions.clone().scan_index_forward(false).send().await.unwrap();
    assert_eq!((up.count(), sort_keys(&up)[0]), (20, "V#0000000001"));
    assert!(sort_keys(&up).is_sorted());
    assert!(sort_keys(&down).iter().rev().is_sorted());

    let latest = versions.scan_index_forward(false).limit(1).send().await.unwrap();
    assert_eq!(sort_keys(&latest), ["V#0000000020"]);

    let between = query(&client, "pk = :pk AND sk BETWEEN :a AND :b", "s")
        .expression_attribute_values(":a", s("V#0000000005"))
        .expression_attribute_values(":b", s("V#0000000007"))
        .send();
    assert_eq!(sort_keys(&between.await.unwrap()), ["V#0000000005", "V#0000000006", "V#0000000007"]);

    let below = query(&client, "pk = :pk AND sk < :a", "s").expression_attribute_values(":a", s("V#0000000003"));
    assert_eq!(below.send().await.unwrap().count(), 5);
    assert_eq!(query(&client, "pk = :pk", "none").send().await.unwrap().count(), 0);
}

#[tokio::test]
async fn keys_are_compared_by_bytes() {
    let client = table().await;
    let keys = ["", "A", "Z", "a", "z", "é", "\u{ffff}", "\u{10000}"];
    put_all(&client, keys.iter().skip(1).rev().map(|sk| item("s", sk, []))).await;
    let all = query(&client, "pk = :pk", "s").send().await.unwrap();
    assert_eq!(sort_keys(&all), keys[1..]);
}

#[tokio::test]
async fn pages_join_without_loss_or_repeat() {
    let client = subject().await;
    let versions = query(&client, "pk = :pk AND begins_with(sk, :p)", "s").expression_attribute_values(":p", s("V#"));
    let mut start = None;
    let mut seen = Vec::new();
    loop {
        let page = versions.clone().limit(7).set_exclusive_start_key(start).send().await.unwrap();
        seen.extend(sort_keys(&page).into_iter().map(str::to_owned));
        start = page.last_evaluated_key;
        if start.is_none() {
            break;
        }
    }
    assert_eq!(seen, (1..=20).map(|v| format!("V#{v:010}")).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_page_ends_at_one_megabyte() {
    let client = table().await;
    put_all(&client, (0..30).map(|i| item("big", &format!("C#{i:03}"), [("d", b(vec![7; 100_000]))]))).await;
    let first = query(&client, "pk = :pk", "big").return_consumed_capacity(ReturnConsumedCapacity::Total).send();
    let first = first.await.unwrap();
    // 1 MB is 1,048,576 bytes. Whether the item that crosses it is still in the page is nothing to rely on.
    assert!((10..=11).contains(&first.count()), "{}", first.count());
    assert!(first.last_evaluated_key().is_some());
    let units = first.consumed_capacity().unwrap().capacity_units().unwrap();
    assert!((244.0..=270.0).contains(&units), "{units}");

    let mut pages = query(&client, "pk = :pk", "big").into_paginator().send();
    let mut sizes = Vec::new();
    while let Some(page) = pages.next().await {
        sizes.push(page.unwrap().count());
    }
    assert_eq!(sizes.iter().sum::<i32>(), 30);
}

#[tokio::test]
async fn projections_leave_the_rest_out() {
    let client = subject().await;
    let versions = query(&client, "pk = :pk AND sk = :sk", "s").expression_attribute_values(":sk", s("V#0000000003"));
    let page = versions.projection_expression("id").send().await.unwrap();
    assert_eq!(page.items()[0].iter().collect::<Vec<_>>(), [(&"id".to_owned(), &n(103))]);
}

#[tokio::test]
async fn filters_apply_after_the_limit_and_are_charged() {
    let client = subject().await;
    let page = query(&client, "pk = :pk AND begins_with(sk, :p)", "s")
        .expression_attribute_values(":p", s("V#"))
        .filter_expression("id > :id")
        .expression_attribute_values(":id", n(104))
        .limit(5)
        .send()
        .await
        .unwrap();
    assert_eq!((page.count(), page.scanned_count()), (1, 5));
    assert!(page.last_evaluated_key().is_some());
}

#[tokio::test]
async fn a_batch_reads_what_is_there() {
    let client = subject().await;
    let wanted = [key("s", "!"), key("s", "V#0000000004"), key("s", "absent"), key("absent", "!")];
    let keys = KeysAndAttributes::builder().set_keys(Some(wanted.to_vec())).consistent_read(true).build().unwrap();
    let got = client
        .batch_get_item()
        .request_items(TABLE, keys)
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
        .send()
        .await
        .unwrap();
    let mut found: Vec<_> = got.responses().unwrap()[TABLE].iter().map(|item| item["sk"].as_s().unwrap()).collect();
    found.sort();
    assert_eq!(found, ["!", "V#0000000004"]);
    assert!(got.unprocessed_keys().is_none_or(std::collections::HashMap::is_empty));
    assert_eq!(got.consumed_capacity()[0].capacity_units().unwrap().to_string(), "4");
}

#[tokio::test]
async fn a_batch_over_16_megabytes_leaves_keys_for_later() {
    let client = table().await;
    let keys: Vec<_> = (0..60).map(|i| key("big", &format!("C#{i:03}"))).collect();
    for key in &keys {
        let mut item = key.clone();
        item.insert("d".to_owned(), b(vec![7; 380_000]));
        put_all(&client, [item]).await;
    }
    let mut wanted = keys;
    let mut got = 0;
    let mut rounds = 0;
    while !wanted.is_empty() {
        let batch = KeysAndAttributes::builder().set_keys(Some(wanted)).consistent_read(true).build().unwrap();
        let mut answer = client.batch_get_item().request_items(TABLE, batch).send().await.unwrap();
        got += answer.responses().unwrap()[TABLE].len();
        rounds += 1;
        wanted = answer.unprocessed_keys.take().and_then(|mut left| left.remove(TABLE)).map_or(Vec::new(), |k| k.keys);
    }
    assert_eq!((got, rounds), (60, 2));
}
