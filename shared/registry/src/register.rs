//! Registering a schema (rest-api.md §6.1).

use crate::candidate::{Candidate, Draft};
use crate::contract::Numbering;
use crate::find::{Among, FirstRead, Found, Normalize, Wanted};
use crate::import::refers_to_itself;
use crate::known::FastPath;
use crate::second_read::{FirstLookup, Intent, SecondRead};
use crate::start::Start;
use crate::surroundings::{EffectiveConfig, Surroundings};
use crate::turns::Turn;
use crate::{Denied, InvalidSchema, RegisterOptions, Registered, Registry, RegistryError, SchemaRequest};
use futures_util::future::try_join;
use registrar_formats::Strictness;
use registrar_model::{Mode, SchemaContent, SchemaId, Sha256Hash, Subject, Version};
use registrar_store::{NewVersion, Outcome, ReferenceTarget, StepName, StoreError, new_version};

/// A registration on its way to the commit.
struct Attempt {
    around: Surroundings,
    config: EffectiveConfig,
    candidate: Candidate,
    /// The candidate's lookup row, as first read.
    lookup: FirstLookup,
    /// The content that the fast path looked for in vain, by its hash.
    looked_for: Option<Sha256Hash>,
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
            first_lookup: &self.lookup,
            config: &self.config,
            compares: self.compares,
            version: self.version,
            import: self.import,
        }
    }

    /// Whether the schema may get something from the latest version.
    fn needs_latest(&self) -> bool {
        let content = &self.candidate.content;
        self.around.head.live > 0 && (content.metadata.is_none() || content.rule_set.is_none())
    }

    /// Adds what the schema gets from around it; true if that makes another content of it.
    fn populate(&mut self, latest: Option<&SchemaContent>, numbering: Numbering) -> bool {
        let populated = self.candidate.populated(self.around.contract(), latest, numbering);
        let Some(populated) = populated else { return false };
        if populated.keys.equality != self.candidate.keys.equality {
            self.lookup = FirstLookup::Unread;
        }
        self.candidate = populated;
        true
    }

    /// Takes over the lookup row where it had not been read; true if there is one, whose version is not read yet.
    fn take_lookup(&mut self, read: &SecondRead) -> bool {
        if self.lookup != FirstLookup::Unread {
            return false;
        }
        self.lookup = FirstLookup::Read(read.lookup.clone());
        read.lookup.is_some()
    }
}

impl Registry {
    /// Registers a schema, or answers the version that already has its content. Atomic: a schema that is answered is
    /// there, under its id, and was compatible with every version that the level names at the moment of its commit.
    pub async fn register(
        &self,
        subject: &Subject,
        mut request: SchemaRequest,
        options: &RegisterOptions,
    ) -> Result<Registered, RegistryError> {
        self.settings.restrict(&mut request);
        if let Some(rules) = &request.rule_set {
            rules.validate().map_err(RegistryError::InvalidRuleSet)?;
        }
        let registered = match self.check_name(subject) {
            Ok(()) => Box::pin(self.register_until_done(subject, &request, options)).await,
            Err(error) => Err(error),
        };
        match registered {
            Err(error) => Err(Box::pin(self.unless_aliased(subject, error)).await),
            registered => registered,
        }
    }

    async fn register_until_done(
        &self,
        subject: &Subject,
        request: &SchemaRequest,
        options: &RegisterOptions,
    ) -> Result<Registered, RegistryError> {
        let mut race = self.store.race();
        // Who finds the schema there waits for nobody, so the turn is taken later, and asked for only once.
        let mut turn = self.turns.of(subject);
        loop {
            if let Some(registered) = Box::pin(self.register_once(subject, request, options, &mut turn)).await? {
                return Ok(registered);
            }
            self.wait_for(&mut turn, &race).await?;
            race.lost("register").await?;
        }
    }

    pub(crate) fn check_name(&self, subject: &Subject) -> Result<(), RegistryError> {
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
        turn: &mut Turn,
    ) -> Result<Option<Registered>, RegistryError> {
        let normalize = Normalize::asked(options.normalize);
        let Some(start) = Box::pin(self.start(subject, request, normalize)).await? else { return Ok(None) };
        Box::pin(self.register_from(subject, start, request, options, turn)).await
    }

    /// The rest of an attempt, from a schema that has its text.
    pub(crate) async fn register_from(
        &self,
        subject: &Subject,
        start: Start,
        request: &SchemaRequest,
        options: &RegisterOptions,
        turn: &mut Turn,
    ) -> Result<Option<Registered>, RegistryError> {
        let read = self.first_read(subject, &start.draft, start.normalize).await?;
        self.check_alias(subject, &read.around.head)?;
        let unmoved = start.tag.is_none_or(|tag| tag == read.around.head.tag);
        if !self.store.holds(StepName::CopyHead, unmoved) {
            return Ok(None);
        }
        let quick = start.tag.is_none() && !request.tags.is_any() && read.around.contract().is_empty();
        if !self.store.holds(StepName::OwnTarget, start.draft.resolved.agrees_with(subject, &read.around.head)) {
            return Ok(None);
        }
        if quick {
            match self.fast_path(&read, request, options).await? {
                FastPath::Known(known) => {
                    return Ok(self.still_latest(&start.draft.resolved).await?.then_some(*known));
                }
                FastPath::Moved => return Ok(None),
                FastPath::Unknown => {}
            }
        }
        // What was read while others write is likely not to stand; a rehearsal writes nothing.
        if !options.dry_run && !turn.is_now() {
            return Ok(None);
        }
        if self.must_sweep(&read.around.head) {
            self.sweep(subject).await?;
            return Ok(None);
        }
        if let Err(denied) = permits(&read.around, request) {
            let stands = !quick || self.still_unknown(&read).await?;
            let stands = stands && self.still_latest(&start.draft.resolved).await?;
            return if stands { self.refuse(&read.around, denied).await } else { Ok(None) };
        }
        let looked_for = (quick && request.id.is_none()).then_some(read.candidate.keys.hash);
        let attempt = self.attempt(&start, read, request, options, looked_for).await?;
        Box::pin(self.register_new(&start.draft, attempt, request, options)).await
    }

    /// Whether the lookup row is as it was read, maybe before the head: what is there already is answered by whatever
    /// mode.
    async fn still_unknown(&self, read: &FirstRead) -> Result<bool, RegistryError> {
        let row = self.lookup_row(&read.around, &read.candidate).await?;
        Ok(self.store.holds(StepName::RefusalLookup, row == read.lookup))
    }

    /// Speaks a refusal that rests on head and settings, if both still stand.
    pub(crate) async fn refuse<T>(&self, around: &Surroundings, denied: Denied) -> Result<Option<T>, RegistryError> {
        if self.unchanged(around).await? { Err(denied.into()) } else { Ok(None) }
    }

    async fn register_new(
        &self,
        draft: &Draft,
        mut attempt: Attempt,
        request: &SchemaRequest,
        options: &RegisterOptions,
    ) -> Result<Option<Registered>, RegistryError> {
        let imports = attempt.import.is_some();
        let numbering = numbering(request, attempt.version);
        let needs_latest = attempt.needs_latest();
        if !imports && !needs_latest {
            attempt.populate(None, numbering);
        }
        let Some(mut second) = self.second_read(attempt.intent()).await? else { return Ok(None) };
        if !imports && needs_latest {
            let latest = match second.latest.take() {
                Some(mut row) => self.content_of(attempt.around.subject.context(), &mut row).await?,
                None => None,
            };
            if attempt.populate(latest.as_ref(), numbering) {
                let Some(again) = self.second_read(attempt.intent()).await? else { return Ok(None) };
                second = again;
            }
        }
        let is_partial = attempt.take_lookup(&second);
        if request.version == 0
            && let Some(known) = self.known_meanwhile(&attempt, &second).await?
        {
            let answer = answer(&attempt.candidate, known.id, known.version, options);
            return Ok(self.still_latest(&draft.resolved).await?.then_some(answer));
        }
        if is_partial {
            let Some(again) = self.second_read(attempt.intent()).await? else { return Ok(None) };
            second = again;
        }
        let priors = std::mem::take(&mut second.priors);
        let subject = &attempt.around.subject;
        if attempt.compares {
            let messages = self.incompatibilities(subject, &attempt.candidate, priors, &attempt.config).await?.messages;
            if !messages.is_empty() {
                let stands = self.unchanged(&attempt.around).await? && self.still_latest(&draft.resolved).await?;
                return if stands { Err(RegistryError::Incompatible(subject.clone(), messages)) } else { Ok(None) };
            }
        }
        if let Some(error) = attempt.wrong_version.take() {
            return Err(error.into());
        }
        if let Some(version) = refers_to_itself(attempt.intent(), &attempt.targets) {
            return Err(draft.unparsable(format!("Version {version} cannot refer to itself")));
        }
        let id = if options.dry_run {
            Some(second.fingerprint.map_or(SchemaId::MAX, |known| known.id))
        } else {
            Box::pin(self.commit_new(attempt.intent(), second, &attempt.targets)).await?
        };
        let made = |id| Registered { is_new: true, ..answer(&attempt.candidate, id, attempt.version, options) };
        Ok(id.map(made))
    }

    /// The version that has the content already, where the fast path looked for another one, or not at all
    /// (rest-api.md §6.1 C9, C10): of the id that the new one would get.
    async fn known_meanwhile(&self, attempt: &Attempt, read: &SecondRead) -> Result<Option<Found>, RegistryError> {
        if attempt.looked_for == Some(attempt.candidate.keys.hash) {
            return Ok(None);
        }
        let id = attempt.import.or(read.fingerprint.as_ref().map(|fingerprint| fingerprint.id));
        let (around, candidate) = (attempt.around.clone(), attempt.candidate.clone());
        let lookup = attempt.lookup.row().cloned();
        let first = FirstRead { around, candidate, lookup };
        self.find(&first, Wanted { among: Among::Live, id }).await
    }

    /// What a registration that is not there yet comes to, before anything but the first read.
    async fn attempt(
        &self,
        start: &Start,
        read: FirstRead,
        request: &SchemaRequest,
        options: &RegisterOptions,
        looked_for: Option<Sha256Hash>,
    ) -> Result<Attempt, RegistryError> {
        let draft = &start.draft;
        let FirstRead { around, candidate: looked_up, mut lookup } = read;
        let config = around.effective(&self.settings);
        let imports = around.mode().takes_ids();
        let as_new = request.id.is_none() && !imports && config.validate_new_schemas;
        let targets = draft.resolved.targets(as_new).map_err(|details| draft.unparsable(details))?;
        if imports {
            draft.check_remote(&looked_up)?;
        } else {
            draft.validate(&looked_up, config.validate_fields)?;
        }
        let candidate = reparse(draft, &looked_up, imports, as_new, start.normalize.is_on(config.normalize))?;
        if let Some(subject) = draft.resolved.strongly_associated() {
            return Err(Denied::StronglyAssociated(subject.clone()).into());
        }
        if candidate.keys.equality != looked_up.keys.equality {
            // An import is never normalised, so the first read may have looked for another text.
            lookup = self.lookup_row(&around, &candidate).await?;
        }
        let lookup = FirstLookup::Read(lookup);
        let (version, wrong_version) = version_for(&around, request, imports);
        let compares = !imports && !options.force;
        let import = request.id.filter(|_| imports);
        Ok(Attempt { around, config, candidate, lookup, looked_for, targets, version, wrong_version, compares, import })
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
            // A content that is known does not show that the context is: it may be of a subject that is being swept.
            self.note_context(intent.around).await?;
            known.id
        } else {
            let (fresh, ()) = try_join(self.store.next_id(context), self.note_context(intent.around)).await?;
            fresh.ok_or_else(|| Denied::IdsUsedUp(intent.around.subject.clone(), self.settings.id_range))?
        };
        let hints: Vec<_> = targets.iter().map(|target| target.target.clone()).collect();
        self.store.put_referrers(context, id, &hints).await?;
        let plan = new_version(&NewVersion {
            seen: intent.around.seen(),
            version: intent.version,
            id,
            content: &intent.candidate.content,
            keys: &intent.candidate.keys,
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

/// `confluent:version` is written for a request that names a version, and kept up where it is (rest-api.md §6.1 C4d).
fn numbering(request: &SchemaRequest, version: Version) -> Numbering {
    if request.version == 0 { Numbering::Kept(version) } else { Numbering::Set(version) }
}

/// The answer for a content that the request itself gave.
pub(crate) fn answer(candidate: &Candidate, id: SchemaId, version: Version, options: &RegisterOptions) -> Registered {
    let mut content = candidate.content.clone();
    if !options.format.is_empty() {
        content.text = candidate.schema.formatted(&options.format);
    }
    Registered { id, version, guid: candidate.keys.guid, content, ts: None, deleted: None, is_new: false }
}

impl Registry {
    /// The first version of a subject may be the first of its context.
    async fn note_context(&self, around: &Surroundings) -> Result<(), StoreError> {
        let Some(tag) = around.context_tag().filter(|_| around.head.total == 0) else { return Ok(()) };
        self.store.note_context(around.subject.context(), tag).await
    }
}

/// Whether the mode in force lets the request write (rest-api.md §6.1 C2).
pub(crate) fn permits(around: &Surroundings, request: &SchemaRequest) -> Result<(), Denied> {
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
