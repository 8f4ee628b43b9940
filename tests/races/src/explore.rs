//! Scenarios and schedules by their seeds.

use registrar_harness::schemas::subject;
use registrar_model::Subject;
use registrar_registry::Registry;
use registrar_store::GuardName;

use crate::drive::{History, Scheduler, finish, race};
use crate::explain::{Explainer, world};
use crate::observe::observe;
use crate::operation::{Operation, perform};
use crate::scenario::{Scenario, Topic};

/// What was explored.
#[derive(Clone, Copy, Debug, Default)]
pub struct Explored {
    /// Schedules that ran.
    pub schedules: usize,
    /// Turns that were given in them.
    pub turns: usize,
    /// Clients that died.
    pub deaths: usize,
    /// Orders that were tried to explain them.
    pub orders: usize,
}

/// A schedule that nothing explains.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What to give to replay it.
    pub seed: String,
    /// What happened, to read.
    pub story: String,
}

impl Explored {
    /// Both together.
    pub fn add(&mut self, other: Self) {
        self.schedules += other.schedules;
        self.turns += other.turns;
        self.deaths += other.deaths;
        self.orders += other.orders;
    }
}

/// Runs `schedules` schedules of one scenario; the first that nothing explains, if there is one.
pub fn explore(
    topic: Topic,
    seed: u64,
    schedules: std::ops::Range<u64>,
    dropped: Option<GuardName>,
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
        if let Some(wrong) = wrong {
            let seed = format!("{topic:?}:{seed}:{schedule}");
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
    dropped: Option<GuardName>,
) -> (History, Option<String>) {
    let scenario = explainer.scenario().clone();
    let world = world(&scenario);
    let scheduler = Scheduler::new(seed ^ (schedule << 32), scenario.clients.len());
    let history = race(&world, &scenario.numbered(), scheduler, dropped);
    let stuck = history.events.iter().any(|event| event.answered.is_none()) && !history.died;
    if stuck {
        return (history, Some("an operation did not come to an end".to_owned()));
    }
    let after = finish(observe(&world.registry, &scenario.subjects));
    if let Err(wrong) = explainer.explain(&history, &after) {
        return (history, Some(format!("{wrong}\nleft:\n{after}")));
    }
    if history.died {
        finish(finish_sweeps(&world.registry, &scenario.subjects));
    }
    let subjects: Vec<Subject> = scenario.subjects.iter().map(|name| subject(name)).collect();
    let broken = finish(world.audit.violations(&subjects));
    let broken: Vec<String> = broken.into_iter().filter(|rule| !(scenario.imports() && is_of_imports(rule))).collect();
    let wrong = (!broken.is_empty()).then(|| format!("the table is not in order:\n{}", broken.join("\n")));
    (history, wrong)
}

/// Whoever died may have left a sweep for whoever comes next, such as these.
async fn finish_sweeps(registry: &Registry, subjects: &[&'static str]) {
    for &subject in subjects {
        let next = Operation::DeleteVersion { subject, version: 1, permanent: false };
        // Refused or not, it has swept.
        let _ = Box::pin(perform(registry, &next)).await;
    }
}

/// An import may give a content a second id, which the audit does not know of: either may go first.
fn is_of_imports(rule: &str) -> bool {
    let beginnings = ["missing: (\"./F/", "left over: (\"./F/"];
    let parts = [" has ids ", "uses counted"];
    beginnings.iter().any(|beginning| rule.starts_with(beginning)) || parts.iter().any(|part| rule.contains(part))
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
