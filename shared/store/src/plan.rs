//! Transactions as values: which items change how, under which named conditions.

use crate::key::Key;
use crate::safeguard::PlanName;
use aws_sdk_dynamodb::types::AttributeValue;

/// One transaction. At most one action an item, as DynamoDB demands.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Which transaction it is.
    pub name: PlanName,
    /// What it does, in no order that matters.
    pub actions: Vec<Action>,
}

/// What happens to one item.
#[derive(Clone, Debug)]
pub struct Action {
    /// Which item.
    pub key: Key,
    /// How it changes.
    pub change: Change,
    /// What must hold for the transaction to commit.
    pub guards: Vec<Guard>,
}

/// How an item changes.
#[derive(Clone, Debug)]
pub enum Change {
    /// Not at all; only its guards count.
    Check,
    /// It becomes exactly this.
    Put(Vec<(&'static str, AttributeValue)>),
    /// Single attributes change; an absent item begins to be.
    Update(Vec<Edit>),
    /// It goes.
    Delete,
}

/// A change of one attribute.
#[derive(Clone, Debug)]
pub enum Edit {
    /// Becomes this value.
    Set(&'static str, AttributeValue),
    /// Grows by this; absent counts as 0.
    Add(&'static str, i64),
    /// Goes.
    Remove(&'static str),
}

/// A condition with a name.
#[derive(Clone, Debug)]
pub struct Guard {
    /// What it is for.
    pub name: GuardName,
    /// What it asks.
    pub test: Test,
}

/// The conditions of the protocol. Each is there because a schedule breaks without it (`docs/STORAGE.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GuardName {
    /// The subject is as it was read.
    HeadTag,
    /// The settings consulted are as they were read.
    SettingsTag,
    /// The settings being changed are as they were read.
    ScopeTag,
    /// A new content is still new.
    FingerprintAbsent,
    /// A known content still has the id that was read.
    FingerprintSeen,
    /// The number of uses on which a release decided.
    FingerprintUses,
    /// A new id is free: imports take ids that the counter has not given out.
    IdAbsent,
    /// The version referred to is there, not deleted, and the one that was read.
    TargetLive,
    /// Its subject was not deleted as a whole.
    TargetFloor,
    /// Its subject is not being swept.
    TargetUnmarked,
    /// Its subject belongs to no topic.
    TargetNotStrong,
    /// It is the latest version, where that was asked for.
    TargetLatest,
    /// The references on which a delete of a version decided.
    VersionRefs,
    /// A row about to go is the one that was read.
    VersionBorn,
    /// The references on which a delete of a subject decided.
    SubjectRefs,
    /// The mark being cleared is the one that was swept.
    SweepMark,
    /// No registration has noted the context since it was found empty.
    ContextUnused,
    /// A resource has the associations that were read.
    ResourceSeen,
}

impl GuardName {
    /// All of them.
    pub const ALL: [Self; 18] = [
        Self::HeadTag,
        Self::SettingsTag,
        Self::ScopeTag,
        Self::FingerprintAbsent,
        Self::FingerprintSeen,
        Self::FingerprintUses,
        Self::IdAbsent,
        Self::TargetLive,
        Self::TargetFloor,
        Self::TargetUnmarked,
        Self::VersionRefs,
        Self::VersionBorn,
        Self::SubjectRefs,
        Self::SweepMark,
        Self::ContextUnused,
        Self::TargetNotStrong,
        Self::TargetLatest,
        Self::ResourceSeen,
    ];
}

/// What a condition asks of an item.
#[derive(Clone, Debug)]
pub enum Test {
    /// The item is not there.
    Absent,
    /// An attribute has this value.
    Is(&'static str, AttributeValue),
    /// A number attribute has this value, where an absent one is 0.
    Counts(&'static str, u64),
    /// A number attribute is lower; absent is 0, but the item must be there.
    Below(&'static str, u64),
    /// A number attribute is higher.
    Above(&'static str, u64),
    /// The item is there without this attribute, or with it false.
    Unset(&'static str),
}

impl Plan {
    /// A transaction that does nothing yet.
    pub(crate) fn new(name: PlanName) -> Self {
        Self { name, actions: Vec::new() }
    }

    /// Adds an action, whose conditions must be among those of the transaction.
    pub fn push(&mut self, key: Key, change: Change, guards: Vec<Guard>) {
        let known = |guard: &Guard| self.name.guards().contains(&guard.name);
        debug_assert!(guards.iter().all(known), "{:?}: a condition that is not listed: {guards:?}", self.name);
        self.actions.push(Action { key, change, guards });
    }
}

impl Guard {
    pub(crate) fn new(name: GuardName, test: Test) -> Self {
        Self { name, test }
    }
}
