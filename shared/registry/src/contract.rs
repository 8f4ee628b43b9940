//! Metadata and rules that a schema gets from around it (rest-api.md §6.1 C4c, C4d): what a request does not give at all
//! comes from the latest live version, and the configuration has defaults under it and overrides over it.

use crate::candidate::Candidate;
use crate::find::FirstRead;
use crate::surroundings::Surroundings;
use crate::{Registry, RegistryError};
use registrar_model::{Config, Metadata, RuleSet, SchemaContent, Version};
use registrar_store::{Key, Lookup};

/// What the configuration in scope adds to every schema.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Contract<'a> {
    default_metadata: Option<&'a Metadata>,
    override_metadata: Option<&'a Metadata>,
    default_rule_set: Option<&'a RuleSet>,
    override_rule_set: Option<&'a RuleSet>,
}

impl<'a> Contract<'a> {
    pub(crate) fn of(config: &'a Config) -> Self {
        Self {
            default_metadata: config.default_metadata.as_ref(),
            override_metadata: config.override_metadata.as_ref(),
            default_rule_set: config.default_rule_set.as_ref(),
            override_rule_set: config.override_rule_set.as_ref(),
        }
    }

    pub(crate) fn is_empty(self) -> bool {
        let metadata = self.default_metadata.is_none() && self.override_metadata.is_none();
        metadata && self.default_rule_set.is_none() && self.override_rule_set.is_none()
    }

    fn metadata(self, specific: Option<&Metadata>) -> Option<Metadata> {
        let parts = [self.default_metadata, specific, self.override_metadata];
        parts.into_iter().flatten().fold(None, |left: Option<Metadata>, right| {
            Some(left.map_or_else(|| right.clone(), |left| left.merged(right)))
        })
    }

    fn rule_set(self, specific: Option<&RuleSet>) -> Option<RuleSet> {
        let parts = [self.default_rule_set, specific, self.override_rule_set];
        parts.into_iter().flatten().fold(None, |left: Option<RuleSet>, right| {
            Some(left.map_or_else(|| right.clone(), |left| left.merged(right)))
        })
    }
}

/// When `confluent:version` is written (C4d).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbering {
    /// Never: lookups.
    Off,
    /// Where it is there already.
    Kept(Version),
    /// Always: the request asks for a version.
    Set(Version),
}

impl Numbering {
    fn apply(self, metadata: Option<Metadata>) -> Option<Metadata> {
        let number = |version: Version| i64::from(version.get());
        match self {
            Self::Set(version) => Some(metadata.unwrap_or_default().with_version(number(version))),
            Self::Kept(version) => metadata
                .map(|metadata| if metadata.has_version() { metadata.with_version(number(version)) } else { metadata }),
            Self::Off => metadata,
        }
    }
}

impl Candidate {
    /// The schema with what it gets; `None` if that changes nothing.
    pub(crate) fn populated(
        &self,
        contract: Contract<'_>,
        latest: Option<&SchemaContent>,
        numbering: Numbering,
    ) -> Option<Self> {
        let own = &self.content;
        let metadata = own.metadata.as_ref().or_else(|| latest?.metadata.as_ref());
        let rule_set = own.rule_set.as_ref().or_else(|| latest?.rule_set.as_ref());
        let metadata = numbering.apply(contract.metadata(metadata));
        let rule_set = contract.rule_set(rule_set);
        if metadata == own.metadata && rule_set == own.rule_set {
            return None;
        }
        Some(Self::new(self.schema.clone(), SchemaContent { metadata, rule_set, ..own.clone() }))
    }
}

impl Registry {
    /// The first read once more, of the content that the schema becomes by the configuration and after the latest live
    /// version; `None` if it stays the same, or if there is no such version (rest-api.md §6.2 "Full lookup").
    pub(crate) async fn populated_read(&self, read: &FirstRead) -> Result<Option<FirstRead>, RegistryError> {
        let around = &read.around;
        if around.head.live == 0 {
            return Ok(None);
        }
        let Some(latest) = self.latest_row(&around.subject).await? else { return Ok(None) };
        let populated = read.candidate.populated(around.contract(), latest.content.as_ref(), Numbering::Off);
        let Some(candidate) = populated else { return Ok(None) };
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
