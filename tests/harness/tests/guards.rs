//! What the guards of the protocol are for: one schedule each, in which another writer comes between an operation's
//! reads and its commit. With the guard all is well; without it something is wrong, or the test has lost its point.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::large_futures, reason = "a test may copy a few kilobytes")]

use registrar_harness::schemas::{
    associate, association, number, own_subject, record, referring, register, request, subject,
};
use registrar_harness::{InMemory, Point, in_memory_registry, instant_runtime};
use registrar_model::{ConfigUpdate, Level, SchemaId, Update};
use registrar_registry::{Denied, RegisterOptions, Registered, Registry, RegistryError, SchemaRequest, Settings};
use registrar_store::GuardName;

const TRANSACT: &str = "TransactWriteItems";

/// A table, a registry that may lack a guard, and one that has them all.
struct Stage {
    at: InMemory,
    slow: Registry,
    fast: Registry,
}

impl Stage {
    async fn new(dropped: Option<GuardName>) -> Self {
        let at = in_memory_registry(instant_runtime(1)).await;
        let slow = Registry::new(at.store.clone().without_guards(dropped), Settings::default());
        let fast = at.registry.clone();
        Self { at, slow, fast }
    }

    /// Runs `slow` up to its `n`th transaction, then all of `fast`, then the rest of `slow`.
    async fn between<S, F>(&self, n: usize, slow: impl Future<Output = S>, fast: impl Future<Output = F>) -> (S, F) {
        let mut stop = self.at.faults.stop_at_nth(TRANSACT, n, Point::Before);
        let fast = async {
            stop.reached().await;
            let done = fast.await;
            stop.release();
            done
        };
        // Boxed, because a test's thread has a small stack and debug builds big futures.
        tokio::join!(Box::pin(slow), Box::pin(fast))
    }
}

/// Two records that no level but NONE lets follow one another.
fn typed(kind: &str) -> String {
    format!(r#"{{"type":"record","name":"Reading","fields":[{{"name":"{kind}","type":"{kind}"}}]}}"#)
}

fn level(level: Level) -> ConfigUpdate {
    ConfigUpdate { level: Update::Set(level), ..ConfigUpdate::default() }
}

async fn hold(registry: &Registry) -> Result<Registered, RegistryError> {
    hold_of(registry, "t").await
}

async fn hold_of(registry: &Registry, target: &str) -> Result<Registered, RegistryError> {
    Box::pin(registry.register(&subject("holder"), referring(target), &RegisterOptions::default())).await
}

/// Soft, then for good.
async fn purge(registry: &Registry, name: &str) {
    Box::pin(registry.delete_subject(&subject(name), false)).await.unwrap();
    Box::pin(registry.delete_subject(&subject(name), true)).await.unwrap();
}

/// What is wrong with the answers of the schedule made for `guard`; the audit tells of the table.
async fn schedule(guard: GuardName, stage: &Stage) -> Option<String> {
    let Stage { slow, fast, .. } = stage;
    let (s, t) = (subject("s"), subject("t"));
    match guard {
        GuardName::HeadTag => {
            let answers =
                stage.between(1, register(slow, "s", typed("int")), register(fast, "s", typed("bytes"))).await;
            unless(matches!(answers, (Err(RegistryError::Incompatible(..)), Ok(_))), &answers)
        }
        GuardName::SettingsTag => {
            fast.set_config(None, level(Level::None)).await.unwrap();
            register(fast, "s", typed("bytes")).await.unwrap();
            let answers =
                stage.between(1, register(slow, "s", typed("int")), fast.set_config(None, level(Level::Full)));
            let answers = answers.await;
            unless(matches!(answers, (Err(RegistryError::Incompatible(..)), Ok(_))), &answers)
        }
        GuardName::FingerprintAbsent => {
            let (a, b) = stage.between(1, register(slow, "s", record(1)), register(fast, "t", record(1))).await;
            let ids = (a.unwrap().id, b.unwrap().id);
            unless(ids.0 == ids.1, &ids)
        }
        GuardName::FingerprintSeen => {
            register(fast, "t", record(1)).await.unwrap();
            let anew = async {
                purge(fast, "t").await;
                register(fast, "t", record(1)).await.unwrap().id
            };
            let (a, b) = stage.between(1, register(slow, "s", record(1)), anew).await;
            let ids = (a.unwrap().id, b);
            unless(ids.0 == ids.1, &ids)
        }
        GuardName::FingerprintUses => {
            register(fast, "t", record(1)).await.unwrap();
            fast.delete_version(&t, number(1), false).await.unwrap();
            let answers =
                stage.between(1, slow.delete_version(&t, number(1), true), register(fast, "s", record(1))).await;
            unless(matches!(answers, (Ok(_), Ok(_))), &answers)
        }
        GuardName::IdAbsent => {
            fast.set_mode(Some(&t), Update::Set("IMPORT".to_owned()), false).await.unwrap();
            let import = SchemaRequest { id: SchemaId::new(1), version: 1, ..request(record(2)) };
            let options = RegisterOptions::default();
            let answers = stage.between(1, register(slow, "s", record(1)), fast.register(&t, import, &options)).await;
            unless(matches!(&answers, (Ok(a), Ok(b)) if a.id != b.id), &answers)
        }
        GuardName::TargetLive => {
            register(fast, "t", record(1)).await.unwrap();
            let answers = stage.between(1, hold(slow), fast.delete_version(&t, number(1), false)).await;
            unless(matches!(answers, (Err(RegistryError::InvalidSchema(_)), Ok(_))), &answers)
        }
        GuardName::TargetFloor => {
            register(fast, "t", record(1)).await.unwrap();
            let answers = stage.between(1, hold(slow), fast.delete_subject(&t, false)).await;
            unless(matches!(answers, (Err(RegistryError::InvalidSchema(_)), Ok(_))), &answers)
        }
        GuardName::VersionRefs => {
            register(fast, "t", record(1)).await.unwrap();
            let answers = stage.between(1, slow.delete_version(&t, number(1), false), hold(fast)).await;
            unless(matches!(answers, (Err(RegistryError::Referenced(..)), Ok(_))), &answers)
        }
        GuardName::SubjectRefs => {
            register(fast, "t", record(1)).await.unwrap();
            let answers = stage.between(1, slow.delete_subject(&t, false), hold(fast)).await;
            unless(matches!(answers, (Err(RegistryError::Referenced(..)), Ok(_))), &answers)
        }
        GuardName::VersionBorn => {
            // Another subject keeps the id alive, or the other guards would notice.
            register(fast, "t", record(1)).await.unwrap();
            register(fast, "s", record(1)).await.unwrap();
            fast.delete_subject(&s, false).await.unwrap();
            // The second transaction of a permanent delete sweeps; whoever registers meanwhile has swept already.
            let answers = stage.between(2, slow.delete_subject(&s, true), register(fast, "s", record(1))).await;
            unless(matches!(answers, (Ok(_), Ok(_))), &answers)
        }
        GuardName::SweepMark => {
            register(fast, "s", record(1)).await.unwrap();
            fast.delete_subject(&s, false).await.unwrap();
            // The third one ends the sweep. Meanwhile another permanent delete begins, and dies before its own sweep.
            let again = async {
                register(fast, "s", record(2)).await.unwrap();
                fast.delete_subject(&s, false).await.unwrap();
                let mut stop = stage.at.faults.stop_at_nth(TRANSACT, 2, Point::Before);
                tokio::select! {
                    _ = fast.delete_subject(&s, true) => false,
                    () = stop.reached() => true,
                }
            };
            let (answer, died) = stage.between(3, slow.delete_subject(&s, true), again).await;
            // Whoever comes next sweeps.
            register(fast, "s", record(3)).await.unwrap();
            unless(answer.is_ok() && died, &(answer, died))
        }
        GuardName::ContextUnused => Box::pin(delete_of_a_context(stage)).await,
        // The others have no schedule of this kind.
        _ => None,
    }
}

/// The same of associations, for the guards that they stand on.
async fn association_schedule(guard: GuardName, stage: &Stage) -> Option<String> {
    let Stage { slow, fast, .. } = stage;
    let own = own_subject("x");
    let weak = association("x", "value", Some("s"), None);
    let strong = association("x", "value", None, Some(record(1)));
    match guard {
        GuardName::HeadTag => {
            register(fast, "s", record(1)).await.unwrap();
            let answers = stage.between(1, associate(slow, &weak), fast.delete_subject(&subject("s"), false)).await;
            unless(matches!(answers, (Err(RegistryError::NoActiveVersion(_)), Ok(_))), &answers)
        }
        GuardName::SettingsTag => {
            register(fast, "s", record(1)).await.unwrap();
            let read_only = fast.set_mode(None, Update::Set("READONLY".to_owned()), false);
            let answers = stage.between(1, associate(slow, &weak), read_only).await;
            unless(matches!(answers, (Err(RegistryError::Denied(Denied::ReadOnly(_))), Ok(()))), &answers)
        }
        GuardName::ResourceSeen => {
            register(fast, "s", record(1)).await.unwrap();
            register(fast, "t", record(1)).await.unwrap();
            let key = association("x", "key", Some("t"), None);
            let answers = stage.between(1, associate(slow, &weak), associate(fast, &key)).await;
            unless(matches!(answers, (Ok(()), Ok(()))), &answers)
        }
        GuardName::TargetNotStrong => {
            register(fast, &own, record(1)).await.unwrap();
            let answers = stage.between(1, hold_of(slow, &own), associate(fast, &strong)).await;
            unless(matches!(answers, (Err(RegistryError::Denied(Denied::StronglyAssociated(_))), Ok(()))), &answers)
        }
        GuardName::SubjectRefs => {
            register(fast, &own, record(1)).await.unwrap();
            let answers = stage.between(1, associate(slow, &strong), hold_of(fast, &own)).await;
            unless(matches!(answers, (Err(RegistryError::SubjectReferenced(_)), Ok(_))), &answers)
        }
        _ => None,
    }
}

async fn delete_of_a_context(stage: &Stage) -> Option<String> {
    let Stage { slow, fast, .. } = stage;
    register(fast, ":.c:s", record(1)).await.unwrap();
    purge(fast, ":.c:s").await;
    let context = subject(":.c:s").context().clone();
    // The second transaction removes the record, after the context was found empty.
    let answers = stage.between(2, slow.delete_context(&context), register(fast, ":.c:s", record(2))).await;
    let refused = matches!(answers, (Err(RegistryError::ContextNotEmpty(_)), Ok(_)));
    unless(refused && fast.contexts().await.unwrap().contains(&context), &answers)
}

fn unless(right: bool, answers: &impl std::fmt::Debug) -> Option<String> {
    (!right).then(|| format!("answers {answers:?}"))
}

/// Which schedule of a guard.
#[derive(Clone, Copy, Debug)]
enum About {
    Schemas,
    Associations,
}

/// Everything that is wrong after the schedule.
async fn wrong(about: About, guard: GuardName, dropped: Option<GuardName>) -> Vec<String> {
    let stage = Stage::new(dropped).await;
    let answers = match about {
        About::Schemas => Box::pin(schedule(guard, &stage)).await,
        About::Associations => Box::pin(association_schedule(guard, &stage)).await,
    };
    assert_eq!(stage.at.faults.left(), 0, "{guard:?}: the schedule did not take place");
    let subjects = ["s", "t", "holder", ":.c:s", &own_subject("x")].map(subject);
    answers.into_iter().chain(stage.at.audit.violations(&subjects).await).collect()
}

async fn check(about: About, guard: GuardName) {
    let with = wrong(about, guard, None).await;
    let without = wrong(about, guard, Some(guard)).await;
    assert!(with.is_empty(), "{about:?} {guard:?}: {with:#?}");
    assert!(!without.is_empty(), "{about:?} {guard:?} is not missed");
}

#[tokio::test]
async fn every_guard_of_associations_is_needed_and_enough() {
    for guard in [
        GuardName::HeadTag,
        GuardName::SettingsTag,
        GuardName::ResourceSeen,
        GuardName::TargetNotStrong,
        GuardName::SubjectRefs,
    ] {
        check(About::Associations, guard).await;
    }
}

#[tokio::test]
async fn every_guard_is_needed_and_enough() {
    for guard in [
        GuardName::HeadTag,
        GuardName::SettingsTag,
        GuardName::FingerprintAbsent,
        GuardName::FingerprintSeen,
        GuardName::FingerprintUses,
        GuardName::IdAbsent,
        GuardName::TargetLive,
        GuardName::TargetFloor,
        GuardName::VersionRefs,
        GuardName::SubjectRefs,
        GuardName::VersionBorn,
        GuardName::SweepMark,
        GuardName::ContextUnused,
    ] {
        check(About::Schemas, guard).await;
    }
}

/// A registration that was on its way when its context was deleted brings the context back: it checks the settings that
/// the delete has moved, starts again and notes the context anew.
#[tokio::test]
async fn a_deleted_context_comes_back_with_a_registration() {
    for (dropped, listed) in [(None, true), (Some(GuardName::SettingsTag), false)] {
        let stage = Stage::new(dropped).await;
        let context = subject(":.c:s").context().clone();
        let delete = stage.fast.delete_context(&context);
        let (registered, deleted) = stage.between(1, register(&stage.slow, ":.c:s", record(1)), delete).await;
        registered.unwrap();
        deleted.unwrap();
        assert_eq!(stage.fast.contexts().await.unwrap().contains(&context), listed, "without {dropped:?}");
    }
}
