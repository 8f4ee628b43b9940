//! Looking a schema up by its content (rest-api.md §4.1, §6.2).

use crate::find::{Among, FirstRead, Found, Normalize, Wanted};
use crate::{LookupOptions, Registry, RegistryError, SchemaRequest, VersionedSchema};
use registrar_model::{SchemaContent, Subject};
use registrar_store::{Key, StepName};

impl Registry {
    /// The version of exactly this subject that has this content.
    pub(crate) async fn lookup_in(
        &self,
        subject: &Subject,
        request: &SchemaRequest,
        options: &LookupOptions,
    ) -> Result<VersionedSchema, RegistryError> {
        let mut draft = self.draft(subject, request).await?;
        let wanted = Wanted::any(if options.deleted { Among::All } else { Among::Live });
        let mut race = self.store.race();
        loop {
            if draft.is_blank() {
                let head = self.surroundings(subject).await?.head;
                self.check_alias(subject, &head)?;
                let known = if options.deleted { head.total } else { head.live };
                return Err(absent(subject, known));
            }
            let mut read = self.first_read(subject, &draft, Normalize::asked(options.normalize)).await?;
            self.check_alias(subject, &read.around.head)?;
            if !read.around.mode().takes_ids() {
                draft.validate(&read.candidate, read.around.effective(&self.settings).validate_fields)?;
            }
            let mut found = self.find(&read, wanted).await?;
            if found.is_none()
                && let Some(populated) = self.populated_read(&read).await?
            {
                found = self.find(&populated, wanted).await?;
                if found.is_some() {
                    read = populated;
                }
            }
            let answer = match found {
                Some(found) => self.found(&read, &found, &options.format).await?.map(Ok),
                None => self.not_found(&read, options.deleted).await?.map(Err),
            };
            match answer {
                Some(answer) if self.still_latest(&draft.resolved).await? => return answer,
                Some(_) => draft = self.draft(subject, request).await?,
                None => {}
            }
            race.lost("look up").await?;
        }
    }

    /// Built from the request if the content is the very same, else the stored row.
    async fn found(
        &self,
        read: &FirstRead,
        found: &Found,
        format: &str,
    ) -> Result<Option<VersionedSchema>, RegistryError> {
        let subject = read.around.subject.clone();
        if found.exact {
            let candidate = &read.candidate;
            let mut content = candidate.content.clone();
            if !format.is_empty() {
                content.text = candidate.schema.formatted(format);
            }
            let (version, id, guid) = (found.version, found.id, candidate.keys.guid);
            let (ts, deleted, tagged) = (None, None, Vec::new());
            return Ok(Some(VersionedSchema { subject, version, id, guid, content, ts, deleted, tagged }));
        }
        let Some(row) = self.found_row(&subject, found).await? else { return Ok(None) };
        let deleted = !row.is_live(&read.around.head);
        self.versioned(&subject, row, deleted, format).await.map(Some)
    }

    /// Which of the two 404s it is: the row, then the head are read once more, and only a head that has not moved
    /// speaks for the row. `None` if it has.
    async fn not_found(&self, read: &FirstRead, deleted: bool) -> Result<Option<RegistryError>, RegistryError> {
        let (around, subject) = (&read.around, &read.around.subject);
        let known = if deleted { around.head.total } else { around.head.live };
        if known == 0 {
            return Ok(Some(absent(subject, 0)));
        }
        let equality = read.candidate.keys.equality;
        let row = self.store.fetch([Key::Lookup(subject.clone(), equality)]).await?.lookup(subject, equality)?;
        let head = self.store.fetch([Key::Head(subject.clone())]).await?.head(subject)?;
        // What was there before and did not count still does not.
        let still_absent = row == read.lookup || row.is_none_or(|row| !deleted && !row.is_live(&head));
        let stands = self.store.holds(StepName::LookupRefusal, head.tag == around.head.tag && still_absent);
        Ok(stands.then(|| absent(subject, known)))
    }

    /// A content's text in another format (rest-api.md §6.11).
    pub(crate) async fn render(
        &self,
        context: &registrar_model::ContextName,
        content: &SchemaContent,
        format: &str,
    ) -> Result<String, RegistryError> {
        // Of large texts one at a time is copied and written into an answer.
        self.before_work(content.text.len()).await;
        if format.trim().is_empty() {
            return Ok(content.text.clone());
        }
        Ok(self.stored_schema(context, content).await?.0.formatted(format.trim()))
    }
}

fn absent(subject: &Subject, known: u64) -> RegistryError {
    if known == 0 { RegistryError::SubjectNotFound(subject.clone()) } else { RegistryError::SchemaNotFound }
}
