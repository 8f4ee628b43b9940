//! Fetching by id and by guid (rest-api.md §4.3, §6.4).

use crate::fetch::qualify;
use crate::{IdQuery, Registry, RegistryError, SchemaById};
use futures_util::future::{try_join, try_join3};
use registrar_model::{ContextName, Guid, JavaString, SchemaId, Subject, Version};
use registrar_store::{Key, SchemaItem, StepName, Usage};

/// Where an id is looked for.
enum IdScope {
    /// Any subject of the context.
    Context(ContextName),
    /// Only this subject.
    Exactly(Subject),
    /// This subject of the default context, else of the first other one where it uses the id, else any of the default
    /// context.
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

    /// How often an id without a user is looked at. Every id has one, so it has just gone, or a registration that
    /// replaces a version moves it from one user to another, and a query may see neither. Within one subject it may have
    /// none for good.
    fn looks(&self) -> usize {
        if matches!(self, Self::Exactly(_)) { 2 } else { 5 }
    }
}

impl Registry {
    /// A schema by its id, soft-deleted or not, with a subject and version that use it.
    pub async fn schema_by_id(&self, id: SchemaId, query: &IdQuery) -> Result<SchemaById, RegistryError> {
        let mut scope = IdScope::of(query);
        let (mut schema, mut usage, ()) =
            try_join3(self.stored(scope.context(), id), self.usage(&scope, id), self.check_scope(&scope)).await?;
        if usage.is_none()
            && let IdScope::Preferably(subject) = &scope
        {
            usage = self.usage_elsewhere(subject, id).await?;
            if let Some(usage) = &usage {
                scope = IdScope::Exactly(usage.subject.clone());
                schema = self.stored(scope.context(), id).await?;
            } else {
                scope = IdScope::Context(ContextName::default_context());
                usage = self.usage(&scope, id).await?;
            }
        }
        let mut looks = 1;
        while schema.is_some() && usage.is_none() && looks < scope.looks() && self.store.takes(StepName::UserAgain) {
            (schema, usage) = try_join(self.stored(scope.context(), id), self.usage(&scope, id)).await?;
            looks += 1;
        }
        let not_found = || RegistryError::SchemaIdNotFound(id.to_string());
        let schema = schema.ok_or_else(not_found)?;
        if usage.is_none() && matches!(scope, IdScope::Exactly(_)) {
            return Err(not_found());
        }
        let mut content = schema.content;
        let tagged = self.tagged(scope.context(), &content, &query.find_tags).await?;
        content.text = self.render(scope.context(), &content, &query.format).await?;
        if query.reference_format == "qualified" {
            qualify(&mut content.references, scope.context());
        }
        let max_id = if query.fetch_max_id { self.store.last_id(scope.context()).await? } else { None };
        Ok(SchemaById {
            version: usage.as_ref().map(|usage| usage.version),
            ts: usage.as_ref().map(|usage| usage.written),
            subject: usage.map(|usage| usage.subject),
            guid: schema.guid,
            content,
            max_id,
            tagged,
        })
    }

    async fn stored(&self, context: &ContextName, id: SchemaId) -> Result<Option<SchemaItem>, RegistryError> {
        Ok(self.store.schema(context, id).await?)
    }

    async fn usage(&self, scope: &IdScope, id: SchemaId) -> Result<Option<Usage>, RegistryError> {
        let found = match scope {
            IdScope::Context(context) => self.store.any_usage(context, id).await?,
            IdScope::Exactly(subject) | IdScope::Preferably(subject) => self.store.usage_in(subject, id).await?,
        };
        Ok(found)
    }

    /// A subject in the query may be an alias; its head is read for nothing else.
    async fn check_scope(&self, scope: &IdScope) -> Result<(), RegistryError> {
        match scope {
            IdScope::Context(_) => Ok(()),
            IdScope::Exactly(subject) | IdScope::Preferably(subject) => Box::pin(self.check_alias_of(subject)).await,
        }
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
        let mut scope = IdScope::of(query);
        let (mut usages, ()) = try_join(self.usages(&scope, id), self.check_scope(&scope)).await?;
        if let IdScope::Preferably(subject) = &scope
            && !usages.iter().any(|usage| usage.subject == *subject)
            && let Some(usage) = self.usage_elsewhere(subject, id).await?
        {
            scope = IdScope::Exactly(usage.subject);
            usages = self.usages(&scope, id).await?;
        }
        let mut race = self.store.race();
        loop {
            if let Some(versions) = self.versions_of_id_once(&scope, id, usages, query.deleted).await? {
                return Ok(versions);
            }
            race.lost("list the versions of an id").await?;
            usages = self.usages(&scope, id).await?;
        }
    }

    async fn usages(&self, scope: &IdScope, id: SchemaId) -> Result<Vec<Usage>, RegistryError> {
        Ok(self.store.usages(scope.context(), id).await?)
    }

    /// One attempt; `None` if a version moved while it was being read.
    async fn versions_of_id_once(
        &self,
        scope: &IdScope,
        id: SchemaId,
        usages: Vec<Usage>,
        deleted: bool,
    ) -> Result<Option<Vec<(Subject, Version)>>, RegistryError> {
        let context = scope.context();
        let in_scope = match scope {
            IdScope::Exactly(subject) => usages.iter().any(|usage| usage.subject == *subject),
            IdScope::Context(_) | IdScope::Preferably(_) => !usages.is_empty(),
        };
        if !in_scope {
            // Without a user, an id that is there is just moving from one to another.
            let moving = usages.is_empty() && self.store.schema(context, id).await?.is_some();
            return if moving { Ok(None) } else { Err(RegistryError::SchemaNotFound) };
        }
        let mut newest: Vec<Usage> = Vec::new();
        for usage in usages {
            match newest.last_mut().filter(|last| last.subject == usage.subject) {
                Some(last) => *last = usage,
                None => newest.push(usage),
            }
        }
        let keys = newest
            .iter()
            .flat_map(|usage| [Key::Head(usage.subject.clone()), Key::Version(usage.subject.clone(), usage.version)]);
        let fetched = self.store.fetch(keys).await?;
        let mut versions = Vec::new();
        for usage in newest {
            let head = fetched.head(&usage.subject)?;
            let row = fetched.version(&usage.subject, usage.version)?;
            if !self.store.holds(StepName::UsageMoved, row.as_ref().is_some_and(|row| row.id == id)) {
                return Ok(None);
            }
            let Some(row) = row else { continue };
            if row.is_live(&head) || (deleted && head.mark.is_none()) {
                versions.push((usage.subject, usage.version));
            }
        }
        versions.sort_by_cached_key(|(subject, _)| JavaString(subject.to_string()));
        Ok(Some(versions))
    }

    /// A schema by its guid: from the default context, else from the first other one that has it.
    pub async fn schema_by_guid(&self, guid: Guid, format: &str) -> Result<SchemaById, RegistryError> {
        for (context, id) in self.store.guid(guid).await? {
            let Some(schema) = self.store.schema(&context, id).await? else { continue };
            let mut content = schema.content;
            content.text = self.render(&context, &content, format).await?;
            let tagged = Vec::new();
            return Ok(SchemaById { subject: None, version: None, guid, content, max_id: None, ts: None, tagged });
        }
        Err(RegistryError::SchemaIdNotFound(guid.to_string()))
    }

    /// Every context and id of a guid, sorted; none where it is unknown.
    pub async fn ids_of_guid(&self, guid: Guid) -> Result<Vec<(ContextName, SchemaId)>, RegistryError> {
        Ok(self.store.guid(guid).await?)
    }
}
