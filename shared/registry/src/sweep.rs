//! Finishing a permanent delete: the rows under a mark go, with the ids and references they hold.
//!
//! Anyone may sweep, any number at once; whoever wants to write to the subject must see it done first.

use crate::{Registry, RegistryError};
use registrar_model::Subject;
use registrar_store::{DeletedRow, Head, Key, Outcome, StepName, VersionRow, clear_mark, sweep_rows};

/// Most actions of one sweep transaction, of the 100 that DynamoDB takes: room for what is added up.
const ROOM: usize = 90;
/// Row, usage, lookup, fingerprint or further id, schema, guid.
const ACTIONS_PER_ROW: usize = 7;
/// A body in chunks has at most nine.
const CHUNKS: usize = 9;

impl Registry {
    /// Whether a writer has a sweep to finish first.
    pub(crate) fn must_sweep(&self, head: &Head) -> bool {
        head.mark.is_some() && self.store.takes(StepName::SweepFirst)
    }

    /// Sweeps until no mark is left.
    pub(crate) async fn sweep(&self, subject: &Subject) -> Result<(), RegistryError> {
        let mut race = self.store.race();
        loop {
            let head = self.store.fetch([Key::Head(subject.clone())]).await?.head(subject)?;
            let Some(mark) = head.mark else { return Ok(()) };
            if self.sweep_once(subject, mark).await? {
                return Ok(());
            }
            race.lost("sweep a deleted subject").await?;
        }
    }

    /// Removes every row older than the mark, then the mark; false if another sweeper got in between.
    async fn sweep_once(&self, subject: &Subject, mark: u64) -> Result<bool, RegistryError> {
        if !self.store.takes(StepName::RowsBeforeMark) {
            self.store.commit(clear_mark(subject, mark)).await?;
        }
        let rows: Vec<VersionRow> =
            self.store.versions(subject).await?.into_iter().filter(|row| row.born < mark).collect();
        for group in groups(rows) {
            let deleted = self.with_ids(subject, group).await?;
            let Some(plan) = sweep_rows(subject, &deleted)? else { return Ok(false) };
            if self.store.commit(plan).await? != Outcome::Committed {
                return Ok(false);
            }
        }
        Ok(self.store.commit(clear_mark(subject, mark)).await? == Outcome::Committed)
    }

    /// Reads the ids of the contents of rows that go for good.
    pub(crate) async fn with_ids(
        &self,
        subject: &Subject,
        rows: Vec<VersionRow>,
    ) -> Result<Vec<DeletedRow>, RegistryError> {
        let context = subject.context();
        let keys = rows.iter().flat_map(|row| {
            [Key::Fingerprint(context.clone(), row.hash), Key::OtherId(context.clone(), row.hash, row.id)]
        });
        let fetched = self.store.fetch(keys).await?;
        let mut deleted = Vec::new();
        for row in rows {
            let fingerprint = fetched.fingerprint(context, row.hash)?;
            let other = fetched.other_id(context, row.hash, row.id)?;
            deleted.push(DeletedRow { row, fingerprint, other });
        }
        Ok(deleted)
    }
}

/// Rows that fit into one transaction each: references cost two actions a target.
fn groups(rows: Vec<VersionRow>) -> Vec<Vec<VersionRow>> {
    let mut groups: Vec<Vec<VersionRow>> = Vec::new();
    let mut used = ROOM;
    for row in rows {
        let body = if row.is_whole() { 0 } else { CHUNKS };
        let cost = ACTIONS_PER_ROW + body + 2 * row.targets.len();
        if used + cost > ROOM {
            groups.push(Vec::new());
            used = 0;
        }
        used += cost;
        if let Some(group) = groups.last_mut() {
            group.push(row);
        }
    }
    groups
}
