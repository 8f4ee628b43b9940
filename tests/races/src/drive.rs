//! Clients and the scheduler that gives them turns.

use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use registrar_harness::{InMemory, instant_runtime};
use registrar_registry::{Registry, Settings};
use registrar_store::GuardName;

use crate::operation::{Operation, perform};
use crate::random::Random;
use crate::turns::{Grant, Queue, Turn, Turns};

/// A schedule that gives so many turns has gone wrong.
const MOST_TURNS: usize = 20_000;

/// How turns are given.
#[derive(Clone, Debug)]
pub enum Strategy {
    /// To anyone.
    Random,
    /// To the same client for a while.
    Bursty,
    /// To the client that comes first in a list, in which clients change places now and then.
    Priorities,
}

/// Gives turns as its seed says.
#[derive(Clone, Debug)]
pub struct Scheduler {
    random: Random,
    strategy: Strategy,
    last: Option<usize>,
    order: Vec<usize>,
    /// Who dies, and at which of its turns.
    death: Option<(usize, usize)>,
}

/// An operation as a client saw it.
#[derive(Clone, Debug)]
pub struct Event {
    /// Which of all operations.
    pub operation: usize,
    /// When it began.
    pub invoked: u64,
    /// When it ended and with which answer, unless the client died.
    pub answered: Option<(u64, String)>,
}

/// What happened.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// By operation; those that never began are missing.
    pub events: Vec<Event>,
    /// Whether a client died.
    pub died: bool,
    /// The turns, to read.
    pub log: Vec<String>,
    /// DynamoDB calls and beginnings.
    pub turns: usize,
}

impl Scheduler {
    /// The schedule of a seed for so many clients. Some have a client die.
    pub fn new(seed: u64, clients: usize) -> Self {
        let mut random = Random::new(seed);
        let strategy = random.pick(&[Strategy::Random, Strategy::Bursty, Strategy::Priorities]).clone();
        let mut order: Vec<usize> = (0..clients).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at + 1));
        }
        let mut fate = Random::new(!seed);
        let death = fate.chance(25).then(|| (fate.below(clients), 1 + fate.below(14)));
        Self { random, strategy, last: None, order, death }
    }

    /// Who of those that wait comes next.
    fn choose(&mut self, waiting: &[Turn]) -> usize {
        let of_client = |client: usize| waiting.iter().position(|turn| turn.client == client);
        let chosen = match self.strategy {
            Strategy::Bursty if self.random.chance(80) => self.last.and_then(of_client),
            Strategy::Random | Strategy::Bursty => None,
            Strategy::Priorities => {
                if self.random.chance(10) {
                    let (a, b) = (self.random.below(self.order.len()), self.random.below(self.order.len()));
                    self.order.swap(a, b);
                }
                self.order.iter().find_map(|&client| of_client(client))
            }
        };
        let chosen = chosen.unwrap_or_else(|| self.random.below(waiting.len()));
        self.last = Some(waiting[chosen].client);
        chosen
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

type Events = Arc<Mutex<Vec<Event>>>;

/// One client's operations, one after the other.
async fn client(
    registry: Registry,
    queue: Queue,
    client: usize,
    operations: Vec<(usize, Operation)>,
    clock: Arc<AtomicU64>,
    events: Events,
) {
    let lock = || events.lock().unwrap_or_else(PoisonError::into_inner);
    for (index, operation) in operations {
        queue.turn(client, format!("begins {operation:?}")).await;
        let invoked = clock.fetch_add(1, Ordering::SeqCst);
        lock().push(Event { operation: index, invoked, answered: None });
        let answer = Box::pin(perform(&registry, &operation)).await;
        let ended = clock.fetch_add(1, Ordering::SeqCst);
        if let Some(event) = lock().iter_mut().find(|event| event.operation == index) {
            event.answered = Some((ended, answer));
        }
    }
}

/// Lets `clients` loose on a registry, without some guards, as the scheduler says.
pub fn race(
    world: &InMemory,
    clients: &[Vec<(usize, Operation)>],
    mut scheduler: Scheduler,
    dropped: Option<GuardName>,
) -> History {
    let queue = Queue::default();
    let clock = Arc::new(AtomicU64::new(0));
    let events = Events::default();
    let mut tasks: Vec<Task> = clients
        .iter()
        .enumerate()
        .map(|(index, operations)| {
            let runtime = instant_runtime(1_000 + index as u64);
            let store = world.store_through(runtime, |inner| Turns::around(inner, queue.clone(), index));
            let registry = Registry::new(store.without_guards(dropped), Settings::default());
            let (queue, clock, events) = (queue.clone(), Arc::clone(&clock), Arc::clone(&events));
            Task::new(client(registry, queue, index, operations.clone(), clock, events))
        })
        .collect();
    let mut history = History::default();
    let mut turns_of = vec![0; clients.len()];
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
        turns_of[client] += 1;
        let dies = scheduler.death == Some((client, turns_of[client]));
        history.log.push(format!("{client} {}{}", turn.what, if dies { ", and dies" } else { "" }));
        if !dies {
            turn.grant(Grant::Run);
            continue;
        }
        history.died = true;
        if scheduler.random.chance(50) {
            turn.grant(Grant::RunUnheard);
            tasks[client].go_on();
        }
        tasks[client].future = None;
    }
    history.events = std::mem::take(&mut *events.lock().unwrap_or_else(PoisonError::into_inner));
    history.events.sort_by_key(|event| event.operation);
    history
}
