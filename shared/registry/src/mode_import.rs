//! Making room for an import (rest-api.md §6.5 step 6): no live version may be in its scope, and soft-deleted ones go.
//!
//! For one subject this is exact. For a wider scope the check comes before the change of mode, subject by subject: a
//! registration that commits in between stays, as it would have with `force`.

use crate::referrers::Referrer;
use crate::target::SettingTarget;
use crate::{Denied, Registry, RegistryError};
use registrar_model::{ContextName, Subject, Version};
use registrar_store::SubjectState;

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
            self.check_unreferenced(subject).await?;
        }
        for subject in &deleted {
            self.clear_subject_for_import(subject).await?;
        }
        Ok(())
    }

    /// The default context and all others, sorted.
    pub(crate) async fn all_contexts(&self) -> Result<Vec<ContextName>, RegistryError> {
        let mut contexts = vec![ContextName::default_context()];
        contexts.extend(self.store.contexts().await?.into_iter().filter(|context| !context.is_default()));
        Ok(contexts)
    }

    async fn check_unreferenced(&self, subject: &Subject) -> Result<(), RegistryError> {
        let (_, rows) = self.rows(subject, true).await?;
        for row in rows.iter().filter(|row| row.refs > 0) {
            let referrers = self.referrers(subject, Some(row.version)).await?;
            self.sweep_referrers(&referrers).await?;
            if referrers.iter().any(Referrer::is_there) {
                return Err(RegistryError::Referenced(subject.clone(), row.version));
            }
        }
        Ok(())
    }

    /// Deletes a subject's soft-deleted versions for good.
    pub(crate) async fn clear_subject_for_import(&self, subject: &Subject) -> Result<(), RegistryError> {
        let head = self.surroundings(subject).await?.head;
        if head.live > 0 {
            return Err(Denied::ExistingSubjects.into());
        }
        if head.total == 0 && head.mark.is_none() {
            return Ok(());
        }
        self.check_unreferenced(subject).await?;
        let (_, rows) = self.rows(subject, true).await?;
        // Highest first, so that whoever reads meanwhile sees a shorter subject, not one with holes. One by one: the
        // subject's configuration must survive, which a permanent delete of the subject would take along.
        let versions: Vec<Version> = rows.iter().rev().map(|row| row.version).collect();
        for version in versions {
            self.purge_version(subject, version).await?;
        }
        Ok(())
    }
}
