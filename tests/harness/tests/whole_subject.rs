//! Deleting a whole subject is atomic to whoever reads: at every moment of it, all versions are there or none.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use registrar_harness::schemas::{record, register, subject};
use registrar_harness::{InMemory, Point, in_memory_registry, instant_runtime};
use registrar_registry::{RegistryError, Settings, VersionFilter};

/// So many that a permanent delete sweeps them in several transactions, and that their rows take several pages.
const VERSIONS: usize = 120;

async fn filled() -> InMemory {
    let at = in_memory_registry(instant_runtime(5)).await;
    for i in 0..VERSIONS {
        register(&at.registry, "s", record(i)).await.unwrap();
    }
    at
}

/// How many versions a reader sees that is another process.
async fn seen(at: &InMemory, deleted: bool) -> usize {
    let reader = at.store_through(instant_runtime(6), |database| database);
    let registry = registrar_registry::Registry::new(reader, Settings::default());
    let filter = VersionFilter { deleted, ..VersionFilter::default() };
    match registry.versions(&subject("s"), filter).await {
        Ok(versions) => versions.len(),
        Err(RegistryError::SubjectNotFound(_)) => 0,
        Err(error) => panic!("{error:?}"),
    }
}

/// Deletes the subject, with a look at it before and after each call. The numbers of versions seen, in order.
async fn looks_during_delete(at: &InMemory, permanent: bool) -> Vec<usize> {
    let mut looks = Vec::new();
    at.faults.reset();
    let name = subject("s");
    let mut delete = Box::pin(at.registry.delete_subject(&name, permanent));
    let mut stop = at.faults.stop_at_call(1, Point::Before);
    loop {
        tokio::select! {
            biased;
            () = stop.reached() => {
                looks.push(seen(at, permanent).await);
                let next = at.faults.stop_at_call(1, Point::Before);
                std::mem::replace(&mut stop, next).release();
            }
            deleted = &mut delete => {
                assert_eq!(deleted.unwrap().len(), VERSIONS);
                looks.push(seen(at, permanent).await);
                return looks;
            }
        }
    }
}

#[tokio::test]
async fn a_reader_sees_all_versions_or_none() {
    let at = filled().await;
    for permanent in [false, true] {
        let looks = looks_during_delete(&at, permanent).await;
        let first_without = looks.iter().position(|&seen| seen == 0).unwrap();
        let (before, after) = looks.split_at(first_without);
        assert!(!before.is_empty() && before.iter().all(|&seen| seen == VERSIONS), "{permanent}: {looks:?}");
        assert!(after.iter().all(|&seen| seen == 0), "{permanent}: {looks:?}");
        assert!(!permanent || after.len() > 3, "the sweep takes several calls: {looks:?}");
    }
    assert_eq!(at.audit.violations(&[subject("s")]).await, Vec::<String>::new());
}
