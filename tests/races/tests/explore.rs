//! Explores schedules and prints how many. A failing one is named by a seed, which replays it.
//!
//! `REGISTRAR_RACES=N` explores N scenarios of each topic instead of the usual number; `REGISTRAR_RACES_FROM=N` begins
//! with another seed; `REGISTRAR_RACES_SEED=Topic:seed:schedule` replays one schedule.

use std::process::ExitCode;

use registrar_races::explore::{Explored, Violation, explore};
use registrar_races::made::made;
use registrar_races::print;
use registrar_races::scenario::Topic;
use registrar_races::seed::Seed;

/// Schedules of each scenario.
const SCHEDULES: u64 = 20;
/// Scenarios of each topic in the test command; of those made by hand each, with fewer schedules.
const SCENARIOS: u64 = 10;
const SCHEDULES_MADE: u64 = 10;

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
        let made = topic == Topic::Made;
        // Those made by hand are always the same: from another seed on they have other schedules.
        let seeds = if made { 1..made_by_hand() } else { from..from + scenarios };
        let schedules = if made { from..from + SCHEDULES_MADE.max(scenarios) } else { 0..SCHEDULES };
        for seed in seeds {
            let (part, violation) = explore(topic, seed, schedules.clone(), None);
            explored.add(part);
            violations.extend(violation);
        }
        report(&format!("{topic:?}"), explored);
        all.add(explored);
    }
    report("all", all);
    violations.iter().for_each(tell);
    let (schedules, wrong) = (all.schedules, violations.len());
    print(&format!("proof: {schedules} schedules explored, {wrong} violations (scenarios from {from} of each topic)"));
    if violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn made_by_hand() -> u64 {
    made().len() as u64 + 1
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn report(what: &str, explored: Explored) {
    let Explored { schedules, turns, deaths, lost, orders } = explored;
    print(&format!(
        "{what}: {schedules} schedules, {turns} turns, {deaths} with deaths, {lost} answers lost, {orders} orders tried"
    ));
}

fn tell(violation: &Violation) {
    print(&format!("VIOLATION {}\n{}", violation.seed, violation.story));
}

fn replay(seed: &str) -> ExitCode {
    let seed: Seed = match seed.parse() {
        Ok(seed) => seed,
        Err(wrong) => {
            print(&wrong);
            return ExitCode::FAILURE;
        }
    };
    let (explored, violation) = seed.run(None);
    report(&seed.to_string(), explored);
    violation.iter().for_each(tell);
    if violation.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
