//! Scenarios and schedules by their seeds.

use registrar_harness::schemas::subject;
use registrar_harness::{InMemory, comes_of_imports};
use registrar_model::Subject;
use registrar_registry::Registry;
use registrar_store::{Safeguard, StepName};

use crate::drive::{History, finish, race};
use crate::explain::{Explainer, world};
use crate::observe::observe;
use crate::operation::Operation;
use crate::perform::perform;
use crate::scenario::{Scenario, Topic};
use crate::schedule::Scheduler;
use crate::seed::Seed;

/// What was explored.
#[derive(Clone, Copy, Debug, Default)]
pub struct Explored {
    /// Schedules that ran.
    pub schedules: usize,
    /// Turns that were given in them.
    pub turns: usize,
    /// Schedules in which clients died.
    pub deaths: usize,
    /// Calls that got no answer.
    pub lost: usize,
    /// Orders that were tried to explain them.
    pub orders: usize,
}

/// A schedule that nothing explains.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What to give to replay it.
    pub seed: Seed,
    /// What happened, to read.
    pub story: String,
}

impl Explored {
    /// Both together.
    pub fn add(&mut self, other: Self) {
        self.schedules += other.schedules;
        self.turns += other.turns;
        self.deaths += other.deaths;
        self.lost += other.lost;
        self.orders += other.orders;
    }
}

/// Runs `schedules` schedules of one scenario; the first that nothing explains, if there is one.
pub fn explore(
    topic: Topic,
    seed: u64,
    schedules: std::ops::Range<u64>,
    dropped: Option<Safeguard>,
) -> (Explored, Option<Violation>) {
    let scenario = Scenario::new(topic, seed);
    let mut explainer = Explainer::new(&scenario);
    let mut explored = Explored::default();
    let mut violation = None;
    for schedule in schedules {
        let (history, wrong) = one(&mut explainer, seed, schedule, dropped);
        explored.schedules += 1;
        explored.turns += history.turns;
        explored.deaths += usize::from(history.died);
        explored.lost += history.lost;
        if let Some(wrong) = wrong {
            let seed = Seed { topic, scenario: seed, schedule };
            violation = Some(Violation { story: story(&scenario, &history, &wrong), seed });
            break;
        }
    }
    explored.orders = explainer.orders();
    (explored, violation)
}

fn one(
    explainer: &mut Explainer<'_>,
    seed: u64,
    schedule: u64,
    dropped: Option<Safeguard>,
) -> (History, Option<String>) {
    let scenario = explainer.scenario().clone();
    let world = world(&scenario);
    let scheduler = Scheduler::new(seed ^ (schedule << 32), scenario.clients.len());
    let history = race(&world, &scenario, scheduler, dropped);
    if history.died {
        finish(finish_sweeps(&world.registry, &scenario.subjects));
    }
    let weak = history.weak_reads > 0 && dropped != Some(Safeguard::Step(StepName::StrongRead));
    let weak = weak.then(|| format!("{} reads are not strongly consistent", history.weak_reads));
    let answers = || wrong_answers(explainer, &scenario, &world, &history);
    let wrong = weak.or_else(answers).or_else(|| wrong_table(&scenario, &world));
    (history, wrong)
}

fn wrong_answers(
    explainer: &mut Explainer<'_>,
    scenario: &Scenario,
    world: &InMemory,
    history: &History,
) -> Option<String> {
    if history.is_stuck() {
        return Some("an operation did not come to an end".to_owned());
    }
    let failed = history.events.iter().find(|event| {
        let answer = event.answered.as_ref().map_or("", |(_, answer)| answer);
        answer.starts_with("refused: Store(")
    });
    if let Some(failed) = failed {
        return Some(format!("an operation failed: {failed:?}"));
    }
    if scenario.is_gradual() {
        return None;
    }
    let left = finish(observe(&world.registry, scenario));
    explainer.explain(history, &left).err().map(|wrong| format!("{wrong}\nleft:\n{}", left.text))
}

fn wrong_table(scenario: &Scenario, world: &InMemory) -> Option<String> {
    let subjects: Vec<Subject> = scenario.subjects.iter().map(|name| subject(name)).collect();
    let broken = finish(world.audit.violations(&subjects));
    let broken: Vec<String> =
        broken.into_iter().filter(|rule| !(scenario.imports() && comes_of_imports(rule))).collect();
    (!broken.is_empty()).then(|| format!("the table is not in order:\n{}", broken.join("\n")))
}

/// Whoever died may have left a sweep for whoever comes next, such as these.
async fn finish_sweeps(registry: &Registry, subjects: &[&'static str]) {
    for &subject in subjects {
        let next = Operation::DeleteVersion { subject, version: 1_000, permanent: false };
        // Refused or not, it has swept.
        let _ = Box::pin(perform(&registry.past_aliases(), &next)).await;
    }
}

fn story(scenario: &Scenario, history: &History, wrong: &str) -> String {
    let mut lines = vec!["before:".to_owned()];
    lines.extend(scenario.setup.iter().map(|operation| format!("  {operation:?}")));
    lines.push("clients:".to_owned());
    lines.extend(scenario.clients.iter().map(|program| format!("  {program:?}")));
    lines.push("turns:".to_owned());
    lines.extend(history.log.iter().map(|turn| format!("  {turn}")));
    lines.push("answers:".to_owned());
    lines.extend(history.events.iter().map(|event| format!("  {event:?}")));
    lines.push(wrong.to_owned());
    lines.join("\n")
}
