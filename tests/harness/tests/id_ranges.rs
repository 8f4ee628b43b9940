//! Writers that give ids of ranges of their own over one table, and what a writer does that takes over from another
//! (`docs/OPERATIONS.md`).

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use registrar_harness::schemas::{record, register, request, subject};
use registrar_harness::{Fault, InMemory, Point, in_memory_registry, instant_runtime};
use registrar_model::{IdRange, SchemaId, Update};
use registrar_registry::{Denied, IdQuery, RegisterOptions, Registry, RegistryError, SchemaRequest, Settings};
use tokio::task::JoinSet;

async fn table() -> InMemory {
    in_memory_registry(instant_runtime(9)).await
}

/// A process with a range.
fn writer(at: &InMemory, range: &str) -> Registry {
    at.registry_with(Settings { id_range: IdRange::parse(range).unwrap(), ..Settings::default() })
}

fn id(number: i64) -> SchemaId {
    SchemaId::new(number).unwrap()
}

/// Registers that number of a record as the only version of a subject of its own, and answers the id.
async fn give(writer: &Registry, number: usize) -> Result<u32, RegistryError> {
    register(writer, &format!("s{number}"), record(number)).await.map(|registered| registered.id.get())
}

async fn import(writer: &Registry, number: usize, at: i64) -> Result<u32, RegistryError> {
    let request = SchemaRequest { id: Some(id(at)), ..request(record(number)) };
    let name = subject(&format!("i{number}"));
    Box::pin(writer.set_mode(Some(&name), Update::Set("IMPORT".to_owned()), false)).await?;
    let registered = Box::pin(writer.register(&name, request, &RegisterOptions::default())).await?;
    Ok(registered.id.get())
}

fn used_up(answer: Result<u32, RegistryError>, range: &str) {
    match answer {
        Err(RegistryError::Denied(Denied::IdsUsedUp(_, of))) => assert_eq!(of.to_string(), range),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn assert_sound(violations: &[String]) {
    assert!(violations.is_empty(), "{violations:#?}");
}

async fn audit(at: &InMemory, numbers: std::ops::Range<usize>) {
    let names = numbers.flat_map(|number| [format!("s{number}"), format!("i{number}")]);
    let subjects: Vec<_> = names.map(|name| subject(&name)).collect();
    assert_sound(&at.audit.violations(&subjects).await);
}

async fn max_id(at: &InMemory, known: i64) -> Option<u32> {
    let query = IdQuery { fetch_max_id: true, ..IdQuery::default() };
    at.registry.schema_by_id(id(known), &query).await.unwrap().max_id.map(SchemaId::get)
}

#[tokio::test]
async fn each_writer_gives_ids_of_its_range_until_it_is_used_up() {
    let at = table().await;
    let [a, b] = ["10-12", "100-200"].map(|range| writer(&at, range));
    for (number, (writer, expected)) in [(&a, 10), (&b, 100), (&a, 11), (&b, 101), (&a, 12)].into_iter().enumerate() {
        assert_eq!(give(writer, number).await.unwrap(), expected);
    }
    used_up(give(&a, 5).await, "10-12");
    used_up(give(&a, 5).await, "10-12");
    assert_eq!(give(&b, 5).await.unwrap(), 102);
    // A content that has an id needs none.
    assert_eq!(register(&a, "again", record(1)).await.unwrap().id, id(100));
    assert_eq!(max_id(&at, 10).await, Some(102));
    // Another context has ids of its own.
    assert_eq!(register(&a, ":.c:s", record(7)).await.unwrap().id, id(10));
    assert_eq!(register(&b, ":.c:s", record(8)).await.unwrap().id, id(100));
    // A longer range goes on where the shorter one ended.
    assert_eq!(give(&writer(&at, "10-20"), 6).await.unwrap(), 13);
    at.registry.versions(&subject("again"), registrar_registry::VersionFilter::default()).await.unwrap();
    let names = ["again", ":.c:s"].map(subject).into_iter().chain((0..7).map(|number| subject(&format!("s{number}"))));
    assert_sound(&at.audit.violations(&names.collect::<Vec<_>>()).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn writers_at_the_same_time_give_no_id_twice() {
    let at = table().await;
    let ranges = ["50-1000", "50-1000", "2000-3000", "1-49"];
    let mut tasks = JoinSet::new();
    for number in 0..24 {
        let writer = writer(&at, ranges[number % ranges.len()]);
        tasks.spawn(async move { give(&writer, number).await.unwrap() });
    }
    let ids: BTreeSet<u32> = tasks.join_all().await.into_iter().collect();
    assert_eq!(ids.len(), 24);
    assert_eq!(ids.iter().filter(|&&id| (50..=1000).contains(&id)).count(), 12);
    audit(&at, 0..24).await;
}

/// Its counter stands at the last id of the range below, which it has not given.
#[tokio::test]
async fn a_range_that_has_given_nothing_uses_up_no_other() {
    let at = table().await;
    let (above, below) = (writer(&at, "50-1000"), writer(&at, "1-49"));
    let mut stop = at.faults.stop_at_nth("UpdateItem", 3, Point::Before);
    let fast = async {
        stop.reached().await;
        let id = give(&below, 1).await;
        stop.release();
        id
    };
    let (slow, fast) = tokio::join!(Box::pin(give(&above, 0)), Box::pin(fast));
    assert_eq!((slow.unwrap(), fast.unwrap()), (50, 1));
    audit(&at, 0..2).await;
}

#[tokio::test]
async fn a_range_begins_behind_what_is_given_already() {
    for (range, expected) in [("1-10", Some(4)), ("2-20", Some(4)), ("3-10", Some(4)), ("8-20", Some(8)), ("2-3", None)]
    {
        let at = table().await;
        for number in 0..3 {
            give(&at.registry, number).await.unwrap();
        }
        let changed = writer(&at, range);
        match expected {
            Some(first) => {
                assert_eq!(give(&changed, 3).await.unwrap(), first, "{range}");
                assert_eq!(give(&changed, 4).await.unwrap(), first + 1, "{range}");
            }
            None => used_up(give(&changed, 3).await, range),
        }
        audit(&at, 0..5).await;
    }
}

#[tokio::test]
async fn imports_raise_the_counter_of_their_own_range_and_no_other() {
    let at = table().await;
    let [a, b] = ["10-20", "500-600"].map(|range| writer(&at, range));
    assert_eq!(give(&a, 0).await.unwrap(), 10);
    assert_eq!(import(&a, 1, 15).await.unwrap(), 15);
    assert_eq!(give(&a, 2).await.unwrap(), 16);
    // Outside: the own ids go on, and the other range begins behind it.
    assert_eq!(import(&a, 3, 502).await.unwrap(), 502);
    assert_eq!(give(&a, 4).await.unwrap(), 17);
    assert_eq!(max_id(&at, 10).await, Some(502));
    assert_eq!(give(&b, 5).await.unwrap(), 503);
    // An id that the other has not come to is left out by it.
    assert_eq!(import(&a, 6, 504).await.unwrap(), 504);
    assert_eq!(give(&b, 7).await.unwrap(), 505);
    // The id that nobody gives.
    assert_eq!(import(&a, 8, 0).await.unwrap(), 0);
    assert_eq!(give(&a, 9).await.unwrap(), 18);
    // The end of the range.
    assert_eq!(import(&a, 10, 20).await.unwrap(), 20);
    used_up(give(&a, 11).await, "10-20");
    audit(&at, 0..12).await;
}

#[tokio::test]
async fn an_id_that_was_lost_with_a_region_never_means_something_else() {
    // What has reached the other region: the first of two registrations.
    let [lost, kept] = [table().await, table().await];
    let here = "1-1000";
    for at in [&lost, &kept] {
        assert_eq!(give(&writer(at, here), 0).await.unwrap(), 1);
    }
    assert_eq!(give(&writer(&lost, here), 1).await.unwrap(), 2);
    let taken_over = writer(&kept, "1001-2000");
    assert_eq!(give(&taken_over, 2).await.unwrap(), 1001);
    // The lost content is new there, and gets an id of the new range; what was written with the old id is readable again
    // once that is imported.
    assert_eq!(give(&taken_over, 1).await.unwrap(), 1002);
    assert!(kept.registry.schema_by_id(id(2), &IdQuery::default()).await.is_err());
    let denied = import(&taken_over, 3, 1001).await;
    assert!(matches!(denied, Err(RegistryError::Denied(Denied::OverwriteId(..)))), "{denied:?}");
    assert_eq!(import(&taken_over, 4, 2).await.unwrap(), 2);
    assert_eq!(give(&taken_over, 5).await.unwrap(), 1003);
    // Back in the old region, the range begins anew above all that can have been given.
    assert_eq!(give(&writer(&kept, "100-1000"), 6).await.unwrap(), 100);
    audit(&kept, 0..7).await;
}

#[tokio::test]
async fn a_range_costs_no_round_trip() {
    let [plain, ranged] = [table().await, table().await];
    let writers = [plain.registry.clone(), writer(&ranged, "100-200")];
    let mut costs = Vec::new();
    for number in 0..3 {
        let mut side_by_side = Vec::new();
        for (at, writer) in [&plain, &ranged].into_iter().zip(&writers) {
            at.meter.take();
            give(writer, number).await.unwrap();
            side_by_side.push(at.meter.take());
        }
        costs.push(side_by_side);
    }
    // Beginning it takes a query and two writes more, once in a context.
    let [first_plain, first_ranged] = [&costs[0][0], &costs[0][1]].map(registrar_harness::Usage::total_calls);
    assert_eq!(first_ranged, first_plain + 3);
    for cost in &costs[1..] {
        assert_eq!(cost[0], cost[1]);
    }
}

#[tokio::test]
async fn a_lost_answer_costs_an_id_and_repeats_none() {
    let at = table().await;
    let writer = writer(&at, "7-9");
    assert_eq!(give(&writer, 0).await.unwrap(), 7);
    at.faults.at_next("UpdateItem", Fault::TimeoutAfter);
    assert_eq!(give(&writer, 1).await.unwrap(), 9);
    used_up(give(&writer, 2).await, "7-9");
    audit(&at, 0..3).await;
}
