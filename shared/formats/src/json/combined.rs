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
    let size = old.distinct.len().min(new.distinct.len());
    let Some(matched) = match_in_order(checker, old, new, swapped) else {
        return;
    };
    let matched = if matched.len() == size { Some(matched) } else { match_at_best(checker, old, new, swapped) };
    let Some(matched) = matched else {
        return;
    };
    for (index, outcome) in &matched {
        report.include(*outcome, branch_step(old, *index));
    }
    if matched.len() < size {
        report.add("COMBINED_TYPE_SUBSCHEMAS_CHANGED", Step::Here);
    }
}

/// The branches of the old list that become the one in the same place; none if that is not known yet.
///
/// If these are all, looking for a maximum matching would find the same.
fn match_in_order(
    checker: &mut Checker<'_>,
    old: &Combined,
    new: &Combined,
    swapped: bool,
) -> Option<Vec<(usize, Outcome)>> {
    let mut matched = Vec::new();
    for (index, (original, update)) in old.distinct.iter().zip(&new.distinct).enumerate() {
        let outcome = checker.ask(*original, *update, swapped);
        matched.extend(outcome.filter(|outcome| outcome.compatible).map(|outcome| (index, outcome)));
    }
    (!checker.needs_more()).then_some(matched)
}

/// As many branches of the old list as can become different ones of the new list; none if that is not known yet.
fn match_at_best(
    checker: &mut Checker<'_>,
    old: &Combined,
    new: &Combined,
    swapped: bool,
) -> Option<Vec<(usize, Outcome)>> {
    let mut edges: Vec<Vec<(usize, Outcome)>> = Vec::with_capacity(old.distinct.len());
    for original in &old.distinct {
        let asked = new.distinct.iter().map(|update| checker.ask(*original, *update, swapped)).enumerate();
        edges.push(asked.filter_map(|(index, outcome)| Some((index, outcome.filter(|one| one.compatible)?))).collect());
        if checker.is_exhausted() {
            return None;
        }
    }
    if checker.needs_more() {
        return None;
    }
    let places: Vec<Vec<usize>> =
        edges.iter().map(|fitting| fitting.iter().map(|(index, _)| *index).collect()).collect();
    let partners = matching::maximum(&places, new.distinct.len());
    let outcome_of = |(index, partner): (usize, &Option<usize>)| {
        let outcome = edges[index].iter().find(|(update, _)| Some(*update) == *partner)?;
        Some((index, outcome.1))
    };
    Some(partners.iter().enumerate().filter_map(outcome_of).collect())
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
