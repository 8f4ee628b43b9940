//! What holds for a subject: its head, the settings around it, and what they come to (rest-api.md §6.10).

use crate::contract::Contract;
use crate::{Registry, RegistryError, Settings};
use registrar_model::{Config, Level, Mode, Policy, Subject};
use registrar_store::{Fetched, Head, Key, Scope, Seen, SettingsItem, SettingsPart, SettingsSeen, StepName};

/// A subject's head and the settings that apply to it, as one read found them.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    pub(crate) subject: Subject,
    pub(crate) head: Head,
    /// The top level and `.__GLOBAL`.
    shared: SettingsItem,
    /// The subject's own context, unless that is the default one.
    context: Option<SettingsItem>,
    pub(crate) seen: Vec<SettingsSeen>,
}

/// The configuration in force for a subject.
#[derive(Clone, Debug)]
pub(crate) struct EffectiveConfig {
    pub(crate) normalize: bool,
    pub(crate) validate_fields: bool,
    pub(crate) validate_new_schemas: bool,
    pub(crate) level: Level,
    pub(crate) policy: Policy,
    pub(crate) compatibility_group: Option<String>,
}

impl EffectiveConfig {
    /// Whether more than the newest version decides: by a transitive level, or because groups pick among them.
    pub(crate) fn compares_all(&self) -> bool {
        self.level.is_transitive() || (self.compatibility_group.is_some() && self.level != Level::None)
    }
}

/// The scopes that operations on a subject consult, each with the copy they look at.
pub(crate) fn scopes_of(subject: &Subject) -> Vec<(Scope, u8)> {
    let copy = Scope::copy_for(subject);
    let own = Scope::of(subject.context());
    if own == Scope::Shared { vec![(Scope::Shared, copy)] } else { vec![(Scope::Shared, copy), (own, copy)] }
}

impl Surroundings {
    /// The keys that [`Surroundings::read`] needs.
    pub(crate) fn keys(subject: &Subject) -> Vec<Key> {
        let settings = scopes_of(subject).into_iter().map(|(scope, copy)| Key::Settings(scope, copy));
        settings.chain([Key::Head(subject.clone())]).collect()
    }

    /// Puts together what was fetched.
    pub(crate) fn read(subject: &Subject, fetched: &Fetched) -> Result<Self, RegistryError> {
        let mut seen = Vec::new();
        let mut shared = SettingsItem::default();
        let mut context = None;
        for (scope, copy) in scopes_of(subject) {
            let item = fetched.settings(&scope, copy)?;
            seen.push(SettingsSeen { scope: scope.clone(), copy, tag: item.tag });
            match scope {
                Scope::Shared => shared = item,
                Scope::Context(_) => context = Some(item),
            }
        }
        Ok(Self { subject: subject.clone(), head: fetched.head(subject)?, shared, context, seen })
    }

    /// The revision of the settings of the subject's context; `None` in the default one, which shares its settings.
    pub(crate) fn context_tag(&self) -> Option<u64> {
        self.context.as_ref().map(|context| context.tag)
    }

    /// What a transaction on the subject depends on.
    pub(crate) fn seen(&self) -> Seen<'_> {
        Seen { subject: &self.subject, head: &self.head, settings: &self.seen }
    }

    /// The level between the subject and `.__GLOBAL`: its context, or the top level.
    fn middle(&self) -> &SettingsPart {
        if self.subject.context().is_global() {
            return &self.shared.global;
        }
        self.context.as_ref().map_or(&self.shared.own, |context| &context.own)
    }

    /// The mode in force.
    pub(crate) fn mode(&self) -> Mode {
        self.head.mode.or(self.middle().mode).or(self.shared.global.mode).unwrap_or(Mode::ReadWrite)
    }

    /// The configuration in scope, the level filled in. A subject's own is completed by the top level in some members,
    /// and by the server default in its level, as the reference does; any other stands as it is.
    pub(crate) fn config(&self, settings: &Settings) -> Config {
        let mut config = match &self.head.config {
            Some(own) => self.complete(own.clone()),
            None => self.inherited_config(),
        };
        config.level = config.level.or(Some(settings.default_level));
        config
    }

    /// The configuration in scope above the subject itself; empty where none is set.
    pub(crate) fn inherited_config(&self) -> Config {
        self.middle().config.clone().or_else(|| self.shared.global.config.clone()).unwrap_or_default()
    }

    /// What the configuration in scope adds to every schema.
    pub(crate) fn contract(&self) -> Contract<'_> {
        let inherited = || self.middle().config.as_ref().or(self.shared.global.config.as_ref());
        self.head.config.as_ref().or_else(inherited).map_or_else(Contract::default, Contract::of)
    }

    fn complete(&self, own: Config) -> Config {
        let Some(top) = &self.shared.own.config else { return own };
        Config {
            normalize: own.normalize.or(top.normalize),
            validate_fields: own.validate_fields.or(top.validate_fields),
            validate_new_schemas: own.validate_new_schemas.or(top.validate_new_schemas),
            validate_rules: own.validate_rules.or(top.validate_rules),
            policy: own.policy.or(top.policy),
            compatibility_group: own.compatibility_group.or_else(|| top.compatibility_group.clone()),
            ..own
        }
    }

    /// The members of the configuration that the server acts on.
    pub(crate) fn effective(&self, settings: &Settings) -> EffectiveConfig {
        let config = self.config(settings);
        EffectiveConfig {
            normalize: config.normalize.unwrap_or(false),
            validate_fields: config.validate_fields.unwrap_or(settings.validate_fields),
            validate_new_schemas: config.validate_new_schemas.unwrap_or(settings.validate_new_schemas),
            level: config.level.unwrap_or(settings.default_level),
            policy: config.policy.unwrap_or(Policy::Strict),
            compatibility_group: config.compatibility_group,
        }
    }
}

impl Registry {
    pub(crate) async fn surroundings(&self, subject: &Subject) -> Result<Surroundings, RegistryError> {
        Surroundings::read(subject, &self.store.fetch(Surroundings::keys(subject)).await?)
    }

    /// Whether nothing changed since: asked before a refusal is spoken that rests on more than one item, because the
    /// items of one read need not have been current at one moment.
    pub(crate) async fn unchanged(&self, before: &Surroundings) -> Result<bool, RegistryError> {
        let now = self.surroundings(&before.subject).await?;
        let same_head = self.store.holds(StepName::RefusalHead, now.head.tag == before.head.tag);
        Ok(same_head && self.store.holds(StepName::RefusalSettings, now.seen == before.seen))
    }
}
