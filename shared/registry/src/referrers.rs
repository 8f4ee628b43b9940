//! Who refers to a version: hints, each verified against the rows it speaks of.

use crate::{Registry, RegistryError};
use futures_util::future::try_join_all;
use registrar_model::{ContextName, SchemaId, Subject, Version};
use registrar_store::{Key, StepName, Usage};
use std::collections::BTreeSet;

/// How many hints are verified side by side.
const SIDE_BY_SIDE: usize = 16;

/// A schema with versions that refer to what was asked about.
#[derive(Clone, Debug)]
pub(crate) struct Referrer {
    pub(crate) id: SchemaId,
    users: Vec<User>,
}

/// A version with the schema.
#[derive(Clone, Debug)]
struct User {
    subject: Subject,
    state: UserState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UserState {
    Live,
    SoftDeleted,
    /// Deleted for good with its subject, but not swept yet: it still counts at its targets.
    Unswept,
}

impl Referrer {
    /// Whether any version with the schema is live.
    pub(crate) fn is_live(&self) -> bool {
        self.users.iter().any(|user| user.state == UserState::Live)
    }

    /// Whether any live version outside a subject has the schema.
    pub(crate) fn is_live_outside(&self, subject: &Subject) -> bool {
        self.users.iter().any(|user| user.state == UserState::Live && user.subject != *subject)
    }

    /// Whether any version has the schema, live or soft-deleted.
    pub(crate) fn is_there(&self) -> bool {
        self.users.iter().any(|user| user.state != UserState::Unswept)
    }

    /// Whether any version outside a subject has the schema, live or soft-deleted.
    pub(crate) fn is_outside(&self, subject: &Subject) -> bool {
        self.users.iter().any(|user| user.state != UserState::Unswept && user.subject != *subject)
    }

    fn unswept(&self) -> impl Iterator<Item = &Subject> {
        self.users.iter().filter(|user| user.state == UserState::Unswept).map(|user| &user.subject)
    }
}

impl Registry {
    /// Schemas whose versions refer to one version of `target`, or to any, sorted by context and id.
    pub(crate) async fn referrers(
        &self,
        target: &Subject,
        version: Option<Version>,
    ) -> Result<Vec<Referrer>, RegistryError> {
        let mut referrers = Vec::new();
        for hints in self.store.referrers(target, version).await?.chunks(SIDE_BY_SIDE) {
            let reads = hints.iter().map(|(context, id)| self.users_referring(context, *id, target, version));
            let found = hints.iter().zip(try_join_all(reads).await?).filter(|(_, users)| !users.is_empty());
            referrers.extend(found.map(|((_, id), users)| Referrer { id: *id, users }));
        }
        Ok(referrers)
    }

    /// Sweeps what is left of deleted referrers, since their references still count at their targets: a target that went
    /// first could not be counted down any more. True if there was something to do, so the caller starts again.
    pub(crate) async fn sweep_referrers(&self, referrers: &[Referrer]) -> Result<bool, RegistryError> {
        if !self.store.takes(StepName::ReferrersFirst) {
            return Ok(false);
        }
        let subjects: BTreeSet<&Subject> = referrers.iter().flat_map(Referrer::unswept).collect();
        for subject in &subjects {
            self.sweep(subject).await?;
        }
        Ok(!subjects.is_empty())
    }

    /// The versions with an id that still are there and refer to the target: a hint may be of a registration that
    /// failed, or of a version that went.
    async fn users_referring(
        &self,
        context: &ContextName,
        id: SchemaId,
        target: &Subject,
        version: Option<Version>,
    ) -> Result<Vec<User>, RegistryError> {
        let usages = self.store.usages(context, id).await?;
        let keys = usages.iter().flat_map(|Usage { subject, version, .. }| {
            [Key::Head(subject.clone()), Key::Version(subject.clone(), *version)]
        });
        let fetched = self.store.fetch(keys).await?;
        let mut users = Vec::new();
        for usage in &usages {
            let head = fetched.head(&usage.subject)?;
            let Some(row) = fetched.version(&usage.subject, usage.version)? else { continue };
            let refers = row
                .targets
                .iter()
                .any(|found| found.subject == *target && version.is_none_or(|version| found.version == version));
            if refers && row.id == id {
                let state = match head.mark {
                    Some(_) => UserState::Unswept,
                    None if row.is_live(&head) => UserState::Live,
                    None => UserState::SoftDeleted,
                };
                users.push(User { subject: usage.subject.clone(), state });
            }
        }
        Ok(users)
    }
}
