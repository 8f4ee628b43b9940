//! All cases over an entry point.

use crate::case::{Case, parse};
use crate::entry::{EntryPoint, Service};
use crate::errors::Seen;
use crate::run::run;
use crate::{Result, transcript::Line};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The cases to run.
#[derive(Debug)]
pub struct Suite {
    cases: Vec<Case>,
    left_out: usize,
}

/// What the service in the process answered, by case; cases that failed there have no answers.
#[derive(Debug, Default)]
pub struct Answers(BTreeMap<String, Vec<Option<Line>>>);

impl Answers {
    /// Every error among them.
    pub fn errors(&self) -> Vec<Seen> {
        let of_case = |(case, lines): (&String, &Vec<Option<Line>>)| {
            let errors = lines.iter().flatten().filter_map(Line::error);
            errors.map(|(code, message)| Seen { case: case.clone(), code, message }).collect::<Vec<_>>()
        };
        self.0.iter().flat_map(of_case).collect()
    }

    /// What a case was answered, step by step; nothing if it did not run to its end.
    pub(crate) fn of(&self, case: &Case) -> Option<&[Option<Line>]> {
        self.0.get(&case.id).map(Vec::as_slice)
    }
}

/// How an entry point fared.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Name of the entry point.
    pub entry: String,
    /// Cases that ran to their end, and steps in them.
    pub passed: usize,
    /// Steps of those.
    pub steps: usize,
    /// What failed, a text for each case.
    pub failures: Vec<String>,
    /// Cases that this entry point cannot run, with the reason.
    pub skipped: Vec<String>,
    /// Cases not chosen by the caller.
    pub left_out: usize,
}

impl Suite {
    /// All cases of the repository; if `only` names any, those whose id begins with one of its words.
    pub fn load(only: Option<&str>) -> Result<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
        let read = |error: std::io::Error| format!("{}: {error}", folder.display());
        let mut paths: Vec<_> = std::fs::read_dir(&folder)
            .map_err(read)?
            .map(|entry| Ok(entry.map_err(read)?.path()))
            .collect::<Result<_>>()?;
        paths.sort();
        let mut cases = Vec::new();
        for path in paths {
            let text = std::fs::read_to_string(&path).map_err(read)?;
            cases.extend(parse(&text).map_err(|error| format!("{}: {error}", path.display()))?);
        }
        check_ids(&cases)?;
        let all = cases.len();
        if let Some(only) = only {
            cases.retain(|case| only.split(',').any(|prefix| case.id.starts_with(prefix)));
        }
        if cases.is_empty() {
            return Err("no case to run".to_owned());
        }
        Ok(Self { left_out: all - cases.len(), cases })
    }

    /// Whether it is all cases of the repository.
    pub fn is_whole(&self) -> bool {
        self.left_out == 0
    }

    /// The cases.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// Runs every case over the service in the process. The answers are what [`Self::run`] compares with.
    pub fn reference(&self) -> (Outcome, Answers) {
        let answers = Mutex::new(Answers::default());
        let outcome = self.each(&Service, |case| {
            let lines = run(case, &Service)?;
            if let Ok(mut answers) = answers.lock() {
                answers.0.insert(case.id.clone(), lines);
            }
            Ok(())
        });
        (outcome, answers.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Runs every case over `entry`, whose answers must be the ones of the service.
    pub fn run(&self, entry: &dyn EntryPoint, answers: &Answers) -> Outcome {
        self.each(entry, |case| {
            let lines = run(case, entry)?;
            answers.0.get(&case.id).map_or(Ok(()), |reference| compare(case, &lines, reference))
        })
    }

    /// Gives each case that `entry` can run to `judge`, several at a time.
    fn each(&self, entry: &dyn EntryPoint, judge: impl Fn(&Case) -> Result<()> + Sync) -> Outcome {
        let outcome = Mutex::new(Outcome { entry: entry.name(), left_out: self.left_out, ..Outcome::default() });
        let next = AtomicUsize::new(0);
        let workers = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some(case) = self.cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let verdict = verdict(case, entry, &judge);
                        if let Ok(mut outcome) = outcome.lock() {
                            outcome.add(case, verdict);
                        }
                    }
                });
            }
        });
        outcome.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Verdict {
    Passed,
    Skipped(String),
    Failed(String),
}

fn verdict(case: &Case, entry: &dyn EntryPoint, judge: impl Fn(&Case) -> Result<()>) -> Verdict {
    match why_not(case, entry) {
        None => judge(case).map_or_else(Verdict::Failed, |()| Verdict::Passed),
        Some(reason) if entry.tries_exceptions() && judge(case).is_ok() => {
            Verdict::Failed(format!("passes, and was to fail: {reason}"))
        }
        Some(reason) => Verdict::Skipped(reason),
    }
}

fn why_not(case: &Case, entry: &dyn EntryPoint) -> Option<String> {
    let restarts = case.steps.iter().any(|step| step.restart.is_some());
    if restarts && !entry.can_restart() {
        return Some("nothing to restart".to_owned());
    }
    case.except.get(entry.key()).cloned()
}

fn compare(case: &Case, lines: &[Option<Line>], reference: &[Option<Line>]) -> Result<()> {
    for (at, pair) in lines.iter().zip(reference).enumerate() {
        let (Some(line), Some(reference)) = pair else { continue };
        if let Some(difference) = line.difference(reference) {
            let step = &case.steps[at];
            let path: String = step.path.chars().take(200).collect();
            return Err(format!(
                "step {}/{} {} {path}: not as in the process: {difference}",
                case.id,
                at + 1,
                step.method
            ));
        }
    }
    Ok(())
}

fn check_ids(cases: &[Case]) -> Result<()> {
    let mut seen = BTreeSet::new();
    match cases.iter().find(|case| !seen.insert(&case.id)) {
        Some(case) => Err(format!("the id {} comes twice", case.id)),
        None => Ok(()),
    }
}

impl Outcome {
    fn add(&mut self, case: &Case, verdict: Verdict) {
        match verdict {
            Verdict::Passed => {
                self.passed += 1;
                self.steps += case.steps.len();
            }
            Verdict::Skipped(why) => self.skipped.push(format!("{} ({why})", case.id)),
            Verdict::Failed(why) => {
                self.failures.push(format!("FAIL {} [{}] {}\n  {why}", case.id, case.section, case.title));
            }
        }
    }

    /// Whether nothing failed and something ran.
    pub fn is_good(&self) -> bool {
        self.failures.is_empty() && self.passed > 0
    }

    /// The failures, and a line of totals.
    pub fn report(&mut self) -> String {
        self.failures.sort();
        self.skipped.sort();
        let mut report = String::new();
        for failure in &self.failures {
            // Writing to a string does not fail.
            let _ = writeln!(report, "{failure}");
        }
        let run = self.passed + self.failures.len();
        let _ = write!(report, "{}: {run} cases run, {} passed ({} steps)", self.entry, self.passed, self.steps);
        if !self.failures.is_empty() {
            let _ = write!(report, ", {} FAILED", self.failures.len());
        }
        if !self.skipped.is_empty() {
            let _ = write!(report, ", {} skipped: {}", self.skipped.len(), self.skipped.join(", "));
        }
        if self.left_out > 0 {
            let _ = write!(report, ", {} not chosen", self.left_out);
        }
        report
    }
}
