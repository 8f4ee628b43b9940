//! Registering a schema (rest-api.md §6.1).

use crate::candidate::{Candidate, Draft};
use crate::find::{Among, FirstRead};
use crate::import::refers_to_itself;
use crate::known::FastPath;
use crate::second_read::{Intent, SecondRead};
use crate::surroundings::{EffectiveConfig, Surroundings};
use crate::{
    Denied, InvalidSchema, ReferenceRequest, RegisterOptions, Registered, Registry, RegistryError, SchemaRequest,
};
use futures_util::future::try_join;
use registrar_formats::Strictness;
use registrar_model::{Mode, SchemaId, Subject, Version};
use registrar_store::{Lookup, NewVersion, Outcome, ReferenceTarget, StoreError, VersionRow, new_version};

/// A registration on its way to the commit.
struct Attempt {
    around: Surroundings,
    config: EffectiveConfig,
    candidate: Candidate,
    /// The candidate's lookup row, as first read.
    lookup: Option<Lookup>,
    targets: Vec<ReferenceTarget>,
    version: Version,
    wrong_version: Option<InvalidSchema>,
    compares: bool,
    import: Option<SchemaId>,
}

impl Attempt {
    fn intent(&self) -> Intent<'_> {
        Intent {
            around: &self.around,
            candidate: &self.candidate,
            first_lookup: self.lookup.as_ref(),
            config: &self.config,
            compares: self.compares,
            version: self.version,
            import: self.import,
        }
    }
}

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
        let mut source = None;
        if draft.is_blank() {
            // There is nothing to look up, so the mode comes first.
            let around = self.surroundings(subject).await?;
            if let Err(denied) = permits(&around, request) {
                return self.refuse(&around, denied).await;
            }
            let Some(latest) = self.latest_row(subject).await? else { return Err(InvalidSchema::Empty.into()) };
            draft = self.draft(subject, &filled_from(request, &latest)).await?;
            source = Some(latest);
        }
        let read = self.first_read(subject, &draft, options.normalize).await?;
        let head = &read.around.head;
        if let Some(row) = &source {
            if head.latest != Some(row.version) || !row.is_live(head) {
                return Ok(None);
            }
        } else {
            match self.fast_path(&read, request, options).await? {
                FastPath::Known(registered) => return Ok(Some(*registered)),
                FastPath::Moved => return Ok(None),
                FastPath::Unknown => {}
            }
        }
        if read.around.head.mark.is_some() {
            self.sweep(subject).await?;
            return Ok(None);
        }
        if let Err(denied) = permits(&read.around, request) {
            return self.refuse(&read.around, denied).await;
        }
        Box::pin(self.register_new(&draft, read, request, options)).await
    }

    /// Speaks a refusal that rests on head and settings, if both still stand.
    async fn refuse(&self, around: &Surroundings, denied: Denied) -> Result<Option<Registered>, RegistryError> {
        if self.unchanged(around).await? { Err(denied.into()) } else { Ok(None) }
    }

    async fn register_new(
        &self,
        draft: &Draft,
        read: FirstRead,
        request: &SchemaRequest,
        options: &RegisterOptions,
    ) -> Result<Option<Registered>, RegistryError> {
        let mut attempt = self.attempt(draft, read, request, options).await?;
        let Some(mut second) = self.second_read(attempt.intent()).await? else { return Ok(None) };
        if let Some(row) = second.imported.take().filter(|_| request.version == 0) {
            return Ok(Some(answer(&attempt.candidate, row.id, row.version, options)));
        }
        let latest = second.latest.take().filter(|_| attempt.import.is_none());
        if let Some(candidate) = self.inheriting(&attempt.around, &attempt.candidate, latest).await? {
            let lookup = self.lookup_row(&attempt.around, &candidate).await?;
            let inherited = FirstRead { around: attempt.around, candidate, lookup };
            let found = self.find(&inherited, Among::Live).await?.filter(|_| request.version == 0);
            FirstRead { around: attempt.around, candidate: attempt.candidate, lookup: attempt.lookup } = inherited;
            if let Some(found) = found {
                return Ok(Some(answer(&attempt.candidate, found.id, found.version, options)));
            }
            match self.second_read(attempt.intent()).await? {
                Some(again) => second = again,
                None => return Ok(None),
            }
        }
        // The fast path did not see a blank text at all.
        let known = attempt.lookup.as_ref().filter(|lookup| lookup.is_live(&attempt.around.head));
        if let Some(known) = known.filter(|known| request.version == 0 && request.id.is_none_or(|id| id == known.id)) {
            return Ok(Some(answer(&attempt.candidate, known.id, known.version, options)));
        }
        let priors = std::mem::take(&mut second.priors);
        let subject = &attempt.around.subject;
        let conflict = self.incompatibilities(subject, &attempt.candidate, priors, &attempt.config).await?;
        if attempt.compares && !conflict.messages.is_empty() {
            let stands = self.unchanged(&attempt.around).await?;
            return if stands {
                Err(RegistryError::Incompatible(subject.clone(), conflict.messages))
            } else {
                Ok(None)
            };
        }
        if let Some(error) = attempt.wrong_version.take() {
            return Err(error.into());
        }
        if let Some(version) = refers_to_itself(attempt.intent(), &attempt.targets) {
            return Err(draft.unparsable(format!("Version {version} cannot refer to itself")));
        }
        let id = Box::pin(self.commit_new(attempt.intent(), second, &attempt.targets)).await?;
        Ok(id.map(|id| answer(&attempt.candidate, id, attempt.version, options)))
    }

    /// What a registration that is not there yet comes to, before anything but the first read.
    async fn attempt(
        &self,
        draft: &Draft,
        read: FirstRead,
        request: &SchemaRequest,
        options: &RegisterOptions,
    ) -> Result<Attempt, RegistryError> {
        let FirstRead { around, candidate: looked_up, mut lookup } = read;
        let config = around.effective(&self.settings);
        let imports = around.mode().takes_ids();
        let as_new = request.id.is_none() && !imports && config.validate_new_schemas;
        let targets = draft.resolved.targets(as_new).map_err(|details| draft.unparsable(details))?;
        if !imports {
            draft.validate(&looked_up, config.validate_fields)?;
        }
        let candidate = reparse(draft, &looked_up, imports, as_new, options.normalize || config.normalize)?;
        if candidate.keys.equality != looked_up.keys.equality {
            // An import is never normalised, so the first read may have looked for another text.
            lookup = self.lookup_row(&around, &candidate).await?;
        }
        let (version, wrong_version) = version_for(&around, request, imports);
        let compares = !imports && !options.force;
        let import = request.id.filter(|_| imports);
        Ok(Attempt { around, config, candidate, lookup, targets, version, wrong_version, compares, import })
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
            try_join(self.store.raise_counter(context, id), self.note_context(intent.around)).await?;
            id
        } else if let Some(known) = &read.fingerprint {
            known.id
        } else {
            // A content that is known to the context shows that the context is.
            let (fresh, ()) = try_join(self.store.next_id(context), self.note_context(intent.around)).await?;
            fresh.ok_or_else(|| Denied::IdsUsedUp(intent.around.subject.clone()))?
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
            data_keys: self.store.keys(),
        })?;
        let Some(plan) = plan else { return Ok(None) };
        Ok((self.store.commit(plan).await? == Outcome::Committed).then_some(id))
    }
}

/// A blank text stands for the latest version's text, type and references (rest-api.md §6.1 C4a).
fn filled_from(request: &SchemaRequest, latest: &VersionRow) -> SchemaRequest {
    let Some(content) = &latest.content else { return request.clone() };
    let references = content.references.iter().map(|reference| ReferenceRequest {
        name: Some(reference.name.clone()),
        subject: Some(reference.subject.clone()),
        version: Some(reference.version),
    });
    SchemaRequest {
        schema: Some(content.text.clone()),
        schema_type: Some(content.schema_type.name().to_owned()),
        references: references.collect(),
        ..request.clone()
    }
}

/// The answer for a content that the request itself gave.
pub(crate) fn answer(candidate: &Candidate, id: SchemaId, version: Version, options: &RegisterOptions) -> Registered {
    let mut content = candidate.content.clone();
    if !options.format.is_empty() {
        content.text = candidate.schema.formatted(&options.format);
    }
    Registered { id, version, guid: candidate.keys.guid, content, ts: None, deleted: None }
}

impl Registry {
    /// The first version of a subject may be the first of its context.
    async fn note_context(&self, around: &Surroundings) -> Result<(), StoreError> {
        if around.head.total > 0 {
            return Ok(());
        }
        self.store.put_context(around.subject.context()).await
    }
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
