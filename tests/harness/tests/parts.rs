//! Answers in part, which DynamoDB gives under load: a batch that leaves keys unprocessed, a page of a range that is short
//! or empty and not the last. What is left out is asked for again, and nothing else is; if it never comes, the budget for
//! retries ends it. `docs/FAULTS.md` has the same for every operation.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use registrar_harness::schemas::{record, register, subject};
use registrar_harness::{Fault, InMemory, Usage, in_memory_registry, instant_runtime};
use registrar_model::{ContextName, Version};
use registrar_store::{Fetched, Key, StoreError};

/// So many that their keys are two batches.
const VERSIONS: i64 = 120;

async fn filled(versions: i64) -> InMemory {
    let at = in_memory_registry(instant_runtime(7)).await;
    for i in 0..versions {
        register(&at.registry, "s", record(usize::try_from(i).unwrap())).await.unwrap();
    }
    clear(&at);
    at
}

fn clear(at: &InMemory) {
    at.faults.reset();
    at.meter.take();
}

/// A key that is not there, and then those of all versions.
fn keys() -> impl Iterator<Item = Key> {
    (1..=VERSIONS).rev().map(|number| Key::Version(subject("s"), Version::new(number).unwrap())).chain([absent()])
}

fn absent() -> Key {
    Key::Head(subject("nobody"))
}

fn found(fetched: &Fetched) -> usize {
    let numbers = (1..=VERSIONS).filter_map(Version::new);
    numbers.filter(|number| fetched.version(&subject("s"), *number).unwrap().is_some()).count()
}

/// What all versions cost, read with these faults at the first calls.
async fn fetch_with(at: &InMemory, faults: &[Fault]) -> Usage {
    clear(at);
    for (call, fault) in faults.iter().enumerate() {
        at.faults.at_call(call + 1, *fault);
    }
    let fetched = at.store.fetch(keys()).await.unwrap();
    assert_eq!(at.faults.left(), 0);
    assert_eq!(i64::try_from(found(&fetched)).unwrap(), VERSIONS);
    at.meter.take()
}

#[tokio::test]
async fn keys_left_unprocessed_are_read_again_and_no_others() {
    let at = filled(VERSIONS).await;
    let whole = fetch_with(&at, &[]).await;
    assert_eq!(whole.total_calls(), 2);
    let (half, none) = (Fault::HalfUnprocessed, Fault::Unprocessed);
    // 100 keys and 21: of the hundred, 50, 25 and 25 are read.
    for faults in [&[half][..], &[none], &[half, half], &[none, half, none], &[half, none, none], &[none; 20]] {
        let usage = fetch_with(&at, faults).await;
        assert_eq!(usage.total_calls(), 2 + faults.len(), "{faults:?}");
        // Nothing was read twice.
        assert_eq!(usage.read_units.to_bits(), whole.read_units.to_bits(), "{faults:?}");
    }
}

#[tokio::test]
async fn keys_that_stay_unprocessed_end_with_the_budget() {
    let at = filled(1).await;
    at.faults.from_call(1, Fault::Unprocessed);
    let never = at.store.fetch([absent()]).await;
    assert!(matches!(never, Err(StoreError::Exhausted(why)) if why.starts_with("keys left unprocessed, after 1000 ")));
    assert_eq!(at.meter.take().total_calls(), 1_000);
}

#[tokio::test]
async fn a_range_is_whole_however_its_pages_end() {
    let at = filled(30).await;
    for name in ["a", "b", "c", "s.t"] {
        register(&at.registry, name, record(0)).await.unwrap();
    }
    clear(&at);
    let whole = ranges(&at).await;
    assert_eq!(whole.len(), 5 + 30 + 5 + 4);
    let calls = call_count(&at);
    for fault in [Fault::ShortPage, Fault::EmptyPage] {
        for call in 1..=calls {
            clear(&at);
            at.faults.at_call(call, fault);
            assert_eq!(ranges(&at).await, whole, "{fault:?} at call {call}");
            assert_eq!(at.faults.left(), 0);
        }
    }
    clear(&at);
    at.faults.from_call(1, Fault::ShortPage);
    assert_eq!(ranges(&at).await, whole, "short pages everywhere");
    assert!(call_count(&at) >= whole.len());
}

fn call_count(at: &InMemory) -> usize {
    at.meter.take().total_calls()
}

/// Everything that is read as a range, in words.
async fn ranges(at: &InMemory) -> Vec<String> {
    let (context, s) = (ContextName::default_context(), subject("s"));
    let first = at.store.versions(&subject("a")).await.unwrap()[0].id;
    let mut seen: Vec<String> = Vec::new();
    let directory = at.store.directory(&context, "").await.unwrap();
    seen.extend(directory.iter().map(|entry| entry.subject.to_string()));
    let rows = at.store.versions(&s).await.unwrap();
    seen.extend(rows.iter().map(|row| format!("version {} id {}", row.version.get(), row.id.get())));
    let usages = at.store.usages(&context, first).await.unwrap();
    seen.extend(usages.iter().map(|usage| format!("used by {} {}", usage.subject, usage.version.get())));
    let highest = at.store.highest_version(&s).await.unwrap().unwrap();
    seen.push(format!("highest {}", highest.version.get()));
    let far = at.store.highest_below(&s, highest.version, |row| row.version.get() < 10).await.unwrap();
    seen.push(format!("highest below 10 {far:?}"));
    let none = at.store.highest_below(&s, highest.version, |_| false).await.unwrap();
    seen.push(format!("none below {none:?}"));
    let usage = at.store.any_usage(&context, first).await.unwrap().unwrap();
    seen.push(format!("some use {} {}", usage.subject, usage.version.get()));
    seen
}

#[tokio::test]
async fn pages_that_stay_empty_end_with_the_budget() {
    let at = filled(3).await;
    at.faults.from_call(1, Fault::EmptyPage);
    let never = at.store.versions(&subject("s")).await;
    assert!(
        matches!(never, Err(StoreError::Exhausted(why)) if why.starts_with("a range goes on where it was, after 1000 "))
    );
    assert_eq!(at.meter.take().total_calls(), 1_001);
}
