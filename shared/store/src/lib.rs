//! The DynamoDB table of the registry: key layout, item codecs, transaction plans and the one retry loop.
//!
//! Reads are strongly consistent and typed. Every change is one [`Plan`], a value whose conditions have names, sent as
//! one `TransactWriteItems`. The protocol behind the plans is `docs/STORAGE.md`. Nothing here can parse a schema.

mod attributes;
mod blob;
mod codec;
mod commit;
mod connect;
mod contexts;
mod error;
mod fault;
mod hints;
mod items;
mod key;
mod keyring;
mod layout;
mod plan;
mod plans;
mod query;
mod race;
mod read;
mod runtime;
mod safeguard;
mod sequence;
mod update;

pub use commit::Outcome;
pub use connect::{Connection, Store};
pub use error::StoreError;
pub use items::{
    ContextItem, DirectoryEntry, Fingerprint, Head, Lookup, ResourceItem, SchemaItem, SettingsItem, SettingsPart,
    SubjectState, Target, Usage, VersionRow,
};
pub use key::{COPIES, Key, Scope};
pub use keyring::{DataKey, KeyError, Keyring};
pub use plan::{Action, Change, Edit, Guard, GuardName, Plan, Test};
pub use plans::{
    AssociatedSubject, AssociationChange, ContentKeys, DeleteVersion, DeletedRow, HardDelete, LookupAfter, NewVersion,
    Overwritten, ReferenceTarget, Seen, SettingsChange, SettingsSeen, SoftDeleteSubject, SubjectSettings, SweepRow,
    change_associations, clear_mark, clear_subject, delete_version, new_version, permanent_delete,
    permanent_delete_subject, remove_context, set_scope, set_subject_settings, soft_delete_subject, stored_size,
    sweep_rows,
};
pub use race::Race;
pub use read::Fetched;
pub use runtime::{Entropy, Runtime};
pub use safeguard::{PlanName, Safeguard, StepName};
pub use sequence::Counter;
