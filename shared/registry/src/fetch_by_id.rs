//! Fetching by id and by guid (rest-api.md §4.3, §6.4).

use crate::fetch::qualify;
use crate::{IdQuery, Registry, RegistryError, SchemaById};
use futures_util::future::try_join;
use registrar_model::{ContextName, Guid, SchemaId, Subject, Version};
use registrar_store::{Head, Key, SchemaItem, Usage, VersionRow};

/// Where an id is looked for.
enum IdScope {
    /// Any subject of the context.
    Context(ContextName),
    /// Only this subject.
    Exactly(Subject),
    /// This subject, else any of the default context.
    Preferably(Subject),
}

impl IdScope {
    fn of(query: &IdQuery) -> Self {
        let subject = Subject::parse(query.subject.as_deref().unwrap_or_default());
        match (subject.is_context(), subject.context().is_default()) {
            (true, _) => Self::Context(subject.context().clone()),
            (false, true) => Self::Preferably(subject),
            (false, false) => Self::Exactly(subject),
        }
    }

    fn context(&self) -> &ContextName {
        match self {
            Self::Context(context) => context,
            Self::Exactly(subject) | Self::Preferably(subject) => subject.context(),
        }
    }
}

impl Registry {
    /// A schema by its id, soft-deleted or not, with a subject and version that use it.
    pub async fn schema_by_id(&self, id: SchemaId, query: &IdQuery) -> Result<SchemaById, RegistryError> {
        let scope = IdScope::of(query);
        let (schema, usage) = try_join(self.stored(scope.context(), id), self.usage(&scope, id)).await?;
        let (Some(schema), Some(usage)) = (schema, usage) else {
            return Err(RegistryError::SchemaIdNotFound(id.to_string()));
        };
        let mut content = schema.content;
        content.text = self.render(scope.context(), &content, &query.format).await?;
        if query.reference_format == "qualified" {
            qualify(&mut content.references, &usage.subject);
        }
        let max_id = if query.fetch_max_id { self.store.last_id(scope.context()).await? } else { None };
        Ok(SchemaById {
            subject: Some(usage.subject),
            version: Some(usage.version),
            guid: schema.guid,
            content,
            max_id,
            ts: Some(usage.written),
        })
    }

    async fn stored(&self, context: &ContextName, id: SchemaId) -> Result<Option<SchemaItem>, RegistryError> {
        Ok(self.store.schema(context, id).await?)
    }

    async fn usage(&self, scope: &IdScope, id: SchemaId) -> Result<Option<Usage>, RegistryError> {
        let found = match scope {
            IdScope::Context(context) => self.store.any_usage(context, id).await?,
            IdScope::Exactly(subject) => self.store.usage_in(subject, id).await?,
            IdScope::Preferably(subject) => match self.store.usage_in(subject, id).await? {
                Some(usage) => Some(usage),
                None => self.store.any_usage(subject.context(), id).await?,
            },
        };
        Ok(found)
    }

    /// The subjects with a version that has this id, sorted.
    pub async fn subjects_of_id(&self, id: SchemaId, query: &IdQuery) -> Result<Vec<Subject>, RegistryError> {
        let versions = self.versions_of_id(id, query).await?;
        Ok(versions.into_iter().map(|(subject, _)| subject).collect())
    }

    /// For each subject the highest version with this id, sorted by subject. Soft-deleted ones only if asked for.
    pub async fn versions_of_id(
        &self,
        id: SchemaId,
        query: &IdQuery,
    ) -> Result<Vec<(Subject, Version)>, RegistryError> {
        let scope = IdScope::of(query);
        let context = scope.context();
        let usages = match (&scope, self.usage(&scope, id).await?) {
            (_, None) => Vec::new(),
            (_, Some(_)) => self.store.usages(context, id).await?,
        };
        let mut newest: Vec<Usage> = Vec::new();
        for usage in usages {
            match newest.last_mut().filter(|last| last.subject == usage.subject) {
                Some(last) => *last = usage,
                None => newest.push(usage),
            }
        }
        if newest.is_empty() {
            return Err(RegistryError::SchemaNotFound);
        }
        let keys = newest
            .iter()
            .flat_map(|usage| [Key::Head(usage.subject.clone()), Key::Version(usage.subject.clone(), usage.version)]);
        let fetched = self.store.fetch(keys).await?;
        let shown = |row: &VersionRow, head: &Head| row.is_live(head) || (query.deleted && head.mark.is_none());
        let mut versions = Vec::new();
        for usage in newest {
            let head = fetched.head(&usage.subject)?;
            if fetched.version(&usage.subject, usage.version)?.is_some_and(|row| shown(&row, &head)) {
                versions.push((usage.subject, usage.version));
            }
        }
        versions.sort_by_cached_key(|(subject, _)| subject.to_string());
        Ok(versions)
    }

    /// A schema by its guid: from the default context, else from the first other one that has it.
    pub async fn schema_by_guid(&self, guid: Guid, format: &str) -> Result<SchemaById, RegistryError> {
        for (context, id) in self.store.guid(guid).await? {
            let Some(schema) = self.store.schema(&context, id).await? else { continue };
            let mut content = schema.content;
            content.text = self.render(&context, &content, format).await?;
            return Ok(SchemaById { subject: None, version: None, guid, content, max_id: None, ts: None });
        }
        Err(RegistryError::SchemaIdNotFound(guid.to_string()))
    }

    /// Every context and id of a guid, sorted; none where it is unknown.
    pub async fn ids_of_guid(&self, guid: Guid) -> Result<Vec<(ContextName, SchemaId)>, RegistryError> {
        Ok(self.store.guid(guid).await?)
    }
}
