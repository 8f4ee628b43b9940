//! One fault at one call of one operation, and what must hold then.

use registrar_harness::Point;
use tokio::runtime::{Builder, Runtime};

use crate::contents::Contents;
use crate::hit::Hit;
use crate::place::{Answer, Place};
use crate::row::Row;

/// How the codes begin that tell of the table and not of a bug: 50001, or 50002 where the operation has it
/// (`docs/ERRORS.md`).
const TABLE: &str = "\"error_code\":5000";

/// What happens when nothing goes wrong.
pub(crate) struct Undisturbed {
    /// The DynamoDB operations it calls, in order.
    pub(crate) calls: Vec<String>,
    before: Contents,
    after: Contents,
    settled: Contents,
    answer: Answer,
}

/// What became of the client's first request.
enum First {
    Answered(Answer),
    /// It was told that the table failed.
    Failed(Answer),
    /// Its process died.
    Died,
}

impl Undisturbed {
    pub(crate) fn of(row: &Row) -> Result<Self, String> {
        process().block_on(Box::pin(async {
            let place = Place::empty().await;
            for ask in &row.before {
                let answer = place.ask(ask).await;
                if answer.status >= 300 {
                    return Err(format!("{}, before: {ask:?}: {answer:?}", row.name));
                }
            }
            let before = place.contents().await;
            place.faults().reset();
            let answer = place.ask(&row.ask).await;
            let calls = place.faults().reset();
            if answer.status != row.status {
                return Err(format!("{}: {answer:?}, not {}", row.name, row.status));
            }
            let after = place.contents().await;
            settle(row, &place).await;
            place.audit().await.map_err(|why| format!("{}: {why}", row.name))?;
            let settled = place.contents().await;
            Ok(Self { calls, before, after, settled, answer })
        }))
    }

    /// The answer as it should be, up to the names of ids.
    fn is_answer(&self, row: &Row, answer: &Answer, contents: &Contents) -> bool {
        let renamed = |answer: &Answer, contents: &Contents| contents.rename(&row.context, &answer.body);
        answer.status == self.answer.status
            && (answer.body == self.answer.body || renamed(answer, contents) == renamed(&self.answer, &self.after))
    }
}

/// A process: what runs in it ends with it.
fn process() -> Runtime {
    Builder::new_current_thread().build().unwrap()
}

async fn settle(row: &Row, place: &Place) {
    if let Some(ask) = &row.settle {
        place.ask(ask).await;
    }
}

/// Asks with the `n`th call hit, then asks once more.
pub(crate) fn strike(row: &Row, normal: &Undisturbed, hit: Hit, n: usize) -> Result<(), String> {
    let first_process = process();
    let (place, first) = first_process.block_on(Box::pin(async {
        let place = Place::with(&normal.before).await;
        let first = ask(row, &place, hit, n).await;
        (place, first)
    }));
    if place.faults().left() > 0 && !matches!(hit, Hit::Outage(_)) {
        return Err("the fault did not strike".to_owned());
    }
    place.faults().reset();
    place.time().stop();
    let (place, next_process) = if matches!(first, First::Died) {
        drop(first_process);
        (place.reborn(), process())
    } else {
        (place, first_process)
    };
    next_process.block_on(Box::pin(async {
        judge(row, normal, hit, &first, &place).await?;
        retry(row, normal, &place).await
    }))
}

async fn ask(row: &Row, place: &Place, hit: Hit, n: usize) -> First {
    match hit {
        Hit::Once(fault) => place.faults().at_call(n, fault),
        Hit::Outage(fault) => {
            place.time().let_pass();
            place.faults().from_call(n, fault);
        }
        Hit::Death(point) => return die(row, place, n, point).await,
    }
    let answer = place.ask(&row.ask).await;
    if answer.is_failure() { First::Failed(answer) } else { First::Answered(answer) }
}

async fn die(row: &Row, place: &Place, n: usize, point: Point) -> First {
    let mut stop = place.faults().stop_at_call(n, point);
    tokio::select! {
        // Of reads side by side one may be enough for the answer.
        answer = place.ask(&row.ask) => First::Answered(answer),
        () = stop.reached() => First::Died,
    }
}

/// Whether the first request was answered as its fault allows.
async fn judge(row: &Row, normal: &Undisturbed, hit: Hit, first: &First, place: &Place) -> Result<(), String> {
    let contents = place.contents().await;
    match first {
        First::Answered(answer) if !normal.is_answer(row, answer, &contents) => {
            Err(format!("answered {answer:?}, not {:?}", normal.answer))
        }
        First::Answered(answer) if hit.is_of_all_calls() => Err(format!("answered {answer:?} without a table")),
        First::Answered(_) => contents.difference(&normal.after).map_or(Ok(()), Err),
        First::Failed(answer) if hit.passes() => Err(format!("one fault was too many: {answer:?}")),
        First::Failed(answer) if !answer.body.contains(TABLE) => {
            Err(format!("did not say that it was the table: {answer:?}"))
        }
        First::Failed(_) | First::Died => Ok(()),
    }
}

/// The client asks again and gets the right answer; all is as it is without a fault.
async fn retry(row: &Row, normal: &Undisturbed, place: &Place) -> Result<(), String> {
    let nothing_done = place.contents().await.difference(&normal.before).is_none();
    let answer = place.ask(&row.ask).await;
    let contents = place.contents().await;
    let is_done_already = !nothing_done && answer.is_one_of(&row.again);
    if !is_done_already && !normal.is_answer(row, &answer, &contents) {
        return Err(format!("asked again: {answer:?}, not {:?}", normal.answer));
    }
    settle(row, place).await;
    if let Some(difference) = place.contents().await.difference(&normal.settled) {
        return Err(format!("in the end {difference}"));
    }
    place.audit().await
}
