//! Which version of a subject has a content (rest-api.md §6.2): what register and lookup ask first.

use crate::candidate::{Candidate, Draft};
use crate::surroundings::Surroundings;
use crate::{Registry, RegistryError};
use registrar_formats::Strictness;
use registrar_model::{SchemaId, Subject, Version};
use registrar_store::{Head, Key, Lookup, VersionRow};

/// Whether a schema is normalised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Normalize {
    /// The request asks for it.
    Always,
    /// As the configuration says.
    AsConfigured,
    /// Whatever the configuration says.
    Never,
}

impl Normalize {
    pub(crate) fn asked(asked: bool) -> Self {
        if asked { Self::Always } else { Self::AsConfigured }
    }

    pub(crate) fn is_on(self, configured: bool) -> bool {
        self == Self::Always || (self == Self::AsConfigured && configured)
    }
}

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

/// Which versions count, and with which id if not any.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) among: Among,
    pub(crate) id: Option<SchemaId>,
}

impl Wanted {
    pub(crate) fn any(among: Among) -> Self {
        Self { among, id: None }
    }

    fn admits_id(self, id: SchemaId) -> bool {
        self.id.is_none_or(|wanted| wanted == id)
    }

    fn admits(self, row: &VersionRow, head: &Head) -> bool {
        let counts = match self.among {
            Among::Live => row.is_live(head),
            Among::All => head.mark.is_none(),
        };
        counts && self.admits_id(row.id)
    }

    /// Whether any version filed under a key may count: its row means a live one if there is one.
    fn admits_any(self, lookup: &Lookup, head: &Head) -> bool {
        match self.among {
            Among::Live => lookup.is_live(head),
            Among::All => head.mark.is_none(),
        }
    }
}

impl Found {
    fn row(row: VersionRow, exact: bool) -> Self {
        Self { version: row.version, id: row.id, exact, row: Some(row) }
    }
}

impl Registry {
    /// Parses a draft and reads head, settings and lookup row, in one round trip unless the configuration says to
    /// normalise and the process did not expect it.
    pub(crate) async fn first_read(
        &self,
        subject: &Subject,
        draft: &Draft,
        normalize: Normalize,
    ) -> Result<FirstRead, RegistryError> {
        let plain = draft.parse(Strictness::Existing)?;
        let asked = if normalize == Normalize::Always { Some(draft.normalize(&plain)?) } else { None };
        let guess = normalize == Normalize::AsConfigured && self.expects_normalizing();
        let expected = if guess { draft.normalize(&plain).ok() } else { None };
        let hashes = [Some(asked.as_ref().unwrap_or(&plain)), expected.as_ref()];
        let hashes = hashes.map(|candidate| candidate.map(|candidate| candidate.keys.equality));
        let keys = hashes.into_iter().flatten().map(|hash| Key::Lookup(subject.clone(), hash));
        let fetched = self.store.fetch(keys.chain(Surroundings::keys(subject))).await?;
        let around = Surroundings::read(subject, &fetched)?;
        let configured = around.effective(&self.settings).normalize;
        self.saw_normalizing(configured);
        let candidate = match asked {
            Some(normalized) => normalized,
            None if normalize.is_on(configured) => draft.normalize(&plain)?,
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

    /// The version that the lookup row means, if it is one of `wanted`, or another one filed under its key, or one with
    /// references whose inlined form is the content asked for.
    pub(crate) async fn find(&self, read: &FirstRead, wanted: Wanted) -> Result<Option<Found>, RegistryError> {
        let keys = &read.candidate.keys;
        if let Some(lookup) = read.lookup.as_ref().filter(|lookup| wanted.admits_any(lookup, &read.around.head)) {
            let found = |exact| Found { version: lookup.version, id: lookup.id, exact, row: None };
            let is_wanted = wanted.admits_id(lookup.id);
            if is_wanted && lookup.hash == keys.hash {
                return Ok(Some(found(true)));
            }
            if lookup.several {
                if let Some(found) = self.find_among_several(read, wanted).await? {
                    return Ok(Some(found));
                }
            } else if is_wanted && keys.mark.finds(&lookup.mark, lookup.version) {
                return Ok(Some(found(false)));
            }
        }
        if read.candidate.content.references.is_empty() {
            return if read.around.head.refers { self.find_inlined(read, wanted).await } else { Ok(None) };
        }
        self.find_by_id(read, wanted).await
    }

    /// The version with exactly the content asked for, by way of its id. The lookup row of a schema with references is
    /// of the types they bring, which an import may have written over since.
    async fn find_by_id(&self, read: &FirstRead, wanted: Wanted) -> Result<Option<Found>, RegistryError> {
        let (subject, hash) = (&read.around.subject, read.candidate.keys.hash);
        let key = Key::Fingerprint(subject.context().clone(), hash);
        let Some(known) = self.store.fetch([key]).await?.fingerprint(subject.context(), hash)? else { return Ok(None) };
        let Some(usage) = self.store.usage_in(subject, known.id).await? else { return Ok(None) };
        let key = Key::Version(subject.clone(), usage.version);
        let row = self.store.fetch([key]).await?.version(subject, usage.version)?;
        let head = &read.around.head;
        let row = row.filter(|row| row.hash == hash && wanted.admits(row, head) && self.is_known(row, head));
        Ok(row.map(|row| Found::row(row, true)))
    }

    /// Of several versions filed under one key, the newest with exactly the content asked for, else the newest whose
    /// metadata count as equal. It looks at every version.
    async fn find_among_several(&self, read: &FirstRead, wanted: Wanted) -> Result<Option<Found>, RegistryError> {
        let keys = &read.candidate.keys;
        let Some(mut rows) = self.rows_among(read, wanted).await? else { return Ok(None) };
        rows.retain(|row| row.equality == keys.equality && wanted.admits(row, &read.around.head));
        let exact = rows.iter().rposition(|row| row.hash == keys.hash);
        let equal = || rows.iter().rposition(|row| keys.mark.finds(&row.mark, row.version));
        let newest = exact.or_else(equal);
        Ok(newest.map(|newest| Found::row(rows.swap_remove(newest), exact.is_some())))
    }

    /// A schema without references is the same as one with references whose inlined form it is, if no version has it
    /// as it stands. Rare, so it may look at every version.
    async fn find_inlined(&self, read: &FirstRead, wanted: Wanted) -> Result<Option<Found>, RegistryError> {
        let keys = &read.candidate.keys;
        let Some(rows) = self.rows_among(read, wanted).await? else { return Ok(None) };
        let same = |row: &VersionRow| {
            row.inlined == Some(keys.equality)
                && keys.mark.finds(&row.mark, row.version)
                && wanted.admits(row, &read.around.head)
        };
        Ok(rows.into_iter().rev().find(same).map(|row| Found::row(row, false)))
    }

    /// The rows that count, if they agree with the head. If they do not, the head has moved, which whoever finds nothing
    /// sees before that is said.
    async fn rows_among(&self, read: &FirstRead, wanted: Wanted) -> Result<Option<Vec<VersionRow>>, RegistryError> {
        let rows = self.store.versions(&read.around.subject).await?;
        Ok(self.agreeing(&read.around.head, rows, wanted.among == Among::All))
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
