//! Deleting one version (rest-api.md §6.7).

use crate::surroundings::Surroundings;
use crate::{Denied, Registry, RegistryError};
use registrar_model::{Subject, Version, VersionSpec};
use registrar_store::{
    DeleteVersion, HardDelete, Key, LookupAfter, Outcome, StepName, VersionRow, delete_version, permanent_delete,
};

impl Registry {
    /// Deletes one version; answers its number.
    pub async fn delete_version(
        &self,
        subject: &Subject,
        version: VersionSpec,
        permanent: bool,
    ) -> Result<Version, RegistryError> {
        let mut race = self.store.race();
        let _turn = self.turn(subject, &race).await?;
        loop {
            if let Some(deleted) = self.delete_version_once(subject, version, permanent).await? {
                return Ok(deleted);
            }
            race.lost("delete a version").await?;
        }
    }

    /// One attempt; `None` if another writer was faster.
    async fn delete_version_once(
        &self,
        subject: &Subject,
        spec: VersionSpec,
        permanent: bool,
    ) -> Result<Option<Version>, RegistryError> {
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
        let version = match spec {
            VersionSpec::Number(version) => version,
            VersionSpec::Latest => head.latest.filter(|_| head.live > 0).ok_or(RegistryError::VersionNotFound(spec))?,
        };
        let row = self.store.fetch([Key::Version(subject.clone(), version)]).await?.version(subject, version)?;
        if row.as_ref().is_some_and(|row| row.born > head.tag) {
            return Ok(None);
        }
        let latest = spec != VersionSpec::Latest || row.as_ref().is_some_and(|row| row.is_live(head));
        if !self.store.holds(StepName::LatestDelete, latest) {
            // No longer the latest: there may be another.
            return Ok(None);
        }
        let Some(row) = row else {
            // Which 404 it is depends on the head, too, which may have changed before the row was read.
            return if self.unchanged(&around).await? { Err(RegistryError::VersionNotFound(spec)) } else { Ok(None) };
        };
        if !permanent && !row.is_live(head) {
            return Err(RegistryError::VersionSoftDeleted(subject.clone(), version));
        }
        if around.mode().is_read_only() {
            let denied = Denied::ReadOnly(Some(subject.clone()));
            return if self.unchanged(&around).await? { Err(denied.into()) } else { Ok(None) };
        }
        if !permanent && head.associations > 0 && head.live == 1 {
            return Err(RegistryError::SubjectAssociated(subject.clone()));
        }
        if row.refs > 0 {
            let referrers = self.referrers(subject, Some(version)).await?;
            if permanent && self.sweep_referrers(&referrers).await? {
                return Ok(None);
            }
            if referrers.iter().any(|referrer| referrer.is_live() || (permanent && referrer.is_there())) {
                return Err(RegistryError::Referenced(subject.clone(), version));
            }
        }
        if permanent && row.is_live(head) {
            return Err(RegistryError::VersionNotSoftDeleted(subject.clone(), version));
        }
        let done = if permanent { self.permanent(&around, row, false).await? } else { self.soft(&around, row).await? };
        Ok(done.then_some(version))
    }

    async fn soft(&self, around: &Surroundings, row: VersionRow) -> Result<bool, RegistryError> {
        let head = &around.head;
        let latest = if head.latest == Some(row.version) {
            let counts = |other: &VersionRow| other.is_live(head) && other.born <= head.tag;
            self.store.highest_below(&around.subject, row.version, counts).await?
        } else {
            head.latest
        };
        let lookup = match self.lookup_after(around, &row).await? {
            // Soft-deleted, the version is still found by whoever asks for deleted ones.
            LookupAfter::Gone => LookupAfter::Deleted,
            LookupAfter::Means(heir) if !heir.is_live(head) => LookupAfter::Deleted,
            after => after,
        };
        let written = self.store.runtime().now_millis();
        let plan = delete_version(&DeleteVersion { seen: around.seen(), row: &row, latest, lookup, written });
        Ok(self.store.commit(plan).await? == Outcome::Committed)
    }

    /// Deletes a soft-deleted version for good; false if another writer was faster.
    pub(crate) async fn permanent(
        &self,
        around: &Surroundings,
        row: VersionRow,
        keep_settings: bool,
    ) -> Result<bool, RegistryError> {
        let head = &around.head;
        let highest = if head.highest == Some(row.version) {
            let counts = |other: &VersionRow| other.born <= head.tag;
            self.store.highest_below(&around.subject, row.version, counts).await?
        } else {
            head.highest
        };
        let lookup = self.lookup_after(around, &row).await?;
        let Some(deleted) = self.with_ids(&around.subject, vec![row]).await?.pop() else { return Ok(false) };
        let delete = HardDelete { seen: around.seen(), row: &deleted, highest, lookup, keep_settings };
        let Some(plan) = permanent_delete(&delete)? else { return Ok(false) };
        Ok(self.store.commit(plan).await? == Outcome::Committed)
    }

    async fn lookup_after(&self, around: &Surroundings, row: &VersionRow) -> Result<LookupAfter, RegistryError> {
        let subject = &around.subject;
        let lookup =
            self.store.fetch([Key::Lookup(subject.clone(), row.equality)]).await?.lookup(subject, row.equality)?;
        self.lookup_without(&around.head, subject, row, lookup.as_ref()).await
    }
}
