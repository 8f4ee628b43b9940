//! Associating a resource with subjects, and ending that.

use super::Seen;
use super::delete_subject::{purge, unreferenced};
use crate::attributes::{binary, number};
use crate::codec::encode_resource;
use crate::items::ResourceItem;
use crate::items::head::{ASSOCIATIONS, STRONG};
use crate::items::resource::BODY;
use crate::key::Key;
use crate::plan::{Change, Edit, Guard, GuardName, Plan, Test};
use crate::safeguard::PlanName;
use registrar_model::{Association, Lifecycle, Resource, Subject};

/// What becomes of a resource's associations, as it was decided.
#[derive(Debug)]
pub struct AssociationChange<'a> {
    /// The resource.
    pub resource: &'a Resource,
    /// What was read of it.
    pub before: Option<&'a ResourceItem>,
    /// Its associations afterwards, one for each type at most; without any it goes.
    pub after: &'a [Association],
    /// The subjects of all associations that come, go or change, each once.
    pub subjects: &'a [AssociatedSubject<'a>],
}

/// A subject whose associations change.
#[derive(Clone, Copy, Debug)]
pub struct AssociatedSubject<'a> {
    /// What was read.
    pub seen: Seen<'a>,
    /// Whether it goes for good, with all its versions; the rows are left to a sweep.
    pub goes: bool,
}

/// The transaction: the resource wherever it is found, and the head of every subject concerned.
pub fn change_associations(change: &AssociationChange<'_>) -> Plan {
    let mut plan = Plan::new(PlanName::Associate);
    write_resource(&mut plan, change);
    write_associations(&mut plan, change);
    for subject in change.subjects {
        write_subject(&mut plan, change, *subject);
    }
    check_settings(&mut plan, change.subjects);
    plan
}

impl AssociationChange<'_> {
    fn before(&self) -> &[Association] {
        self.before.map_or(&[], |item| &item.associations)
    }
}

/// The condition is on the very bytes that were read, so that it notices one that went and came again.
fn write_resource(plan: &mut Plan, change: &AssociationChange<'_>) {
    let seen = change
        .before
        .map_or(Test::Absent, |item| Test::Is(BODY, binary(encode_resource(&item.resource, &item.associations))));
    let guard = Guard::new(GuardName::ResourceSeen, seen);
    let new = || item(change.resource, change.after);
    let write = || if change.after.is_empty() { Change::Delete } else { Change::Put(new()) };
    plan.push(Key::Resource(change.resource.id.clone()), write(), vec![guard]);
    plan.push(Key::ResourceByName(change.resource.clone()), write(), Vec::new());
    plan.push(Key::ResourceByNamespace(change.resource.clone()), write(), Vec::new());
}

/// Beside the heads: one item for each association.
fn write_associations(plan: &mut Plan, change: &AssociationChange<'_>) {
    let key = |association: &Association| {
        Key::Association(association.subject.clone(), change.resource.id.clone(), association.association_type)
    };
    for old in change.before() {
        if !change.after.iter().any(|new| key(new) == key(old)) {
            plan.push(key(old), Change::Delete, Vec::new());
        }
    }
    for new in change.after.iter().filter(|&new| !change.before().contains(new)) {
        plan.push(key(new), Change::Put(item(change.resource, std::slice::from_ref(new))), Vec::new());
    }
}

fn item(
    resource: &Resource,
    associations: &[Association],
) -> Vec<(&'static str, aws_sdk_dynamodb::types::AttributeValue)> {
    vec![(BODY, binary(encode_resource(resource, associations)))]
}

fn write_subject(plan: &mut Plan, change: &AssociationChange<'_>, subject: AssociatedSubject<'_>) {
    let seen = subject.seen;
    let head = seen.head;
    let (all_before, strong_before) = counts(change.before(), seen.subject);
    let (all_after, strong_after) = counts(change.after, seen.subject);
    let associations = (head.associations + all_after).saturating_sub(all_before);
    let strong = (head.strong + strong_after).saturating_sub(strong_before);
    let mut edits = if subject.goes { purge(seen) } else { Vec::new() };
    edits.extend([count(ASSOCIATIONS, associations), count(STRONG, strong)]);
    // What belongs to a topic is not referred to, and what goes must not be.
    let alone = subject.goes || strong_after > strong_before;
    seen.write_only_head(plan, edits, if alone { unreferenced(seen) } else { Vec::new() });
    if subject.goes {
        seen.unlist(plan);
    }
}

/// How many of the associations are with the subject, and how many of these are STRONG.
fn counts(associations: &[Association], subject: &Subject) -> (u64, u64) {
    let with = || associations.iter().filter(|association| association.subject == *subject);
    let strong = with().filter(|association| association.lifecycle == Lifecycle::Strong);
    (with().count() as u64, strong.count() as u64)
}

fn count(name: &'static str, count: u64) -> Edit {
    if count == 0 { Edit::Remove(name) } else { Edit::Set(name, number(count)) }
}

/// Several subjects may have consulted the same settings.
fn check_settings(plan: &mut Plan, subjects: &[AssociatedSubject<'_>]) {
    let mut checked = Vec::new();
    for seen in subjects.iter().flat_map(|subject| subject.seen.settings) {
        if !checked.contains(&seen) {
            seen.check(plan);
            checked.push(seen);
        }
    }
}
