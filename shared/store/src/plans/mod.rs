//! The transactions of the protocol (`docs/STORAGE.md`): facts that were read and a decision go in, a [`Plan`] comes
//! out. Nothing here reads or sends, and nothing is left to chance but the nonces of sealed values.

mod associations;
mod context;
mod delete_subject;
mod delete_version;
mod new_version;
mod references;
mod settings;
mod sweep;
mod uses;

pub use associations::{AssociatedSubject, AssociationChange, change_associations};
pub use context::remove_context;
pub use delete_subject::{SoftDeleteSubject, clear_subject, permanent_delete_subject, soft_delete_subject};
pub use delete_version::{DeleteVersion, HardDelete, LookupAfter, delete_version, permanent_delete};
pub use new_version::{ContentKeys, NewVersion, Overwritten, new_version};
pub use references::ReferenceTarget;
pub use settings::{SettingsChange, SubjectSettings, set_scope, set_subject_settings, stored_size};
pub use sweep::{SweepRow, clear_mark, sweep_rows};
pub use uses::DeletedRow;

use crate::attributes::number;
use crate::items::Head;
use crate::items::directory::{DELETED, LIVE, STATE};
use crate::items::head::TAG;
use crate::key::{Key, Scope};
use crate::plan::{Change, Edit, Guard, GuardName, Plan, Test};
use aws_sdk_dynamodb::types::AttributeValue;
use registrar_model::Subject;

/// One copy of a scope's settings as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsSeen {
    /// Which scope.
    pub scope: Scope,
    /// Which of its copies.
    pub copy: u8,
    /// Its revision.
    pub tag: u64,
}

impl SettingsSeen {
    /// Makes the transaction depend on these settings.
    fn check(&self, plan: &mut Plan) {
        let guard = Guard::new(GuardName::SettingsTag, Test::Counts(TAG, self.tag));
        plan.push(Key::Settings(self.scope.clone(), self.copy), Change::Check, vec![guard]);
    }
}

/// What an operation on a subject has read, and its transaction depends on.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The subject.
    pub subject: &'a Subject,
    /// Its head.
    pub head: &'a Head,
    /// The settings consulted.
    pub settings: &'a [SettingsSeen],
}

impl Seen<'_> {
    /// The tag that the transaction leaves behind.
    fn next_tag(&self) -> u64 {
        self.head.tag + 1
    }

    /// Writes the head, under the condition that it is as it was read, together with all settings consulted.
    fn write_head(&self, plan: &mut Plan, edits: Vec<Edit>, guards: Vec<Guard>) {
        self.write_only_head(plan, edits, guards);
        self.settings.iter().for_each(|seen| seen.check(plan));
    }

    /// As [`Seen::write_head`], without the settings: for a transaction on several subjects, which may share them.
    fn write_only_head(&self, plan: &mut Plan, mut edits: Vec<Edit>, mut guards: Vec<Guard>) {
        edits.push(Edit::Set(TAG, number(self.next_tag())));
        guards.push(Guard::new(GuardName::HeadTag, Test::Counts(TAG, self.head.tag)));
        plan.push(Key::Head(self.subject.clone()), Change::Update(edits), guards);
    }

    /// Shows the subject in the lists as having live versions, or only deleted ones.
    fn list_as(&self, plan: &mut Plan, live: bool) {
        let state = AttributeValue::S(if live { LIVE } else { DELETED }.to_owned());
        plan.push(Key::Directory(self.subject.clone()), Change::Update(vec![Edit::Set(STATE, state)]), Vec::new());
    }

    /// Takes the subject off the lists, but for a mode or alias that it has.
    fn unlist_versions(&self, plan: &mut Plan) {
        if self.head.mode.is_none() && self.head.alias().is_none() {
            return self.unlist(plan);
        }
        plan.push(Key::Directory(self.subject.clone()), Change::Update(vec![Edit::Remove(STATE)]), Vec::new());
    }

    fn unlist(&self, plan: &mut Plan) {
        plan.push(Key::Directory(self.subject.clone()), Change::Delete, Vec::new());
    }
}

/// Sets a version attribute, or removes it.
fn set_version(name: &'static str, version: Option<registrar_model::Version>) -> Edit {
    version.map_or(Edit::Remove(name), |version| Edit::Set(name, number(version.get())))
}
