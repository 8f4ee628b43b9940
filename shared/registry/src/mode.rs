//! Modes (rest-api.md §4.6, §6.5). `None` as a target is the top level.

use crate::config::check_target;
use crate::target::SettingTarget;
use crate::{Denied, InvalidMode, Registry, RegistryError};
use registrar_model::{ContextName, Mode, Subject, Update};

impl Registry {
    /// What is set at `target`, or, with `default_to_global`, what is in force there.
    pub async fn mode(&self, target: Option<&Subject>, default_to_global: bool) -> Result<Mode, RegistryError> {
        let target = SettingTarget::of(target);
        let own = if let SettingTarget::Subject(subject) = &target {
            let around = self.surroundings(subject).await?;
            let global = subject.context().is_global();
            let in_force = if default_to_global { around.mode() } else { Mode::ReadWrite };
            around.head.mode.or((default_to_global || global).then_some(in_force))
        } else {
            let settings = self.scope_settings(&target).await?;
            let always = !matches!(target, SettingTarget::Context(_));
            let inherited = if default_to_global { settings.mode() } else { Mode::ReadWrite };
            settings.own().mode.or((default_to_global || always).then_some(inherited))
        };
        own.ok_or_else(|| RegistryError::ModeNotSet(target.subject().unwrap_or_else(|| Subject::parse(""))))
    }

    /// Sets a mode, or removes it. A missing member, `Update::Keep`, is no mode (42204).
    pub async fn set_mode(
        &self,
        target: Option<&Subject>,
        update: Update<String>,
        force: bool,
    ) -> Result<(), RegistryError> {
        check_target(target)?;
        let target = SettingTarget::of(target);
        let mode = match update {
            Update::Keep => return Err(RegistryError::InvalidMode(InvalidMode::Unknown)),
            Update::Clear => None,
            Update::Set(name) => Some(Mode::parse(&name).ok_or(RegistryError::InvalidMode(InvalidMode::Unknown))?),
        };
        if mode == Some(Mode::Forward) && target != SettingTarget::Global {
            return Err(RegistryError::InvalidMode(InvalidMode::ForwardNotGlobal));
        }
        self.check_mutable()?;
        let mut race = self.store.race();
        let _turn = self.turn_at(&target, &race).await?;
        while !Box::pin(self.set_mode_once(&target, mode, force)).await? {
            race.lost("change a mode").await?;
        }
        Ok(())
    }

    fn check_mutable(&self) -> Result<(), RegistryError> {
        if self.settings.mode_mutability { Ok(()) } else { Err(Denied::ModeImmutable.into()) }
    }

    /// One attempt; false if another writer was faster.
    async fn set_mode_once(
        &self,
        target: &SettingTarget,
        mode: Option<Mode>,
        force: bool,
    ) -> Result<bool, RegistryError> {
        let SettingTarget::Subject(subject) = target else {
            let settings = self.scope_settings(target).await?;
            if mode == Some(Mode::Import) && settings.mode() != Mode::Import && !force {
                self.clear_for_import(target).await?;
            }
            return self.change_scope(settings, |part| part.mode = mode).await;
        };
        let around = self.surroundings(subject).await?;
        if self.must_sweep(&around.head) {
            self.sweep(subject).await?;
            return Ok(false);
        }
        if mode == Some(Mode::Import) && around.mode() != Mode::Import && !force && around.head.total > 0 {
            return self.clear_subject(&around, Mode::Import).await;
        }
        if around.head.mode == mode {
            return Ok(true);
        }
        self.write_settings(&around, around.head.config.as_ref(), mode).await
    }

    /// Removes a mode; answers the one before, `None` where there was none.
    pub async fn delete_mode(&self, target: Option<&Subject>, recursive: bool) -> Result<Option<Mode>, RegistryError> {
        self.check_mutable()?;
        let named = target.cloned();
        let target = SettingTarget::of(target);
        if recursive {
            match &target {
                SettingTarget::Top => self.delete_modes_within(&ContextName::default_context()).await?,
                SettingTarget::Context(subject) => self.delete_modes_within(subject.context()).await?,
                SettingTarget::Global | SettingTarget::Subject(_) => {}
            }
        }
        let old = self.delete_own_mode(&target).await?;
        match (old, target) {
            (Some(mode), _) => Ok(Some(mode)),
            (None, SettingTarget::Top) => Ok(Some(Mode::ReadWrite)),
            (None, _) if recursive => Ok(None),
            (None, _) => Err(RegistryError::SubjectNotFound(named.unwrap_or_else(|| Subject::parse("")))),
        }
    }

    async fn delete_own_mode(&self, target: &SettingTarget) -> Result<Option<Mode>, RegistryError> {
        let mut race = self.store.race();
        let _turn = self.turn_at(target, &race).await?;
        loop {
            let (old, done) = if let SettingTarget::Subject(subject) = target {
                let around = self.surroundings(subject).await?;
                let old = around.head.mode;
                (old, old.is_none() || self.write_settings(&around, around.head.config.as_ref(), None).await?)
            } else {
                let settings = self.scope_settings(target).await?;
                let old = settings.own().mode;
                (old, old.is_none() || self.change_scope(settings, |part| part.mode = None).await?)
            };
            if done {
                return Ok(old);
            }
            race.lost("delete a mode").await?;
        }
    }

    /// Subject by subject; a repeat finishes what a crash left.
    async fn delete_modes_within(&self, context: &ContextName) -> Result<(), RegistryError> {
        for entry in self.store.directory(context, "").await? {
            if entry.has_mode {
                self.delete_own_mode(&SettingTarget::Subject(entry.subject)).await?;
            }
        }
        Ok(())
    }
}
