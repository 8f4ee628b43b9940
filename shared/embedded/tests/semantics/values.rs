//! What is written is what is read, for every kind of value the store uses and at the edges of each.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;

use crate::support::{b, get, item, n, put_all, s, table};

#[tokio::test]
async fn values_come_back_as_they_were() {
    let client = table().await;
    let text = "\u{0}\u{1f}\"\\/ \u{7f}\u{e9}\u{2028}\u{ffff}\u{1f600} end";
    let nested = AttributeValue::M(HashMap::from([
        ("list".to_owned(), AttributeValue::L(vec![n(1), s(""), AttributeValue::Null(true), b([0_u8, 255])])),
        ("empty map".to_owned(), AttributeValue::M(HashMap::new())),
        ("empty list".to_owned(), AttributeValue::L(Vec::new())),
        (text.to_owned(), AttributeValue::Bool(true)),
    ]));
    let whole = item(
        text,
        text,
        [
            ("text", s(text)),
            ("no text", s("")),
            ("bytes", b((0..=255).collect::<Vec<u8>>())),
            ("no bytes", b(Vec::new())),
            ("zero", n(0)),
            ("i64", n(i64::MIN)),
            ("u64", n(u64::MAX)),
            ("digits", n("12345678901234567890123456789012345678")),
            ("nested", nested),
        ],
    );
    put_all(&client, [whole.clone()]).await;
    assert_eq!(get(&client, text, text).await, Some(whole));
}

#[tokio::test]
async fn numbers_are_kept_by_value() {
    let client = table().await;
    put_all(&client, [item("a", "#", [("x", n("007.50")), ("y", n("1e3")), ("z", n("-0"))])]).await;
    let got = get(&client, "a", "#").await.unwrap();
    assert_eq!((&got["x"], &got["y"], &got["z"]), (&n("7.5"), &n("1000"), &n("0")));
}

#[tokio::test]
async fn a_map_may_be_31_levels_deep_below_the_item() {
    let client = table().await;
    let deep =
        |levels: usize| (0..levels).fold(n(1), |inner, _| AttributeValue::M(HashMap::from([("m".to_owned(), inner)])));
    put_all(&client, [item("a", "#", [("m", deep(31))])]).await;
    assert_eq!(get(&client, "a", "#").await.unwrap()["m"], deep(31));
}
