//! What a comparison has found so far, and when it has found enough.

use super::difference_kind::DifferenceKind;
use crate::Difference;

/// How many differences are reported at most; the verdict does not depend on it.
pub const MAX_DIFFERENCES: usize = 10_000;

/// How many bytes the paths of the reported differences have at most, give or take one.
pub const MAX_DIFFERENCE_BYTES: usize = 2 << 20;

/// Which differences are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// Those that make the schemas incompatible.
    Incompatible,
    /// Compatible ones, too.
    All,
}

pub(super) struct Findings {
    report: Report,
    differences: Vec<Difference>,
    bytes: usize,
    /// How many incompatible differences there were, reported or not.
    incompatible: usize,
}

impl Findings {
    pub(super) fn new(report: Report) -> Self {
        Self { report, differences: Vec::new(), bytes: 0, incompatible: 0 }
    }

    pub(super) fn incompatible(&self) -> usize {
        self.incompatible
    }

    pub(super) fn add(&mut self, kind: DifferenceKind, path: impl FnOnce() -> String) {
        let incompatible = kind.is_incompatible();
        self.incompatible += usize::from(incompatible);
        if (self.report == Report::Incompatible && !incompatible) || self.is_full() {
            return;
        }
        let path = path();
        self.bytes += path.len();
        self.differences.push(Difference { kind: kind.name(), path, info: String::new() });
    }

    pub(super) fn is_full(&self) -> bool {
        self.differences.len() >= MAX_DIFFERENCES || self.bytes >= MAX_DIFFERENCE_BYTES
    }

    pub(super) fn into_differences(self) -> Vec<Difference> {
        self.differences
    }
}
