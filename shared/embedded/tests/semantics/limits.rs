//! Limits that the registry must keep, and so must meet in tests: actions, item size, transaction size, keys.

use aws_sdk_dynamodb::types::KeysAndAttributes;

use crate::support::{Outcome, TABLE, b, get, item, key, put, refused, s, table, transact};

#[tokio::test]
async fn a_transaction_has_100_actions_at_most() {
    let client = table().await;
    let puts = |count: usize| (0..count).map(|i| put(item("many", &format!("{i:03}"), [])));
    let (code, message) = {
        let outcome = transact(&client, puts(101)).await;
        let (code, message) = outcome.refusal();
        (code.to_owned(), message.to_owned())
    };
    assert_eq!(code, "ValidationException");
    assert!(message.contains("less than or equal to 100"), "{}", &message[message.len() - 100..]);
    assert_eq!(get(&client, "many", "000").await, None);
    assert!(matches!(transact(&client, puts(100)).await, Outcome::Committed));
    assert_eq!(transact(&client, []).await.refusal().0, "ValidationException");
}

#[tokio::test]
async fn a_transaction_has_4_megabytes_at_most() {
    let client = table().await;
    let puts = |count: usize| (0..count).map(|i| put(item("big", &format!("C#{i:03}"), [("d", b(vec![1; 380_000]))])));
    assert!(matches!(transact(&client, puts(11)).await, Outcome::Committed));
    let outcome = transact(&client, puts(12)).await;
    let (code, message) = outcome.refusal();
    assert_eq!(code, "ValidationException");
    assert!(message.contains("4MB"), "{message}");
}

#[tokio::test]
async fn an_item_has_400_kilobytes_at_most_names_included() {
    let client = table().await;
    // 400 KB are 409,600 bytes: pk, x, sk, y, body, and the body.
    let fits = 409_600 - ("pk".len() + 1 + "sk".len() + 1 + "body".len());
    let write = |size: usize| {
        client.put_item().table_name(TABLE).set_item(Some(item("x", "y", [("body", b(vec![1; size]))]))).send()
    };
    write(fits).await.unwrap();
    let (code, message) = refused(write(fits + 1).await);
    assert_eq!(code, "ValidationException");
    assert!(message.contains("Item size has exceeded"), "{message}");

    let too_big = item("x", "z", [("body", b(vec![1; fits + 1]))]);
    let outcome = transact(&client, [put(too_big), put(item("o", "o", []))]).await;
    assert_eq!(outcome.refusal().0, "ValidationException");
    assert_eq!(get(&client, "o", "o").await, None);
}

#[tokio::test]
async fn keys_have_their_limits() {
    let client = table().await;
    let write = |pk: usize, sk: usize| {
        let item = item(&"p".repeat(pk), &"s".repeat(sk), []);
        client.put_item().table_name(TABLE).set_item(Some(item)).send()
    };
    write(2048, 1024).await.unwrap();
    for (pk, sk) in [(2049, 1), (1, 1025), (0, 1), (1, 0)] {
        assert_eq!(refused(write(pk, sk).await).0, "ValidationException", "{pk} {sk}");
    }
}

#[tokio::test]
async fn a_batch_has_100_different_keys_at_most() {
    let client = table().await;
    let read = |keys: Vec<_>| {
        let keys = KeysAndAttributes::builder().set_keys(Some(keys)).consistent_read(true).build().unwrap();
        client.batch_get_item().request_items(TABLE, keys).send()
    };
    read((0..100).map(|i| key("k", &i.to_string())).collect()).await.unwrap();
    let too_many = read((0..101).map(|i| key("k", &i.to_string())).collect()).await;
    assert_eq!(refused(too_many).0, "ValidationException");
    assert_eq!(refused(read(vec![key("k", "1"), key("k", "1")]).await).0, "ValidationException");
}

#[tokio::test]
async fn a_missing_table_and_a_missing_key_are_refused() {
    let client = table().await;
    let get = client.get_item().table_name("another").set_key(Some(key("a", "b"))).send().await;
    assert_eq!(refused(get).0, "ResourceNotFoundException");
    let get = client.get_item().table_name(TABLE).key("pk", s("a")).send().await;
    assert_eq!(refused(get).0, "ValidationException");
}
