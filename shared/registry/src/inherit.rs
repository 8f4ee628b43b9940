//! Metadata and rules that a schema takes over from the version before it (rest-api.md §6.1 C4c): what a request does
//! not give at all comes from the latest live version.

use crate::candidate::Candidate;
use crate::find::FirstRead;
use crate::surroundings::Surroundings;
use crate::{Registry, RegistryError};
use registrar_model::SchemaContent;
use registrar_store::{Key, Lookup, VersionRow};

impl Candidate {
    /// The schema with what it takes over; `None` if that is nothing.
    fn inheriting(&self, latest: &SchemaContent) -> Option<Self> {
        let metadata = self.content.metadata.as_ref().or(latest.metadata.as_ref());
        let rule_set = self.content.rule_set.as_ref().or(latest.rule_set.as_ref());
        if metadata == self.content.metadata.as_ref() && rule_set == self.content.rule_set.as_ref() {
            return None;
        }
        let content =
            SchemaContent { metadata: metadata.cloned(), rule_set: rule_set.cloned(), ..self.content.clone() };
        Some(Self::new(self.schema.clone(), content))
    }
}

impl Registry {
    /// What `candidate` becomes after the latest live version, if anything.
    pub(crate) async fn inheriting(
        &self,
        around: &Surroundings,
        candidate: &Candidate,
        latest: Option<VersionRow>,
    ) -> Result<Option<Candidate>, RegistryError> {
        let Some(mut latest) = latest else { return Ok(None) };
        let content = self.content_of(around.subject.context(), &mut latest).await?;
        Ok(content.and_then(|content| candidate.inheriting(&content)))
    }

    /// The first read once more, of the content that the schema becomes after the latest live version; `None` if it
    /// stays the same.
    pub(crate) async fn inherited_read(&self, read: &FirstRead) -> Result<Option<FirstRead>, RegistryError> {
        let around = &read.around;
        if around.head.live == 0 {
            return Ok(None);
        }
        let latest = self.latest_row(&around.subject).await?;
        let Some(candidate) = self.inheriting(around, &read.candidate, latest).await? else { return Ok(None) };
        let lookup = self.lookup_row(around, &candidate).await?;
        Ok(Some(FirstRead { around: around.clone(), candidate, lookup }))
    }

    /// The lookup row of a content.
    pub(crate) async fn lookup_row(
        &self,
        around: &Surroundings,
        candidate: &Candidate,
    ) -> Result<Option<Lookup>, RegistryError> {
        let (subject, equality) = (&around.subject, candidate.keys.equality);
        Ok(self.store.fetch([Key::Lookup(subject.clone(), equality)]).await?.lookup(subject, equality)?)
    }
}
