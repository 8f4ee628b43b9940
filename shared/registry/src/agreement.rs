//! Rows that were read after a head, made to agree with it.

use crate::Registry;
use registrar_store::{Head, StepName, VersionRow};

impl Registry {
    /// Whether the head knows of a row: what is newer was written after it had been read.
    pub(crate) fn is_known(&self, row: &VersionRow, head: &Head) -> bool {
        self.store.holds(StepName::RowBorn, row.born <= head.tag)
    }

    /// The rows of a subject at the moment of its head, soft-deleted ones only with `deleted`: what is newer does not
    /// count, and the rest must be as many as the head says. `None` if they are not: someone wrote meanwhile.
    pub(crate) fn agreeing(&self, head: &Head, rows: Vec<VersionRow>, deleted: bool) -> Option<Vec<VersionRow>> {
        let counts = |row: &VersionRow| self.is_known(row, head) && (deleted || row.is_live(head));
        let rows: Vec<VersionRow> = rows.into_iter().filter(counts).collect();
        let expected = if deleted { head.total } else { head.live };
        self.store.holds(StepName::RowCount, rows.len() as u64 == expected).then_some(rows)
    }
}
