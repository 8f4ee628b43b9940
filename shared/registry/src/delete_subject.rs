//! Deleting a subject as a whole (rest-api.md §6.7).

use crate::referrers::Referrer;
use crate::surroundings::Surroundings;
use crate::{Denied, Registry, RegistryError};
use registrar_model::{Subject, Version};
use registrar_store::{Outcome, Plan, VersionRow, permanent_delete_subject, soft_delete_subject};

impl Registry {
    /// Deletes every version; answers their numbers, ascending. All of them at one moment, or none.
    pub async fn delete_subject(&self, subject: &Subject, permanent: bool) -> Result<Vec<Version>, RegistryError> {
        let mut race = self.store.race();
        let _turn = self.turn(subject, &race).await?;
        loop {
            if let Some(deleted) = self.delete_subject_once(subject, permanent).await? {
                return Ok(deleted);
            }
            race.lost("delete a subject").await?;
        }
    }

    /// One attempt; `None` if another writer was faster.
    async fn delete_subject_once(
        &self,
        subject: &Subject,
        permanent: bool,
    ) -> Result<Option<Vec<Version>>, RegistryError> {
        let around = self.surroundings(subject).await?;
        let head = &around.head;
        self.check_alias(subject, head)?;
        if self.must_sweep(head) {
            self.sweep(subject).await?;
            return Ok(None);
        }
        if head.total == 0 {
            return Err(RegistryError::SubjectNotFound(subject.clone()));
        }
        if !permanent && head.live == 0 {
            return Err(RegistryError::SubjectSoftDeleted(subject.clone()));
        }
        if around.mode().is_read_only() {
            let denied = Denied::ReadOnly(Some(subject.clone()));
            return if self.unchanged(&around).await? { Err(denied.into()) } else { Ok(None) };
        }
        if head.associations > 0 {
            return Err(RegistryError::SubjectAssociated(subject.clone()));
        }
        let Some(rows) = self.rows_at(&around, permanent).await? else { return Ok(None) };
        if head.inrefs > 0 || head.live > 0 {
            let Some(allowed) = self.may_go(&around, &rows, permanent).await? else { return Ok(None) };
            allowed?;
        }
        let plan: Plan =
            if permanent { permanent_delete_subject(around.seen()) } else { soft_delete_subject(around.seen()) };
        if self.store.commit(plan).await? != Outcome::Committed {
            return Ok(None);
        }
        if permanent {
            self.sweep(subject).await?;
        }
        Ok(Some(rows.into_iter().map(|row| row.version).collect()))
    }

    /// The rows in scope, if they agree with the head.
    pub(crate) async fn rows_at(
        &self,
        around: &Surroundings,
        all: bool,
    ) -> Result<Option<Vec<VersionRow>>, RegistryError> {
        Ok(self.agreeing(&around.head, self.store.versions(&around.subject).await?, all))
    }

    /// Version by version, ascending: whether another subject refers to it (for a soft delete a live version of it, for
    /// a permanent one any), and whether it is live where it should not be. `None` to start again.
    async fn may_go(
        &self,
        around: &Surroundings,
        rows: &[VersionRow],
        permanent: bool,
    ) -> Result<Option<Result<(), RegistryError>>, RegistryError> {
        let subject = &around.subject;
        for row in rows {
            let referrers = if around.head.inrefs > 0 && row.refs > 0 {
                self.referrers(subject, Some(row.version)).await?
            } else {
                Vec::new()
            };
            if permanent && self.sweep_referrers(&referrers).await? {
                return Ok(None);
            }
            let blocks =
                |referrer: &Referrer| referrer.is_live_outside(subject) || (permanent && referrer.is_outside(subject));
            if referrers.iter().any(blocks) {
                return Ok(Some(Err(RegistryError::Referenced(subject.clone(), row.version))));
            }
            if permanent && row.is_live(&around.head) {
                return Ok(Some(Err(RegistryError::SubjectNotSoftDeleted(subject.clone()))));
            }
        }
        Ok(Some(Ok(())))
    }
}
