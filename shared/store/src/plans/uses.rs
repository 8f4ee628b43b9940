//! Counting how many versions use an id, and what comes and goes with the first and the last of them.

use crate::StoreError;
use crate::attributes::{binary, number};
use crate::blob::Body;
use crate::items::fingerprint::USES;
use crate::items::schema::CHUNKS;
use crate::items::version::{BODY, GUID, HASH, ID};
use crate::items::{Fingerprint, VersionRow};
use crate::key::Key;
use crate::plan::{Change, Edit, Guard, GuardName, Plan, Test};
use aws_sdk_dynamodb::types::AttributeValue;
use registrar_model::{ContextName, Guid, SchemaId, Sha256Hash};
use std::collections::BTreeMap;

/// A row that goes for good, with what was read of its content's ids.
#[derive(Clone, Debug)]
pub struct DeletedRow {
    /// The row.
    pub row: VersionRow,
    /// The content's current id.
    pub fingerprint: Option<Fingerprint>,
    /// The entry of the row's own id, where that is not the current one.
    pub other: Option<Fingerprint>,
}

/// Uses of ids in one transaction, added up so that each item is touched once.
pub(super) struct UseLedger<'a> {
    context: &'a ContextName,
    contents: BTreeMap<Sha256Hash, Content>,
}

/// What is known of one content's ids, before and after.
#[derive(Default)]
struct Content {
    before: Option<Fingerprint>,
    current: Option<SchemaId>,
    /// id → (uses before, uses after, guid, chunks). The current id's stand in the fingerprint item, others' beside it.
    ids: BTreeMap<SchemaId, IdUses>,
    created: Option<Created>,
}

struct IdUses {
    before: u64,
    after: u64,
    guid: Guid,
    chunks: u16,
}

struct Created {
    id: SchemaId,
    guid: Guid,
    body: Body,
}

impl<'a> UseLedger<'a> {
    pub(super) fn new(context: &'a ContextName) -> Self {
        Self { context, contents: BTreeMap::new() }
    }

    /// Takes note of what was read of a content.
    pub(super) fn know(&mut self, hash: Sha256Hash, fingerprint: Option<&Fingerprint>, other: Option<&Fingerprint>) {
        let content = self.contents.entry(hash).or_default();
        if content.before.is_none() {
            content.before = fingerprint.cloned();
            content.current = fingerprint.map(|fingerprint| fingerprint.id);
        }
        for known in fingerprint.into_iter().chain(other) {
            let uses = IdUses { before: known.uses, after: known.uses, guid: known.guid, chunks: known.chunks };
            content.ids.entry(known.id).or_insert(uses);
        }
    }

    /// A version gives an id up. False if what was read does not know that use: the caller starts again.
    #[must_use]
    pub(super) fn release(&mut self, hash: Sha256Hash, id: SchemaId) -> bool {
        let Some(uses) = self.contents.get_mut(&hash).and_then(|content| content.ids.get_mut(&id)) else {
            return false;
        };
        let Some(after) = uses.after.checked_sub(1) else { return false };
        uses.after = after;
        true
    }

    /// A version takes an id, which becomes the content's current one; `body` is stored if the id is new.
    pub(super) fn take(&mut self, hash: Sha256Hash, id: SchemaId, guid: Guid, body: Body) {
        let content = self.contents.entry(hash).or_default();
        content.current = Some(id);
        if let Some(uses) = content.ids.get_mut(&id) {
            uses.after += 1;
            return;
        }
        let chunks = u16::try_from(body.chunks().len()).unwrap_or(u16::MAX);
        content.ids.insert(id, IdUses { before: 0, after: 1, guid, chunks });
        content.created = Some(Created { id, guid, body });
    }

    pub(super) fn write(self, plan: &mut Plan) -> Result<(), StoreError> {
        for (hash, content) in self.contents {
            content.write(plan, self.context, hash)?;
        }
        Ok(())
    }
}

impl Content {
    fn write(self, plan: &mut Plan, context: &ContextName, hash: Sha256Hash) -> Result<(), StoreError> {
        let after = self.current.filter(|id| self.ids.get(id).is_some_and(|uses| uses.after > 0));
        self.write_current(plan, &Key::Fingerprint(context.clone(), hash), after);
        let before = self.before.as_ref().map(|fingerprint| fingerprint.id);
        for (&id, uses) in &self.ids {
            let was_beside = before != Some(id) && uses.before > 0;
            let is_beside = after != Some(id) && uses.after > 0;
            write_beside(plan, Key::OtherId(context.clone(), hash, id), id, uses, was_beside, is_beside);
            if uses.before > 0 && uses.after == 0 {
                forget_schema(plan, context, id, uses);
            }
        }
        if let Some(created) = self.created {
            create_schema(plan, context, hash, &created)?;
        }
        Ok(())
    }

    fn write_current(&self, plan: &mut Plan, key: &Key, after: Option<SchemaId>) {
        let seen = |before: &Fingerprint| Guard::new(GuardName::FingerprintSeen, Test::Is(ID, number(before.id.get())));
        let exactly = |before: &Fingerprint| Guard::new(GuardName::FingerprintUses, Test::Counts(USES, before.uses));
        match (&self.before, after.and_then(|id| self.ids.get(&id).map(|uses| (id, uses)))) {
            (None, None) => {}
            (None, Some((id, uses))) => {
                let guard = Guard::new(GuardName::FingerprintAbsent, Test::Absent);
                plan.push(key.clone(), Change::Put(fingerprint_item(id, uses)), vec![guard]);
            }
            (Some(before), None) => {
                plan.push(key.clone(), Change::Delete, vec![seen(before), exactly(before)]);
            }
            (Some(before), Some((id, uses))) if before.id != id => {
                plan.push(key.clone(), Change::Put(fingerprint_item(id, uses)), vec![seen(before), exactly(before)]);
            }
            (Some(_), Some((_, uses))) if uses.before == uses.after => {}
            (Some(before), Some((_, uses))) => {
                let mut guards = vec![seen(before)];
                guards.extend(
                    lost_uses(uses).map(|lost| Guard::new(GuardName::FingerprintUses, Test::Above(USES, lost))),
                );
                plan.push(key.clone(), Change::Update(vec![Edit::Add(USES, delta(uses))]), guards);
            }
        }
    }
}

fn write_beside(plan: &mut Plan, key: Key, id: SchemaId, uses: &IdUses, was: bool, is: bool) {
    let exactly = || vec![Guard::new(GuardName::FingerprintUses, Test::Counts(USES, uses.before))];
    match (was, is) {
        (false, false) => {}
        (false, true) => plan.push(key, Change::Put(fingerprint_item(id, uses)), Vec::new()),
        (true, false) => plan.push(key, Change::Delete, exactly()),
        (true, true) if uses.before == uses.after => {}
        (true, true) => plan.push(key, Change::Update(vec![Edit::Set(USES, number(uses.after))]), exactly()),
    }
}

fn delta(uses: &IdUses) -> i64 {
    let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    signed(uses.after) - signed(uses.before)
}

fn lost_uses(uses: &IdUses) -> Option<u64> {
    uses.before.checked_sub(uses.after).filter(|&lost| lost > 0)
}

fn fingerprint_item(id: SchemaId, uses: &IdUses) -> Vec<(&'static str, AttributeValue)> {
    let mut item = vec![(ID, number(id.get())), (USES, number(uses.after)), (GUID, binary(uses.guid.0))];
    if uses.chunks > 0 {
        item.push((CHUNKS, number(uses.chunks)));
    }
    item
}

fn create_schema(plan: &mut Plan, context: &ContextName, hash: Sha256Hash, new: &Created) -> Result<(), StoreError> {
    let mut item = vec![(HASH, binary(hash.0)), (GUID, binary(new.guid.0))];
    let chunks = new.body.chunks();
    if chunks.is_empty() {
        item.push((BODY, binary(new.body.0.clone())));
    } else {
        item.push((CHUNKS, number(chunks.len() as u64)));
    }
    let absent = Guard::new(GuardName::IdAbsent, Test::Absent);
    plan.push(Key::Schema(context.clone(), new.id), Change::Put(item), vec![absent]);
    for (index, chunk) in chunks.into_iter().enumerate() {
        let number = u16::try_from(index).map_err(|_| StoreError::TooLarge(format!("{index} chunks")))?;
        let key = Key::Chunk(context.clone(), new.id, number);
        plan.push(key, Change::Put(vec![(BODY, binary(chunk))]), Vec::new());
    }
    plan.push(Key::Guid(new.guid, context.clone(), new.id), Change::Put(Vec::new()), Vec::new());
    Ok(())
}

fn forget_schema(plan: &mut Plan, context: &ContextName, id: SchemaId, uses: &IdUses) {
    plan.push(Key::Schema(context.clone(), id), Change::Delete, Vec::new());
    for chunk in 0..uses.chunks {
        plan.push(Key::Chunk(context.clone(), id, chunk), Change::Delete, Vec::new());
    }
    plan.push(Key::Guid(uses.guid, context.clone(), id), Change::Delete, Vec::new());
}
