//! Deleting one version.

use super::references::ReferenceLedger;
use super::uses::{DeletedRow, UseLedger};
use super::{Seen, set_version};
use crate::StoreError;
use crate::attributes::{binary, number};
use crate::items::VersionRow;
use crate::items::head::{CONFIG, HIGHEST, LATEST, LIVE, MODE, REFERS, TOTAL};
use crate::items::lookup::SEVERAL;
use crate::items::version::{BORN, DELETED, HASH, ID, MARK, NUMBER, REFS_REVISION, WRITTEN, encode_mark};
use crate::key::Key;
use crate::plan::{Change, Edit, Guard, GuardName, Plan, Test};
use crate::safeguard::PlanName;
use aws_sdk_dynamodb::types::AttributeValue;
use registrar_model::{Sha256Hash, Subject, Version};
use std::collections::BTreeSet;

/// What becomes of the lookup row of a content when one of its versions goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookupAfter {
    /// It means another version.
    Keep,
    /// The version it means is soft-deleted now.
    Deleted,
    /// It means this version now. Others may have the content as well.
    Means(Box<VersionRow>),
    /// No version has the content any more.
    Gone,
}

/// A soft delete that has been decided.
#[derive(Debug)]
pub struct DeleteVersion<'a> {
    /// What was read.
    pub seen: Seen<'a>,
    /// The live row.
    pub row: &'a VersionRow,
    /// The highest live version afterwards.
    pub latest: Option<Version>,
    /// What becomes of the content's lookup row.
    pub lookup: LookupAfter,
    /// Now, in milliseconds since the epoch.
    pub written: u64,
}

/// The transaction of a soft delete.
pub fn delete_version(delete: &DeleteVersion<'_>) -> Plan {
    let mut plan = Plan::new(PlanName::DeleteVersion);
    let seen = delete.seen;
    let live = seen.head.live.saturating_sub(1);
    seen.write_head(&mut plan, vec![Edit::Set(LIVE, number(live)), set_version(LATEST, delete.latest)], Vec::new());
    if live == 0 {
        seen.list_as(&mut plan, false);
    }
    let edits = vec![Edit::Set(DELETED, AttributeValue::Bool(true)), Edit::Set(WRITTEN, number(delete.written))];
    let unreferenced = Guard::new(GuardName::VersionRefs, Test::Counts(REFS_REVISION, delete.row.refs_revision));
    plan.push(Key::Version(seen.subject.clone(), delete.row.version), Change::Update(edits), vec![unreferenced]);
    let usage = Key::Usage(seen.subject.clone(), delete.row.id, delete.row.version);
    plan.push(usage, Change::Put(vec![(WRITTEN, number(delete.written))]), Vec::new());
    delete.lookup.write(&mut plan, seen.subject, delete.row.equality);
    plan
}

/// A permanent delete that has been decided.
#[derive(Debug)]
pub struct HardDelete<'a> {
    /// What was read.
    pub seen: Seen<'a>,
    /// The soft-deleted row.
    pub row: &'a DeletedRow,
    /// The highest version afterwards.
    pub highest: Option<Version>,
    /// What becomes of the content's lookup row.
    pub lookup: LookupAfter,
    /// Whether the subject keeps its configuration and mode if this was its last version.
    pub keep_settings: bool,
}

/// The transaction of a permanent delete; `None` if what was read does not fit together.
pub fn permanent_delete(delete: &HardDelete<'_>) -> Result<Option<Plan>, StoreError> {
    let mut plan = Plan::new(PlanName::PurgeVersion);
    let seen = delete.seen;
    let row = &delete.row.row;
    let total = seen.head.total.saturating_sub(1);
    let mut edits = vec![Edit::Set(TOTAL, number(total)), set_version(HIGHEST, delete.highest)];
    if total == 0 {
        edits.push(Edit::Remove(REFERS));
        if delete.keep_settings {
            seen.unlist_versions(&mut plan);
        } else {
            // With its last version a subject loses its settings (rest-api.md §6.7).
            edits.extend([Edit::Remove(CONFIG), Edit::Remove(MODE)]);
            seen.unlist(&mut plan);
        }
    }
    seen.write_head(&mut plan, edits, Vec::new());
    let unreferenced = Guard::new(GuardName::VersionRefs, Test::Counts(REFS_REVISION, row.refs_revision));
    plan.push(Key::Version(seen.subject.clone(), row.version), Change::Delete, vec![unreferenced]);
    plan.push(Key::Usage(seen.subject.clone(), row.id, row.version), Change::Delete, Vec::new());
    delete.lookup.write(&mut plan, seen.subject, row.equality);
    let mut uses = UseLedger::new(seen.subject.context());
    uses.know(row.hash, delete.row.fingerprint.as_ref(), delete.row.other.as_ref());
    if !uses.release(row.hash, row.id) {
        return Ok(None);
    }
    uses.write(&mut plan)?;
    let mut references = ReferenceLedger::default();
    references.release(&row.targets);
    references.write(&mut plan, seen.subject, &BTreeSet::from([row.version]));
    Ok(Some(plan))
}

impl LookupAfter {
    pub(super) fn write(&self, plan: &mut Plan, subject: &Subject, equality: Sha256Hash) {
        let change = match self {
            Self::Keep => return,
            Self::Gone => Change::Delete,
            Self::Deleted => Change::Update(vec![Edit::Set(DELETED, AttributeValue::Bool(true))]),
            Self::Means(row) => Change::Put(lookup_item(row)),
        };
        plan.push(Key::Lookup(subject.clone(), equality), change, Vec::new());
    }
}

fn lookup_item(row: &VersionRow) -> Vec<(&'static str, AttributeValue)> {
    let mut item = vec![
        (NUMBER, number(row.version.get())),
        (ID, number(row.id.get())),
        (HASH, binary(row.hash.0)),
        (BORN, number(row.born)),
        (SEVERAL, AttributeValue::Bool(true)),
    ];
    item.extend(encode_mark(&row.mark).map(|mark| (MARK, AttributeValue::S(mark))));
    if row.deleted {
        item.push((DELETED, AttributeValue::Bool(true)));
    }
    item
}
