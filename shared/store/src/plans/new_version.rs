//! Registering: one more version of a subject.

use super::references::{ReferenceLedger, ReferenceTarget};
use super::uses::{DeletedRow, UseLedger};
use super::{LookupAfter, Seen, set_version};
use crate::StoreError;
use crate::attributes::{binary, number};
use crate::blob::Body;
use crate::codec::encode_targets;
use crate::items::head::{HIGHEST, LATEST, LIVE, REFERS, TOTAL};
use crate::items::lookup::SEVERAL;
use crate::items::version::{
    BODY, BORN, DELETED, EQUALITY, GUID, HASH, ID, INLINED, MARK, NUMBER, REFS_REVISION, TARGETS, WRITTEN, encode_mark,
};
use crate::items::{Fingerprint, Lookup, Target};
use crate::key::Key;
use crate::keyring::Keyring;
use crate::plan::{Change, Edit, Guard, GuardName, Plan, Test};
use crate::safeguard::PlanName;
use aws_sdk_dynamodb::types::AttributeValue;
use registrar_model::{Guid, SchemaContent, SchemaId, Sha256Hash, Version, VersionMark};
use std::collections::BTreeSet;

/// The hashes of a content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentKeys {
    /// Of the exact content.
    pub hash: Sha256Hash,
    /// Of the content as lookups file it.
    pub equality: Sha256Hash,
    /// What tells its metadata apart from others with the same `equality`.
    pub mark: VersionMark,
    /// `equality` had the content no references; only of a content that has some.
    pub inlined: Option<Sha256Hash>,
    /// Its name everywhere.
    pub guid: Guid,
}

/// A registration that has been decided.
#[derive(Debug)]
pub struct NewVersion<'a> {
    /// What was read.
    pub seen: Seen<'a>,
    /// The number the version gets.
    pub version: Version,
    /// The id it gets.
    pub id: SchemaId,
    /// The content.
    pub content: &'a SchemaContent,
    /// Its hashes.
    pub keys: &'a ContentKeys,
    /// Now, in milliseconds since the epoch.
    pub written: u64,
    /// The content's current id, as read.
    pub fingerprint: Option<&'a Fingerprint>,
    /// The entry of `id` beside it, as read, where an import chose another id than the current one.
    pub other: Option<&'a Fingerprint>,
    /// The subject's lookup row of this content, as read.
    pub lookup: Option<&'a Lookup>,
    /// Soft-deleted versions with the same id, which this one replaces (rest-api.md §6.1 C15).
    pub replaced: &'a [DeletedRow],
    /// The version of the same number that an import writes over.
    pub overwritten: Option<&'a Overwritten>,
    /// What the content refers to.
    pub targets: &'a [ReferenceTarget],
    /// What seals sensitive values.
    pub data_keys: &'a Keyring,
}

/// A version that an import writes over.
#[derive(Clone, Debug)]
pub struct Overwritten {
    /// The row and its content's ids.
    pub row: DeletedRow,
    /// Whether it was live.
    pub was_live: bool,
    /// What its content's lookup row becomes, unless it is the new content's.
    pub lookup: LookupAfter,
}

/// The transaction; `None` if what was read does not fit together, so that the operation must start again.
pub fn new_version(new: &NewVersion<'_>) -> Result<Option<Plan>, StoreError> {
    let mut plan = Plan::new(PlanName::Register);
    let body = Body::encode(new.content, new.keys.hash, new.data_keys)?;
    write_head(&mut plan, new);
    write_row(&mut plan, new, &body);
    write_lookup(&mut plan, new);
    for gone in new.replaced {
        let keys = [
            Key::Version(new.seen.subject.clone(), gone.row.version),
            Key::Usage(new.seen.subject.clone(), gone.row.id, gone.row.version),
        ];
        let [row, usage] = keys;
        let unreferenced = Guard::new(GuardName::VersionRefs, Test::Counts(REFS_REVISION, gone.row.refs_revision));
        plan.push(row, Change::Delete, vec![unreferenced]);
        plan.push(usage, Change::Delete, Vec::new());
    }
    if let Some(old) = new.overwritten.filter(|old| old.row.row.id != new.id) {
        plan.push(Key::Usage(new.seen.subject.clone(), old.row.row.id, new.version), Change::Delete, Vec::new());
    }
    if !count_uses(&mut plan, new, body)? {
        return Ok(None);
    }
    count_references(&mut plan, new);
    Ok(Some(plan))
}

fn write_head(plan: &mut Plan, new: &NewVersion<'_>) {
    let head = new.seen.head;
    let replaced = new.replaced.len() as u64;
    let overwritten = u64::from(new.overwritten.is_some());
    let overwritten_live = u64::from(new.overwritten.is_some_and(|old| old.was_live));
    let mut edits = vec![
        set_version(HIGHEST, head.highest.max(Some(new.version))),
        set_version(LATEST, head.latest.max(Some(new.version))),
        Edit::Set(LIVE, number((head.live + 1).saturating_sub(overwritten_live))),
        Edit::Set(TOTAL, number((head.total + 1).saturating_sub(replaced + overwritten))),
    ];
    if !new.targets.is_empty() {
        edits.push(Edit::Set(REFERS, AttributeValue::Bool(true)));
    }
    new.seen.write_head(plan, edits, Vec::new());
    if head.live == 0 {
        new.seen.list_as(plan, true);
    }
}

/// An update, never a put: an import may write over a row whose references others are counting.
fn write_row(plan: &mut Plan, new: &NewVersion<'_>, body: &Body) {
    let targets: Vec<Target> = new.targets.iter().map(|target| target.target.clone()).collect();
    let mut edits = vec![
        Edit::Set(NUMBER, number(new.version.get())),
        Edit::Set(ID, number(new.id.get())),
        Edit::Set(HASH, binary(new.keys.hash.0)),
        Edit::Set(EQUALITY, binary(new.keys.equality.0)),
        Edit::Set(GUID, binary(new.keys.guid.0)),
        Edit::Set(BORN, number(new.seen.next_tag())),
        Edit::Set(WRITTEN, number(new.written)),
        Edit::Remove(DELETED),
    ];
    let optional = [
        (INLINED, new.keys.inlined.map(|hash| hash.0.to_vec())),
        (TARGETS, (!targets.is_empty()).then(|| encode_targets(&targets))),
        (BODY, body.fits_inline().then(|| body.0.clone())),
    ];
    let mark = encode_mark(&new.keys.mark);
    edits.push(mark.map_or(Edit::Remove(MARK), |mark| Edit::Set(MARK, AttributeValue::S(mark))));
    for (name, value) in optional {
        edits.push(value.map_or(Edit::Remove(name), |bytes| Edit::Set(name, binary(bytes))));
    }
    plan.push(Key::Version(new.seen.subject.clone(), new.version), Change::Update(edits), Vec::new());
    let usage = Key::Usage(new.seen.subject.clone(), new.id, new.version);
    plan.push(usage, Change::Put(vec![(WRITTEN, number(new.written))]), Vec::new());
}

fn write_lookup(plan: &mut Plan, new: &NewVersion<'_>) {
    let goes = |version: Version| version == new.version || new.replaced.iter().any(|gone| gone.row.version == version);
    let mut item = vec![
        (NUMBER, number(new.version.get())),
        (ID, number(new.id.get())),
        (HASH, binary(new.keys.hash.0)),
        (BORN, number(new.seen.next_tag())),
    ];
    item.extend(encode_mark(&new.keys.mark).map(|mark| (MARK, AttributeValue::S(mark))));
    if new.lookup.is_some_and(|lookup| lookup.several || !goes(lookup.version)) {
        item.push((SEVERAL, AttributeValue::Bool(true)));
    }
    plan.push(Key::Lookup(new.seen.subject.clone(), new.keys.equality), Change::Put(item), Vec::new());
    if let Some(old) = new.overwritten.filter(|old| old.row.row.equality != new.keys.equality) {
        old.lookup.write(plan, new.seen.subject, old.row.row.equality);
    }
}

fn count_uses(plan: &mut Plan, new: &NewVersion<'_>, body: Body) -> Result<bool, StoreError> {
    let mut uses = UseLedger::new(new.seen.subject.context());
    uses.know(new.keys.hash, new.fingerprint, new.other);
    for gone in new.replaced.iter().chain(new.overwritten.map(|old| &old.row)) {
        uses.know(gone.row.hash, gone.fingerprint.as_ref(), gone.other.as_ref());
    }
    // Taken before anything is released, so that an id which only changes hands is not created anew.
    uses.take(new.keys.hash, new.id, new.keys.guid, body);
    for gone in new.replaced.iter().chain(new.overwritten.map(|old| &old.row)) {
        if !uses.release(gone.row.hash, gone.row.id) {
            return Ok(false);
        }
    }
    uses.write(plan)?;
    Ok(true)
}

fn count_references(plan: &mut Plan, new: &NewVersion<'_>) {
    let mut references = ReferenceLedger::default();
    new.targets.iter().for_each(|target| references.add(target));
    for gone in new.replaced.iter().chain(new.overwritten.map(|old| &old.row)) {
        references.release(&gone.row.targets);
    }
    let gone: BTreeSet<Version> = new.replaced.iter().map(|gone| gone.row.version).collect();
    references.write(plan, new.seen.subject, &gone);
}
