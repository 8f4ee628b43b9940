//! Who refers to a version: hints, each verified against the rows it speaks of.

use crate::{Registry, RegistryError};
use registrar_model::{ContextName, SchemaId, Subject, Version};
use registrar_store::{Key, Usage};

/// A schema with versions that refer to what was asked about.
#[derive(Clone, Debug)]
pub(crate) struct Referrer {
    pub(crate) id: SchemaId,
    /// Each version with the schema, and whether it is live.
    users: Vec<(Subject, bool)>,
}

impl Referrer {
    /// Whether any version with the schema is live.
    pub(crate) fn is_live(&self) -> bool {
        self.users.iter().any(|(_, live)| *live)
    }

    /// Whether any live version outside a subject has the schema.
    pub(crate) fn is_live_outside(&self, subject: &Subject) -> bool {
        self.users.iter().any(|(user, live)| *live && user != subject)
    }

    /// Whether any version outside a subject has the schema, live or not.
    pub(crate) fn is_outside(&self, subject: &Subject) -> bool {
        self.users.iter().any(|(user, _)| user != subject)
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
        for (context, id) in self.store.referrers(target, version).await? {
            let users = self.users_referring(&context, id, target, version).await?;
            if !users.is_empty() {
                referrers.push(Referrer { id, users });
            }
        }
        Ok(referrers)
    }

    /// The versions with an id that still are there and refer to the target: a hint may be of a registration that
    /// failed, or of a version that went.
    async fn users_referring(
        &self,
        context: &ContextName,
        id: SchemaId,
        target: &Subject,
        version: Option<Version>,
    ) -> Result<Vec<(Subject, bool)>, RegistryError> {
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
            if refers && row.id == id && head.mark.is_none() {
                users.push((usage.subject.clone(), row.is_live(&head)));
            }
        }
        Ok(users)
    }
}
