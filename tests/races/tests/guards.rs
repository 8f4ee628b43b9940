//! Takes every guard away and looks for a schedule that shows it. A guard that nothing misses is a failure: then either
//! it is not needed, or the explorer does not see what it is for.
//!
//! `REGISTRAR_RACES_GUARD=Name` tries only one; `REGISTRAR_RACES=N` gives up after N scenarios of each topic.

use std::process::ExitCode;

use registrar_races::explore::{Explored, explore};
use registrar_races::print;
use registrar_races::scenario::Topic;
use registrar_store::GuardName;

/// Schedules of each scenario.
const SCHEDULES: u64 = 10;
/// After so many scenarios of each topic nobody misses the guard.
const SCENARIOS: u64 = 400;

fn main() -> ExitCode {
    let only = std::env::var("REGISTRAR_RACES_GUARD").ok();
    let most = std::env::var("REGISTRAR_RACES").ok().and_then(|most| most.parse().ok()).unwrap_or(SCENARIOS);
    let chosen = |guard: &GuardName| only.as_ref().is_none_or(|only| *only == format!("{guard:?}"));
    let mut unmissed = Vec::new();
    for guard in GuardName::ALL.into_iter().filter(chosen) {
        let mut explored = Explored::default();
        match find(guard, most, &mut explored) {
            Some(seed) => {
                print(&format!("without {guard:?}: {seed} goes wrong, after {} schedules", explored.schedules));
            }
            None => unmissed.push(guard),
        }
    }
    for guard in &unmissed {
        print(&format!("without {guard:?}: nothing goes wrong"));
    }
    if unmissed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The topics in turn, each with the scenarios that could show it.
fn find(guard: GuardName, most: u64, explored: &mut Explored) -> Option<String> {
    let topics = topics(guard);
    for seed in 1..=most {
        for &topic in topics {
            let (part, violation) = explore(topic, seed, 0..SCHEDULES, Some(guard));
            explored.add(part);
            if let Some(violation) = violation {
                return Some(violation.seed);
            }
        }
    }
    None
}

fn topics(guard: GuardName) -> &'static [Topic] {
    match guard {
        GuardName::HeadTag => &[Topic::Subject],
        GuardName::SettingsTag => &[Topic::Settings],
        GuardName::FingerprintAbsent => &[Topic::Contents],
        GuardName::FingerprintSeen | GuardName::FingerprintUses | GuardName::VersionBorn | GuardName::SweepMark => {
            &[Topic::Sweeps, Topic::Contents]
        }
        GuardName::TargetNotStrong | GuardName::ResourceSeen => &[Topic::Associations],
        GuardName::IdAbsent => &[Topic::Imports],
        GuardName::ContextUnused => &[Topic::Contexts],
        GuardName::TargetLive
        | GuardName::TargetFloor
        | GuardName::TargetPresent
        | GuardName::TargetUnmarked
        | GuardName::VersionRefs
        | GuardName::SubjectRefs => &[Topic::References],
    }
}
