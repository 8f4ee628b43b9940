//! Counting references at the versions referred to.

use crate::attributes::number;
use crate::items::Target;
use crate::items::head::{FLOOR, INREFS, INREFS_REVISION, LATEST, MARK, STRONG};
use crate::items::version::{BORN, DELETED, REFS, REFS_REVISION};
use crate::key::Key;
use crate::plan::{Change, Edit, Guard, GuardName, Plan, Test};
use registrar_model::{Subject, Version};
use std::collections::{BTreeMap, BTreeSet};

/// A version that a new row refers to, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceTarget {
    /// What is referred to, and how often.
    pub target: Target,
    /// The tag that made that row.
    pub born: u64,
    /// Whether it must be live at the commit (rest-api.md §6.9 "validating as new").
    pub must_be_live: bool,
    /// Whether it must be the latest version of its subject at the commit: the reference was to −1.
    pub must_be_latest: bool,
}

/// Changes of reference counts in one transaction, added up so that each item is touched once.
#[derive(Default)]
pub(super) struct ReferenceLedger<'a> {
    changes: BTreeMap<(&'a Subject, Version), CountChange<'a>>,
}

#[derive(Default)]
struct CountChange<'a> {
    delta: i64,
    required: Option<&'a ReferenceTarget>,
}

impl<'a> ReferenceLedger<'a> {
    /// A new row refers to this. Recorded even where the number stays the same, because the referrer is live now.
    pub(super) fn add(&mut self, target: &'a ReferenceTarget) {
        let change = self.changes.entry((&target.target.subject, target.target.version)).or_default();
        change.delta += count(&target.target);
        change.required = Some(target);
    }

    /// A row that goes referred to these.
    pub(super) fn release(&mut self, targets: impl IntoIterator<Item = &'a Target>) {
        for target in targets {
            self.changes.entry((&target.subject, target.version)).or_default().delta -= count(target);
        }
    }

    /// Writes the changes. `own` is the subject whose head the transaction writes anyway: references within it do not
    /// count there. Rows in `gone` are deleted by the same transaction.
    pub(super) fn write(self, plan: &mut Plan, own: &Subject, gone: &BTreeSet<Version>) {
        let mut heads: BTreeMap<&Subject, (i64, Vec<Guard>)> = BTreeMap::new();
        for ((subject, version), change) in self.changes {
            if subject != own {
                let (delta, guards) = heads.entry(subject).or_default();
                *delta += change.delta;
                guards.extend(change.required.into_iter().flat_map(head_guards));
            } else if gone.contains(&version) {
                continue;
            }
            let edits = vec![Edit::Add(REFS, change.delta), Edit::Add(REFS_REVISION, 1)];
            // Counting down needs no condition: the same transaction shows that the row is still there that refers to the
            // version, and what a row refers to is not deleted.
            let guards = change.required.map_or_else(Vec::new, row_guards);
            plan.push(Key::Version(subject.clone(), version), Change::Update(edits), guards);
        }
        for (subject, (delta, guards)) in heads {
            let edits = vec![Edit::Add(INREFS, delta), Edit::Add(INREFS_REVISION, 1)];
            plan.push(Key::Head(subject.clone()), Change::Update(edits), strictest(&guards));
        }
    }
}

fn row_guards(required: &ReferenceTarget) -> Vec<Guard> {
    let mut guards = vec![Guard::new(GuardName::TargetLive, Test::Is(BORN, number(required.born)))];
    if required.must_be_live {
        guards.push(Guard::new(GuardName::TargetLive, Test::Unset(DELETED)));
    }
    guards
}

/// Also of a target that may be soft-deleted: what belongs to a topic is not referred to (rest-api.md §6.1 C7).
fn head_guards(required: &ReferenceTarget) -> Vec<Guard> {
    let there = if required.must_be_live {
        Guard::new(GuardName::TargetFloor, Test::Below(FLOOR, required.born))
    } else {
        // A soft-deleted target will do, but not one whose rows a permanent delete is removing.
        Guard::new(GuardName::TargetUnmarked, Test::Unset(MARK))
    };
    let mut guards = vec![there, Guard::new(GuardName::TargetNotStrong, Test::Counts(STRONG, 0))];
    if required.must_be_latest {
        guards.push(Guard::new(GuardName::TargetLatest, Test::Is(LATEST, number(required.target.version.get()))));
    }
    guards
}

/// Each of the guards once; of several floors to stay above, the lowest decides.
fn strictest(guards: &[Guard]) -> Vec<Guard> {
    let floor =
        guards.iter().filter_map(|guard| if let Test::Below(_, born) = guard.test { Some(born) } else { None }).min();
    let first = |name: GuardName| guards.iter().find(move |guard| guard.name == name).cloned();
    let mut kept: Vec<Guard> = [GuardName::TargetUnmarked, GuardName::TargetNotStrong, GuardName::TargetLatest]
        .into_iter()
        .filter_map(first)
        .collect();
    kept.extend(floor.map(|born| Guard::new(GuardName::TargetFloor, Test::Below(FLOOR, born))));
    kept
}

fn count(target: &Target) -> i64 {
    i64::try_from(target.count).unwrap_or(i64::MAX)
}
