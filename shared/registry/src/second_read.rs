//! The second read of a registration, after the head: all that the decision and the transaction rest on, in one round
//! trip (two queries side by side where every version counts).

use crate::candidate::Candidate;
use crate::surroundings::{EffectiveConfig, Surroundings};
use crate::{Registry, RegistryError};
use futures_util::future::try_join;
use registrar_model::{Level, SchemaId, Sha256Hash, Version};
use registrar_store::{DeletedRow, Fetched, Fingerprint, Key, Lookup, StepName, VersionRow};

/// Most actions of a registration besides references and replaced versions, of the 100 that DynamoDB takes.
const OTHER_ACTIONS: usize = 20;

/// What is known of a content's lookup row before the second read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FirstLookup {
    /// It was read beside the head, or after it, and there was one or none.
    Read(Option<Lookup>),
    /// Nothing: the content has become another one since.
    Unread,
}

impl FirstLookup {
    pub(crate) fn row(&self) -> Option<&Lookup> {
        match self {
            Self::Read(row) => row.as_ref(),
            Self::Unread => None,
        }
    }
}

/// What a registration is about to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Intent<'a> {
    pub(crate) around: &'a Surroundings,
    pub(crate) candidate: &'a Candidate,
    /// The lookup row of the content, from before.
    pub(crate) first_lookup: &'a FirstLookup,
    pub(crate) config: &'a EffectiveConfig,
    /// Whether versions are compared.
    pub(crate) compares: bool,
    pub(crate) version: Version,
    /// The explicit id of an import.
    pub(crate) import: Option<SchemaId>,
}

/// What was found.
#[derive(Debug)]
pub(crate) struct SecondRead {
    pub(crate) lookup: Option<Lookup>,
    /// Live versions to compare with, oldest first.
    pub(crate) priors: Vec<VersionRow>,
    /// The latest live version, unless the head shows none.
    pub(crate) latest: Option<VersionRow>,
    /// The content's current id.
    pub(crate) fingerprint: Option<Fingerprint>,
    /// Soft-deleted versions with that id, which the new one replaces.
    pub(crate) replaced: Vec<DeletedRow>,
    /// An import's id, if it stands for something: the hash of that.
    pub(crate) import_hash: Option<Sha256Hash>,
    /// An import's id, if it is a further one of this content.
    pub(crate) other: Option<Fingerprint>,
    /// The version that an import writes over.
    pub(crate) overwritten: Option<VersionRow>,
}

impl Registry {
    /// Reads; `None` if something shows that the head is no longer current.
    pub(crate) async fn second_read(&self, intent: Intent<'_>) -> Result<Option<SecondRead>, RegistryError> {
        let subject = &intent.around.subject;
        let (fetched, all) = if intent.reads_all() {
            let (fetched, all) = try_join(self.store.fetch(intent.keys()), self.store.versions(subject)).await?;
            (fetched, Some(all))
        } else {
            (self.store.fetch(intent.keys()).await?, None)
        };
        intent.understand(self, &fetched, all)
    }
}

impl Intent<'_> {
    fn compares_all(&self) -> bool {
        self.compares && self.config.compares_all()
    }

    fn reads_all(&self) -> bool {
        let live = self.around.head.live > 0;
        (self.compares_all() && live) || self.first_lookup.row().is_some_and(|lookup| lookup.several)
    }

    /// The latest live version: compared with, and what metadata and rules are taken over from.
    fn latest(&self) -> Option<Version> {
        self.around.head.latest.filter(|_| self.around.head.live > 0 && self.import.is_none())
    }

    fn keys(&self) -> Vec<Key> {
        let subject = &self.around.subject;
        let context = subject.context();
        let hash = self.candidate.keys.hash;
        let version = |version: Version| Key::Version(subject.clone(), version);
        let mut keys =
            vec![Key::Lookup(subject.clone(), self.candidate.keys.equality), Key::Fingerprint(context.clone(), hash)];
        keys.extend(self.latest().map(version));
        keys.extend(self.first_lookup.row().map(|lookup| version(lookup.version)));
        if let Some(id) = self.import {
            keys.extend([
                version(self.version),
                Key::Schema(context.clone(), id),
                Key::OtherId(context.clone(), hash, id),
            ]);
        }
        keys
    }

    fn understand(
        &self,
        registry: &Registry,
        fetched: &Fetched,
        all: Option<Vec<VersionRow>>,
    ) -> Result<Option<SecondRead>, RegistryError> {
        let subject = &self.around.subject;
        let context = subject.context();
        let head = &self.around.head;
        let hash = self.candidate.keys.hash;
        let lookup = fetched.lookup(subject, self.candidate.keys.equality)?;
        // A row that is newer than the head, or is not the one that was read before: someone wrote meanwhile.
        let raced = lookup.as_ref().is_some_and(|lookup| lookup.born > head.tag || self.raced(lookup));
        if !registry.store.holds(StepName::LookupAgain, !raced) {
            return Ok(None);
        }
        let Some(priors) = self.priors_among(registry, fetched, all.as_deref())? else { return Ok(None) };
        let latest = self.latest().map(|latest| fetched.version(subject, latest)).transpose()?.flatten();
        if latest.as_ref().map(|row| row.version) != self.latest() {
            return Ok(None);
        }
        let fingerprint = fetched.fingerprint(context, hash)?;
        let other = self.import.map(|id| fetched.other_id(context, hash, id)).transpose()?.flatten();
        let import_hash = self.import.map(|id| fetched.schema_hash(context, id)).transpose()?.flatten();
        let overwritten = self.import.map(|_| fetched.version(subject, self.version)).transpose()?.flatten();
        let candidates = match (all, &lookup) {
            (Some(rows), _) => rows,
            (None, Some(lookup)) => fetched.version(subject, lookup.version)?.into_iter().collect(),
            (None, None) => Vec::new(),
        };
        let id = self.import.or(fingerprint.as_ref().map(|fingerprint| fingerprint.id));
        let replaced = candidates
            .into_iter()
            .filter(|row| Some(row.id) == id && row.version < self.version && row.refs == 0 && !row.is_live(head))
            .filter(|row| row.hash == hash && row.born <= head.tag)
            .take(self.most_replaced())
            .map(|row| DeletedRow { row, fingerprint: fingerprint.clone(), other: other.clone() })
            .collect();
        Ok(Some(SecondRead { lookup, priors, latest, fingerprint, replaced, import_hash, other, overwritten }))
    }

    /// How many soft-deleted versions the transaction has room for, at two actions each. More than one needs explicit
    /// version numbers or an import; what is left goes with the next registration, and does no harm.
    fn most_replaced(&self) -> usize {
        let references = self.candidate.content.references.len();
        100_usize.saturating_sub(OTHER_ACTIONS + 2 * references) / 2
    }

    /// Whether the row shows that the content has been registered since it was first read. A live row that was there
    /// before was passed over on purpose: the request names a version, or its metadata count as others.
    fn raced(&self, lookup: &Lookup) -> bool {
        let FirstLookup::Read(first) = self.first_lookup else { return false };
        let first = first.as_ref();
        let is_other = first.is_none_or(|first| first.version != lookup.version);
        let head = &self.around.head;
        let is_live = lookup.is_live(head) && self.import.is_none();
        let is_new = first.is_none_or(|first| first.born != lookup.born || !first.is_live(head));
        (is_other && lookup.hash == self.candidate.keys.hash) || (is_live && is_new)
    }

    fn priors_among(
        &self,
        registry: &Registry,
        fetched: &Fetched,
        all: Option<&[VersionRow]>,
    ) -> Result<Option<Vec<VersionRow>>, RegistryError> {
        let head = &self.around.head;
        if self.compares_all() && head.live > 0 {
            let live = all.unwrap_or_default().iter().filter(|row| row.is_live(head)).cloned().collect();
            return Ok(registry.agreeing(head, live, false));
        }
        let compares = self.compares && (self.config.level != Level::None || self.config.validate_fields);
        let Some(latest) = self.latest().filter(|_| compares) else { return Ok(Some(Vec::new())) };
        Ok(fetched.version(&self.around.subject, latest)?.map(|row| vec![row]))
    }
}
