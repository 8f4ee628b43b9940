//! Fetching versions of a subject (rest-api.md §4.2).

use crate::{Registry, RegistryError, VersionOptions, VersionedSchema};
use futures_util::future::try_join;
use registrar_model::{ContextName, Reference, SchemaId, Subject, Version, VersionSpec};
use registrar_store::{Head, Key, StepName, VersionRow};

impl Registry {
    /// One version of exactly this subject.
    pub(crate) async fn version_in(
        &self,
        subject: &Subject,
        version: VersionSpec,
        options: &VersionOptions,
    ) -> Result<VersionedSchema, RegistryError> {
        let (row, deleted) = match version {
            VersionSpec::Number(number) => self.numbered_row(subject, number, options.deleted).await?,
            VersionSpec::Latest => (self.addressed_latest(subject, options.deleted).await?, false),
        };
        let tagged = match &row.content {
            Some(content) => self.tagged(subject.context(), content, &options.find_tags).await?,
            None => Vec::new(),
        };
        let mut found = VersionedSchema { tagged, ..self.versioned(subject, row, deleted, &options.format).await? };
        if options.reference_format == "qualified" {
            qualify(&mut found.content.references, subject.context());
        }
        Ok(found)
    }

    /// The row of one live version, its content filled in.
    pub(crate) async fn live_row(&self, subject: &Subject, version: VersionSpec) -> Result<VersionRow, RegistryError> {
        match version {
            VersionSpec::Number(number) => Ok(self.numbered_row(subject, number, false).await?.0),
            VersionSpec::Latest => {
                let (head, highest) = self.head_and_highest(subject).await?;
                let latest = self.latest_among(subject, head, highest).await?;
                latest.map_err(|head| absent(subject, version, &head, false))
            }
        }
    }

    /// The latest version whose metadata has all these properties (rest-api.md §4.1).
    pub async fn latest_with_metadata(
        &self,
        subject: &Subject,
        properties: &[(String, String)],
        options: &VersionOptions,
    ) -> Result<VersionedSchema, RegistryError> {
        let (head, mut rows) = self.rows(subject, options.deleted).await?;
        self.check_alias(subject, &head)?;
        if rows.is_empty() {
            return Err(RegistryError::SubjectNotFound(subject.clone()));
        }
        self.fill_contents(rows.iter_mut().map(|row| (subject.context().clone(), row))).await?;
        let has_all = |row: &VersionRow| {
            let metadata = row.content.as_ref().and_then(|content| content.metadata.as_ref());
            metadata.is_some_and(|metadata| properties.iter().all(|(key, value)| metadata.property(key) == Some(value)))
        };
        let row = rows.into_iter().rev().find(has_all).ok_or(RegistryError::SchemaNotFound)?;
        let deleted = !row.is_live(&head);
        self.versioned(subject, row, deleted, &options.format).await
    }

    /// Ids of schemas that refer to a version, soft-deleted or not; without `deleted` only those with a live version.
    pub async fn referenced_by(
        &self,
        subject: &Subject,
        version: VersionSpec,
        deleted: bool,
    ) -> Result<Vec<SchemaId>, RegistryError> {
        let version = match version {
            VersionSpec::Number(number) => self.numbered_row(subject, number, true).await?.0.version,
            VersionSpec::Latest => self.addressed_latest(subject, true).await?.version,
        };
        let referrers = self.referrers(subject, Some(version)).await?;
        Ok(referrers
            .into_iter()
            .filter(|referrer| referrer.is_live() || (deleted && referrer.is_there()))
            .map(|referrer| referrer.id)
            .collect())
    }

    /// The row of the highest live version, its content filled in; `None` if the subject has none. One round trip
    /// where the newest version is live, or beside what others are writing.
    pub(crate) async fn latest_row(&self, subject: &Subject) -> Result<Option<VersionRow>, RegistryError> {
        let (head, highest) = self.head_and_highest(subject).await?;
        Ok(self.latest_among(subject, head, highest).await?.ok())
    }

    /// The same for the subject that a request is about. Which 404 it is where there is none depends on whether deleted
    /// versions count.
    async fn addressed_latest(&self, subject: &Subject, deleted: bool) -> Result<VersionRow, RegistryError> {
        let (head, highest) = self.head_and_highest(subject).await?;
        self.check_alias(subject, &head)?;
        let latest = self.latest_among(subject, head, highest).await?;
        latest.map_err(|head| absent(subject, VersionSpec::Latest, &head, deleted))
    }

    async fn head_and_highest(&self, subject: &Subject) -> Result<(Head, Option<VersionRow>), RegistryError> {
        let head = async { self.store.fetch([Key::Head(subject.clone())]).await?.head(subject) };
        Ok(try_join(head, self.store.highest_version(subject)).await?)
    }

    /// The latest live version, or the head that shows that there is none.
    async fn latest_among(
        &self,
        subject: &Subject,
        mut head: Head,
        highest: Option<VersionRow>,
    ) -> Result<Result<VersionRow, Head>, RegistryError> {
        let mut race = self.store.race();
        let current = |row: &VersionRow, head: &Head| {
            let newest = head.latest == Some(row.version) && row.is_live(head) && row.born <= head.tag;
            self.store.holds(StepName::LatestRead, newest)
        };
        let mut row = highest.filter(|row| current(row, &head));
        loop {
            let Some(latest) = head.latest.filter(|_| head.live > 0) else { return Ok(Err(head)) };
            if row.is_none() {
                // Read after the head, the row counts even if it has been deleted meanwhile.
                row = self.store.fetch([Key::Version(subject.clone(), latest)]).await?.version(subject, latest)?;
            }
            if let Some(mut found) = row.take()
                && self.content_of(subject.context(), &mut found).await?.is_some()
            {
                return Ok(Ok(found));
            }
            race.lost("read the latest version").await?;
            head = self.store.fetch([Key::Head(subject.clone())]).await?.head(subject)?;
        }
    }

    /// The row of one version of the subject that a request is about, and whether it is soft-deleted; with `deleted`,
    /// such rows are found, too.
    pub(crate) async fn numbered_row(
        &self,
        subject: &Subject,
        number: Version,
        deleted: bool,
    ) -> Result<(VersionRow, bool), RegistryError> {
        let visible = |row: &VersionRow, head: &Head| row.is_live(head) || (deleted && head.mark.is_none());
        let fetched = self.store.fetch([Key::Head(subject.clone()), Key::Version(subject.clone(), number)]).await?;
        let mut head = fetched.head(subject)?;
        self.check_alias(subject, &head)?;
        let mut row = fetched.version(subject, number)?;
        let mut race = self.store.race();
        loop {
            if let Some(mut found) = row.take().filter(|row| visible(row, &head))
                && self.content_of(subject.context(), &mut found).await?.is_some()
            {
                let is_deleted = !found.is_live(&head);
                return Ok((found, is_deleted));
            }
            // Which 404 it is depends on the head as well: the row is read between two reads of it that agree.
            let before = self.store.fetch([Key::Head(subject.clone())]).await?.head(subject)?;
            row = self.store.fetch([Key::Version(subject.clone(), number)]).await?.version(subject, number)?;
            head = self.store.fetch([Key::Head(subject.clone())]).await?.head(subject)?;
            let stands = head.tag == before.tag && !row.as_ref().is_some_and(|row| visible(row, &head));
            if self.store.holds(StepName::VersionRefusal, stands) {
                return Err(absent(subject, VersionSpec::Number(number), &head, deleted));
            }
            race.lost("read a version").await?;
        }
    }

    /// The rows of a subject that agree with its head, ascending; empty if it has none in scope.
    pub(crate) async fn rows(
        &self,
        subject: &Subject,
        deleted: bool,
    ) -> Result<(Head, Vec<VersionRow>), RegistryError> {
        let mut race = self.store.race();
        loop {
            let head = self.store.fetch([Key::Head(subject.clone())]).await?.head(subject)?;
            let count = if deleted { head.total } else { head.live };
            if count == 0 {
                return Ok((head, Vec::new()));
            }
            let rows = self.store.versions(subject).await?;
            if let Some(rows) = self.agreeing(&head, rows, deleted) {
                return Ok((head, rows));
            }
            race.lost("read the versions of a subject").await?;
        }
    }

    /// A row as it is answered.
    pub(crate) async fn versioned(
        &self,
        subject: &Subject,
        row: VersionRow,
        deleted: bool,
        format: &str,
    ) -> Result<VersionedSchema, RegistryError> {
        let mut content = row.content.clone().ok_or_else(|| crate::contents::no_content(&row))?;
        content.text = self.render(subject.context(), &content, format).await?;
        Ok(VersionedSchema {
            subject: subject.clone(),
            version: row.version,
            id: row.id,
            guid: row.guid,
            content,
            ts: Some(row.written),
            deleted: Some(deleted),
            tagged: Vec::new(),
        })
    }
}

fn absent(subject: &Subject, version: VersionSpec, head: &Head, deleted: bool) -> RegistryError {
    let count = if deleted { head.total } else { head.live };
    if count == 0 { RegistryError::SubjectNotFound(subject.clone()) } else { RegistryError::VersionNotFound(version) }
}

/// References that name no context get the referrer's, unless that is the default one.
pub(crate) fn qualify(references: &mut [Reference], context: &ContextName) {
    if context.is_default() {
        return;
    }
    for reference in references {
        if Subject::parse(&reference.subject).context().is_default() {
            reference.subject = reference.target(context).to_string();
        }
    }
}
