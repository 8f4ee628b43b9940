//! Which order of whole operations explains a history?

use std::collections::{BTreeMap, BTreeSet};

use registrar_harness::{InMemory, in_memory_registry, instant_runtime};
use registrar_model::ContextName;
use registrar_registry::Registry;

use crate::drive::{Call, Event, History, Part, finish};
use crate::observe::{Left, observe, rename_ids};
use crate::operation::{OWN, Operation};
use crate::orders::orders;
use crate::perform::{entries, perform};
use crate::scenario::Scenario;

/// Calls in an order, and before which of them an id is lost: the counter may leave gaps, and an import may fall into
/// one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Order {
    calls: Vec<Call>,
    gaps: u32,
}

/// What came of doing one after the other.
#[derive(Clone, Debug)]
struct Outcome {
    answers: BTreeMap<Call, String>,
    left: Left,
}

/// A scenario without races. Remembers what came of each order.
#[derive(Debug)]
pub struct Explainer<'a> {
    scenario: &'a Scenario,
    operations: Vec<Operation>,
    noted: BTreeSet<ContextName>,
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
        let (operations, noted) = (scenario.operations(), scenario.noted_contexts());
        Self { scenario, operations, noted, outcomes: BTreeMap::new() }
    }

    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        self.scenario
    }

    /// How many orders had to be tried so far.
    pub fn orders(&self) -> usize {
        self.outcomes.len()
    }

    /// Whether some order gives what the clients were told, and what is `left`; if none does, what the first order gives
    /// instead. A call without an answer may have happened or not. Lists are judged entry by entry.
    pub fn explain(&mut self, history: &History, left: &Left) -> Result<(), String> {
        let answered = |event: &&Event| event.answered.is_some();
        let (lists, others): (Vec<&Event>, Vec<&Event>) =
            history.events.iter().filter(answered).partition(|event| self.operations[event.call.operation].is_list());
        let told = |answers: &dyn Fn(&Event) -> Option<String>, left: &Left| {
            let answers = others.iter().map(|event| answers(event).unwrap_or_default() + "\n");
            rename_ids(&(answers.collect::<String>() + &left.text))
        };
        let seen = told(&|event| event.answered.as_ref().map(|(_, answer)| answer.clone()), left);
        let mut nearest = None;
        let mut listed: Option<Vec<Entries>> = None;
        for calls in orders(&history.events) {
            for gaps in self.gaps(&calls) {
                let outcome = self.outcome(Order { calls: calls.clone(), gaps });
                let expected = told(&|event| outcome.answers.get(&event.call).cloned(), &outcome.left);
                if expected != seen || !outcome.left.contexts_fit(left, &self.noted) {
                    nearest.get_or_insert((calls.clone(), expected));
                    continue;
                }
                if lists.is_empty() {
                    return Ok(());
                }
                let answers = lists.iter().map(|event| outcome.answers.get(&event.call).map_or("", String::as_str));
                let known = listed.get_or_insert_with(|| vec![Entries::default(); lists.len()]);
                known.iter_mut().zip(answers).for_each(|(entries, answer)| entries.add(answer));
            }
        }
        if let Some(listed) = listed {
            return lists.iter().zip(listed).try_for_each(|(event, entries)| entries.judge(event));
        }
        let (order, expected) = nearest.unwrap_or_default();
        let differences = seen.lines().zip(expected.lines()).filter(|(seen, expected)| seen != expected);
        let differences = differences.map(|(seen, expected)| format!("  not {expected}\n  but {seen}"));
        let differences = differences.collect::<Vec<_>>().join("\n");
        let contexts = &left.contexts;
        Err(format!(
            "no order explains the answers and what is left; the order {order:?} gives\n{differences}\n{contexts:?}"
        ))
    }

    /// The sets of calls before which an id may have been lost; only imports can tell.
    fn gaps(&self, order: &[Call]) -> Vec<u32> {
        let takes = |at: usize| self.operations[order[at].operation].may_take_an_id();
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
            for (at, &call) in order.calls.iter().enumerate() {
                if order.gaps >> at & 1 == 1 {
                    let lost = world.store.next_id(&ContextName::default_context()).await;
                    assert!(lost.is_ok(), "{lost:?}");
                }
                let operation = self.operations[call.operation];
                answers.insert(call, Box::pin(one_call(&world.registry, &operation, call.part)).await);
            }
            Outcome { answers, left: observe(&world.registry, self.scenario).await }
        });
        self.outcomes.insert(order, outcome.clone());
        outcome
    }
}

async fn one_call(registry: &Registry, operation: &Operation, part: Part) -> String {
    match part {
        Part::Whole => perform(registry, operation).await,
        Part::Behind(behind) => perform(&registry.past_aliases(), &operation.on(behind)).await,
        Part::Schema => register_alone(registry, operation).await,
    }
}

/// The schema of an association, registered before it.
async fn register_alone(registry: &Registry, operation: &Operation) -> String {
    let Operation::AssociateWith { content } = *operation else { return String::new() };
    perform(&registry.past_aliases(), &Operation::Register { subject: OWN, content, normalize: false }).await
}

/// The entries of one list in every order that explains the rest.
#[derive(Clone, Debug, Default)]
struct Entries {
    orders: usize,
    seen: BTreeMap<String, usize>,
}

impl Entries {
    fn add(&mut self, answer: &str) {
        self.orders += 1;
        for entry in entries(answer) {
            *self.seen.entry(entry.to_owned()).or_default() += 1;
        }
    }

    /// Each entry must be in the list in some order, and none may be missing that is in it in all of them.
    fn judge(&self, event: &Event) -> Result<(), String> {
        let Some((_, answer)) = &event.answered else { return Ok(()) };
        let told: BTreeSet<&str> = entries(answer).into_iter().collect();
        let unknown = told.iter().find(|entry| !self.seen.contains_key(**entry));
        let always = |entry: &&String| self.seen.get(*entry) == Some(&self.orders);
        let missing = self.seen.keys().filter(always).find(|entry| !told.contains(entry.as_str()));
        match (unknown, missing) {
            (None, None) => Ok(()),
            _ => Err(format!("in the list {answer:?} {unknown:?} is of no order, or {missing:?} of all")),
        }
    }
}
