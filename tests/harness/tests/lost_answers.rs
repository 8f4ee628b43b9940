//! A transaction whose answer is lost is sent again under the same token, and the operation answers as if nothing had
//! been: what has happened is not taken for another writer's doing.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use registrar_harness::schemas::{number, record, register, subject};
use registrar_harness::{Fault, InMemory, in_memory_registry, instant_runtime};
use registrar_model::Version;

const LOST: [Fault; 2] = [Fault::TimeoutAfter, Fault::InternalErrorAfter];

/// A subject of two versions, and the answer to its next transaction lost.
async fn losing(fault: Fault) -> InMemory {
    let at = in_memory_registry(instant_runtime(1)).await;
    for i in 0..2 {
        register(&at.registry, "s", record(i)).await.unwrap();
    }
    at.faults.at_next("TransactWriteItems", fault);
    at
}

async fn check(at: &InMemory) {
    assert_eq!(at.faults.left(), 0);
    assert_eq!(at.audit.violations(&[subject("s")]).await, [""; 0]);
}

#[tokio::test]
async fn of_a_registration() {
    for fault in LOST {
        let at = losing(fault).await;
        let registered = register(&at.registry, "s", record(2)).await.unwrap();
        assert_eq!(registered.version.get(), 3);
        check(&at).await;
    }
}

#[tokio::test]
async fn of_a_version_that_is_deleted() {
    for fault in LOST {
        let at = losing(fault).await;
        let deleted = at.registry.delete_version(&subject("s"), number(1), false).await.unwrap();
        assert_eq!(deleted, Version::FIRST);
        check(&at).await;
    }
}

#[tokio::test]
async fn of_a_subject_that_is_deleted() {
    for fault in LOST {
        let at = losing(fault).await;
        let deleted = at.registry.delete_subject(&subject("s"), false).await.unwrap();
        assert_eq!(deleted.len(), 2);
        check(&at).await;
    }
}
