//! Condition expressions as the protocol writes them, one line a case.

use aws_sdk_dynamodb::types::AttributeValue;

use crate::support::{check, item, key, n, put_all, s, table, transact};

#[tokio::test]
async fn conditions_hold_or_fail_as_documented() {
    let client = table().await;
    let present = item(
        "p",
        "!",
        [
            ("tag", n(5)),
            ("big", n("123456789012345678")),
            ("deleted", AttributeValue::Bool(false)),
            ("word", s("b")),
            ("blank", s("")),
        ],
    );
    put_all(&client, [present]).await;
    let cases: &[(&str, &str, &str, AttributeValue)] = &[
        // (holds on the item, holds on an absent item, condition, :v)
        ("yes", "no", "tag = :v", n(5)),
        ("yes", "no", "tag = :v", n("5.0")),
        ("no", "no", "tag = :v", s("5")),
        ("no", "no", "tag = :v", n(4)),
        ("yes", "no", "tag < :v", n(6)),
        ("no", "no", "tag < :v", n(5)),
        ("yes", "no", "tag <= :v", n(5)),
        ("yes", "no", "tag > :v", n(-1)),
        ("yes", "no", "tag BETWEEN :v AND :v", n(5)),
        ("yes", "no", "tag < :v", n(10)),
        ("yes", "no", "big < :v", n("123456789012345679")),
        ("yes", "yes", "tag = :v OR attribute_not_exists(tag)", n(5)),
        ("no", "yes", "tag = :v OR attribute_not_exists(tag)", n(4)),
        ("no", "yes", "attribute_not_exists(pk) OR tag < :v", n(5)),
        ("yes", "no", "attribute_exists(pk) AND NOT tag = :v", n(1)),
        ("yes", "no", "attribute_exists(pk) AND (tag = :v OR tag = :v)", n(5)),
        ("yes", "yes", "tag <> :v", n(4)),
        ("yes", "no", "tag IN (:v)", n(5)),
        ("yes", "no", "deleted = :v", AttributeValue::Bool(false)),
        ("no", "no", "deleted = :v", AttributeValue::Bool(true)),
        ("yes", "no", "begins_with(word, :v)", s("b")),
        ("yes", "no", "blank = :v", s("")),
        ("yes", "no", "word > :v", s("a")),
        ("yes", "no", "size(word) = :v", n(1)),
        ("no", "no", "absent = :v", n(0)),
        ("no", "no", "absent < :v", n(0)),
    ];
    for (on_present, on_absent, condition, value) in cases {
        for (sk, expected) in [("!", on_present), ("absent", on_absent)] {
            let outcome = transact(&client, [check(key("p", sk), condition, [(":v", value.clone())])]).await;
            let holds = if outcome.codes().is_empty() { "yes" } else { "no" };
            assert_eq!(holds, *expected, "{condition} with {value:?} on {sk}");
        }
    }
}

#[tokio::test]
async fn mistakes_in_conditions_are_refused() {
    let client = table().await;
    for condition in ["tag = :unknown", "tag = ", "tag == :v", "size = :v", "attribute_exists(:v)", "(tag = :v"] {
        let outcome = transact(&client, [check(key("p", "!"), condition, [(":v", n(1))])]).await;
        assert_eq!(outcome.refusal().0, "ValidationException", "{condition}");
    }
}
