//! Deleting a context.

use crate::items::head::TAG;
use crate::key::Key;
use crate::plan::{Change, Guard, GuardName, Plan, Test};
use crate::safeguard::PlanName;
use registrar_model::ContextName;

/// The transaction that removes a context's record, once the context was found empty after its settings had moved to
/// `tag`. A registration that commits later has read them since, and noted that in the record first.
pub fn remove_context(context: &ContextName, tag: u64) -> Plan {
    let mut plan = Plan::new(PlanName::RemoveContext);
    let guards = vec![Guard::new(GuardName::ContextUnused, Test::Below(TAG, tag))];
    plan.push(Key::Context(context.clone()), Change::Delete, guards);
    plan
}
