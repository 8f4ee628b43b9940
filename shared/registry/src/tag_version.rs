//! Registering a copy of a version with other tags, metadata or rules (rest-api.md §4.2, §6.6).

use crate::find::Normalize;
use crate::start::{Start, stored_references};
use crate::turns::Turn;
use crate::{RegisterOptions, Registered, Registry, RegistryError, SchemaRequest, TagRequest, VersionOptions};
use registrar_model::{RuleSet, SchemaContent, Subject, Version, VersionSpec};

impl Registry {
    /// Registers the copy under the subject. Atomic as [`Registry::register`] is: the version copied and the rules taken
    /// over are those at the moment of the commit.
    pub async fn tag_version(
        &self,
        subject: &Subject,
        version: VersionSpec,
        request: TagRequest,
    ) -> Result<Registered, RegistryError> {
        let registered = match self.check_name(subject) {
            Ok(()) => Box::pin(self.tag_until_done(subject, version, request)).await,
            Err(error) => Err(error),
        };
        match registered {
            Err(error) => Err(Box::pin(self.unless_aliased(subject, error)).await),
            registered => registered,
        }
    }

    async fn tag_until_done(
        &self,
        subject: &Subject,
        version: VersionSpec,
        mut request: TagRequest,
    ) -> Result<Registered, RegistryError> {
        let mut race = self.store.race();
        let mut turn = self.turn(subject, &race).await?;
        loop {
            if let Some(registered) = Box::pin(self.tag_once(subject, version, &mut request, &mut turn)).await? {
                return Ok(registered);
            }
            race.lost("tag a version").await?;
        }
    }

    /// One attempt; `None` if another writer was faster.
    async fn tag_once(
        &self,
        subject: &Subject,
        version: VersionSpec,
        request: &mut TagRequest,
        turn: &mut Turn,
    ) -> Result<Option<Registered>, RegistryError> {
        let head = self.surroundings(subject).await?.head;
        self.check_alias(subject, &head)?;
        let tag = head.tag;
        let base = self.base(subject, version).await?;
        if self.settings.drop_rule_sets {
            request.rule_set = None;
        }
        check_rules(request)?;
        let rule_set = self.rules_after(subject, request).await?;
        let copy = copied(&base, request, rule_set);
        let mut draft = self.draft(subject, &copy).await?;
        if request.tags.has_edits() {
            draft = draft.tagged(&request.tags.edits())?;
        }
        let start = Start { draft, tag: Some(tag), normalize: Normalize::Never };
        Box::pin(self.register_from(subject, start, &copy, &RegisterOptions::default(), turn)).await
    }

    /// The version that is copied, of another context if it must be.
    async fn base(&self, subject: &Subject, version: VersionSpec) -> Result<SchemaContent, RegistryError> {
        Ok(self.version(subject, version, &VersionOptions::default()).await?.content)
    }

    /// The rule set of the copy: the one given, or that of the version before with what is to change; `None` to take the
    /// latest version's as it is.
    async fn rules_after(&self, subject: &Subject, request: &TagRequest) -> Result<Option<RuleSet>, RegistryError> {
        if request.rules_to_merge.is_none() && request.rules_to_remove.is_none() {
            return Ok(request.rule_set.clone());
        }
        let before = match request.new_version {
            0 => Some(VersionSpec::Latest),
            number => Version::new(i64::from(number) - 1).map(VersionSpec::Number),
        };
        let before = match before {
            Some(before) => match self.live_row(subject, before).await {
                Ok(row) => row.content.and_then(|content| content.rule_set),
                Err(RegistryError::SubjectNotFound(_) | RegistryError::VersionNotFound(_)) => None,
                Err(error) => return Err(error),
            },
            None => None,
        };
        let merged = match (before, &request.rules_to_merge) {
            (Some(before), Some(rules)) => Some(before.merged(rules)),
            (before, rules) => before.or_else(|| rules.clone()),
        };
        let removed = request.rules_to_remove.as_deref().unwrap_or_default();
        Ok(merged.map(|rules| rules.without(removed)))
    }
}

/// A rule set of its own, or changes of one, not both; each must be valid.
fn check_rules(request: &TagRequest) -> Result<(), RegistryError> {
    if request.rule_set.is_some() && (request.rules_to_merge.is_some() || request.rules_to_remove.is_some()) {
        return Err(RegistryError::AmbiguousRuleSet);
    }
    for rules in [&request.rule_set, &request.rules_to_merge].into_iter().flatten() {
        rules.validate().map_err(RegistryError::InvalidRuleSet)?;
    }
    Ok(())
}

/// The request that registers the copy. `confluent:version` is there in any case, so that it gets the copy's number.
fn copied(base: &SchemaContent, request: &TagRequest, rule_set: Option<RuleSet>) -> SchemaRequest {
    let metadata = request.metadata.clone().or_else(|| base.metadata.clone()).unwrap_or_default();
    SchemaRequest {
        version: request.new_version,
        schema: Some(base.text.clone()),
        schema_type: Some(base.schema_type.name().to_owned()),
        references: stored_references(base),
        metadata: Some(metadata.with_version(i64::from(request.new_version))),
        rule_set,
        ..SchemaRequest::default()
    }
}
