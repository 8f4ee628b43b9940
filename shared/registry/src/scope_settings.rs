//! Reading and changing the settings of a scope, as one thing.

use crate::target::SettingTarget;
use crate::{Registry, RegistryError};
use registrar_model::Mode;
use registrar_store::{
    Key, Outcome, Scope, SettingsChange, SettingsItem, SettingsPart, SettingsSeen, StepName, set_scope,
};

/// The settings at a target that is no subject, and what is above it.
#[derive(Clone, Debug)]
pub(crate) struct ScopeSettings {
    target: SettingTarget,
    scope: Scope,
    item: SettingsItem,
    /// The shared scope, for a context.
    shared: Option<SettingsItem>,
}

/// Any copy would do; reads of settings are rare.
const COPY: u8 = 0;

impl ScopeSettings {
    /// What is set exactly there.
    pub(crate) fn own(&self) -> &SettingsPart {
        if self.target == SettingTarget::Global { &self.item.global } else { &self.item.own }
    }

    fn own_mut(&mut self) -> &mut SettingsPart {
        if self.target == SettingTarget::Global { &mut self.item.global } else { &mut self.item.own }
    }

    /// `.__GLOBAL`.
    pub(crate) fn global(&self) -> &SettingsPart {
        &self.shared.as_ref().unwrap_or(&self.item).global
    }

    /// The revision that the scope's settings have after a change of what was read.
    pub(crate) fn next_tag(&self) -> u64 {
        self.item.tag + 1
    }

    fn tags(&self) -> (u64, Option<u64>) {
        (self.item.tag, self.shared.as_ref().map(|shared| shared.tag))
    }

    /// The mode in force.
    pub(crate) fn mode(&self) -> Mode {
        self.own().mode.or(self.global().mode).unwrap_or(Mode::ReadWrite)
    }
}

impl Registry {
    pub(crate) async fn scope_settings(&self, target: &SettingTarget) -> Result<ScopeSettings, RegistryError> {
        let scope = target.scope();
        let keys = [Key::Settings(scope.clone(), COPY), Key::Settings(Scope::Shared, COPY)];
        let fetched = self.store.fetch(keys).await?;
        let item = fetched.settings(&scope, COPY)?;
        let shared = (scope != Scope::Shared).then(|| fetched.settings(&Scope::Shared, COPY)).transpose()?;
        Ok(ScopeSettings { target: target.clone(), scope, item, shared })
    }

    /// Whether nothing changed since: asked before a refusal is spoken, which may rest on two items.
    pub(crate) async fn unchanged_scope(&self, before: &ScopeSettings) -> Result<bool, RegistryError> {
        let now = self.scope_settings(&before.target).await?;
        Ok(self.store.holds(StepName::RefusalSettings, now.tags() == before.tags()))
    }

    /// Changes what was read, in all copies at once; false if someone changed it meanwhile.
    pub(crate) async fn change_scope(
        &self,
        mut settings: ScopeSettings,
        change: impl FnOnce(&mut SettingsPart),
    ) -> Result<bool, RegistryError> {
        change(settings.own_mut());
        let shared = settings.shared.as_ref();
        let consulted: Vec<SettingsSeen> = shared
            .map(|shared| SettingsSeen { scope: Scope::Shared, copy: COPY, tag: shared.tag })
            .into_iter()
            .collect();
        let plan = set_scope(&SettingsChange {
            scope: &settings.scope,
            tag: settings.item.tag,
            after: &settings.item,
            consulted: &consulted,
            data_keys: self.store.keys(),
        })?;
        Ok(self.store.commit(plan).await? == Outcome::Committed)
    }
}
