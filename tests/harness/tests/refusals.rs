//! What is refused must have been so at one moment: each schedule lets another writer in between two reads, and the
//! answer is the one that some order of the two gives. The other writer is another process, which no turn keeps waiting.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::large_futures, reason = "a test may copy a few kilobytes")]

use registrar_harness::schemas::{number, record, register, request, subject};
use registrar_harness::{InMemory, Point, in_memory_registry, instant_runtime};
use registrar_model::VersionSpec;
use registrar_registry::{
    InvalidSchema, ReferenceRequest, RegisterOptions, Registry, RegistryError, SchemaRequest, Settings, TagRequest,
    VersionOptions,
};
use registrar_store::{Safeguard, StepName};

/// The registry as another process has it.
fn process(at: &InMemory) -> Registry {
    at.registry_with(Settings::default())
}

/// Runs `slow` up to its `n`th call of `operation`, then all of `fast`, then the rest of `slow`.
async fn between<S>(
    at: &InMemory,
    (operation, n): (&str, usize),
    slow: impl Future<Output = S>,
    fast: impl Future<Output = ()>,
) -> S {
    let mut stop = at.faults.stop_at_nth(operation, n, Point::Before);
    let fast = async {
        stop.reached().await;
        fast.await;
        stop.release();
    };
    let (answer, ()) = tokio::join!(Box::pin(slow), Box::pin(fast));
    assert_eq!(at.faults.left(), 0, "the schedule did not take place");
    answer
}

#[tokio::test]
async fn no_latest_version_of_a_subject_that_was_not_there() {
    let at = in_memory_registry(instant_runtime(1)).await;
    let (s, options) = (subject("s"), VersionOptions::default());
    let slow = at.registry.version(&s, VersionSpec::Latest, &options);
    let answer = between(&at, ("Query", 1), slow, async {
        register(&process(&at), "s", record(1)).await.unwrap();
    })
    .await;
    assert!(matches!(answer, Ok(_) | Err(RegistryError::SubjectNotFound(_))), "{answer:?}");
}

#[tokio::test]
async fn no_version_of_a_subject_that_went_meanwhile() {
    let at = in_memory_registry(instant_runtime(1)).await;
    let s = subject("s");
    register(&at.registry, "s", record(1)).await.unwrap();
    at.registry.delete_subject(&s, false).await.unwrap();
    let slow = at.registry.delete_version(&s, number(1), true);
    let answer = between(&at, ("BatchGetItem", 2), slow, async {
        process(&at).delete_subject(&s, true).await.unwrap();
    })
    .await;
    assert!(matches!(answer, Err(RegistryError::SubjectNotFound(_))), "{answer:?}");
}

#[tokio::test]
async fn no_latest_version_to_refer_to() {
    let at = in_memory_registry(instant_runtime(1)).await;
    register(&at.registry, "t", record(1)).await.unwrap();
    let latest =
        ReferenceRequest { name: Some("Reading".to_owned()), subject: Some("t".to_owned()), version: Some(-1) };
    let text = r#"{"type":"record","name":"Holder","fields":[{"name":"reading","type":"Reading"}]}"#;
    let (h, options) = (subject("h"), RegisterOptions::default());
    let slow = at.registry.register(&h, SchemaRequest { references: vec![latest], ..request(text) }, &options);
    let answer = between(&at, ("BatchGetItem", 2), slow, async {
        process(&at).delete_subject(&subject("t"), false).await.unwrap();
    })
    .await;
    let Err(RegistryError::InvalidSchema(InvalidSchema::Unparsable { details, .. })) = answer else {
        panic!("{answer:?}")
    };
    assert_eq!(details, "No schema reference found for subject \"t\" and version -1");
}

/// Each copy of a version is a version of its own: a copy that meets another one, newer than the head it was made from,
/// starts again. Two steps see it: the other one is newer, and there are more of them than the head counts.
#[tokio::test]
async fn two_copies_at_once_are_two_versions() {
    let all = vec![Safeguard::Step(StepName::RowBorn), Safeguard::Step(StepName::RowCount)];
    let (with, without) = (slow_copies(Vec::new()).await, slow_copies(all).await);
    assert_eq!(with, [5, 5, 5]);
    assert!(without.contains(&4), "{without:?}");
}

/// The version that a copy gets which another one overtakes before its first, second or third query.
async fn slow_copies(dropped: Vec<Safeguard>) -> Vec<u32> {
    let mut versions = Vec::new();
    for query in 1..=3 {
        let at = in_memory_registry(instant_runtime(1)).await;
        let slow = Registry::new(at.store.clone().without(dropped.clone()), Settings::default());
        let s = subject("s");
        register(&at.registry, "s", record(1)).await.unwrap();
        for _ in 0..2 {
            at.registry.tag_version(&s, number(1), TagRequest::default()).await.unwrap();
        }
        let answer = between(&at, ("Query", query), slow.tag_version(&s, number(1), TagRequest::default()), async {
            at.registry.tag_version(&s, number(1), TagRequest::default()).await.unwrap();
        })
        .await;
        versions.push(answer.unwrap().version.get());
    }
    versions
}
