//! Arrays: lists, tuples, and what holds for items beyond a tuple (json-diff-rules.md §6).

use super::compat::{Checker, Report};
use super::findings::{Outcome, Step};
use super::model::{ArrayRules, Graph, Kind, NodeId, Rest};
use super::objects::{Content, Unevaluated, is_anything};
use super::scalars::Limit;

const MAX_ITEMS: Limit = Limit {
    keyword: "maxItems",
    added: "MAX_ITEMS_ADDED",
    removed: "MAX_ITEMS_REMOVED",
    increased: "MAX_ITEMS_INCREASED",
    decreased: "MAX_ITEMS_DECREASED",
};

const MIN_ITEMS: Limit = Limit {
    keyword: "minItems",
    added: "MIN_ITEMS_ADDED",
    removed: "MIN_ITEMS_REMOVED",
    increased: "MIN_ITEMS_INCREASED",
    decreased: "MIN_ITEMS_DECREASED",
};

const MAX_CONTAINS: Limit = Limit {
    keyword: "maxContains",
    added: "MAX_CONTAINS_ADDED",
    removed: "MAX_CONTAINS_REMOVED",
    increased: "MAX_CONTAINS_INCREASED",
    decreased: "MAX_CONTAINS_DECREASED",
};

const MIN_CONTAINS: Limit = Limit {
    keyword: "minContains",
    added: "MIN_CONTAINS_ADDED",
    removed: "MIN_CONTAINS_REMOVED",
    increased: "MIN_CONTAINS_INCREASED",
    decreased: "MIN_CONTAINS_DECREASED",
};

const UNEVALUATED: Unevaluated = Unevaluated {
    keyword: "unevaluatedItems",
    added: "UNEVALUATED_ITEMS_ADDED",
    removed: "UNEVALUATED_ITEMS_REMOVED",
    extended: "UNEVALUATED_ITEMS_EXTENDED",
    narrowed: "UNEVALUATED_ITEMS_NARROWED",
};

pub(super) fn compare<'a>(
    checker: &mut Checker<'a>,
    old: &'a ArrayRules,
    new: &'a ArrayRules,
    swapped: bool,
    report: &mut Report<'a>,
) {
    checker.ask_about(old.items, new.items, swapped, Step::Word("items"), report);
    compare_tuples(checker, old, new, swapped, report);
    compare_additional(checker, old.additional, new.additional, swapped, report);
    UNEVALUATED.compare(checker, old.unevaluated, new.unevaluated, swapped, report);
    MAX_ITEMS.compare(old.max_items, new.max_items, report);
    MIN_ITEMS.compare(old.min_items, new.min_items, report);
    match (old.unique, new.unique) {
        (true, false) => report.add("UNIQUE_ITEMS_REMOVED", Step::Word("uniqueItems")),
        (false, true) => report.add("UNIQUE_ITEMS_ADDED", Step::Word("uniqueItems")),
        _ => {}
    }
    MAX_CONTAINS.compare_numbers(old.max_contains.as_ref(), new.max_contains.as_ref(), report);
    MIN_CONTAINS.compare_numbers(old.min_contains.as_ref(), new.min_contains.as_ref(), report);
}

fn compare_tuples<'a>(
    checker: &mut Checker<'a>,
    old: &'a ArrayRules,
    new: &'a ArrayRules,
    swapped: bool,
    report: &mut Report<'a>,
) {
    let (left, right) = checker.graphs.sides(swapped);
    let common = old.tuple.len().min(new.tuple.len());
    for (index, (original, update)) in old.tuple.iter().zip(&new.tuple).enumerate() {
        checker.include(*original, *update, swapped, Step::Index("items", index), report);
    }
    for (index, original) in old.tuple.iter().enumerate().skip(common) {
        removed(checker, *original, index, content(right, new), swapped, report);
    }
    for (index, update) in new.tuple.iter().enumerate().skip(common) {
        added(checker, *update, index, content(left, old), swapped, report);
    }
}

/// The content model for items beyond the tuple.
fn content(graph: &Graph, rules: &ArrayRules) -> Content {
    let unevaluated = rules.unevaluated.filter(|id| !is_anything(graph, *id));
    match (rules.additional, unevaluated) {
        (Rest::Forbidden, _) => Content::Closed,
        (Rest::Allowed, None) => Content::Open,
        (Rest::Allowed, Some(id)) if matches!(graph.kind(id), Kind::False) => Content::Closed,
        (Rest::Schema(id), _) | (Rest::Allowed, Some(id)) => Content::Covered(id),
    }
}

fn removed<'a>(
    checker: &mut Checker<'a>,
    original: NodeId,
    index: usize,
    content: Content,
    swapped: bool,
    report: &mut Report<'a>,
) {
    let step = Step::Index("items", index);
    let (left, _) = checker.graphs.sides(swapped);
    let kind = match content {
        Content::Open => "ITEM_REMOVED_FROM_OPEN_CONTENT_MODEL",
        Content::Closed if matches!(left.kind(original), Kind::False) => {
            "ITEM_WITH_FALSE_REMOVED_FROM_CLOSED_CONTENT_MODEL"
        }
        Content::Closed => "ITEM_REMOVED_FROM_CLOSED_CONTENT_MODEL",
        Content::Covered(by) => {
            let Some(outcome) = checker.ask(original, by, swapped) else { return };
            report.include(outcome, step);
            match outcome {
                Outcome { compatible: true, .. } => "ITEM_REMOVED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL",
                _ => "ITEM_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL",
            }
        }
    };
    report.add(kind, step);
}

fn added<'a>(
    checker: &mut Checker<'a>,
    update: NodeId,
    index: usize,
    content: Content,
    swapped: bool,
    report: &mut Report<'a>,
) {
    let step = Step::Index("items", index);
    let (_, right) = checker.graphs.sides(swapped);
    let kind = match content {
        Content::Open if is_anything(right, update) => "ITEM_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN_CONTENT_MODEL",
        Content::Open => "ITEM_ADDED_TO_OPEN_CONTENT_MODEL",
        Content::Closed => "ITEM_ADDED_TO_CLOSED_CONTENT_MODEL",
        Content::Covered(by) => {
            let Some(outcome) = checker.ask(by, update, swapped) else { return };
            report.include(outcome, step);
            match outcome {
                Outcome { compatible: true, .. } => "ITEM_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL",
                _ => "ITEM_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL",
            }
        }
    };
    report.add(kind, step);
}

fn compare_additional<'a>(checker: &mut Checker<'a>, old: Rest, new: Rest, swapped: bool, report: &mut Report<'a>) {
    let step = Step::Word("additionalItems");
    match (old, new) {
        (Rest::Allowed, Rest::Allowed) | (Rest::Forbidden, Rest::Forbidden) => {}
        (Rest::Forbidden, _) => report.add("ADDITIONAL_ITEMS_ADDED", step),
        (_, Rest::Forbidden) => report.add("ADDITIONAL_ITEMS_REMOVED", step),
        (Rest::Allowed, Rest::Schema(_)) => report.add("ADDITIONAL_ITEMS_NARROWED", step),
        (Rest::Schema(_), Rest::Allowed) => report.add("ADDITIONAL_ITEMS_EXTENDED", step),
        (Rest::Schema(original), Rest::Schema(update)) => checker.include(original, update, swapped, step, report),
    }
}
