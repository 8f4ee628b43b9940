//! Explores schedules and prints how many. A failing one is named by a seed, which replays it.
//!
//! `REGISTRAR_RACES=N` explores N scenarios of each topic instead of the usual number; `REGISTRAR_RACES_FROM=N` begins
//! with another seed; `REGISTRAR_RACES_SEED=Topic:seed:schedule` replays one schedule.

use std::process::ExitCode;

use registrar_races::explore::{Explored, Violation, explore};
use registrar_races::print;
use registrar_races::scenario::Topic;

/// Schedules of each scenario.
const SCHEDULES: u64 = 20;
/// Scenarios of each topic in the test command.
const SCENARIOS: u64 = 15;

fn main() -> ExitCode {
    if let Ok(seed) = std::env::var("REGISTRAR_RACES_SEED") {
        return replay(&seed);
    }
    let scenarios = number("REGISTRAR_RACES").unwrap_or(SCENARIOS);
    let from = number("REGISTRAR_RACES_FROM").unwrap_or(1);
    let mut violations = Vec::new();
    let mut all = Explored::default();
    for topic in Topic::ALL {
        let mut explored = Explored::default();
        for seed in from..from + scenarios {
            let (part, violation) = explore(topic, seed, 0..SCHEDULES, None);
            explored.add(part);
            violations.extend(violation);
        }
        report(&format!("{topic:?}"), explored);
        all.add(explored);
    }
    report("all", all);
    violations.iter().for_each(tell);
    print(&format!("races: seeds from {from}, {} violations", violations.len()));
    if violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn report(what: &str, explored: Explored) {
    let Explored { schedules, turns, deaths, orders } = explored;
    print(&format!("{what}: {schedules} schedules, {turns} turns, {deaths} deaths, {orders} orders tried"));
}

fn tell(violation: &Violation) {
    print(&format!("VIOLATION {}\n{}", violation.seed, violation.story));
}

fn replay(seed: &str) -> ExitCode {
    let parts: Vec<&str> = seed.split(':').collect();
    let topic = Topic::ALL.into_iter().find(|topic| Some(&*format!("{topic:?}")) == parts.first().copied());
    let numbers: Vec<u64> = parts.iter().skip(1).filter_map(|part| part.parse().ok()).collect();
    let (Some(topic), [seed, schedule]) = (topic, numbers.as_slice()) else {
        print("a seed is Topic:seed:schedule");
        return ExitCode::FAILURE;
    };
    let (explored, violation) = explore(topic, *seed, *schedule..schedule + 1, None);
    report(&format!("{topic:?}"), explored);
    violation.iter().for_each(tell);
    if violation.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
