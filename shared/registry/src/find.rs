//! Which version of a subject has a content (rest-api.md §6.2): what register and lookup ask first.

use crate::candidate::{Candidate, Draft};
use crate::surroundings::Surroundings;
use crate::{Registry, RegistryError};
use registrar_formats::Strictness;
use registrar_model::{SchemaId, Sha256Hash, Subject, Version};
use registrar_store::{Head, Key, Lookup, VersionRow};

/// The first read of register and lookup.
#[derive(Debug)]
pub(crate) struct FirstRead {
    pub(crate) around: Surroundings,
    /// The schema in the form asked for, normalised or not.
    pub(crate) candidate: Candidate,
    /// The row of that content.
    pub(crate) lookup: Option<Lookup>,
}

/// A version with the content asked for.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) version: Version,
    pub(crate) id: SchemaId,
    /// Whether its content is exactly the one asked for, and not only equal to it.
    pub(crate) exact: bool,
    /// The row, where it was read.
    pub(crate) row: Option<VersionRow>,
}

/// Which versions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Among {
    Live,
    All,
}

impl Among {
    fn admits(self, row: &VersionRow, head: &Head) -> bool {
        match self {
            Self::Live => row.is_live(head),
            Self::All => head.mark.is_none(),
        }
    }
}

impl Registry {
    /// Parses a draft and reads head, settings and lookup row, in one round trip unless the configuration says to
    /// normalise and the process did not expect it.
    pub(crate) async fn first_read(
        &self,
        subject: &Subject,
        draft: &Draft,
        normalize: bool,
    ) -> Result<FirstRead, RegistryError> {
        let plain = draft.parse(Strictness::Existing)?;
        let normalized = if normalize { Some(draft.normalize(&plain)?) } else { None };
        let expected = if normalize || !self.expects_normalizing() { None } else { draft.normalize(&plain).ok() };
        let asked = normalized.as_ref().unwrap_or(&plain);
        let hashes = [Some(asked.keys.equality), expected.map(|expected| expected.keys.equality)];
        let keys = hashes.into_iter().flatten().map(|hash| Key::Lookup(subject.clone(), hash));
        let fetched = self.store.fetch(keys.chain(Surroundings::keys(subject))).await?;
        let around = Surroundings::read(subject, &fetched)?;
        let configured = around.effective(&self.settings).normalize;
        self.saw_normalizing(configured);
        let candidate = match normalized {
            Some(normalized) => normalized,
            None if configured => draft.normalize(&plain)?,
            None => plain,
        };
        let hash = candidate.keys.equality;
        let lookup = if hashes.contains(&Some(hash)) {
            fetched.lookup(subject, hash)?
        } else {
            self.store.fetch([Key::Lookup(subject.clone(), hash)]).await?.lookup(subject, hash)?
        };
        Ok(FirstRead { around, candidate, lookup })
    }

    /// The version that the lookup row means, or one with references whose inlined form is the content asked for.
    pub(crate) async fn find(&self, read: &FirstRead, among: Among) -> Result<Option<Found>, RegistryError> {
        let head = &read.around.head;
        let counts = |lookup: &&Lookup| match among {
            Among::Live => lookup.is_live(head),
            Among::All => head.mark.is_none(),
        };
        if let Some(lookup) = read.lookup.as_ref().filter(counts) {
            let exact = lookup.hash == read.candidate.keys.hash;
            if !exact
                && lookup.several
                && let Some(found) = self.find_exact(read, among).await?
            {
                return Ok(Some(found));
            }
            return Ok(Some(Found { version: lookup.version, id: lookup.id, exact, row: None }));
        }
        if head.refers && read.candidate.content.references.is_empty() {
            return self.find_inlined(&read.around.subject, head, read.candidate.keys.equality, among).await;
        }
        if !read.candidate.content.references.is_empty() {
            return self.find_by_id(read, among).await;
        }
        Ok(None)
    }

    /// The version with exactly the content asked for, by way of its id. The lookup row of a schema with references is
    /// of the types they bring, which an import may have written over since.
    async fn find_by_id(&self, read: &FirstRead, among: Among) -> Result<Option<Found>, RegistryError> {
        let (subject, hash) = (&read.around.subject, read.candidate.keys.hash);
        let key = Key::Fingerprint(subject.context().clone(), hash);
        let Some(known) = self.store.fetch([key]).await?.fingerprint(subject.context(), hash)? else { return Ok(None) };
        let Some(usage) = self.store.usage_in(subject, known.id).await? else { return Ok(None) };
        let key = Key::Version(subject.clone(), usage.version);
        let row = self.store.fetch([key]).await?.version(subject, usage.version)?;
        let row = row.filter(|row| row.hash == hash && among.admits(row, &read.around.head));
        Ok(row.map(|row| Found { version: row.version, id: row.id, exact: true, row: Some(row) }))
    }

    /// Of several versions with equal contents, the newest with exactly the one asked for. Rare, so it may look at
    /// every version.
    async fn find_exact(&self, read: &FirstRead, among: Among) -> Result<Option<Found>, RegistryError> {
        let (subject, head) = (&read.around.subject, &read.around.head);
        let rows = self.store.versions(subject).await?;
        let hash = read.candidate.keys.hash;
        let newest = rows.into_iter().rev().find(|row| row.hash == hash && among.admits(row, head));
        Ok(newest.map(|row| Found { version: row.version, id: row.id, exact: true, row: Some(row) }))
    }

    /// A schema without references is the same as one with references whose inlined form it is, if no version has it
    /// as it stands. Rare, so it may look at every version.
    async fn find_inlined(
        &self,
        subject: &Subject,
        head: &Head,
        hash: Sha256Hash,
        among: Among,
    ) -> Result<Option<Found>, RegistryError> {
        let rows = self.store.versions(subject).await?;
        let newest = rows.into_iter().rev().find(|row| row.inlined == Some(hash) && among.admits(row, head));
        Ok(newest.map(|row| Found { version: row.version, id: row.id, exact: false, row: Some(row) }))
    }

    /// Reads the row of a found version. `None` if it changed meanwhile.
    pub(crate) async fn found_row(
        &self,
        subject: &Subject,
        found: &Found,
    ) -> Result<Option<VersionRow>, RegistryError> {
        let row = match &found.row {
            Some(row) => Some(row.clone()),
            None => self
                .store
                .fetch([Key::Version(subject.clone(), found.version)])
                .await?
                .version(subject, found.version)?,
        };
        let Some(mut row) = row.filter(|row| row.id == found.id) else { return Ok(None) };
        let content = self.content_of(subject.context(), &mut row).await?;
        Ok(content.map(|_| row))
    }
}
