//! Deleting a subject as a whole: one write of its head, whatever its size.

use super::Seen;
use super::settings::mode_value;
use crate::attributes::number;
use crate::items::directory::{HAS_MODE, STATE};
use crate::items::head::{CONFIG, FLOOR, HIGHEST, INREFS_REVISION, LATEST, LIVE, MARK, MODE, REFERS, TOTAL};
use crate::key::Key;
use crate::plan::{Change, Edit, Guard, GuardName, Plan, Test};
use crate::safeguard::PlanName;
use aws_sdk_dynamodb::types::AttributeValue;
use registrar_model::Mode;

/// A delete that has been decided on what was read.
pub type SoftDeleteSubject<'a> = Seen<'a>;

/// The transaction of a soft delete: rows born up to now are dead.
pub fn soft_delete_subject(seen: SoftDeleteSubject<'_>) -> Plan {
    let mut plan = Plan::new(PlanName::DeleteSubject);
    seen.write_head(&mut plan, dead_rows(seen), unreferenced(seen));
    seen.list_as(&mut plan, false);
    plan
}

/// The transaction that commits a permanent delete. What is left is the sweep of the rows, under the mark it sets.
pub fn permanent_delete_subject(seen: Seen<'_>) -> Plan {
    let mut plan = Plan::new(PlanName::PurgeSubject);
    seen.write_head(&mut plan, purge(seen), unreferenced(seen));
    seen.unlist(&mut plan);
    plan
}

/// The transaction that makes room for an import: as of a permanent delete, but the settings stay, and the mode comes with
/// it.
pub fn clear_subject(seen: Seen<'_>, mode: Mode) -> Plan {
    let mut plan = Plan::new(PlanName::ClearSubject);
    let mut edits = no_rows(seen);
    edits.push(Edit::Set(MODE, mode_value(mode)));
    seen.write_head(&mut plan, edits, unreferenced(seen));
    let listed = vec![Edit::Remove(STATE), Edit::Set(HAS_MODE, AttributeValue::Bool(true))];
    plan.push(Key::Directory(seen.subject.clone()), Change::Update(listed), Vec::new());
    plan
}

/// What a permanent delete makes of the head.
pub(super) fn purge(seen: Seen<'_>) -> Vec<Edit> {
    let mut edits = no_rows(seen);
    // With its last version a subject loses its settings (rest-api.md §6.7).
    edits.extend([Edit::Remove(CONFIG), Edit::Remove(MODE)]);
    edits
}

fn no_rows(seen: Seen<'_>) -> Vec<Edit> {
    let mut edits = dead_rows(seen);
    edits.extend([
        Edit::Set(TOTAL, number(0)),
        Edit::Remove(HIGHEST),
        Edit::Set(MARK, number(seen.next_tag())),
        Edit::Remove(REFERS),
    ]);
    edits
}

fn dead_rows(seen: Seen<'_>) -> Vec<Edit> {
    vec![Edit::Set(FLOOR, number(seen.next_tag())), Edit::Set(LIVE, number(0)), Edit::Remove(LATEST)]
}

/// References come and go without moving the head's tag, so they have a revision of their own.
pub(super) fn unreferenced(seen: Seen<'_>) -> Vec<Guard> {
    vec![Guard::new(GuardName::SubjectRefs, Test::Counts(INREFS_REVISION, seen.head.inrefs_revision))]
}
