//! References of a schema: from what a client wrote to texts a parser can use (rest-api.md §6.9).

use crate::{Limit, ReferenceRequest, Registry, RegistryError};
use registrar_formats::NamedText;
use registrar_model::{ContextName, Reference, Subject, Version};
use registrar_store::{Head, Key, ReferenceTarget, StepName, Target, VersionRow};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// References as stored, and what they stand for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resolved {
    /// As given, −1 replaced by the number it stood for.
    pub(crate) references: Vec<Reference>,
    /// The schemas referred to, directly or not: dependencies first, each name once.
    pub(crate) texts: Vec<NamedText>,
    /// The versions referred to directly.
    pub(crate) targets: Vec<FoundTarget>,
    /// What −1 stood for.
    pub(crate) latest: Vec<FoundLatest>,
}

/// The latest version of a subject, as it was found.
#[derive(Clone, Debug)]
pub(crate) struct FoundLatest {
    subject: Subject,
    version: Version,
    /// The head's revision.
    tag: u64,
}

/// A version referred to, as it was found.
#[derive(Clone, Debug)]
pub(crate) struct FoundTarget {
    target: Target,
    born: u64,
    live: bool,
    strong: bool,
}

/// Why references do not resolve.
#[derive(Debug)]
pub(crate) enum Unresolved {
    /// The text of the refusal.
    Missing(String),
    /// More than the settings allow.
    OverLimit(Limit),
    /// The table failed.
    Failed(RegistryError),
}

impl<E: Into<RegistryError>> From<E> for Unresolved {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl Resolved {
    /// What the transaction must hold on to. If the schema is validated as new, a target that is not live now is as
    /// good as missing.
    pub(crate) fn targets(&self, as_new: bool) -> Result<Vec<ReferenceTarget>, String> {
        let dead = self.targets.iter().find(|found| as_new && !found.live);
        if let Some(found) = dead {
            return Err(missing(&found.target.subject, found.target.version.to_string().as_str()));
        }
        let target = |found: &FoundTarget| ReferenceTarget {
            target: found.target.clone(),
            born: found.born,
            must_be_live: as_new,
            must_be_latest: self.latest.iter().any(|latest| found.is(latest)),
        };
        Ok(self.targets.iter().map(target).collect())
    }
}

impl Resolved {
    /// A target whose subject belongs to a topic, which nothing may refer to (rest-api.md §6.1 C7).
    pub(crate) fn strongly_associated(&self) -> Option<&Subject> {
        self.targets.iter().find(|found| found.strong).map(|found| &found.target.subject)
    }

    /// Whether what was found in a subject is so by its head as well: what −1 stood for, and what was live. A schema may
    /// refer to its own subject, whose head is read later, and no condition stands at that head but that it does not move.
    pub(crate) fn agrees_with(&self, subject: &Subject, head: &Head) -> bool {
        let latest = |found: &FoundLatest| found.subject != *subject || head.latest == Some(found.version);
        let live = |found: &FoundTarget| found.target.subject != *subject || !found.live || found.born > head.floor;
        self.latest.iter().all(latest) && self.targets.iter().all(live)
    }
}

impl FoundTarget {
    fn is(&self, latest: &FoundLatest) -> bool {
        self.target.subject == latest.subject && self.target.version == latest.version
    }
}

fn missing(subject: &Subject, version: &str) -> String {
    format!("No schema reference found for subject \"{subject}\" and version {version}")
}

/// What has been read while following references.
#[derive(Default)]
struct Known {
    rows: HashMap<(Subject, Version), KnownRow>,
    latest: Vec<FoundLatest>,
}

/// A version that was read, and what its head said.
struct KnownRow {
    row: VersionRow,
    live: bool,
    strong: bool,
}

impl Registry {
    /// Follows references to their texts, level by level: one round trip a level, one more where −1 is used.
    /// Soft-deleted versions resolve; see [`Resolved::targets`].
    pub(crate) async fn resolve(
        &self,
        referrer: &ContextName,
        requested: &[ReferenceRequest],
    ) -> Result<Resolved, Unresolved> {
        let requested = requested.iter().map(well_formed).collect::<Result<Vec<_>, _>>()?;
        if requested.is_empty() {
            return Ok(Resolved::default());
        }
        let mut race = self.store.race();
        loop {
            let mut known = Known::default();
            let mut references = requested.clone();
            self.resolve_latest(referrer, &mut references, &mut known).await?;
            let read = self.read_closure(referrer, &references, &mut known).await;
            let overtaken = known.latest.iter().any(|latest| {
                let row = known.rows.get(&(latest.subject.clone(), latest.version));
                row.is_none_or(|known| !known.live)
            });
            let overtaken = !self.store.holds(StepName::LatestReference, !overtaken);
            if overtaken && !matches!(read, Err(Unresolved::OverLimit(_) | Unresolved::Failed(_))) {
                // What was the latest version is deleted by now: there is another one, or none.
                race.lost("find the latest version of a reference").await?;
                continue;
            }
            read?;
            let texts = self.in_order(referrer, &references, &known)?;
            let targets = direct_targets(referrer, &references, &known)?;
            return Ok(Resolved { references, texts, targets, latest: known.latest });
        }
    }

    /// Whether nothing was written to the subjects whose latest versions are referred to: asked before an answer that
    /// no transaction holds to what −1 stood for.
    pub(crate) async fn still_latest(&self, resolved: &Resolved) -> Result<bool, RegistryError> {
        if resolved.latest.is_empty() {
            return Ok(true);
        }
        let fetched = self.store.fetch(resolved.latest.iter().map(|found| Key::Head(found.subject.clone()))).await?;
        for found in &resolved.latest {
            let same = fetched.head(&found.subject)?.tag == found.tag;
            if !self.store.holds(StepName::LatestAgain, same) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The texts behind references that are stored, for a schema that is compared with.
    pub(crate) async fn texts_of(
        &self,
        referrer: &ContextName,
        references: &[Reference],
    ) -> Result<Vec<NamedText>, Unresolved> {
        if references.is_empty() {
            return Ok(Vec::new());
        }
        let mut known = Known::default();
        self.read_closure(referrer, references, &mut known).await?;
        self.in_order(referrer, references, &known)
    }

    async fn resolve_latest(
        &self,
        referrer: &ContextName,
        references: &mut [Reference],
        known: &mut Known,
    ) -> Result<(), Unresolved> {
        let subjects: HashSet<Subject> = references
            .iter()
            .filter(|reference| reference.version == -1)
            .map(|reference| reference.target(referrer))
            .collect();
        if subjects.is_empty() {
            return Ok(());
        }
        let fetched = self.store.fetch(subjects.iter().cloned().map(Key::Head)).await?;
        for reference in references.iter_mut().filter(|reference| reference.version == -1) {
            let subject = reference.target(referrer);
            let head = fetched.head(&subject)?;
            let latest = head.latest.filter(|_| head.live > 0);
            let version = latest.ok_or_else(|| Unresolved::Missing(missing(&subject, "-1")))?;
            reference.version = i32::try_from(version.get()).unwrap_or(i32::MAX);
            known.latest.push(FoundLatest { subject, version, tag: head.tag });
        }
        Ok(())
    }

    async fn read_closure(
        &self,
        referrer: &ContextName,
        references: &[Reference],
        known: &mut Known,
    ) -> Result<(), Unresolved> {
        // In order, so that of several that are missing the same one is named every time.
        let mut frontier: BTreeSet<(Subject, Version)> = pointers(referrer, references);
        let mut left = self.settings.max_referenced_bytes;
        while !frontier.is_empty() {
            if known.rows.len() + frontier.len() > self.settings.max_reference_closure {
                return Err(Unresolved::OverLimit(Limit::ReferenceClosure(self.settings.max_reference_closure)));
            }
            let keys = frontier
                .iter()
                .flat_map(|(subject, version)| [Key::Head(subject.clone()), Key::Version(subject.clone(), *version)]);
            let fetched = self.store.fetch(keys).await?;
            let mut rows = Vec::new();
            for (subject, version) in std::mem::take(&mut frontier) {
                let head: Head = fetched.head(&subject)?;
                let row = fetched.version(&subject, version)?.filter(|_| head.mark.is_none());
                let row = row.ok_or_else(|| Unresolved::Missing(missing(&subject, &version.to_string())))?;
                let live = row.is_live(&head);
                rows.push((subject, KnownRow { row, live, strong: head.strong > 0 }));
            }
            let empty = rows.iter_mut().map(|(subject, known)| (subject.context().clone(), &mut known.row));
            if !self.fill_within(empty, &mut left).await? {
                return Err(Unresolved::OverLimit(Limit::ReferencedBytes(self.settings.max_referenced_bytes)));
            }
            for (subject, found) in rows {
                let nested = found.row.content.as_ref().map_or(&[][..], |content| &content.references);
                frontier.extend(pointers(subject.context(), nested));
                known.rows.insert((subject, found.row.version), found);
            }
            frontier.retain(|pointer| !known.rows.contains_key(pointer));
        }
        Ok(())
    }

    /// Depth first in list order; a name that was seen is skipped. On a stack of our own: chains may be long.
    fn in_order(
        &self,
        referrer: &ContextName,
        references: &[Reference],
        known: &Known,
    ) -> Result<Vec<NamedText>, Unresolved> {
        let mut texts = Vec::new();
        let mut seen: HashMap<String, i32> = HashMap::new();
        let mut stack: Vec<Step<'_>> =
            references.iter().rev().map(|reference| Step::Visit(referrer, reference)).collect();
        while let Some(step) = stack.pop() {
            let (context, reference) = match step {
                Step::Emit(text) => {
                    texts.push(text);
                    continue;
                }
                Step::Visit(context, reference) => (context, reference),
            };
            if let Some(&other) = seen.get(&reference.name) {
                if self.settings.strict_reference_versions && other != reference.version {
                    let (name, version) = (&reference.name, reference.version);
                    let conflict =
                        format!("Conflicting reference versions for \"{name}\": version {other} and version {version}");
                    return Err(Unresolved::Missing(conflict));
                }
                continue;
            }
            seen.insert(reference.name.clone(), reference.version);
            let pointer = pointer(context, reference).and_then(|pointer| known.rows.get_key_value(&pointer));
            let Some(((subject, _), KnownRow { row, .. })) = pointer else {
                let subject = reference.target(context);
                return Err(Unresolved::Missing(missing(&subject, &reference.version.to_string())));
            };
            let Some(content) = &row.content else { continue };
            stack.push(Step::Emit(NamedText { name: reference.name.clone(), text: content.text.clone() }));
            stack.extend(content.references.iter().rev().map(|nested| Step::Visit(subject.context(), nested)));
        }
        Ok(texts)
    }
}

enum Step<'a> {
    Visit(&'a ContextName, &'a Reference),
    Emit(NamedText),
}

/// All three members must be there (42201).
fn well_formed(request: &ReferenceRequest) -> Result<Reference, Unresolved> {
    if let ReferenceRequest { name: Some(name), subject: Some(subject), version: Some(version) } = request {
        return Ok(Reference { name: name.clone(), subject: subject.clone(), version: *version });
    }
    let shown = |text: &Option<String>| text.clone().unwrap_or_else(|| "null".to_owned());
    let version = request.version.map_or_else(|| "null".to_owned(), |version| version.to_string());
    let (name, subject) = (shown(&request.name), shown(&request.subject));
    Err(Unresolved::Missing(format!("Invalid reference: {{name='{name}', subject='{subject}', version={version}}}")))
}

fn pointer(referrer: &ContextName, reference: &Reference) -> Option<(Subject, Version)> {
    Version::new(i64::from(reference.version)).map(|version| (reference.target(referrer), version))
}

fn pointers(referrer: &ContextName, references: &[Reference]) -> BTreeSet<(Subject, Version)> {
    references.iter().filter_map(|reference| pointer(referrer, reference)).collect()
}

fn direct_targets(
    referrer: &ContextName,
    references: &[Reference],
    known: &Known,
) -> Result<Vec<FoundTarget>, Unresolved> {
    let mut counts: BTreeMap<(Subject, Version), u64> = BTreeMap::new();
    for reference in references {
        let pointer = pointer(referrer, reference)
            .ok_or_else(|| Unresolved::Missing(missing(&reference.target(referrer), &reference.version.to_string())))?;
        *counts.entry(pointer).or_default() += 1;
    }
    let found = |((subject, version), count)| {
        let KnownRow { row, live, strong } = known.rows.get(&(Subject::clone(&subject), version))?;
        let (born, live, strong) = (row.born, *live, *strong);
        Some(FoundTarget { target: Target { subject, version, count }, born, live, strong })
    };
    Ok(counts.into_iter().filter_map(found).collect())
}
