//! The search of other contexts for a subject that names none (rest-api.md §2.3), by version, by content and by id.
//!
//! It begins where the default context had nothing, so whatever is found there costs nothing more.

use crate::{LookupOptions, Registry, RegistryError, SchemaRequest, VersionOptions, VersionedSchema};
use futures_util::future::try_join;
use registrar_model::{ContextName, SchemaId, Subject, VersionSpec};
use registrar_store::{Head, Key, StepName, Usage};

impl Registry {
    /// One version. `latest` is the highest live one, whatever `deleted` says.
    pub async fn version(
        &self,
        subject: &Subject,
        version: VersionSpec,
        options: &VersionOptions,
    ) -> Result<VersionedSchema, RegistryError> {
        let error = match self.version_in(subject, version, options).await {
            Err(error @ (RegistryError::SubjectNotFound(_) | RegistryError::VersionNotFound(_))) => error,
            other => return other,
        };
        let other = &self.past_aliases();
        let look = |subject| async move { found(other.version_in(&subject, version, options).await) };
        Box::pin(self.elsewhere(subject, |head| has_versions(head, options.deleted), look)).await?.ok_or(error)
    }

    /// The version of a subject that has this content.
    pub async fn lookup(
        &self,
        subject: &Subject,
        mut request: SchemaRequest,
        options: &LookupOptions,
    ) -> Result<VersionedSchema, RegistryError> {
        self.settings.restrict(&mut request);
        let error = match Box::pin(self.lookup_in(subject, &request, options)).await {
            Err(error @ (RegistryError::SubjectNotFound(_) | RegistryError::SchemaNotFound)) => error,
            Err(error) => return Err(Box::pin(self.unless_aliased(subject, error)).await),
            found => return found,
        };
        let (other, request) = (&self.past_aliases(), &request);
        let look = |subject| async move { found(Box::pin(other.lookup_in(&subject, request, options)).await) };
        Box::pin(self.elsewhere(subject, |head| has_versions(head, options.deleted), look)).await?.ok_or(error)
    }

    /// A version of the subject that uses an id, soft-deleted or not.
    pub(crate) async fn usage_elsewhere(
        &self,
        subject: &Subject,
        id: SchemaId,
    ) -> Result<Option<Usage>, RegistryError> {
        let look = |subject| async move { Ok(self.store.usage_in(&subject, id).await?) };
        Box::pin(self.elsewhere(subject, |head| has_versions(head, true), look)).await
    }

    /// The first of all contexts, the default one in front, where `look` finds something under the name of `subject`.
    /// Nothing for a subject of another context, which is never looked for elsewhere. `counts` says of a head whether
    /// there is anything to look at.
    ///
    /// The contexts are read one after the other, so what was read counts only if none of it has changed since: an
    /// answer is the right one of one moment.
    async fn elsewhere<T, F>(
        &self,
        subject: &Subject,
        counts: impl Fn(&Head) -> bool,
        look: impl Fn(Subject) -> F,
    ) -> Result<Option<T>, RegistryError>
    where
        F: Future<Output = Result<Option<T>, RegistryError>>,
    {
        if !subject.context().is_default() {
            return Ok(None);
        }
        let mut race = self.store.race();
        loop {
            let subjects = named(subject, self.all_contexts().await?);
            if subjects.len() == 1 {
                return Ok(None);
            }
            let heads = self.heads(&subjects).await?;
            let mut found = None;
            let mut visited = 0;
            for (subject, head) in subjects.iter().zip(&heads) {
                visited += 1;
                if counts(head) {
                    found = look(subject.clone()).await?;
                }
                if found.is_some() {
                    break;
                }
            }
            let subjects = &subjects[..visited];
            let (contexts, now) = try_join(self.all_contexts(), self.heads(subjects)).await?;
            let same_contexts = named(subject, contexts).starts_with(subjects);
            let same = same_contexts && now.iter().zip(&heads).all(|(now, before)| now.tag == before.tag);
            if self.store.holds(StepName::ContextsAgain, same) {
                return Ok(found);
            }
            race.lost("search the contexts").await?;
        }
    }

    async fn heads(&self, subjects: &[Subject]) -> Result<Vec<Head>, RegistryError> {
        let fetched = self.store.fetch(subjects.iter().cloned().map(Key::Head)).await?;
        Ok(subjects.iter().map(|subject| fetched.head(subject)).collect::<Result<_, _>>()?)
    }
}

/// The subject's name in each context.
fn named(subject: &Subject, contexts: Vec<ContextName>) -> Vec<Subject> {
    contexts.into_iter().map(|context| Subject::new(context, subject.name())).collect()
}

fn has_versions(head: &Head, deleted: bool) -> bool {
    if deleted { head.total > 0 } else { head.live > 0 }
}

/// A schema that is invalid in another context, whose references may differ, is just not found there.
fn found(answer: Result<VersionedSchema, RegistryError>) -> Result<Option<VersionedSchema>, RegistryError> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(
            RegistryError::SubjectNotFound(_)
            | RegistryError::VersionNotFound(_)
            | RegistryError::SchemaNotFound
            | RegistryError::InvalidSchema(_),
        ) => Ok(None),
        Err(error) => Err(error),
    }
}
