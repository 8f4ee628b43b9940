//! Changing settings.

use super::{Seen, SettingsSeen};
use crate::StoreError;
use crate::attributes::{binary, number};
use crate::codec::{Vault, encode_config};
use crate::items::SettingsItem;
use crate::items::directory::{ALIAS, HAS_MODE};
use crate::items::head::{CONFIG, MODE, TAG};
use crate::items::settings::{GLOBAL_CONFIG, GLOBAL_MODE};
use crate::key::{COPIES, Key, Scope};
use crate::keyring::{Keyring, Part, Place};
use crate::plan::{Change, Edit, Guard, GuardName, Plan, Test};
use crate::safeguard::PlanName;
use aws_sdk_dynamodb::types::AttributeValue;
use registrar_model::{Config, Mode};

/// A subject's own settings after a change.
#[derive(Debug)]
pub struct SubjectSettings<'a> {
    /// What was read.
    pub seen: Seen<'a>,
    /// The configuration.
    pub config: Option<&'a Config>,
    /// The mode.
    pub mode: Option<Mode>,
    /// What seals sensitive values.
    pub data_keys: &'a Keyring,
}

/// The transaction that changes a subject's own settings; the subject need not have versions.
pub fn set_subject_settings(change: &SubjectSettings<'_>) -> Result<Plan, StoreError> {
    let mut plan = Plan::new(PlanName::SetSubject);
    let seen = change.seen;
    let vault = Vault { keys: change.data_keys, place: Place::Subject(seen.subject) };
    let config = change.config.map(|config| encode_config(config, &vault)).transpose()?.map(binary);
    let mode = change.mode.map(mode_value);
    let edits = [(CONFIG, config), (MODE, mode)];
    let edits = edits.map(|(name, value)| value.map_or(Edit::Remove(name), |value| Edit::Set(name, value)));
    seen.write_head(&mut plan, edits.to_vec(), Vec::new());
    let alias = change.config.and_then(Config::alias);
    if change.mode.is_some() != seen.head.mode.is_some() || alias != seen.head.alias() {
        list_settings(&mut plan, seen, change.mode.is_some(), alias);
    }
    Ok(plan)
}

/// The directory knows who has a mode, for deletes of all modes of a context, and who is an alias of what, for lists.
fn list_settings(plan: &mut Plan, seen: Seen<'_>, has_mode: bool, alias: Option<&str>) {
    if !has_mode && alias.is_none() && seen.head.total == 0 {
        seen.unlist(plan);
        return;
    }
    let mode = if has_mode { Edit::Set(HAS_MODE, AttributeValue::Bool(true)) } else { Edit::Remove(HAS_MODE) };
    let alias = alias.map_or(Edit::Remove(ALIAS), |alias| Edit::Set(ALIAS, AttributeValue::S(alias.to_owned())));
    plan.push(Key::Directory(seen.subject.clone()), Change::Update(vec![mode, alias]), Vec::new());
}

/// A scope's settings after a change.
#[derive(Debug)]
pub struct SettingsChange<'a> {
    /// Which scope.
    pub scope: &'a Scope,
    /// Its revision as read.
    pub tag: u64,
    /// The settings; the tag in it does not count.
    pub after: &'a SettingsItem,
    /// Other scopes that the decision depended on.
    pub consulted: &'a [SettingsSeen],
    /// What seals sensitive values.
    pub data_keys: &'a Keyring,
}

/// The transaction that changes a scope's settings: all copies at once, so that no registration sees some changed.
pub fn set_scope(change: &SettingsChange<'_>) -> Result<Plan, StoreError> {
    let mut plan = Plan::new(PlanName::SetScope);
    let mut item = vec![(TAG, number(change.tag + 1))];
    let parts = [
        (Part::Own, &change.after.own, CONFIG, MODE),
        (Part::Global, &change.after.global, GLOBAL_CONFIG, GLOBAL_MODE),
    ];
    for (which, part, config, mode) in parts {
        let vault = Vault { keys: change.data_keys, place: Place::Scope(change.scope, which) };
        let value = part.config.as_ref().map(|value| encode_config(value, &vault)).transpose()?;
        item.extend(value.map(|bytes| (config, binary(bytes))));
        item.extend(part.mode.map(|value| (mode, mode_value(value))));
    }
    for copy in 0..COPIES {
        let guard = Guard::new(GuardName::ScopeTag, Test::Counts(TAG, change.tag));
        plan.push(Key::Settings(change.scope.clone(), copy), Change::Put(item.clone()), vec![guard]);
    }
    for seen in change.consulted {
        seen.check(&mut plan);
    }
    Ok(plan)
}

/// How many bytes a configuration takes in the table, but for what sealing adds.
pub fn stored_size(config: &Config) -> usize {
    let vault = Vault { keys: &Keyring::default(), place: Place::Scope(&Scope::Shared, Part::Own) };
    // Only sealing can fail, and nothing is sealed without a key.
    encode_config(config, &vault).map_or(usize::MAX, |bytes| bytes.len())
}

pub(super) fn mode_value(mode: Mode) -> AttributeValue {
    AttributeValue::S(mode.name().to_owned())
}
