//! Contexts (rest-api.md §2.2, §4.7), and their descriptions, which are an addition of ours.

use crate::target::SettingTarget;
use crate::{ContextDescription, Registry, RegistryError};
use futures_util::future::try_join3;
use registrar_model::{ContextName, JavaString, Subject, Update};
use registrar_store::{Outcome, StepName, remove_context};

/// Longest description, in bytes.
const MAX_DESCRIPTION_BYTES: usize = 4_096;

impl Registry {
    /// The default context, then the others in order.
    pub async fn contexts(&self) -> Result<Vec<ContextName>, RegistryError> {
        let mut contexts = self.all_contexts().await?;
        contexts.sort_by_cached_key(|context| JavaString(context.as_str().to_owned()));
        Ok(contexts)
    }

    /// One context other than the default one.
    pub async fn context(&self, name: &ContextName) -> Result<ContextDescription, RegistryError> {
        let item = self.store.context(name).await?.ok_or_else(|| RegistryError::ContextNotFound(name.clone()))?;
        Ok(ContextDescription { name: name.clone(), description: item.description })
    }

    /// Creates a context other than the default one, or changes the description of one that is there.
    pub async fn create_context(
        &self,
        name: &ContextName,
        description: Update<String>,
    ) -> Result<ContextDescription, RegistryError> {
        let as_subject = Subject::new(name.clone(), "");
        if as_subject.check().is_err() {
            return Err(RegistryError::InvalidSubject(as_subject));
        }
        if matches!(&description, Update::Set(text) if text.len() > MAX_DESCRIPTION_BYTES) {
            return Err(RegistryError::DescriptionTooLong(MAX_DESCRIPTION_BYTES));
        }
        let item = self.store.describe_context(name, description).await?;
        Ok(ContextDescription { name: name.clone(), description: item.description })
    }

    /// Deletes a context without versions; its settings stay. One that is not there counts as deleted.
    pub async fn delete_context(&self, name: &ContextName) -> Result<(), RegistryError> {
        let mut race = self.store.race();
        while !self.delete_context_once(name).await? {
            race.lost("delete a context").await?;
        }
        Ok(())
    }

    /// One attempt; false if someone registered or changed settings meanwhile. No transaction can ask whether a context
    /// is empty. So its settings move to a new tag first, all values as they are: a registration that has read the old
    /// one cannot commit any more, and one that reads the new one notes that in the record. Then the context is looked
    /// at, and then its record goes if nobody has noted the new tag.
    async fn delete_context_once(&self, name: &ContextName) -> Result<bool, RegistryError> {
        let target = SettingTarget::Context(Subject::new(name.clone(), ""));
        let record = async { Ok(self.store.context(name).await?) };
        let (record, settings, ()) = try_join3(record, self.scope_settings(&target), self.check_empty(name)).await?;
        if record.is_none() {
            return Ok(true);
        }
        let tag = settings.next_tag();
        if self.store.takes(StepName::ContextMove) && !self.change_scope(settings, |_| {}).await? {
            return Ok(false);
        }
        if self.store.takes(StepName::ContextEmpty) {
            self.check_empty(name).await?;
        }
        Ok(self.store.commit(remove_context(name, tag)).await? == Outcome::Committed)
    }

    async fn check_empty(&self, name: &ContextName) -> Result<(), RegistryError> {
        let entries = self.store.directory(name, "").await?;
        if entries.iter().any(|entry| entry.state.is_some()) {
            return Err(RegistryError::ContextNotEmpty(name.clone()));
        }
        Ok(())
    }
}
