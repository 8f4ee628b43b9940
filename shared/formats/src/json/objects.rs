//! Objects: members, and what holds for members that are not named (json-diff-rules.md §5).

use std::collections::BTreeSet;

use super::compat::{Checker, Report};
use super::findings::{Outcome, Step};
use super::model::{Graph, Kind, NodeId, ObjectRules, Rest};
use super::scalars::Limit;

const MAX_PROPERTIES: Limit = Limit {
    keyword: "maxProperties",
    added: "MAX_PROPERTIES_ADDED",
    removed: "MAX_PROPERTIES_REMOVED",
    increased: "MAX_PROPERTIES_INCREASED",
    decreased: "MAX_PROPERTIES_DECREASED",
};

const MIN_PROPERTIES: Limit = Limit {
    keyword: "minProperties",
    added: "MIN_PROPERTIES_ADDED",
    removed: "MIN_PROPERTIES_REMOVED",
    increased: "MIN_PROPERTIES_INCREASED",
    decreased: "MIN_PROPERTIES_DECREASED",
};

/// What `unevaluatedProperties` or `unevaluatedItems` is called: its keyword, then the types of differences.
pub(super) struct Unevaluated {
    pub(super) keyword: &'static str,
    pub(super) added: &'static str,
    pub(super) removed: &'static str,
    pub(super) extended: &'static str,
    pub(super) narrowed: &'static str,
}

const UNEVALUATED: Unevaluated = Unevaluated {
    keyword: "unevaluatedProperties",
    added: "UNEVALUATED_PROPERTIES_ADDED",
    removed: "UNEVALUATED_PROPERTIES_REMOVED",
    extended: "UNEVALUATED_PROPERTIES_EXTENDED",
    narrowed: "UNEVALUATED_PROPERTIES_NARROWED",
};

/// The content model of an object, or of an array: what a member without a schema of its own may be.
#[derive(Clone, Copy)]
pub(super) enum Content {
    Open,
    /// There is a schema for it.
    Covered(NodeId),
    Closed,
}

pub(super) fn compare<'a>(
    checker: &mut Checker<'a>,
    old: &'a ObjectRules,
    new: &'a ObjectRules,
    swapped: bool,
    report: &mut Report<'a>,
) {
    let (left, right) = checker.graphs.sides(swapped);
    compare_required(old, new, right, report);
    for (name, original) in old.properties.iter() {
        let step = Step::Name("properties", name);
        if checker.is_exhausted() {
            return;
        }
        let Some(update) = new.properties.get(name) else {
            let content = content(checker, right, new, name);
            removed(checker, original, name, content, swapped, report);
            continue;
        };
        checker.include(original, update, swapped, step, report);
    }
    for (name, update) in new.properties.iter().filter(|(name, _)| old.properties.get(name).is_none()) {
        if checker.is_exhausted() {
            return;
        }
        let content = content(checker, left, old, name);
        added(checker, update, name, content, new, swapped, report);
    }
    compare_needs(old, new, report);
    compare_needed_schemas(checker, old, new, swapped, report);
    compare_additional(checker, old.additional, new.additional, swapped, report);
    UNEVALUATED.compare(checker, old.unevaluated, new.unevaluated, swapped, report);
    MAX_PROPERTIES.compare(old.max_properties, new.max_properties, report);
    MIN_PROPERTIES.compare(old.min_properties, new.min_properties, report);
}

fn compare_required<'a>(old: &'a ObjectRules, new: &'a ObjectRules, right: &Graph, report: &mut Report<'a>) {
    for (name, _) in old.properties.iter() {
        let Some(update) = new.properties.get(name) else { continue };
        let kind = match (old.required.contains(name), new.required.contains(name)) {
            (true, false) => "REQUIRED_ATTRIBUTE_REMOVED",
            (false, true) if has_default(right, update) => "REQUIRED_ATTRIBUTE_WITH_DEFAULT_ADDED",
            (false, true) => "REQUIRED_ATTRIBUTE_ADDED",
            _ => continue,
        };
        report.add(kind, Step::Name("required", name));
    }
}

/// Only a default at the property itself counts, not one of what it refers to.
fn has_default(graph: &Graph, id: NodeId) -> bool {
    graph.node(id).notes().default.is_some()
}

/// The content model for the member `name`.
fn content<'a>(checker: &mut Checker<'a>, graph: &'a Graph, rules: &'a ObjectRules, name: &str) -> Content {
    let unevaluated = rules.unevaluated.filter(|id| !is_anything(graph, *id));
    if rules.additional == Rest::Allowed && rules.patterns.is_empty() && unevaluated.is_none() {
        return Content::Open;
    }
    let by_pattern = rules.patterns.iter().find(|(text, _)| checker.finds(text, name)).map(|(_, id)| *id);
    let by_rest = match rules.additional {
        Rest::Allowed => unevaluated.filter(|id| !matches!(graph.kind(*id), Kind::False)),
        Rest::Forbidden => None,
        Rest::Schema(id) => Some(id),
    };
    by_pattern.or(by_rest).map_or(Content::Closed, Content::Covered)
}

/// Whether a schema accepts every value.
pub(super) fn is_anything(graph: &Graph, id: NodeId) -> bool {
    matches!(graph.kind(id), Kind::Empty | Kind::True)
}

fn removed<'a>(
    checker: &mut Checker<'a>,
    original: NodeId,
    name: &'a str,
    content: Content,
    swapped: bool,
    report: &mut Report<'a>,
) {
    let step = Step::Name("properties", name);
    let (left, _) = checker.graphs.sides(swapped);
    let kind = match content {
        Content::Open => "PROPERTY_REMOVED_FROM_OPEN_CONTENT_MODEL",
        Content::Closed if matches!(left.kind(original), Kind::False) => {
            "PROPERTY_WITH_FALSE_REMOVED_FROM_CLOSED_CONTENT_MODEL"
        }
        Content::Closed => "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL",
        Content::Covered(by) => {
            let Some(outcome) = checker.ask(original, by, swapped) else { return };
            report.include(outcome, step);
            match outcome {
                Outcome { compatible: true, .. } => "PROPERTY_REMOVED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL",
                _ => "PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL",
            }
        }
    };
    report.add(kind, step);
}

fn added<'a>(
    checker: &mut Checker<'a>,
    update: NodeId,
    name: &'a str,
    content: Content,
    new: &ObjectRules,
    swapped: bool,
    report: &mut Report<'a>,
) {
    let step = Step::Name("properties", name);
    let (_, right) = checker.graphs.sides(swapped);
    let (required, with_default) = (new.required.contains(name), has_default(right, update));
    if let Content::Open = content {
        let kind = match (required, with_default) {
            _ if is_anything(right, update) => "PROPERTY_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN_CONTENT_MODEL",
            (true, true) => "REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN_CONTENT_MODEL",
            (true, false) => "REQUIRED_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL",
            (false, _) => "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL",
        };
        return report.add(kind, step);
    }
    if let Content::Covered(by) = content {
        let Some(outcome) = checker.ask(by, update, swapped) else { return };
        report.include(outcome, step);
        let kind = match outcome {
            Outcome { compatible: true, .. } => "PROPERTY_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL",
            _ => "PROPERTY_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL",
        };
        report.add(kind, step);
    }
    let kind = match (required, with_default) {
        (true, true) => "REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_UNOPEN_CONTENT_MODEL",
        (true, false) => "REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL",
        (false, _) => "OPTIONAL_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL",
    };
    report.add(kind, step);
}

fn compare_needs<'a>(old: &'a ObjectRules, new: &'a ObjectRules, report: &mut Report<'a>) {
    let names: BTreeSet<&String> = old.needs.keys().chain(new.needs.keys()).collect();
    for name in names {
        let kind = match (old.needs.get(name), new.needs.get(name)) {
            (_, None) => "DEPENDENCY_ARRAY_REMOVED",
            (None, Some(_)) => "DEPENDENCY_ARRAY_ADDED",
            (Some(old), Some(new)) if old == new => continue,
            (Some(old), Some(new)) if new.is_superset(old) => "DEPENDENCY_ARRAY_EXTENDED",
            (Some(old), Some(new)) if new.is_subset(old) => "DEPENDENCY_ARRAY_NARROWED",
            _ => "DEPENDENCY_ARRAY_CHANGED",
        };
        report.add(kind, Step::Name("dependencies", name));
    }
}

fn compare_needed_schemas<'a>(
    checker: &mut Checker<'a>,
    old: &'a ObjectRules,
    new: &'a ObjectRules,
    swapped: bool,
    report: &mut Report<'a>,
) {
    for (name, original) in old.needs_schema.iter() {
        let step = Step::Name("dependencies", name);
        match new.needs_schema.get(name) {
            Some(update) => checker.include(original, update, swapped, step, report),
            None => report.add("DEPENDENCY_SCHEMA_REMOVED", step),
        }
    }
    for (name, _) in new.needs_schema.iter().filter(|(name, _)| old.needs_schema.get(name).is_none()) {
        report.add("DEPENDENCY_SCHEMA_ADDED", Step::Name("dependencies", name));
    }
}

fn compare_additional<'a>(checker: &mut Checker<'a>, old: Rest, new: Rest, swapped: bool, report: &mut Report<'a>) {
    let step = Step::Word("additionalProperties");
    match (old, new) {
        (Rest::Allowed, Rest::Allowed) | (Rest::Forbidden, Rest::Forbidden) => {}
        (Rest::Forbidden, _) => report.add("ADDITIONAL_PROPERTIES_ADDED", step),
        (_, Rest::Forbidden) => report.add("ADDITIONAL_PROPERTIES_REMOVED", step),
        (Rest::Allowed, Rest::Schema(_)) => report.add("ADDITIONAL_PROPERTIES_NARROWED", step),
        (Rest::Schema(_), Rest::Allowed) => report.add("ADDITIONAL_PROPERTIES_EXTENDED", step),
        (Rest::Schema(original), Rest::Schema(update)) => checker.include(original, update, swapped, step, report),
    }
}

impl Unevaluated {
    pub(super) fn compare<'a>(
        &self,
        checker: &mut Checker<'a>,
        old: Option<NodeId>,
        new: Option<NodeId>,
        swapped: bool,
        report: &mut Report<'a>,
    ) {
        let (left, right) = checker.graphs.sides(swapped);
        let is_false = |graph: &Graph, id| matches!(graph.kind(id), Kind::False);
        let kind = match (old, new) {
            (None, None) => return,
            (None, Some(new)) if is_false(right, new) => self.removed,
            (None, Some(_)) => self.narrowed,
            (Some(old), None) if is_false(left, old) => self.added,
            (Some(_), None) => self.extended,
            (Some(old), Some(new)) => match (is_false(left, old), is_false(right, new)) {
                (true, true) => return,
                (true, false) => self.added,
                (false, true) => self.removed,
                (false, false) => match (is_anything(left, old), is_anything(right, new)) {
                    (true, true) => return,
                    (true, false) => self.narrowed,
                    (false, true) => self.extended,
                    (false, false) => return checker.include(old, new, swapped, Step::Word(self.keyword), report),
                },
            },
        };
        report.add(kind, Step::Word(self.keyword));
    }
}
