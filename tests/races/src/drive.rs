//! Clients, and the loop that gives them turns.

use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use registrar_harness::{InMemory, instant_runtime};
use registrar_registry::{Registry, Settings};
use registrar_store::{Safeguard, StepName};

use crate::explain::world;
use crate::operation::Operation;
use crate::perform::{alias_in, perform};
use crate::scenario::Scenario;
use crate::schedule::{Fate, Scheduler};
use crate::turns::{Grant, Queue, Turns};

/// A schedule that gives so many turns has gone wrong.
const MOST_TURNS: usize = 20_000;

/// What counts as one when operations are put into an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    /// Which of all operations.
    pub operation: usize,
    /// Which part of it.
    pub part: Part,
}

/// Part of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The registration of a schema that comes with an association; it counts by itself.
    Schema,
    /// All of it, until it meets an alias.
    Whole,
    /// What is done to the subject behind an alias.
    Behind(&'static str),
}

/// A call as a client saw it.
#[derive(Clone, Debug)]
pub struct Event {
    /// Which.
    pub call: Call,
    /// When it began.
    pub invoked: u64,
    /// When it ended and with which answer, unless nobody was told, or the client died.
    pub answered: Option<(u64, String)>,
}

/// What happened.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// In the order of operations; those that never began are missing.
    pub events: Vec<Event>,
    /// Whether a client died.
    pub died: bool,
    /// The turns, to read.
    pub log: Vec<String>,
    /// DynamoDB calls and beginnings.
    pub turns: usize,
    /// How many calls got no answer.
    pub lost: usize,
    /// Reads that were not strongly consistent.
    pub weak_reads: usize,
}

impl History {
    /// Whether an operation did not come to an end although its client lived.
    pub fn is_stuck(&self) -> bool {
        let open = |event: &Event| event.answered.is_none() && event.call.part != Part::Schema;
        !self.died && self.events.iter().any(open)
    }
}

#[derive(Debug, Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// A client's program.
struct Task {
    future: Option<Pin<Box<dyn Future<Output = ()>>>>,
    woken: Arc<Woken>,
}

impl Task {
    fn new(future: impl Future<Output = ()> + 'static) -> Self {
        Self { future: Some(Box::pin(future)), woken: Arc::new(Woken(AtomicBool::new(true))) }
    }

    /// Goes on as far as it can; whether it moved at all.
    fn go_on(&mut self) -> bool {
        let Some(future) = &mut self.future else { return false };
        if !self.woken.0.swap(false, Ordering::SeqCst) {
            return false;
        }
        let waker = Waker::from(Arc::clone(&self.woken));
        if future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
            self.future = None;
        }
        true
    }
}

/// Runs what needs nobody's turn.
///
/// # Panics
/// If it waits for something that cannot come.
pub fn finish<T>(future: impl Future<Output = T>) -> T {
    let woken = Arc::new(Woken(AtomicBool::new(true)));
    let waker = Waker::from(Arc::clone(&woken));
    let mut future = pin!(future);
    while woken.0.swap(false, Ordering::SeqCst) {
        if let Poll::Ready(done) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return done;
        }
    }
    panic!("nothing will ever wake this future");
}

/// What all clients write down.
#[derive(Clone, Debug, Default)]
struct Notes {
    clock: Arc<AtomicU64>,
    events: Arc<Mutex<Vec<Event>>>,
}

impl Notes {
    fn tick(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::SeqCst)
    }

    fn begins(&self, call: Call) {
        let invoked = self.tick();
        self.with(|events| events.push(Event { call, invoked, answered: None }));
    }

    fn ends(&self, call: Call, answer: &str) {
        let ended = self.tick();
        self.with(|events| {
            if let Some(event) = events.iter_mut().find(|event| event.call == call) {
                event.answered = Some((ended, answer.to_owned()));
            }
        });
    }

    fn with<T>(&self, change: impl FnOnce(&mut Vec<Event>) -> T) -> T {
        change(&mut self.events.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// One client's operations, one after the other. Where a subject is an alias, the other one is asked, as the service
/// does: two calls.
async fn client(
    registry: Registry,
    queue: Queue,
    client: usize,
    operations: Vec<(usize, Operation)>,
    subjects: Vec<&'static str>,
    notes: Notes,
) {
    for (index, operation) in operations {
        queue.turn(client, format!("begins {operation:?}")).await;
        let call = |part: Part| Call { operation: index, part };
        if matches!(operation, Operation::AssociateWith { .. }) {
            notes.begins(call(Part::Schema));
        }
        notes.begins(call(Part::Whole));
        let answer = Box::pin(perform(&registry, &operation)).await;
        notes.ends(call(Part::Whole), &answer);
        let behind = alias_in(&answer).and_then(|alias| subjects.iter().find(|subject| **subject == alias));
        if let Some(behind) = behind {
            notes.begins(call(Part::Behind(behind)));
            let answer = Box::pin(perform(&registry.past_aliases(), &operation.on(behind))).await;
            notes.ends(call(Part::Behind(behind)), &answer);
        }
    }
}

/// Lets the clients of a scenario loose on a registry, without a safeguard, as the scheduler says.
pub fn race(
    world_now: &InMemory,
    scenario: &Scenario,
    mut scheduler: Scheduler,
    dropped: Option<Safeguard>,
) -> History {
    let queue = Queue::default();
    let notes = Notes::default();
    // What a replica would answer that is behind.
    let weak = dropped == Some(Safeguard::Step(StepName::StrongRead));
    let behind = weak.then(|| world(scenario).http_client());
    let mut tasks: Vec<Task> = scenario
        .numbered()
        .into_iter()
        .enumerate()
        .map(|(index, operations)| {
            let runtime = instant_runtime(1_000 + index as u64);
            let order = scheduler.reads(index);
            let wrap = |inner| Turns::around(inner, behind.clone(), queue.clone(), index, order);
            let store = world_now.store_through(runtime, wrap);
            let registry = Registry::new(store.without(dropped), Settings::default());
            Task::new(client(registry, queue.clone(), index, operations, scenario.subjects.clone(), notes.clone()))
        })
        .collect();
    let mut history = History::default();
    let imports = scenario.imports();
    loop {
        while tasks.iter_mut().map(Task::go_on).fold(false, |moved, this| moved | this) {}
        let mut waiting = queue.take();
        waiting.retain(|turn| tasks[turn.client].future.is_some());
        if waiting.is_empty() || history.turns > MOST_TURNS {
            break;
        }
        let turn = waiting.remove(scheduler.choose(&waiting));
        queue.put_back(waiting);
        history.turns += 1;
        let client = turn.client;
        // An id that is lost is no loss, but an import may fall into the gap, and then the orders to try are too many.
        let may_lose = !(turn.what.starts_with("begins") || imports && turn.what.starts_with("UpdateItem"));
        let fate = scheduler.fate(client, may_lose);
        let dies = matches!(fate, Fate::Dies | Fate::Goes(Grant::RunUnheard));
        let lost = matches!(fate, Fate::Goes(Grant::AnswerLost | Grant::CallLost));
        let note = if dies || lost { format!(", {fate:?}") } else { String::new() };
        history.log.push(format!("{client} {}{note}", turn.what));
        history.died |= dies;
        history.lost += usize::from(lost);
        if let Fate::Goes(grant) = fate {
            turn.grant(grant);
        }
        if dies {
            tasks[client].go_on();
            tasks[client].future = None;
        }
    }
    history.weak_reads = queue.weak_reads();
    history.events = notes.with(std::mem::take);
    history.events.sort_by_key(|event| event.call);
    history
}
