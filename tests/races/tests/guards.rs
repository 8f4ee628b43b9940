//! Takes away every condition of every transaction and every step beside them, one by one, and shows a schedule that goes
//! wrong without it. One that nothing misses is a failure: either it is not needed, or the explorer does not see what it
//! is for.
//!
//! The schedules are kept in `guards.tsv`: a line for each safeguard, with a few seeds. The first that shows it is enough;
//! with the safeguard, the same schedule must be in order. If none shows it any more, because the code has changed, others
//! are looked for and printed, to be kept; the test fails if there is none, or if a line names what does not exist.
//!
//! `REGISTRAR_RACES_GUARD=Name` tries only one (`Register.HeadTag`); `REGISTRAR_RACES_SEARCH=N` ignores what is kept, and
//! prints new lines with up to N seeds each.

use std::collections::BTreeMap;
use std::process::ExitCode;

use registrar_races::explore::explore;
use registrar_races::made::made;
use registrar_races::print;
use registrar_races::scenario::Topic;
use registrar_races::seed::Seed;
use registrar_store::{GuardName, PlanName, Safeguard, StepName};

const KEPT: &str = include_str!("../guards.tsv");
/// Schedules of each scenario.
const SCHEDULES: u64 = 10;
/// Schedules of each scenario that was made for the safeguard.
const SCHEDULES_MADE: u64 = 400;
/// After so many scenarios of each topic nobody misses the safeguard.
const SCENARIOS: u64 = 25;

fn main() -> ExitCode {
    let kept = match kept() {
        Ok(kept) => kept,
        Err(wrong) => {
            print(&format!("guards.tsv: {wrong}"));
            return ExitCode::FAILURE;
        }
    };
    let only = std::env::var("REGISTRAR_RACES_GUARD").ok();
    let searches: Option<usize> = std::env::var("REGISTRAR_RACES_SEARCH").ok().and_then(|most| most.parse().ok());
    let chosen = |safeguard: &Safeguard| only.as_ref().is_none_or(|only| *only == safeguard.to_string());
    let (mut conditions, mut steps, mut failures) = (0, 0, 0);
    for safeguard in Safeguard::all().filter(chosen) {
        let seeds = kept.get(&safeguard.to_string()).map_or(&[][..], Vec::as_slice);
        let missed = match searches {
            Some(seeds) => Ok(search(safeguard, seeds)),
            None => missed(safeguard, seeds),
        };
        match &missed {
            Err(wrong) => print(&format!("{safeguard}: {wrong}")),
            Ok(false) => print(&format!("{safeguard}: nothing goes wrong without it")),
            Ok(true) => {}
        }
        failures += usize::from(missed != Ok(true));
        match safeguard {
            Safeguard::Guard(..) => conditions += 1,
            Safeguard::Step(_) => steps += 1,
        }
    }
    let plans = PlanName::ALL.len();
    print(&format!(
        "proof: {conditions} conditions of {plans} transactions and {steps} steps beside them removed one by one, \
         {failures} not missed"
    ));
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn kept() -> Result<BTreeMap<String, Vec<Seed>>, String> {
    let known: Vec<String> = Safeguard::all().map(|safeguard| safeguard.to_string()).collect();
    let mut kept = BTreeMap::new();
    for line in KEPT.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (name, seeds) = line.split_once('\t').ok_or_else(|| format!("no tab in {line:?}"))?;
        if !known.iter().any(|known| known == name) {
            return Err(format!("there is no {name}"));
        }
        let seeds = seeds.split_whitespace().map(str::parse).collect::<Result<Vec<Seed>, _>>()?;
        if kept.insert(name.to_owned(), seeds).is_some() {
            return Err(format!("{name} is there twice"));
        }
    }
    Ok(kept)
}

/// Whether a schedule goes wrong without the safeguard; an error if one goes wrong with it.
fn missed(safeguard: Safeguard, seeds: &[Seed]) -> Result<bool, String> {
    for seed in seeds {
        if let (_, Some(violation)) = seed.run(None) {
            return Err(format!("{seed} goes wrong with it as well\n{}", violation.story));
        }
        if let (_, Some(_)) = seed.run(Some(safeguard)) {
            print(&format!("without {safeguard}: {seed} goes wrong"));
            return Ok(true);
        }
        print(&format!("without {safeguard}: {seed} does not go wrong any more"));
    }
    Ok(search(safeguard, 1))
}

/// Looks for schedules that go wrong without the safeguard, and prints a line to keep: first in the scenarios made for it,
/// then everywhere it could show.
fn search(safeguard: Safeguard, seeds: usize) -> bool {
    let name = safeguard.to_string();
    let mut found: Vec<Seed> = Vec::new();
    let mut schedules = 0;
    for (made, place) in made().iter().zip(1..) {
        if made.shows.contains(&&*name) {
            schedules += look(safeguard, (Topic::Made, place), SCHEDULES_MADE, seeds, &mut found);
        }
    }
    for scenario in 1..=SCENARIOS {
        if found.len() >= seeds {
            break;
        }
        for &topic in topics(safeguard) {
            schedules += look(safeguard, (topic, scenario), SCHEDULES, seeds, &mut found);
        }
    }
    let line = found.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    print(&format!("{name}\t{line}"));
    print(&format!("# after {schedules} schedules"));
    !found.is_empty()
}

/// The schedules of one scenario, until enough are found; how many that took.
fn look(
    safeguard: Safeguard,
    (topic, scenario): (Topic, u64),
    most: u64,
    enough: usize,
    found: &mut Vec<Seed>,
) -> usize {
    let (mut next, mut schedules) = (0, 0);
    while next < most && found.len() < enough {
        let (explored, violation) = explore(topic, scenario, next..most, Some(safeguard));
        schedules += explored.schedules;
        let Some(violation) = violation else { break };
        next = violation.seed.schedule + 1;
        if violation.seed.run(None).1.is_none() {
            found.push(violation.seed);
        }
    }
    schedules
}

/// The topics that could show it.
fn topics(safeguard: Safeguard) -> &'static [Topic] {
    match safeguard {
        Safeguard::Guard(plan, guard) => topics_of_plan(plan, guard),
        Safeguard::Step(step) => topics_of_step(step),
    }
}

fn topics_of_plan(plan: PlanName, guard: GuardName) -> &'static [Topic] {
    match (plan, guard) {
        (PlanName::Associate, _) | (_, GuardName::TargetNotStrong) => &[Topic::Associations],
        (_, GuardName::SettingsTag | GuardName::ScopeTag) => &[Topic::Settings, Topic::Scopes, Topic::Everything],
        (PlanName::ClearSubject, _) => &[Topic::Imports],
        (_, GuardName::TargetLatest) => &[Topic::References],
        (PlanName::EndSweep, _) => &[Topic::Marks, Topic::Sweeps],
        (PlanName::RemoveContext, _) => &[Topic::Contexts],
        (PlanName::Register, GuardName::IdAbsent | GuardName::TargetUnmarked) => &[Topic::Imports, Topic::Everything],
        (_, GuardName::FingerprintAbsent) => &[Topic::Contents, Topic::Imports],
        (_, GuardName::FingerprintSeen | GuardName::FingerprintUses | GuardName::VersionBorn) => {
            &[Topic::Sweeps, Topic::Contents, Topic::Imports]
        }
        (PlanName::Register, GuardName::VersionRefs) => &[Topic::Imports, Topic::References, Topic::Everything],
        (_, GuardName::TargetLive | GuardName::TargetFloor | GuardName::VersionRefs | GuardName::SubjectRefs) => {
            &[Topic::References, Topic::Imports]
        }
        _ => &[Topic::Subject, Topic::Contents],
    }
}

fn topics_of_step(step: StepName) -> &'static [Topic] {
    match step {
        StepName::RefusalHead | StepName::RefusalLookup => &[Topic::Subject, Topic::Settings],
        StepName::RefusalSettings => &[Topic::Settings, Topic::Scopes],
        StepName::RefusalResource | StepName::NamespaceHint => &[Topic::Associations],
        StepName::LatestReference
        | StepName::LatestAgain
        | StepName::OwnTarget
        | StepName::ReferrersFirst
        | StepName::ReferrerHint => &[Topic::References],
        StepName::ContextsAgain | StepName::ContextNote | StepName::ContextMove | StepName::ContextEmpty => {
            &[Topic::Contexts]
        }
        StepName::OnlyUp | StepName::CounterRaise => &[Topic::Imports],
        StepName::SweepFirst | StepName::RowsBeforeMark => &[Topic::Sweeps, Topic::Marks],
        StepName::CopyHead => &[Topic::Copies],
        StepName::UsageMoved | StepName::UserAgain => &[Topic::Lists, Topic::Sweeps],
        _ => &[Topic::Subject, Topic::Contents, Topic::Sweeps],
    }
}
