//! How the fields of two messages are matched: by tag, within and outside of oneofs (protobuf-diff-rules.md).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::compat::Comparison;
use super::difference_kind::DifferenceKind as Kind;
use super::model::{Field, Label, Message, Oneof};

/// Which rules oneofs are compared by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// Those of the newest source of the reference: members are followed wherever they go.
    #[default]
    Newest,
    /// Those of releases up to 8.3.1: oneofs are compared by their names.
    V8_1_1,
}

/// A field and the oneof it is in.
#[derive(Clone, Copy)]
struct Member<'a> {
    field: &'a Field,
    oneof: Option<&'a str>,
}

/// The fields of a message by tag; of several with one tag the last one counts, and one in a oneof before others.
fn members(message: &Message) -> BTreeMap<i32, Member<'_>> {
    let plain = message.fields.iter().map(|field| (field.tag, Member { field, oneof: None }));
    let in_oneofs = message.oneofs.items.iter().flat_map(|oneof| {
        oneof.fields.iter().map(|field| (field.tag, Member { field, oneof: Some(oneof.name.as_str()) }))
    });
    plain.chain(in_oneofs).collect()
}

fn oneofs_by_name(message: &Message) -> BTreeMap<&str, &Oneof> {
    message.oneofs.items.iter().map(|oneof| (oneof.name.as_str(), oneof)).collect()
}

/// Compares the fields of two messages.
pub(super) fn compare<'a>(comparison: &mut Comparison<'_, 'a>, old: &'a Message, new: &'a Message) {
    match comparison.rules() {
        Rules::Newest => compare_members(comparison, old, new),
        Rules::V8_1_1 => compare_by_name(comparison, old, new),
    }
}

fn compare_members<'a>(comparison: &mut Comparison<'_, 'a>, old: &'a Message, new: &'a Message) {
    let (old_members, new_members) = (members(old), members(new));
    for oneof in &new.oneofs.items {
        let tags = oneof.fields.iter().map(|field| field.tag).collect::<BTreeSet<_>>();
        let before: Vec<Member<'_>> = tags.iter().filter_map(|tag| old_members.get(tag).copied()).collect();
        let plain = before.iter().filter(|member| member.oneof.is_none()).count();
        let oneofs = before.iter().filter_map(|member| member.oneof).collect::<HashSet<_>>().len();
        if plain + oneofs > 1 {
            let kind = if plain > 1 { Kind::MultipleFieldsMovedToOneof } else { Kind::FieldMovedToExistingOneof };
            comparison.add_at(&[&oneof.name], kind);
        }
    }
    let (old_oneofs, new_oneofs) = (oneofs_by_name(old), oneofs_by_name(new));
    compare_names(comparison, &old_oneofs, &new_oneofs);
    // A oneof that is gone with all its members is one difference, not one for each of them.
    let survivors: HashSet<&str> = old_members
        .iter()
        .filter(|(tag, _)| new_members.contains_key(tag))
        .filter_map(|(_, member)| member.oneof)
        .collect();
    let tags: BTreeSet<i32> = old_members.keys().chain(new_members.keys()).copied().collect();
    for tag in tags {
        match (old_members.get(&tag), new_members.get(&tag)) {
            (Some(old), None) => {
                let vanished = |name| !new_oneofs.contains_key(name) && !survivors.contains(name);
                match old.oneof {
                    Some(oneof) if vanished(oneof) => {}
                    Some(oneof) => comparison.add_at(&[oneof, &tag.to_string()], Kind::OneofFieldRemoved),
                    None => removed(comparison, old.field),
                }
            }
            (None, Some(new)) => match new.oneof {
                Some(oneof) => comparison.add_at(&[oneof, &tag.to_string()], Kind::OneofFieldAdded),
                None => added(comparison, new.field),
            },
            (Some(old), Some(new)) => {
                if old.oneof.is_some() && new.oneof.is_none() {
                    comparison.add_at(&[&tag.to_string()], Kind::OneofFieldMovedToTopLevel);
                }
                comparison.fields(new.oneof, old.field, new.field);
            }
            (None, None) => {}
        }
    }
}

fn compare_names(comparison: &mut Comparison<'_, '_>, old: &BTreeMap<&str, &Oneof>, new: &BTreeMap<&str, &Oneof>) {
    for name in old.keys().filter(|name| !new.contains_key(*name)) {
        comparison.add_at(&[name], Kind::OneofRemoved);
    }
    for name in new.keys().filter(|name| !old.contains_key(*name)) {
        comparison.add_at(&[name], Kind::OneofAdded);
    }
}

fn removed(comparison: &mut Comparison<'_, '_>, field: &Field) {
    let required = field.label == Some(Label::Required);
    let kind = if required { Kind::RequiredFieldRemoved } else { Kind::FieldRemoved };
    comparison.add_at(&[&field.tag.to_string()], kind);
}

fn added(comparison: &mut Comparison<'_, '_>, field: &Field) {
    let required = field.label == Some(Label::Required);
    let kind = if required { Kind::RequiredFieldAdded } else { Kind::FieldAdded };
    comparison.add_at(&[&field.tag.to_string()], kind);
}

fn by_tag(fields: &[Field]) -> BTreeMap<i32, &Field> {
    fields.iter().map(|field| (field.tag, field)).collect()
}

fn compare_by_name<'a>(comparison: &mut Comparison<'_, 'a>, old: &'a Message, new: &'a Message) {
    let mut old_plain = by_tag(&old.fields);
    let new_plain = by_tag(&new.fields);
    let in_old_oneofs: HashMap<i32, &Field> =
        old.oneofs.items.iter().flat_map(|oneof| &oneof.fields).map(|field| (field.tag, field)).collect();
    for oneof in &new.oneofs.items {
        let (mut moved, mut existing) = (0, 0);
        for field in &oneof.fields {
            if old_plain.remove(&field.tag).is_some() {
                moved += 1;
            } else if in_old_oneofs.contains_key(&field.tag) {
                existing += 1;
            }
        }
        if moved > 1 {
            comparison.add_at(&[&oneof.name], Kind::MultipleFieldsMovedToOneof);
        } else if moved == 1 && existing > 0 {
            comparison.add_at(&[&oneof.name], Kind::FieldMovedToExistingOneof);
        }
    }
    let (old_oneofs, new_oneofs) = (oneofs_by_name(old), oneofs_by_name(new));
    compare_names(comparison, &old_oneofs, &new_oneofs);
    for (name, old) in &old_oneofs {
        if let Some(new) = new_oneofs.get(name) {
            compare_same_oneof(comparison, old, new);
        }
    }
    let tags: BTreeSet<i32> = old_plain.keys().chain(new_plain.keys()).copied().collect();
    for tag in tags {
        match (old_plain.get(&tag), new_plain.get(&tag)) {
            (Some(old), None) => removed(comparison, old),
            (None, Some(new)) => added(comparison, new),
            (Some(old), Some(new)) => comparison.fields(None, old, new),
            (None, None) => {}
        }
    }
}

fn compare_same_oneof<'a>(comparison: &mut Comparison<'_, 'a>, old: &'a Oneof, new: &'a Oneof) {
    let (old_fields, new_fields) = (by_tag(&old.fields), by_tag(&new.fields));
    let tags: BTreeSet<i32> = old_fields.keys().chain(new_fields.keys()).copied().collect();
    for tag in tags {
        match (old_fields.get(&tag), new_fields.get(&tag)) {
            (Some(_), None) => comparison.add_at(&[&new.name, &tag.to_string()], Kind::OneofFieldRemoved),
            (None, Some(_)) => comparison.add_at(&[&new.name, &tag.to_string()], Kind::OneofFieldAdded),
            (Some(old), Some(field)) => comparison.fields(Some(&new.name), old, field),
            (None, None) => {}
        }
    }
}
