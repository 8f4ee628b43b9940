//! Compatibility with the versions of a subject (rest-api.md §4.4, §6.8).

use crate::candidate::Candidate;
use crate::compare::{Conflict, Rules};
use crate::contents::{AT_A_TIME, no_content};
use crate::lanes::LIGHT_STEPS;
use crate::surroundings::{EffectiveConfig, Surroundings};
use crate::{CheckOptions, InvalidSchema, Registry, RegistryError, SchemaRequest, Verdict};
use registrar_formats::{Budget, Schema, Strictness};
use registrar_model::{Level, SchemaContent, Subject, VersionSpec};
use registrar_store::{Key, VersionRow};
use std::collections::BTreeSet;

const RESERVED: &str = "confluent:reserved";

impl Registry {
    /// Checks a schema against all live versions, as a registration would. An unknown subject accepts anything. Advice:
    /// only a registration is judged again at the moment of its commit.
    pub async fn check_all(
        &self,
        subject: &Subject,
        request: SchemaRequest,
        options: CheckOptions,
    ) -> Result<Verdict, RegistryError> {
        let around = self.surroundings(subject).await?;
        self.check_alias(subject, &around.head)?;
        let config = around.effective(&self.settings);
        let candidate = self.posted(subject, &request, options, &config).await?;
        let mut race = self.store.race();
        let mut around = around;
        loop {
            if let Some(priors) = self.priors(&around, &config).await? {
                return self.verdict(subject, &candidate, priors, &config).await;
            }
            race.lost("check compatibility").await?;
            around = self.surroundings(subject).await?;
        }
    }

    /// Checks a schema against one live version, whatever the level says about others.
    pub async fn check_one(
        &self,
        subject: &Subject,
        version: VersionSpec,
        request: SchemaRequest,
        options: CheckOptions,
    ) -> Result<Verdict, RegistryError> {
        let (around, row) = self.version_beside(subject, version).await?;
        self.check_alias(subject, &around.head)?;
        if row.is_none() && version != VersionSpec::Latest {
            return Err(RegistryError::VersionNotFound(version));
        }
        let config = around.effective(&self.settings);
        let candidate = self.posted(subject, &request, options, &config).await?;
        self.verdict(subject, &candidate, row.into_iter().collect(), &config).await
    }

    /// Settings and one live version, in one round trip unless the latest has to be asked for again.
    async fn version_beside(
        &self,
        subject: &Subject,
        version: VersionSpec,
    ) -> Result<(Surroundings, Option<VersionRow>), RegistryError> {
        match version {
            VersionSpec::Number(number) => {
                let keys = Surroundings::keys(subject).into_iter().chain([Key::Version(subject.clone(), number)]);
                let fetched = self.store.fetch(keys).await?;
                let around = Surroundings::read(subject, &fetched)?;
                let row = fetched.version(subject, number)?.filter(|row| row.is_live(&around.head));
                Ok((around, row))
            }
            VersionSpec::Latest => {
                let around = self.surroundings(subject).await?;
                let row = if around.head.live == 0 { None } else { self.latest_row(subject).await? };
                Ok((around, row))
            }
        }
    }

    async fn posted(
        &self,
        subject: &Subject,
        request: &SchemaRequest,
        options: CheckOptions,
        config: &EffectiveConfig,
    ) -> Result<Candidate, RegistryError> {
        let draft = self.draft(subject, request).await?;
        if draft.is_blank() {
            return Err(InvalidSchema::Empty.into());
        }
        let as_new = config.validate_new_schemas;
        draft.resolved.targets(as_new).map_err(|details| draft.unparsable(details))?;
        let candidate = draft.parse(if as_new { Strictness::New } else { Strictness::Existing })?;
        draft.validate(&candidate, config.validate_fields)?;
        if options.normalize || config.normalize { draft.normalize(&candidate) } else { Ok(candidate) }
    }

    async fn verdict(
        &self,
        subject: &Subject,
        candidate: &Candidate,
        priors: Vec<VersionRow>,
        config: &EffectiveConfig,
    ) -> Result<Verdict, RegistryError> {
        let Conflict { messages, advice } = self.incompatibilities(subject, candidate, priors, config).await?;
        Ok(Verdict { is_compatible: messages.is_empty(), messages, advice })
    }

    /// The live versions that a check by this configuration looks at, oldest first. `None` if they do not agree with
    /// the head, because someone wrote meanwhile.
    pub(crate) async fn priors(
        &self,
        around: &Surroundings,
        config: &EffectiveConfig,
    ) -> Result<Option<Vec<VersionRow>>, RegistryError> {
        let head = &around.head;
        let Some(latest) = head.latest.filter(|_| head.live > 0) else { return Ok(Some(Vec::new())) };
        if config.compares_all() {
            return Ok(self.agreeing(head, self.store.versions(&around.subject).await?, false));
        }
        if config.level == Level::None && !config.validate_fields {
            return Ok(Some(Vec::new()));
        }
        let row =
            self.store.fetch([Key::Version(around.subject.clone(), latest)]).await?.version(&around.subject, latest)?;
        Ok(row.map(|row| vec![row]))
    }

    /// Why `candidate` may not follow `priors` (oldest first); without messages if it may.
    pub(crate) async fn incompatibilities(
        &self,
        subject: &Subject,
        candidate: &Candidate,
        mut priors: Vec<VersionRow>,
        config: &EffectiveConfig,
    ) -> Result<Conflict, RegistryError> {
        let mut messages = Vec::new();
        if config.validate_fields {
            let old = match priors.last_mut() {
                Some(newest) => {
                    let content = self.content_of(subject.context(), newest).await?;
                    Some(content.ok_or_else(|| no_content(newest))?)
                }
                None => None,
            };
            messages.extend(reserved_fields(&candidate.schema, &candidate.content, old.as_ref()));
        }
        if let Some(group) = &config.compatibility_group {
            let group_of = |content: &SchemaContent| content.metadata.as_ref()?.property(group).map(str::to_owned);
            let own = group_of(&candidate.content);
            let rows = priors.iter_mut().map(|row| (subject.context().clone(), row));
            let mut within = self.with_contents(rows, |content| group_of(content) == own).await?.into_iter();
            priors.retain(|_| within.next().unwrap_or(false));
        }
        let checked = if config.level.is_transitive() { priors.len() } else { priors.len().min(1) };
        let conflict = self.first_conflict(subject, candidate, &mut priors, checked, config).await?;
        messages.extend(conflict.messages);
        if !messages.is_empty() {
            let (fields, level) = (config.validate_fields, config.level.name());
            messages.push(format!("{{validateFields: '{fields}', compatibility: '{level}'}}"));
        }
        Ok(Conflict { messages, advice: conflict.advice })
    }

    /// What the newest of `priors` that conflicts says, of the `checked` newest.
    async fn first_conflict(
        &self,
        subject: &Subject,
        candidate: &Candidate,
        priors: &mut Vec<VersionRow>,
        checked: usize,
        config: &EffectiveConfig,
    ) -> Result<Conflict, RegistryError> {
        let mut budget = Budget::new(self.settings.max_check_steps);
        let mut newest = priors.split_off(priors.len() - checked);
        newest.reverse();
        // A few at a time: contents may be large.
        for rows in newest.chunks_mut(AT_A_TIME) {
            self.fill_contents(rows.iter_mut().map(|row| (subject.context().clone(), row))).await?;
            for row in rows {
                let found = self.check_prior(subject, candidate, row, config, &mut budget).await?;
                if !found.messages.is_empty() {
                    return Ok(found);
                }
                row.content = None;
            }
        }
        Ok(Conflict::default())
    }

    async fn check_prior(
        &self,
        subject: &Subject,
        candidate: &Candidate,
        row: &VersionRow,
        config: &EffectiveConfig,
        budget: &mut Budget,
    ) -> Result<Conflict, RegistryError> {
        if config.level == Level::None {
            return Ok(Conflict::default());
        }
        let content = row.content.as_ref().ok_or_else(|| no_content(row))?;
        if content.schema_type != candidate.content.schema_type {
            let messages = vec!["Incompatible because of different schema type".to_owned()];
            return Ok(Conflict { messages, advice: None });
        }
        let (old, bytes) = self.stored_schema(subject.context(), content).await?;
        budget.spend_reading(bytes)?;
        let rules = Rules {
            level: config.level,
            policy: config.policy,
            protobuf: self.settings.protobuf_rules,
            advice: self.settings.compatibility_advice,
        };
        let old = (&old, row.version, content.text.as_str());
        let mut first = budget.at_most(LIGHT_STEPS);
        if let Ok(conflict) = rules.compare(&mut first, &candidate.schema, old) {
            *budget = budget.after(first);
            return Ok(conflict);
        }
        // Once more from the start, where it disturbs nobody.
        self.before_heavy_work().await;
        Ok(rules.compare(budget, &candidate.schema, old)?)
    }
}

/// Names that `confluent:reserved` keeps free must stay reserved, and free (rest-api.md §6.8.1).
fn reserved_fields(schema: &Schema, new: &SchemaContent, old: Option<&SchemaContent>) -> Vec<String> {
    let (new_names, old_names) = (reserved_names(new), old.map(reserved_names).unwrap_or_default());
    let fields = schema.top_level_fields();
    let dropped = old_names.difference(&new_names).map(|name| {
        format!("The new schema has reserved field {name} removed from its metadata which is present in the old schema's metadata.")
    });
    let taken = new_names
        .iter()
        .filter(|name| fields.contains(name))
        .map(|name| format!("The new schema has field that conflicts with the reserved field {name}."));
    dropped.chain(taken).collect()
}

fn reserved_names(content: &SchemaContent) -> BTreeSet<String> {
    let names = content.metadata.as_ref().and_then(|metadata| metadata.property(RESERVED)).unwrap_or_default();
    names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
