//! The fast path of a registration: the content is there already (rest-api.md §6.1 B).

use crate::find::{Among, FirstRead, Found, Wanted};
use crate::register::answer;
use crate::{InvalidSchema, RegisterOptions, Registered, Registry, RegistryError, SchemaRequest};
use registrar_model::Version;
use registrar_store::{Key, VersionRow};

/// What the fast path found.
pub(crate) enum FastPath {
    /// The answer.
    Known(Box<Registered>),
    /// Nothing that answers the request as it is.
    Unknown,
    /// A version that changed while it was being read: the operation starts again.
    Moved,
}

impl Registry {
    /// Looks for a version that answers the request as it is.
    pub(crate) async fn fast_path(
        &self,
        read: &FirstRead,
        request: &SchemaRequest,
        options: &RegisterOptions,
    ) -> Result<FastPath, RegistryError> {
        if request.version == -1 {
            return self.latest_as_it_is(read, request, options).await;
        }
        if request.version != 0 && request.id.is_none() {
            return Ok(FastPath::Unknown);
        }
        let Some(found) = self.find(read, Wanted::any(Among::Live)).await? else { return Ok(FastPath::Unknown) };
        if request.version == 0 && request.id.is_none_or(|id| id == found.id) {
            return self.known(read, &found, options).await;
        }
        let Some(version) = Version::new(i64::from(request.version)) else { return Ok(FastPath::Unknown) };
        if request.id != Some(found.id) {
            return Ok(FastPath::Unknown);
        }
        if version == found.version {
            return self.known(read, &found, options).await;
        }
        let subject = &read.around.subject;
        let row = self.store.fetch([Key::Version(subject.clone(), version)]).await?.version(subject, version)?;
        let same = |row: &VersionRow| {
            row.is_live(&read.around.head) && row.id == found.id && row.hash == read.candidate.keys.hash
        };
        match row.filter(same) {
            Some(row) => self.known(read, &Found { version, id: row.id, exact: true, row: Some(row) }, options).await,
            None => Ok(FastPath::Unknown),
        }
    }

    /// A version of −1 asks whether the latest live version has the content, and answers that as it is stored.
    async fn latest_as_it_is(
        &self,
        read: &FirstRead,
        request: &SchemaRequest,
        options: &RegisterOptions,
    ) -> Result<FastPath, RegistryError> {
        let (head, subject) = (&read.around.head, &read.around.subject);
        let Some(latest) = head.latest.filter(|_| head.live > 0) else { return Ok(FastPath::Unknown) };
        let row = self.store.fetch([Key::Version(subject.clone(), latest)]).await?.version(subject, latest)?;
        let Some(row) = row.filter(|row| row.born <= head.tag) else { return Ok(FastPath::Moved) };
        let keys = &read.candidate.keys;
        let filed = row.equality == keys.equality || row.inlined == Some(keys.equality);
        let same = filed && keys.mark.finds(&row.mark, row.version);
        if !same || request.id.is_some_and(|id| id != row.id) {
            return Ok(FastPath::Unknown);
        }
        self.known(read, &Found { version: latest, id: row.id, exact: false, row: Some(row) }, options).await
    }

    /// The answer for a content that is there: built from the request if it is the very same, else the stored row.
    async fn known(
        &self,
        read: &FirstRead,
        found: &Found,
        options: &RegisterOptions,
    ) -> Result<FastPath, RegistryError> {
        if found.exact {
            let answer = answer(&read.candidate, found.id, found.version, options);
            return Ok(FastPath::Known(Box::new(answer)));
        }
        let subject = &read.around.subject;
        let Some(row) = self.found_row(subject, found).await? else { return Ok(FastPath::Moved) };
        let mut content = row.content.ok_or(InvalidSchema::Empty)?;
        content.text = self.render(subject.context(), &content, &options.format).await?;
        let (id, version, guid, ts) = (row.id, row.version, row.guid, Some(row.written));
        Ok(FastPath::Known(Box::new(Registered {
            id,
            version,
            guid,
            content,
            ts,
            deleted: Some(false),
            is_new: false,
        })))
    }
}
