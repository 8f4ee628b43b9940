//! Making room for an import (rest-api.md §6.5 step 6): no live version may be in its scope, and soft-deleted ones go.
//!
//! For one subject it is one write, together with the mode. For a wider scope the check comes before the change of mode,
//! subject by subject: a registration that commits in between stays, as it would have with `force`.

use crate::referrers::Referrer;
use crate::surroundings::Surroundings;
use crate::target::SettingTarget;
use crate::{Denied, Registry, RegistryError};
use registrar_model::{ContextName, Mode, Subject};
use registrar_store::{Outcome, SubjectState, VersionRow, clear_subject};

impl Registry {
    pub(crate) async fn clear_for_import(&self, target: &SettingTarget) -> Result<(), RegistryError> {
        let contexts = match target {
            SettingTarget::Context(subject) => vec![subject.context().clone()],
            _ => self.all_contexts().await?,
        };
        let mut deleted = Vec::new();
        for context in contexts {
            for entry in self.store.directory(&context, "").await? {
                match entry.state {
                    Some(SubjectState::Live) => return Err(Denied::ExistingSubjects.into()),
                    Some(SubjectState::OnlyDeleted) => deleted.push(entry.subject),
                    None => {}
                }
            }
        }
        for subject in &deleted {
            let mut race = self.store.race();
            while !self.is_unreferenced(subject, &self.rows(subject, true).await?.1).await? {
                race.lost("make room for an import").await?;
            }
        }
        for subject in &deleted {
            self.clear_of_scope(subject).await?;
        }
        Ok(())
    }

    /// The default context and all others, sorted.
    pub(crate) async fn all_contexts(&self) -> Result<Vec<ContextName>, RegistryError> {
        let mut contexts = vec![ContextName::default_context()];
        contexts.extend(self.store.contexts().await?.into_iter().filter(|context| !context.is_default()));
        Ok(contexts)
    }

    /// Whether nothing refers to any of a subject's versions, which is refused; false to start again.
    async fn is_unreferenced(&self, subject: &Subject, rows: &[VersionRow]) -> Result<bool, RegistryError> {
        for row in rows.iter().filter(|row| row.refs > 0) {
            let referrers = self.referrers(subject, Some(row.version)).await?;
            if self.sweep_referrers(&referrers).await? {
                return Ok(false);
            }
            if referrers.iter().any(Referrer::is_there) {
                return Err(RegistryError::Referenced(subject.clone(), row.version));
            }
        }
        Ok(true)
    }

    /// Deletes a subject's soft-deleted versions for good, and sets its mode; its other settings stay. All at one moment;
    /// false if another writer was faster.
    pub(crate) async fn clear_subject(&self, around: &Surroundings, mode: Mode) -> Result<bool, RegistryError> {
        if !self.has_no_live_version(around).await? {
            return Ok(false);
        }
        let Some(rows) = self.rows_at(around, true).await? else { return Ok(false) };
        match self.is_unreferenced(&around.subject, &rows).await {
            Ok(true) => {}
            Err(RegistryError::Referenced(..)) if !self.unchanged(around).await? => return Ok(false),
            again => return again,
        }
        if self.store.commit(clear_subject(around.seen(), mode)).await? != Outcome::Committed {
            return Ok(false);
        }
        self.sweep(&around.subject).await?;
        Ok(true)
    }

    /// Deletes a subject's soft-deleted versions for good, one by one, so that a repeat finds in the directory what a crash
    /// has left. Highest first, so that whoever reads meanwhile sees a shorter subject, not one with holes.
    async fn clear_of_scope(&self, subject: &Subject) -> Result<(), RegistryError> {
        let mut race = self.store.race();
        loop {
            let around = self.surroundings(subject).await?;
            if around.head.total == 0 && around.head.mark.is_none() {
                return Ok(());
            }
            if self.clear_highest(&around).await? {
                race = self.store.race();
            } else {
                race.lost("make room for an import").await?;
            }
        }
    }

    /// One attempt; false if another writer was faster.
    async fn clear_highest(&self, around: &Surroundings) -> Result<bool, RegistryError> {
        let (subject, head) = (&around.subject, &around.head);
        if self.must_sweep(head) {
            self.sweep(subject).await?;
            return Ok(true);
        }
        if !self.has_no_live_version(around).await? {
            return Ok(false);
        }
        let row = self.store.highest_version(subject).await?.filter(|row| row.born <= head.tag);
        let Some(row) = row else { return Ok(false) };
        // Someone may have referred to it since all of them were looked at.
        Ok(self.is_unreferenced(subject, std::slice::from_ref(&row)).await?
            && self.permanent(around, row, true).await?)
    }

    /// Whether no version is live, or else the refusal; false to start again.
    async fn has_no_live_version(&self, around: &Surroundings) -> Result<bool, RegistryError> {
        if around.head.live == 0 {
            return Ok(true);
        }
        if self.unchanged(around).await? { Err(Denied::ExistingSubjects.into()) } else { Ok(false) }
    }
}
