//! Writers at the same time: many tasks on several threads over one table, which is audited afterwards. Each has a
//! registry of its own, as if it were a process of its own, so that nothing but the table keeps them apart.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use registrar_harness::{InMemory, in_memory_registry, instant_runtime};
use registrar_model::{ConfigUpdate, Level, Mode, Subject, SubjectPrefix, Update, VersionSpec};
use registrar_registry::{
    LookupOptions, RegisterOptions, Registered, Registry, RegistryError, Settings, SubjectFilter, VersionFilter,
    VersionOptions,
};
use tokio::task::JoinSet;

use registrar_harness::schemas::{number, record, referring, register, request, subject};

const WRITERS: usize = 24;

async fn registry() -> InMemory {
    in_memory_registry(instant_runtime(24)).await
}

/// The registry as another process has it.
fn process(at: &InMemory) -> Registry {
    at.registry_with(Settings::default())
}

#[track_caller]
fn assert_sound(violations: &[String]) {
    assert!(violations.is_empty(), "{violations:#?}");
}

async fn all<T: 'static + Send>(tasks: impl IntoIterator<Item = impl Future<Output = T> + Send + 'static>) -> Vec<T> {
    tasks.into_iter().collect::<JoinSet<T>>().join_all().await
}

async fn registered(registry: Registry, name: String, schema: String) -> Registered {
    register(&registry, &name, schema).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_new_schema_registered_by_many_is_one_version() {
    let at = registry().await;
    let answers = all((0..WRITERS).map(|_| registered(process(&at), "s".into(), record(1)))).await;
    let given: BTreeSet<_> = answers.iter().map(|answer| (answer.id, answer.version)).collect();
    assert_eq!((answers.len(), given.len()), (WRITERS, 1));
    assert_eq!(at.registry.versions(&subject("s"), VersionFilter::default()).await.unwrap(), [1]);
    assert_sound(&at.audit.violations(&[subject("s")]).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_schemas_into_one_subject_are_versions_without_gap() {
    let at = registry().await;
    let answers = all((0..WRITERS).map(|i| registered(process(&at), "s".into(), record(i)))).await;
    let versions: BTreeSet<_> = answers.iter().map(|answer| answer.version.get()).collect();
    let ids: BTreeSet<_> = answers.iter().map(|answer| answer.id).collect();
    assert_eq!(versions.into_iter().collect::<Vec<_>>(), (1..=24).collect::<Vec<_>>());
    assert_eq!(ids.len(), WRITERS);
    for answer in answers {
        let spec = VersionSpec::Number(answer.version);
        let found = at.registry.version(&subject("s"), spec, &VersionOptions::default()).await;
        let found = found.unwrap();
        assert_eq!((found.id, found.content.text), (answer.id, answer.content.text));
    }
    assert_sound(&at.audit.violations(&[subject("s")]).await);
}

/// In one process writers of a subject take turns, so that none commits in vain, and ids have no gaps.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn writers_of_one_process_do_not_overtake_each_other() {
    let at = registry().await;
    let answers = all((0..WRITERS).map(|i| registered(at.registry.clone(), "s".into(), record(i)))).await;
    let calls = at.meter.take().calls;
    assert_eq!((calls["TransactWriteItems"], calls["UpdateItem"]), (WRITERS, WRITERS), "{calls:?}");
    let mut ids: Vec<_> = answers.iter().map(|answer| answer.id.get()).collect();
    ids.sort_unstable();
    assert!(ids.into_iter().eq(1..=24));
    assert_sound(&at.audit.violations(&[subject("s")]).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_new_schema_into_many_subjects_has_one_id() {
    let at = registry().await;
    let names: Vec<String> = (0..WRITERS).map(|i| format!("s{i}")).collect();
    let answers = all(names.iter().map(|name| registered(process(&at), name.clone(), record(1)))).await;
    let given: BTreeSet<_> = answers.iter().map(|answer| (answer.id, answer.version.get())).collect();
    assert_eq!(given.len(), 1);
    let subjects: Vec<Subject> = names.iter().map(|name| subject(name)).collect();
    assert_sound(&at.audit.violations(&subjects).await);
}

/// One of two incompatible schemas must lose, whoever comes first.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_incompatible_schemas_one_is_accepted() {
    for round in 0..20 {
        let at = in_memory_registry(instant_runtime(round)).await;
        let typed = |kind: &str| {
            let text = format!(
                r#"{{"type":"record","name":"R","fields":[{{"name":"x","type":"{kind}"}},{{"name":"{kind}","type":"int"}}]}}"#
            );
            let registry = process(&at);
            async move { register(&registry, "s", text).await }
        };
        let answers = all(["int", "string", "boolean", "bytes"].map(typed)).await;
        let accepted = answers.iter().filter(|answer| answer.is_ok()).count();
        let incompatible =
            answers.iter().filter(|answer| matches!(answer, Err(RegistryError::Incompatible(..)))).count();
        assert_eq!((accepted, incompatible), (1, 3), "{answers:?}");
        assert_sound(&at.audit.violations(&[subject("s")]).await);
    }
}

/// A level, once acknowledged, is obeyed by every registration that begins later.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_acknowledged_level_is_obeyed() {
    let at = registry().await;
    let target = subject("s");
    let incompatible =
        |i: usize| format!(r#"{{"type":"record","name":"R","fields":[{{"name":"f{i}","type":"int"}}]}}"#);
    at.registry.set_config(Some(&target), level(Level::None)).await.unwrap();
    register(&at.registry, "s", incompatible(0)).await.unwrap();
    let racing: JoinSet<_> = (1..WRITERS)
        .map(|i| {
            let registry = process(&at);
            async move { register(&registry, "s", incompatible(i)).await }
        })
        .collect();
    at.registry.set_config(Some(&target), level(Level::Backward)).await.unwrap();
    let late = register(&at.registry, "s", incompatible(99)).await;
    assert!(matches!(late, Err(RegistryError::Incompatible(..))), "{late:?}");
    for answer in racing.join_all().await {
        assert!(matches!(answer, Ok(_) | Err(RegistryError::Incompatible(..))), "{answer:?}");
    }
    assert_sound(&at.audit.violations(&[target]).await);
}

fn level(level: Level) -> ConfigUpdate {
    ConfigUpdate { level: Update::Set(level), ..ConfigUpdate::default() }
}

const NAMES: [&str; 5] = ["a", "b", ":.ctx:a", ":.ctx:b", "holder"];

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn racing_writers_of_all_kinds_leave_a_sound_table() {
    for seed in 0..4 {
        let at = in_memory_registry(instant_runtime(seed)).await;
        assert_sound(&race(&at, seed).await);
        let everywhere = SubjectPrefix::parse(":*:");
        let listed = at.registry.subjects(&everywhere, SubjectFilter::WithDeleted).await.unwrap();
        assert!(listed.iter().all(|listed| NAMES.map(subject).contains(listed)));
    }
}

/// Everything against everything, on few subjects in two contexts, with references and permanent deletes; then the
/// audit. What went wrong is told in words.
async fn race(at: &InMemory, seed: u64) -> Vec<String> {
    let writers = (0..8).map(|writer| {
        let registry = process(at);
        let dice = instant_runtime(seed * 100 + writer).entropy;
        async move {
            let mut failed = Vec::new();
            for _ in 0..25 {
                let roll = || usize::try_from(dice.next() >> 32).unwrap();
                let name = NAMES[roll() % (NAMES.len() - 1)];
                let done = one_step(&registry, name, roll(), roll()).await;
                if matches!(done, Err(RegistryError::Store(_))) {
                    failed.push(format!("{done:?}"));
                }
            }
            failed
        }
    });
    let mut wrong: Vec<String> = all(writers).await.into_iter().flatten().collect();
    wrong.extend(at.audit.violations(&NAMES.map(subject)).await);
    wrong
}

async fn one_step(registry: &Registry, name: &str, kind: usize, detail: usize) -> Result<(), RegistryError> {
    let target = subject(name);
    let version = number(1 + i64::try_from(detail % 4).unwrap());
    match kind % 16 {
        0..=5 => register(registry, name, record(detail % 6)).await.map(drop),
        6 => {
            let holder = subject("holder");
            registry.register(&holder, referring("a"), &RegisterOptions::default()).await.map(drop)
        }
        7 | 8 => registry.delete_version(&target, version, false).await.map(drop),
        9 => registry.delete_version(&target, version, true).await.map(drop),
        10 => registry.delete_subject(&target, false).await.map(drop),
        11 => registry.delete_subject(&target, true).await.map(drop),
        12 => registry.delete_subject(&subject("holder"), detail.is_multiple_of(2)).await.map(drop),
        13 => {
            let levels = [Level::None, Level::Backward, Level::FullTransitive];
            let scope = [None, Some(&target)][detail % 2];
            registry.set_config(scope, level(levels[detail % 3])).await.map(drop)
        }
        14 => {
            let mode = [Mode::ReadWrite, Mode::ReadOnly][usize::from(detail.is_multiple_of(4))];
            registry.set_mode(Some(&target), Update::Set(mode.name().to_owned()), false).await
        }
        _ => registry.lookup(&target, request(record(detail % 6)), &LookupOptions::default()).await.map(drop),
    }
}
