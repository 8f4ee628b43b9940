//! Which order of whole operations explains a history?

use std::collections::BTreeMap;

use registrar_harness::{InMemory, in_memory_registry, instant_runtime};
use registrar_model::ContextName;

use crate::drive::{Event, History, finish};
use crate::observe::{observe, rename_ids};
use crate::operation::{Operation, perform};
use crate::scenario::Scenario;

/// Operations in an order, and before which of them an id is lost: the counter may leave gaps, and an import may fall
/// into one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Order {
    operations: Vec<usize>,
    gaps: u32,
}

/// What came of doing one after the other.
#[derive(Clone, Debug)]
struct Outcome {
    answers: BTreeMap<usize, String>,
    after: String,
}

/// A scenario without races. Remembers what came of each order.
#[derive(Debug)]
pub struct Explainer<'a> {
    scenario: &'a Scenario,
    operations: Vec<Operation>,
    outcomes: BTreeMap<Order, Outcome>,
}

/// A registry in which the scenario's first part has happened.
pub fn world(scenario: &Scenario) -> InMemory {
    finish(async {
        let world = in_memory_registry(instant_runtime(1)).await;
        for operation in &scenario.setup {
            // What is refused has happened as well.
            let _ = Box::pin(perform(&world.registry, operation)).await;
        }
        world
    })
}

impl<'a> Explainer<'a> {
    /// For one scenario.
    pub fn new(scenario: &'a Scenario) -> Self {
        Self { scenario, operations: scenario.operations(), outcomes: BTreeMap::new() }
    }

    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        self.scenario
    }

    /// How many orders had to be tried so far.
    pub fn orders(&self) -> usize {
        self.outcomes.len()
    }

    /// Whether some order gives what the clients were told, and `after`; if none does, what the first order gives
    /// instead. An operation without an answer may have happened or not.
    pub fn explain(&mut self, history: &History, after: &str) -> Result<(), String> {
        let told = |answers: &dyn Fn(&Event) -> Option<String>, after: &str| {
            let mut text = String::new();
            for event in history.events.iter().filter(|event| event.answered.is_some()) {
                text.push_str(&answers(event).unwrap_or_default());
                text.push('\n');
            }
            rename_ids(&(text + after))
        };
        let seen = told(&|event| event.answered.as_ref().map(|(_, answer)| answer.clone()), after);
        let mut nearest = None;
        for operations in orders(&history.events) {
            for gaps in self.gaps(&operations) {
                let outcome = self.outcome(Order { operations: operations.clone(), gaps });
                let expected = told(&|event| outcome.answers.get(&event.operation).cloned(), &outcome.after);
                if expected == seen {
                    return Ok(());
                }
                nearest.get_or_insert((operations.clone(), expected));
            }
        }
        let (order, expected) = nearest.unwrap_or_default();
        let differences = seen.lines().zip(expected.lines()).filter(|(seen, expected)| seen != expected);
        let differences = differences.map(|(seen, expected)| format!("  not {expected}\n  but {seen}"));
        let differences = differences.collect::<Vec<_>>().join("\n");
        Err(format!("no order explains the answers and what is left; the order {order:?} gives\n{differences}"))
    }

    /// The sets of operations before which an id may have been lost; only imports can tell.
    fn gaps(&self, order: &[usize]) -> Vec<u32> {
        let takes = |at: usize| self.operations[order[at]].may_take_an_id();
        let places: Vec<usize> = (0..order.len()).filter(|&at| takes(at)).collect();
        if !self.scenario.imports() {
            return vec![0];
        }
        let spread = |set: u32| {
            let lost = places.iter().enumerate().filter(move |(bit, _)| set >> bit & 1 == 1);
            lost.map(|(_, at)| 1 << at).sum()
        };
        (0..1_u32 << places.len()).map(spread).collect()
    }

    fn outcome(&mut self, order: Order) -> Outcome {
        if let Some(known) = self.outcomes.get(&order) {
            return known.clone();
        }
        let world = world(self.scenario);
        let outcome = finish(async {
            let mut answers = BTreeMap::new();
            for (at, &operation) in order.operations.iter().enumerate() {
                if order.gaps >> at & 1 == 1 {
                    let lost = world.store.next_id(&ContextName::default_context()).await;
                    assert!(lost.is_ok(), "{lost:?}");
                }
                answers.insert(operation, Box::pin(perform(&world.registry, &self.operations[operation])).await);
            }
            Outcome { answers, after: observe(&world.registry, &self.scenario.subjects).await }
        });
        self.outcomes.insert(order, outcome.clone());
        outcome
    }
}

/// The orders that time allows: what ended before another began comes first. Whoever answered first is tried first.
fn orders(events: &[Event]) -> Vec<Vec<usize>> {
    let mut by_end: Vec<&Event> = events.iter().collect();
    by_end.sort_by_key(|event| event.answered.as_ref().map_or(u64::MAX, |(ended, _)| *ended));
    let mut all = Vec::new();
    extend(&mut Vec::new(), &by_end, &mut all);
    all
}

fn extend(so_far: &mut Vec<usize>, left: &[&Event], all: &mut Vec<Vec<usize>>) {
    if left.iter().all(|event| event.answered.is_none()) {
        all.push(so_far.clone());
    }
    for (at, next) in left.iter().enumerate() {
        let must_wait = |other: &&Event| other.answered.as_ref().is_some_and(|(ended, _)| *ended < next.invoked);
        if left.iter().any(must_wait) {
            continue;
        }
        let rest: Vec<&Event> = left.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, e)| *e).collect();
        so_far.push(next.operation);
        extend(so_far, &rest, all);
        so_far.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(operation: usize, invoked: u64, ended: Option<u64>) -> Event {
        Event { operation, invoked, answered: ended.map(|ended| (ended, String::new())) }
    }

    #[test]
    fn orders_obey_time() {
        for (events, expected) in [
            (vec![event(0, 0, Some(1)), event(1, 2, Some(3))], vec![vec![0, 1]]),
            (vec![event(0, 0, Some(3)), event(1, 1, Some(2))], vec![vec![1, 0], vec![0, 1]]),
            (vec![event(0, 0, None), event(1, 1, Some(2))], vec![vec![1], vec![1, 0], vec![0, 1]]),
            (vec![event(0, 2, None), event(1, 0, Some(1))], vec![vec![1], vec![1, 0]]),
        ] {
            assert_eq!(orders(&events), expected, "{events:?}");
        }
    }
}
