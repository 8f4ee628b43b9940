//! Sweeping the rows of a subject that was deleted for good.

use super::references::ReferenceLedger;
use super::uses::{DeletedRow, UseLedger};
use crate::StoreError;
use crate::attributes::number;
use crate::items::head::MARK;
use crate::items::version::BORN;
use crate::key::Key;
use crate::plan::{Change, Edit, Guard, GuardName, Plan, Test};
use crate::safeguard::PlanName;
use registrar_model::{Sha256Hash, Subject};
use std::collections::BTreeSet;

/// A row to sweep.
pub type SweepRow = DeletedRow;

/// The transaction that removes some rows with all that hangs on them; `None` if what was read does not fit together.
/// References within the subject are not counted down: every row that could be counted at goes as well.
pub fn sweep_rows(subject: &Subject, rows: &[SweepRow]) -> Result<Option<Plan>, StoreError> {
    let mut plan = Plan::new(PlanName::Sweep);
    let mut uses = UseLedger::new(subject.context());
    let mut references = ReferenceLedger::default();
    for swept in rows {
        let row = &swept.row;
        // Stops two sweepers from releasing one use twice.
        let same = Guard::new(GuardName::VersionBorn, Test::Is(BORN, number(row.born)));
        plan.push(Key::Version(subject.clone(), row.version), Change::Delete, vec![same]);
        plan.push(Key::Usage(subject.clone(), row.id, row.version), Change::Delete, Vec::new());
        uses.know(row.hash, swept.fingerprint.as_ref(), swept.other.as_ref());
        references.release(row.targets.iter().filter(|target| target.subject != *subject));
    }
    for swept in rows {
        if !uses.release(swept.row.hash, swept.row.id) {
            return Ok(None);
        }
    }
    let lookups: BTreeSet<Sha256Hash> = rows.iter().map(|swept| swept.row.equality).collect();
    for equality in lookups {
        plan.push(Key::Lookup(subject.clone(), equality), Change::Delete, Vec::new());
    }
    uses.write(&mut plan)?;
    references.write(&mut plan, subject, &BTreeSet::new());
    Ok(Some(plan))
}

/// The transaction that ends a sweep.
pub fn clear_mark(subject: &Subject, mark: u64) -> Plan {
    let mut plan = Plan::new(PlanName::EndSweep);
    let guard = Guard::new(GuardName::SweepMark, Test::Is(MARK, number(mark)));
    plan.push(Key::Head(subject.clone()), Change::Update(vec![Edit::Remove(MARK)]), vec![guard]);
    plan
}
