//! The start of a process: the table is made where asked for, and its layout checked or written. Each call of it fails in
//! every way; then the start fails, or goes on; the next one succeeds, and the table is as after any.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use registrar_harness::schemas::{record, register};
use registrar_harness::{Fault, Faults, InMemory, Point, instant_runtime, new_table};
use registrar_store::{Store, StoreError};

/// What happens before: nothing is there, or all that a start makes.
const BEFORE: [bool; 2] = [false, true];

fn with_faults(at: &InMemory) -> (Faults, Store) {
    let faults = Faults::around(at.http_client());
    let store = at.store_through(instant_runtime(1), |_| faults.http_client());
    (faults, store)
}

async fn start(store: &Store) -> Result<(), StoreError> {
    store.create_table().await?;
    store.check_layout(true).await
}

/// A table that is not there, or has been started on before, and the calls of a start on it.
async fn prepared(there: bool) -> InMemory {
    let at = new_table(instant_runtime(1));
    if there {
        start(&at.store).await.unwrap();
    }
    at
}

async fn calls(there: bool) -> Vec<String> {
    let at = prepared(there).await;
    let (faults, store) = with_faults(&at);
    start(&store).await.unwrap();
    faults.reset()
}

/// A start succeeds, and what it leaves works.
async fn check(at: &InMemory, what: &str) {
    let (_, store) = with_faults(at);
    start(&store).await.unwrap_or_else(|error| panic!("{what}: {error}"));
    let items: BTreeMap<_, _> = at.audit.items().await;
    assert_eq!(items.len(), 1, "{what}");
    register(&at.registry, "s", record(0)).await.unwrap();
}

#[tokio::test]
async fn each_call_of_a_start_may_fail() {
    let first = calls(false).await;
    assert_eq!(first, ["CreateTable", "DescribeTable", "GetItem", "PutItem"]);
    assert_eq!(calls(true).await, ["CreateTable", "DescribeTable", "GetItem"]);
    for there in BEFORE {
        for (number, call) in calls(there).await.iter().enumerate() {
            for fault in Fault::ALL.into_iter().filter(|fault| fault.can_hit(call)) {
                let what = format!("{fault:?} at {call}, table there: {there}");
                let at = prepared(there).await;
                let (faults, store) = with_faults(&at);
                faults.at_call(number + 1, fault);
                let started = start(&store).await;
                assert_eq!(faults.left(), 0, "{what}");
                assert_eq!(started.is_ok(), fault != Fault::Refused, "{what}: {started:?}");
                check(&at, &what).await;
            }
        }
    }
}

#[tokio::test]
async fn a_process_may_die_in_each_call_of_its_start() {
    for there in BEFORE {
        for (number, call) in calls(there).await.iter().enumerate() {
            for point in [Point::Before, Point::After] {
                let at = prepared(there).await;
                let (faults, store) = with_faults(&at);
                let mut stop = faults.stop_at_call(number + 1, point);
                tokio::select! {
                    started = start(&store) => panic!("{started:?}"),
                    () = stop.reached() => {}
                }
                check(&at, &format!("death {point:?} {call}, table there: {there}")).await;
            }
        }
    }
}

#[tokio::test]
async fn a_start_without_a_database_ends_with_the_budget() {
    for there in BEFORE {
        for number in 1..=calls(there).await.len() {
            let at = prepared(there).await;
            let (faults, store) = with_faults(&at);
            faults.from_call(number, Fault::InternalError);
            let started = start(&store).await;
            assert!(matches!(started, Err(StoreError::Exhausted(_))), "from call {number}: {started:?}");
            check(&at, &format!("after failures from call {number}")).await;
        }
    }
}

#[tokio::test]
async fn two_processes_may_start_at_once() {
    for there in BEFORE {
        for (number, _) in calls(there).await.iter().enumerate() {
            let at = prepared(there).await;
            let (faults, store) = with_faults(&at);
            let mut stop = faults.stop_at_call(number + 1, Point::Before);
            let mut first = Box::pin(start(&store));
            tokio::select! {
                started = &mut first => panic!("{started:?}"),
                () = stop.reached() => {}
            }
            start(&at.store).await.unwrap();
            stop.release();
            first.await.unwrap();
            check(&at, &format!("another start before call {}", number + 1)).await;
        }
    }
}
