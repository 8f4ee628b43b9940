//! Registering a schema (rest-api.md §6.1).

use crate::candidate::{Candidate, Draft};
use crate::find::{Among, FirstRead, Found};
use crate::import::refers_to_itself;
use crate::second_read::{Intent, SecondRead};
use crate::surroundings::Surroundings;
use crate::{Denied, InvalidSchema, RegisterOptions, Registered, Registry, RegistryError, SchemaRequest};
use registrar_formats::Strictness;
use registrar_model::{Mode, SchemaId, Subject, Version};
use registrar_store::{Key, NewVersion, Outcome, ReferenceTarget, VersionRow, new_version};

impl Registry {
    /// Registers a schema, or answers the version that already has its content. Atomic: a schema that is answered is
    /// there, under its id, and was compatible with every version that the level names at the moment of its commit.
    pub async fn register(
        &self,
        subject: &Subject,
        request: SchemaRequest,
        options: &RegisterOptions,
    ) -> Result<Registered, RegistryError> {
        if let Some(rules) = &request.rule_set {
            rules.validate().map_err(RegistryError::InvalidRuleSet)?;
        }
        self.check_name(subject)?;
        let mut race = self.store.race();
        loop {
            if let Some(registered) = Box::pin(self.register_once(subject, &request, options)).await? {
                return Ok(registered);
            }
            race.lost("register").await?;
        }
    }

    fn check_name(&self, subject: &Subject) -> Result<(), RegistryError> {
        let refused = self.settings.reject_empty_subject && matches!(subject.name(), "" | "*");
        if refused || subject.check().is_err() {
            return Err(RegistryError::InvalidSubject(subject.clone()));
        }
        Ok(())
    }

    /// One attempt; `None` if another writer was faster.
    async fn register_once(
        &self,
        subject: &Subject,
        request: &SchemaRequest,
        options: &RegisterOptions,
    ) -> Result<Option<Registered>, RegistryError> {
        let mut draft = self.draft(subject, request).await?;
        if draft.is_blank() {
            let Some(filled) = self.fill_blank(subject, request).await? else {
                return Err(InvalidSchema::Empty.into());
            };
            draft = self.draft(subject, &filled).await?;
        }
        let read = self.first_read(subject, &draft, options.normalize).await?;
        if let Some(found) = self.find(&read, Among::Live).await?
            && let Some(known) = self.already_there(&read, request, found, options).await?
        {
            return Ok(known.answer);
        }
        if read.around.head.mark.is_some() {
            self.sweep(subject).await?;
            return Ok(None);
        }
        if let Err(denied) = permits(&read.around, request) {
            return if self.unchanged(&read.around).await? { Err(denied.into()) } else { Ok(None) };
        }
        Box::pin(self.register_new(&draft, read, request, options)).await
    }

    /// A blank text stands for the latest version's text, type and references (rest-api.md §6.1 C4a).
    async fn fill_blank(
        &self,
        subject: &Subject,
        request: &SchemaRequest,
    ) -> Result<Option<SchemaRequest>, RegistryError> {
        let Some(latest) = self.latest_row(subject).await? else { return Ok(None) };
        let Some(content) = latest.content else { return Ok(None) };
        let references = content.references.iter().map(|reference| crate::ReferenceRequest {
            name: Some(reference.name.clone()),
            subject: Some(reference.subject.clone()),
            version: Some(reference.version),
        });
        Ok(Some(SchemaRequest {
            schema: Some(content.text.clone()),
            schema_type: Some(content.schema_type.name().to_owned()),
            references: references.collect(),
            ..request.clone()
        }))
    }

    /// Whether a version with the content answers the request as it is (rest-api.md §6.1 B). An inner `None` means
    /// that it changed meanwhile.
    async fn already_there(
        &self,
        read: &FirstRead,
        request: &SchemaRequest,
        found: Found,
        options: &RegisterOptions,
    ) -> Result<Option<Known>, RegistryError> {
        let subject = &read.around.subject;
        if request.version == -1 && !self.latest_has_it(read, &found).await? {
            return Ok(None);
        }
        let any_version = request.version == 0 || request.version == -1;
        if any_version && request.id.is_none_or(|id| id == found.id) {
            return self.known(subject, read, &found, options).await.map(Some);
        }
        let Some(version) = Version::new(i64::from(request.version)) else { return Ok(None) };
        if request.id != Some(found.id) {
            return Ok(None);
        }
        if version == found.version {
            return self.known(subject, read, &found, options).await.map(Some);
        }
        let row = self.store.fetch([Key::Version(subject.clone(), version)]).await?.version(subject, version)?;
        let same = |row: &VersionRow| {
            row.is_live(&read.around.head) && row.id == found.id && row.hash == read.candidate.keys.hash
        };
        match row.filter(same) {
            Some(row) => {
                let exact = Found { version, id: row.id, exact: true, row: Some(row) };
                self.known(subject, read, &exact, options).await.map(Some)
            }
            None => Ok(None),
        }
    }

    async fn latest_has_it(&self, read: &FirstRead, found: &Found) -> Result<bool, RegistryError> {
        let head = &read.around.head;
        if head.latest == Some(found.version) {
            return Ok(true);
        }
        // Several versions may have the content; the lookup row means only one of them.
        let several = read.lookup.as_ref().is_some_and(|lookup| lookup.several);
        let Some(latest) = head.latest.filter(|_| several) else { return Ok(false) };
        let subject = &read.around.subject;
        let row = self.store.fetch([Key::Version(subject.clone(), latest)]).await?.version(subject, latest)?;
        Ok(row.is_some_and(|row| row.equality == read.candidate.keys.equality))
    }

    /// The answer for a content that is there: built from the request if it is the very same, else the stored row.
    async fn known(
        &self,
        subject: &Subject,
        read: &FirstRead,
        found: &Found,
        options: &RegisterOptions,
    ) -> Result<Known, RegistryError> {
        if found.exact {
            let answer = answer(&read.candidate, found.id, found.version, options);
            return Ok(Known { answer: Some(answer) });
        }
        let Some(row) = self.found_row(subject, found).await? else { return Ok(Known { answer: None }) };
        let mut content = row.content.ok_or(InvalidSchema::Empty)?;
        content.text = self.render(subject.context(), &content, &options.format).await?;
        let (id, version, guid, ts) = (row.id, row.version, row.guid, Some(row.written));
        Ok(Known { answer: Some(Registered { id, version, guid, content, ts, deleted: Some(false) }) })
    }

    async fn register_new(
        &self,
        draft: &Draft,
        read: FirstRead,
        request: &SchemaRequest,
        options: &RegisterOptions,
    ) -> Result<Option<Registered>, RegistryError> {
        let around = &read.around;
        let config = around.effective(&self.settings);
        let imports = around.mode().takes_ids();
        let as_new = request.id.is_none() && !imports && config.validate_new_schemas;
        let targets = draft.resolved.targets(as_new).map_err(|details| draft.unparsable(details))?;
        let candidate = reparse(draft, &read.candidate, imports, as_new, options.normalize || config.normalize)?;
        // An import is never normalised, so the first read may have looked for another text.
        let first_lookup = if candidate.keys.equality == read.candidate.keys.equality {
            read.lookup.clone()
        } else {
            let (subject, equality) = (&around.subject, candidate.keys.equality);
            self.store.fetch([Key::Lookup(subject.clone(), equality)]).await?.lookup(subject, equality)?
        };
        let (version, wrong) = version_for(around, request, imports);
        let intent = Intent {
            around,
            candidate: &candidate,
            first_lookup: first_lookup.as_ref(),
            config: &config,
            compares: !imports && !options.force,
            version,
            import: request.id.filter(|_| imports),
        };
        let Some(mut second) = self.second_read(intent).await? else { return Ok(None) };
        let priors = std::mem::take(&mut second.priors);
        let messages = self.incompatibilities(&around.subject, &candidate, priors, &config).await?;
        if intent.compares && !messages.is_empty() {
            let stands = self.unchanged(around).await?;
            return if stands { Err(RegistryError::Incompatible(around.subject.clone(), messages)) } else { Ok(None) };
        }
        if let Some(error) = wrong {
            return Err(error.into());
        }
        if let Some(version) = refers_to_itself(intent, &targets) {
            let details = format!("Version {version} cannot refer to itself");
            return Err(draft.unparsable(details));
        }
        let id = self.commit_new(intent, second, &targets).await?;
        Ok(id.map(|id| answer(&candidate, id, version, options)))
    }

    async fn commit_new(
        &self,
        intent: Intent<'_>,
        mut read: SecondRead,
        targets: &[ReferenceTarget],
    ) -> Result<Option<SchemaId>, RegistryError> {
        let context = intent.around.subject.context();
        let mut overwritten = None;
        let id = if let Some(id) = intent.import {
            Self::check_import(intent, &read, id)?;
            let Some(found) = self.overwritten(intent, &mut read).await? else { return Ok(None) };
            overwritten = found;
            self.store.raise_counter(context, id).await?;
            id
        } else if let Some(known) = &read.fingerprint {
            known.id
        } else {
            self.store.next_id(context).await?
        };
        let hints: Vec<_> = targets.iter().map(|target| target.target.clone()).collect();
        self.store.put_referrers(context, id, &hints).await?;
        let plan = new_version(&NewVersion {
            seen: intent.around.seen(),
            version: intent.version,
            id,
            content: &intent.candidate.content,
            keys: intent.candidate.keys,
            written: self.store.runtime().now_millis(),
            fingerprint: read.fingerprint.as_ref(),
            other: read.other.as_ref(),
            lookup: read.lookup.as_ref(),
            replaced: &read.replaced,
            overwritten: overwritten.as_ref(),
            targets,
        })?;
        let Some(plan) = plan else { return Ok(None) };
        Ok((self.store.commit(plan).await? == Outcome::Committed).then_some(id))
    }
}

/// What the fast path found; `None` inside if it changed while it was being read.
struct Known {
    answer: Option<Registered>,
}

fn answer(candidate: &Candidate, id: SchemaId, version: Version, options: &RegisterOptions) -> Registered {
    let mut content = candidate.content.clone();
    if !options.format.is_empty() {
        content.text = candidate.schema.formatted(&options.format);
    }
    Registered { id, version, guid: candidate.keys.guid, content, ts: None, deleted: None }
}

/// Whether the mode in force lets the request write (rest-api.md §6.1 C2).
fn permits(around: &Surroundings, request: &SchemaRequest) -> Result<(), Denied> {
    let mode = around.mode();
    let subject = || around.subject.clone();
    if mode.is_read_only() {
        return Err(Denied::ReadOnly(Some(subject())));
    }
    match request.id {
        Some(_) if !mode.takes_ids() => Err(Denied::NotImport(subject())),
        None if mode != Mode::ReadWrite => Err(Denied::NotReadWrite(subject())),
        _ => Ok(()),
    }
}

/// The first parse was lenient, as lookups are. A new schema is read again by the strict rules; an import is stored as
/// it was given, never normalised.
fn reparse(
    draft: &Draft,
    looked_up: &Candidate,
    imports: bool,
    as_new: bool,
    normalize: bool,
) -> Result<Candidate, RegistryError> {
    if imports {
        return draft.parse(Strictness::Existing);
    }
    if !as_new {
        return Ok(looked_up.clone());
    }
    let strict = draft.parse(Strictness::New)?;
    if normalize { draft.normalize(&strict) } else { Ok(strict) }
}

/// The number that the version gets (rest-api.md §6.1 C13), and the refusal if the request asked for another. An
/// incompatible schema is refused for that first, so the refusal waits.
fn version_for(around: &Surroundings, request: &SchemaRequest, imports: bool) -> (Version, Option<InvalidSchema>) {
    let next = around.head.highest.map_or(Some(Version::FIRST), Version::next);
    let asked = Version::new(i64::from(request.version));
    match (asked, next) {
        (None, Some(next)) => (next, None),
        (Some(asked), next) if imports || next == Some(asked) => (asked, None),
        (asked, next) => (next.or(asked).unwrap_or(Version::FIRST), Some(InvalidSchema::WrongVersion)),
    }
}
