//! Who comes next, who dies, and whose answers are lost, as a seed says.

use std::collections::BTreeMap;

use crate::random::Random;
use crate::turns::{Grant, Turn};

/// A client's turn: which client, and the how manieth of its turns.
type At = (usize, usize);

/// Deaths and losses happen at one of the first turns of a client.
const EARLY: usize = 16;

/// How turns are given.
#[derive(Clone, Debug)]
enum Strategy {
    /// To anyone.
    Random,
    /// To the same client for a while.
    Bursty,
    /// To the client that comes first in a list, in which clients change places now and then.
    Priorities,
    /// To one client up to some turn, to another up to some turn or its end, then to the first, then to the rest.
    Held { first: At, second: At },
    /// The same, by their transactions instead of their turns: the first is held before one.
    HeldAtWrite { first: At, second: At },
}

/// Gives turns as its seed says.
#[derive(Clone, Debug)]
pub struct Scheduler {
    random: Random,
    strategy: Strategy,
    last: Option<usize>,
    order: Vec<usize>,
    turns: Vec<usize>,
    writes: Vec<usize>,
    /// Who dies when, and whether the call of that turn still happens.
    deaths: BTreeMap<At, bool>,
    losses: BTreeMap<At, Grant>,
}

/// What becomes of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is granted.
    Goes(Grant),
    /// The client dies before it.
    Dies,
}

impl Scheduler {
    /// The schedule of a seed for so many clients. In some a client dies, in some answers are lost.
    pub fn new(seed: u64, clients: usize) -> Self {
        let mut random = Random::new(seed);
        let mut order: Vec<usize> = (0..clients).collect();
        random.shuffle(&mut order);
        let strategy = match random.below(5) {
            0 => at_random_or_write(seed, &order),
            1 => Strategy::Bursty,
            2 => Strategy::Priorities,
            _ => {
                let hold = if random.chance(50) { 14 } else { 40 };
                let until = if random.chance(50) { usize::MAX } else { 1 + random.below(60) };
                let second = order.get(1).copied().unwrap_or(0);
                Strategy::Held { first: (order[0], 1 + random.below(hold)), second: (second, until) }
            }
        };
        let mut fate = Random::new(!seed);
        let at = |fate: &mut Random| (fate.below(clients), 1 + fate.below(EARLY));
        let mut deaths = BTreeMap::new();
        if fate.chance(25) {
            for _ in 0..=fate.below(2) {
                let happens = fate.chance(50);
                deaths.insert(at(&mut fate), happens);
            }
        }
        let mut losses = BTreeMap::new();
        if fate.chance(25) {
            for _ in 0..=fate.below(3) {
                let grant = if fate.chance(70) { Grant::AnswerLost } else { Grant::CallLost };
                losses.insert(at(&mut fate), grant);
            }
        }
        Self { random, strategy, last: None, order, turns: vec![0; clients], writes: vec![0; clients], deaths, losses }
    }

    /// In which order a client reads the items of batches.
    pub fn reads(&self, client: usize) -> Random {
        Random::new(self.random.clone().bits() ^ client as u64)
    }

    /// Who of those that wait comes next.
    pub fn choose(&mut self, waiting: &[Turn]) -> usize {
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
            Strategy::Held { first, second } => {
                let before = |(client, turns): At| of_client(client).filter(|_| self.turns[client] < turns);
                let rest = || self.order.iter().find_map(|&client| of_client(client));
                before(first).or_else(|| before(second)).or_else(rest)
            }
            Strategy::HeldAtWrite { first, second } => {
                let done = |client: usize| self.writes[client];
                let free = |at: &usize| !waiting[*at].is_transaction() || done(first.0) + 1 < first.1;
                let held = || of_client(second.0).filter(|_| done(second.0) < second.1);
                let rest = || self.order.iter().find_map(|&client| of_client(client));
                of_client(first.0).filter(free).or_else(held).or_else(rest)
            }
        };
        let chosen = chosen.unwrap_or_else(|| self.random.below(waiting.len()));
        self.last = Some(waiting[chosen].client);
        self.writes[waiting[chosen].client] += usize::from(waiting[chosen].is_transaction());
        chosen
    }

    /// What becomes of the next turn of a client. Without `may_lose` no answer is lost.
    pub fn fate(&mut self, client: usize, may_lose: bool) -> Fate {
        self.turns[client] += 1;
        let at = (client, self.turns[client]);
        match self.deaths.get(&at) {
            Some(true) => return Fate::Goes(Grant::RunUnheard),
            Some(false) => return Fate::Dies,
            None => {}
        }
        match self.losses.get(&at) {
            Some(grant) if may_lose => Fate::Goes(*grant),
            _ if self.turns[client].is_multiple_of(3) => Fate::Goes(Grant::RunStale),
            _ => Fate::Goes(Grant::Run),
        }
    }
}

/// Most schedules that are not of one of the other kinds hold clients at their transactions.
fn at_random_or_write(seed: u64, order: &[usize]) -> Strategy {
    let mut random = Random::new(seed.rotate_left(17));
    if random.chance(30) {
        return Strategy::Random;
    }
    let until = if random.chance(40) { usize::MAX } else { 1 + random.below(6) };
    let second = order.get(1).copied().unwrap_or(0);
    Strategy::HeldAtWrite { first: (order[0], 1 + random.below(4)), second: (second, until) }
}
