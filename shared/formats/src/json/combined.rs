//! Lists of branches against lists of branches (json-diff-rules.md §7).

use super::compat::{Checker, Report};
use super::findings::{Outcome, Step, branch_step};
use super::matching;
use super::model::{Combined, Criterion};

pub(super) fn compare<'a>(
    checker: &mut Checker<'a>,
    old: &'a Combined,
    new: &'a Combined,
    swapped: bool,
    report: &mut Report<'a>,
) {
    if old.criterion != new.criterion {
        if !can_become(old, new) {
            return report.add("COMBINED_TYPE_CHANGED", Step::Here);
        }
        report.add("COMBINED_TYPE_EXTENDED", Step::Here);
    }
    compare_counts(old, new, report);
    let mut edges: Vec<Vec<(usize, Outcome)>> = Vec::with_capacity(old.distinct.len());
    for original in &old.distinct {
        let mut fitting = Vec::new();
        for (index, update) in new.distinct.iter().enumerate() {
            if let Some(outcome) = checker.ask(*original, *update, swapped)
                && outcome.compatible
            {
                fitting.push((index, outcome));
            }
        }
        edges.push(fitting);
        if checker.is_exhausted() {
            return;
        }
    }
    if checker.needs_more() {
        return;
    }
    let places: Vec<Vec<usize>> =
        edges.iter().map(|fitting| fitting.iter().map(|(index, _)| *index).collect()).collect();
    let matched = matching::maximum(&places, new.distinct.len());
    for (index, partner) in matched.iter().enumerate() {
        let outcome = edges[index].iter().find(|(update, _)| Some(*update) == *partner);
        if let Some((_, outcome)) = outcome {
            report.include(*outcome, branch_step(old, index));
        }
    }
    let size = matched.iter().flatten().count();
    if size < old.distinct.len().min(new.distinct.len()) {
        report.add("COMBINED_TYPE_SUBSCHEMAS_CHANGED", Step::Here);
    }
}

/// Whether one kind of list can become the other.
fn can_become(old: &Combined, new: &Combined) -> bool {
    let (old_single, new_single) = (old.branches.len() == 1, new.branches.len() == 1);
    new.criterion == Criterion::Any
        || (old_single && new_single)
        || (old_single && new.criterion == Criterion::One)
        || (new_single && old.criterion == Criterion::All)
}

fn compare_counts(old: &Combined, new: &Combined, report: &mut Report<'_>) {
    let (before, after) = (old.distinct.len(), new.distinct.len());
    if before < after {
        let kind = if new.criterion == Criterion::All { "PRODUCT_TYPE_EXTENDED" } else { "SUM_TYPE_EXTENDED" };
        report.add(kind, Step::Here);
    } else if before > after {
        let kind = if old.criterion == Criterion::All { "PRODUCT_TYPE_NARROWED" } else { "SUM_TYPE_NARROWED" };
        report.add(kind, Step::Here);
    }
}
