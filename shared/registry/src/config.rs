//! Configurations (rest-api.md §4.5, §6.10). `None` as a target is the top level.

use crate::scope_settings::ScopeSettings;
use crate::surroundings::Surroundings;
use crate::target::SettingTarget;
use crate::{Denied, Registry, RegistryError};
use registrar_model::{Config, ConfigUpdate, Subject, Update};
use registrar_store::{Outcome, SubjectSettings, set_subject_settings, stored_size};

/// Largest stored configuration, default and override metadata and rules included.
const MAX_CONFIG_BYTES: usize = 65_536;

impl Registry {
    /// What is set at `target`, or, with `default_to_global`, what is in force there. The level is always filled in.
    pub async fn config(&self, target: Option<&Subject>, default_to_global: bool) -> Result<Config, RegistryError> {
        let target = SettingTarget::of(target);
        let SettingTarget::Subject(subject) = &target else {
            let settings = self.scope_settings(&target).await?;
            return self.scope_config(&target, &settings, default_to_global);
        };
        let around = self.surroundings(subject).await?;
        if around.head.config.is_none() && !default_to_global && !subject.context().is_global() {
            return Err(RegistryError::ConfigNotSet(subject.clone()));
        }
        let own = around.head.config.clone().filter(|_| !default_to_global);
        let in_force = || if default_to_global { around.config(&self.settings) } else { Config::default() };
        Ok(self.with_level(own.unwrap_or_else(in_force)))
    }

    fn scope_config(
        &self,
        target: &SettingTarget,
        settings: &ScopeSettings,
        default_to_global: bool,
    ) -> Result<Config, RegistryError> {
        let own = settings.own().config.clone();
        if let (None, SettingTarget::Context(subject), false) = (&own, target, default_to_global) {
            return Err(RegistryError::ConfigNotSet(subject.clone()));
        }
        let inherited = || settings.global().config.clone().filter(|_| default_to_global);
        Ok(self.with_level(own.or_else(inherited).unwrap_or_default()))
    }

    fn with_level(&self, config: Config) -> Config {
        Config { level: config.level.or(Some(self.settings.default_level)), ..config }
    }

    /// Changes a configuration; answers what is stored afterwards, nothing filled in. The subject need not exist.
    pub async fn set_config(
        &self,
        target: Option<&Subject>,
        mut update: ConfigUpdate,
    ) -> Result<Config, RegistryError> {
        self.settings.restrict_config(&mut update);
        for rules in [&update.default_rule_set, &update.override_rule_set] {
            if let Update::Set(rules) = rules {
                rules.validate().map_err(RegistryError::InvalidRuleSet)?;
            }
        }
        check_target(target)?;
        let target = SettingTarget::of(target);
        let mut race = self.store.race();
        let _turn = self.turn_at(&target, &race).await?;
        loop {
            let change = |old: Option<Config>| Some(update.clone().apply(old.unwrap_or_default()));
            if let Some((_, new)) = self.change_config(&target, change).await? {
                return Ok(new.unwrap_or_default());
            }
            race.lost("change a configuration").await?;
        }
    }

    /// Removes a configuration; answers the one before.
    pub async fn delete_config(&self, target: Option<&Subject>) -> Result<Config, RegistryError> {
        let subject = target.cloned();
        let target = SettingTarget::of(target);
        let mut race = self.store.race();
        let _turn = self.turn_at(&target, &race).await?;
        loop {
            if let Some((old, _)) = self.change_config(&target, |_| None).await? {
                return match (old, target) {
                    (Some(old), _) => Ok(self.with_level(old)),
                    (None, SettingTarget::Top) => Ok(self.with_level(Config::default())),
                    (None, _) => Err(RegistryError::SubjectNotFound(subject.unwrap_or_else(|| Subject::parse("")))),
                };
            }
            race.lost("delete a configuration").await?;
        }
    }

    /// One attempt; old and new, or `None` if another writer was faster. Nothing is written where nothing changes.
    async fn change_config(
        &self,
        target: &SettingTarget,
        change: impl FnOnce(Option<Config>) -> Option<Config>,
    ) -> Result<Option<(Option<Config>, Option<Config>)>, RegistryError> {
        let SettingTarget::Subject(subject) = target else {
            let settings = self.scope_settings(target).await?;
            let old = settings.own().config.clone();
            let new = change(old.clone());
            check_size(new.as_ref())?;
            let changes = new.is_some() || old.is_some();
            // The top level always has a configuration that can be removed: the server's defaults.
            if (changes || *target == SettingTarget::Top) && settings.mode().is_read_only() {
                let stands = self.unchanged_scope(&settings).await?;
                return if stands { Err(Denied::ReadOnly(target.subject()).into()) } else { Ok(None) };
            }
            if changes {
                let stored = new.clone();
                if !self.change_scope(settings, |part| part.config = stored).await? {
                    return Ok(None);
                }
            }
            return Ok(Some((old, new)));
        };
        let around = self.surroundings(subject).await?;
        let old = around.head.config.clone();
        let new = change(old.clone());
        check_size(new.as_ref())?;
        if new.is_none() && old.is_none() {
            return Ok(Some((None, None)));
        }
        if around.mode().is_read_only() {
            return if self.unchanged(&around).await? {
                Err(Denied::ReadOnly(Some(subject.clone())).into())
            } else {
                Ok(None)
            };
        }
        let committed = self.write_settings(&around, new.as_ref(), around.head.mode).await?;
        Ok(committed.then_some((old, new)))
    }

    /// Writes a subject's own settings; false if someone wrote meanwhile.
    pub(crate) async fn write_settings(
        &self,
        around: &Surroundings,
        config: Option<&Config>,
        mode: Option<registrar_model::Mode>,
    ) -> Result<bool, RegistryError> {
        let plan =
            set_subject_settings(&SubjectSettings { seen: around.seen(), config, mode, data_keys: self.store.keys() })?;
        Ok(self.store.commit(plan).await? == Outcome::Committed)
    }
}

/// Every registration reads the configuration, and a scope keeps 16 copies of it.
fn check_size(config: Option<&Config>) -> Result<(), RegistryError> {
    match config {
        Some(config) if stored_size(config) > MAX_CONFIG_BYTES => Err(RegistryError::ConfigTooLarge(MAX_CONFIG_BYTES)),
        _ => Ok(()),
    }
}

/// Settings may be kept for anything but reserved names (rest-api.md §7.1).
pub(crate) fn check_target(target: Option<&Subject>) -> Result<(), RegistryError> {
    match target {
        Some(subject) if subject.check_for_settings().is_err() => Err(RegistryError::InvalidSubject(subject.clone())),
        _ => Ok(()),
    }
}
