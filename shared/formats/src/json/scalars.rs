//! Strings, numbers, enumerations, and limits of all kinds (json-diff-rules.md §3, §4).

use std::cmp::Ordering;
use std::collections::HashSet;

use super::compat::Report;
use super::findings::Step;
use super::model::{NumberRules, StringRules};
use super::number::{self, Multiple};

/// What a limit is called: its keyword, then the types of differences.
pub(super) struct Limit {
    pub(super) keyword: &'static str,
    pub(super) added: &'static str,
    pub(super) removed: &'static str,
    pub(super) increased: &'static str,
    pub(super) decreased: &'static str,
}

const MAX_LENGTH: Limit = Limit {
    keyword: "maxLength",
    added: "MAX_LENGTH_ADDED",
    removed: "MAX_LENGTH_REMOVED",
    increased: "MAX_LENGTH_INCREASED",
    decreased: "MAX_LENGTH_DECREASED",
};

const MIN_LENGTH: Limit = Limit {
    keyword: "minLength",
    added: "MIN_LENGTH_ADDED",
    removed: "MIN_LENGTH_REMOVED",
    increased: "MIN_LENGTH_INCREASED",
    decreased: "MIN_LENGTH_DECREASED",
};

const MAXIMUM: Limit = Limit {
    keyword: "maximum",
    added: "MAXIMUM_ADDED",
    removed: "MAXIMUM_REMOVED",
    increased: "MAXIMUM_INCREASED",
    decreased: "MAXIMUM_DECREASED",
};

const MINIMUM: Limit = Limit {
    keyword: "minimum",
    added: "MINIMUM_ADDED",
    removed: "MINIMUM_REMOVED",
    increased: "MINIMUM_INCREASED",
    decreased: "MINIMUM_DECREASED",
};

const EXCLUSIVE_MAXIMUM: Limit = Limit {
    keyword: "exclusiveMaximum",
    added: "EXCLUSIVE_MAXIMUM_ADDED",
    removed: "EXCLUSIVE_MAXIMUM_REMOVED",
    increased: "EXCLUSIVE_MAXIMUM_INCREASED",
    decreased: "EXCLUSIVE_MAXIMUM_DECREASED",
};

const EXCLUSIVE_MINIMUM: Limit = Limit {
    keyword: "exclusiveMinimum",
    added: "EXCLUSIVE_MINIMUM_ADDED",
    removed: "EXCLUSIVE_MINIMUM_REMOVED",
    increased: "EXCLUSIVE_MINIMUM_INCREASED",
    decreased: "EXCLUSIVE_MINIMUM_DECREASED",
};

impl Limit {
    /// Compares two values of a limit.
    pub(super) fn compare<T: PartialOrd>(&self, old: Option<T>, new: Option<T>, report: &mut Report<'_>) {
        let kind = match (old, new) {
            (None, None) => return,
            (None, Some(_)) => self.added,
            (Some(_), None) => self.removed,
            (Some(old), Some(new)) => match old.partial_cmp(&new) {
                Some(Ordering::Less) => self.increased,
                Some(Ordering::Greater) => self.decreased,
                _ => return,
            },
        };
        report.add(kind, Step::Word(self.keyword));
    }

    /// Compares two limits as doubles.
    pub(super) fn compare_numbers(&self, old: Option<&String>, new: Option<&String>, report: &mut Report<'_>) {
        let double = |text: &String| number::as_double(text);
        self.compare(old.map(double), new.map(double), report);
    }
}

pub(super) fn compare_strings(old: &StringRules, new: &StringRules, report: &mut Report<'_>) {
    MAX_LENGTH.compare(old.max_length, new.max_length, report);
    MIN_LENGTH.compare(old.min_length, new.min_length, report);
    let kind = match (&old.pattern, &new.pattern) {
        (None, Some(_)) => "PATTERN_ADDED",
        (Some(_), None) => "PATTERN_REMOVED",
        (Some(old), Some(new)) if old != new => "PATTERN_CHANGED",
        _ => return,
    };
    report.add(kind, Step::Word("pattern"));
}

pub(super) fn compare_numbers(old: &NumberRules, new: &NumberRules, report: &mut Report<'_>) {
    MAXIMUM.compare_numbers(old.maximum.as_ref(), new.maximum.as_ref(), report);
    MINIMUM.compare_numbers(old.minimum.as_ref(), new.minimum.as_ref(), report);
    EXCLUSIVE_MAXIMUM.compare_numbers(old.exclusive_maximum.as_ref(), new.exclusive_maximum.as_ref(), report);
    EXCLUSIVE_MINIMUM.compare_numbers(old.exclusive_minimum.as_ref(), new.exclusive_minimum.as_ref(), report);
    let multiple = match (&old.multiple_of, &new.multiple_of) {
        (None, None) => None,
        (None, Some(_)) => Some("MULTIPLE_OF_ADDED"),
        (Some(_), None) => Some("MULTIPLE_OF_REMOVED"),
        (Some(old), Some(new)) => match number::compare_multiples(old, new) {
            Multiple::Same => None,
            Multiple::Expanded => Some("MULTIPLE_OF_EXPANDED"),
            Multiple::Reduced => Some("MULTIPLE_OF_REDUCED"),
            Multiple::Other => Some("MULTIPLE_OF_CHANGED"),
        },
    };
    if let Some(kind) = multiple {
        report.add(kind, Step::Word("multipleOf"));
    }
    match (old.integer, new.integer) {
        (true, false) => report.add("TYPE_EXTENDED", Step::Here),
        (false, true) => report.add("TYPE_NARROWED", Step::Here),
        _ => {}
    }
}

pub(super) fn compare_enums(old: &[String], new: &[String], report: &mut Report<'_>) {
    let (old, new): (HashSet<&String>, HashSet<&String>) = (old.iter().collect(), new.iter().collect());
    let kind = match (old.is_subset(&new), new.is_subset(&old)) {
        (true, true) => return,
        (true, false) => "ENUM_ARRAY_EXTENDED",
        (false, true) => "ENUM_ARRAY_NARROWED",
        (false, false) => "ENUM_ARRAY_CHANGED",
    };
    report.add(kind, Step::Word("enum"));
}
