//! Consumed capacity, which the registry's cost budget is asserted with.

use aws_sdk_dynamodb::types::{KeysAndAttributes, ReturnConsumedCapacity};

use crate::support::{TABLE, b, check, delete, item, key, n, put, put_all, s, table, transact, update};

const TOTAL: ReturnConsumedCapacity = ReturnConsumedCapacity::Total;

/// An item of about this many bytes.
fn sized(pk: &str, bytes: usize) -> crate::support::Item {
    item(pk, "#", [("d", b(vec![1; bytes - 30]))])
}

#[tokio::test]
async fn single_calls_are_charged_by_size() {
    let client = table().await;
    for (bytes, write_units, read_units) in [(900, "1", "1"), (1100, "2", "1"), (4500, "5", "2"), (9000, "9", "3")] {
        let put = client.put_item().table_name(TABLE).set_item(Some(sized("a", bytes)));
        let put = put.return_consumed_capacity(TOTAL).send().await.unwrap();
        let get = client.get_item().table_name(TABLE).set_key(Some(key("a", "#"))).consistent_read(true);
        let get = get.return_consumed_capacity(TOTAL).send().await.unwrap();
        let units = |c: Option<&aws_sdk_dynamodb::types::ConsumedCapacity>| c.unwrap().capacity_units().unwrap();
        assert_eq!(units(put.consumed_capacity()).to_string(), write_units, "{bytes}");
        assert_eq!(units(get.consumed_capacity()).to_string(), read_units, "{bytes}");
    }
    let missing = client.get_item().table_name(TABLE).set_key(Some(key("none", "#"))).consistent_read(true);
    let missing = missing.return_consumed_capacity(TOTAL).send().await.unwrap();
    assert_eq!(missing.consumed_capacity().unwrap().capacity_units().unwrap().to_string(), "1");
    let add = client.update_item().table_name(TABLE).set_key(Some(key("n", "#"))).update_expression("ADD hits :one");
    let add = add.expression_attribute_values(":one", n(1)).return_consumed_capacity(TOTAL).send().await.unwrap();
    assert_eq!(add.consumed_capacity().unwrap().capacity_units().unwrap().to_string(), "1");
}

#[tokio::test]
async fn batches_are_charged_by_item_and_queries_by_sum() {
    let client = table().await;
    put_all(&client, (0..10).map(|i| item("q", &i.to_string(), [("d", b(vec![1; 3000]))]))).await;
    let keys = (0..10).map(|i| key("q", &i.to_string())).collect();
    let keys = KeysAndAttributes::builder().set_keys(Some(keys)).consistent_read(true).build().unwrap();
    let batch = client.batch_get_item().request_items(TABLE, keys).return_consumed_capacity(TOTAL).send();
    assert_eq!(batch.await.unwrap().consumed_capacity()[0].capacity_units().unwrap().to_string(), "10");
    let query = client.query().table_name(TABLE).consistent_read(true).key_condition_expression("pk = :pk");
    let query = query.expression_attribute_values(":pk", s("q")).return_consumed_capacity(TOTAL).send();
    assert_eq!(query.await.unwrap().consumed_capacity().unwrap().capacity_units().unwrap().to_string(), "8");
}

#[tokio::test]
async fn transactions_are_charged_double_and_checks_as_writes() {
    let client = table().await;
    put_all(&client, [sized("old", 1500), sized("gone", 500)]).await;
    let actions = [
        put(sized("new", 900)),
        put(sized("two", 1500)),
        update(key("old", "#"), "SET tag = :t", None, [(":t", n(1))]),
        check(key("absent", "#"), "attribute_not_exists(pk)", []),
        delete(key("gone", "#"), "attribute_exists(pk)", []),
    ];
    let sent = client.transact_write_items().set_transact_items(Some(actions.to_vec()));
    let sent = sent.return_consumed_capacity(TOTAL).send().await.unwrap();
    // 1 + 2 + 2 + 1 + 1 units, doubled.
    assert_eq!(sent.consumed_capacity()[0].capacity_units().unwrap().to_string(), "14");
    assert_eq!(transact(&client, [check(key("gone", "#"), "attribute_not_exists(pk)", [])]).await.codes(), [""; 0]);
}
