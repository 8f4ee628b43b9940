//! Ids: one content has one id, but for imports, and one id one content; uses are the versions that use it; the counter
//! has passed them all.

use std::collections::{BTreeMap, BTreeSet};

use registrar_model::{ContextName, SchemaId, Sha256Hash};
use registrar_store::{Fetched, Key, StoreError, VersionRow};

use super::{Audit, Report};

impl Audit {
    /// Of one context's versions.
    pub(super) async fn check_ids(
        &self,
        context: &ContextName,
        rows: impl Iterator<Item = &VersionRow>,
        report: &mut Report,
    ) -> Result<(), StoreError> {
        let mut uses: BTreeMap<Sha256Hash, BTreeMap<SchemaId, u64>> = BTreeMap::new();
        let mut contents: BTreeMap<SchemaId, BTreeSet<Sha256Hash>> = BTreeMap::new();
        for row in rows {
            *uses.entry(row.hash).or_default().entry(row.id).or_default() += 1;
            contents.entry(row.id).or_default().insert(row.hash);
            report.expect(&Key::Schema(context.clone(), row.id));
            report.expect(&Key::Guid(row.guid, context.clone(), row.id));
        }
        for (id, hashes) in &contents {
            report.require(hashes.len() == 1, || format!("id {id} has {} contents", hashes.len()));
        }
        let fingerprints = uses.keys().map(|&hash| Key::Fingerprint(context.clone(), hash));
        let others = uses.iter().flat_map(|(&hash, ids)| ids.keys().map(move |&id| (hash, id)));
        let others = others.map(|(hash, id)| Key::OtherId(context.clone(), hash, id));
        let schemas = contents.keys().map(|&id| Key::Schema(context.clone(), id));
        let fetched = self.store.fetch(fingerprints.chain(others).chain(schemas)).await?;
        for (&hash, ids) in &uses {
            check_uses(context, hash, ids, &fetched, report)?;
        }
        for (&id, hashes) in &contents {
            let stands_for = fetched.schema_hash(context, id)?;
            report
                .require(stands_for.is_none_or(|hash| hashes.contains(&hash)), || format!("id {id} has another text"));
        }
        let counters = self.store.counters(context).await?;
        for &id in contents.keys() {
            let passed = counters.iter().any(|counter| counter.has_passed(id));
            report.require(passed, || format!("no counter has passed id {id}: {counters:?}"));
        }
        for counter in counters {
            report.expect(&Key::Counter(context.clone(), counter.first));
        }
        Ok(())
    }
}

const SECOND_ID: &str = " has more than one id: ";

/// Whether a violation is what an import may do: give a content a second id.
pub fn comes_of_imports(violation: &str) -> bool {
    violation.contains(SECOND_ID)
}

/// Each id of a content is counted where it belongs: in the fingerprint if it is the current one, else beside it.
fn check_uses(
    context: &ContextName,
    hash: Sha256Hash,
    ids: &BTreeMap<SchemaId, u64>,
    fetched: &Fetched,
    report: &mut Report,
) -> Result<(), StoreError> {
    report.require(ids.len() == 1, || format!("content {hash}{SECOND_ID}{:?}", ids.keys()));
    let current = fetched.fingerprint(context, hash)?;
    if let Some(current) = &current {
        report.require(ids.contains_key(&current.id), || format!("content {hash}: fingerprint says id {}", current.id));
    }
    for (&id, &uses) in ids {
        let current = current.clone().filter(|current| current.id == id);
        // A content that was never imported has no other entry than the fingerprint.
        let (key, counted) = if current.is_some() || ids.len() == 1 && fetched.other_id(context, hash, id)?.is_none() {
            (Key::Fingerprint(context.clone(), hash), current)
        } else {
            (Key::OtherId(context.clone(), hash, id), fetched.other_id(context, hash, id)?)
        };
        report.expect(&key);
        let Some(counted) = counted else { continue };
        report.require(counted.uses == uses, || format!("id {id}: {} uses counted, {uses} found", counted.uses));
        (0..counted.chunks).for_each(|chunk| report.expect(&Key::Chunk(context.clone(), id, chunk)));
    }
    Ok(())
}
