//! All that keeps concurrent writers right, by name, so that tests can take each away and see what goes wrong: the
//! conditions of each transaction, and the steps that are no conditions. `docs/STORAGE.md` says what each is for.

use crate::Store;
use crate::plan::GuardName;
use std::fmt;
use std::sync::Arc;

/// The transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlanName {
    /// A new version.
    Register,
    /// A soft delete of a version.
    DeleteVersion,
    /// A permanent delete of a version.
    PurgeVersion,
    /// A soft delete of a subject.
    DeleteSubject,
    /// A permanent delete of a subject.
    PurgeSubject,
    /// The end of a subject's versions before an import.
    ClearSubject,
    /// The removal of some rows under a mark.
    Sweep,
    /// The end of a sweep.
    EndSweep,
    /// Configuration and mode of a subject.
    SetSubject,
    /// Configuration and mode of a scope.
    SetScope,
    /// The removal of a context's record.
    RemoveContext,
    /// Associations of a resource.
    Associate,
}

impl PlanName {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Register,
        Self::DeleteVersion,
        Self::PurgeVersion,
        Self::DeleteSubject,
        Self::PurgeSubject,
        Self::ClearSubject,
        Self::Sweep,
        Self::EndSweep,
        Self::SetSubject,
        Self::SetScope,
        Self::RemoveContext,
        Self::Associate,
    ];

    /// Every condition that such a transaction may have.
    pub const fn guards(self) -> &'static [GuardName] {
        use GuardName as G;
        match self {
            Self::Register => &[
                G::HeadTag,
                G::SettingsTag,
                G::FingerprintAbsent,
                G::FingerprintSeen,
                G::FingerprintUses,
                G::IdAbsent,
                G::TargetLive,
                G::TargetFloor,
                G::TargetUnmarked,
                G::TargetNotStrong,
                G::TargetLatest,
                G::VersionRefs,
            ],
            Self::DeleteVersion => &[G::HeadTag, G::SettingsTag, G::VersionRefs],
            Self::PurgeVersion => &[G::HeadTag, G::SettingsTag, G::VersionRefs, G::FingerprintSeen, G::FingerprintUses],
            Self::DeleteSubject | Self::PurgeSubject | Self::ClearSubject => {
                &[G::HeadTag, G::SettingsTag, G::SubjectRefs]
            }
            Self::Sweep => &[G::VersionBorn, G::FingerprintSeen, G::FingerprintUses],
            Self::EndSweep => &[G::SweepMark],
            Self::SetSubject => &[G::HeadTag, G::SettingsTag],
            Self::SetScope => &[G::ScopeTag, G::SettingsTag],
            Self::RemoveContext => &[G::ContextUnused],
            Self::Associate => &[G::ResourceSeen, G::HeadTag, G::SettingsTag, G::SubjectRefs],
        }
    }
}

/// Steps that are no conditions of a transaction: second looks before something is said, and notes taken before
/// something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepName {
    /// Every read is strongly consistent.
    StrongRead,
    /// A transaction is repeated under the token that it was first sent with.
    SameToken,
    /// Counters and records of contexts only rise.
    OnlyUp,
    /// A refusal looks at the head again.
    RefusalHead,
    /// A refusal looks at the settings again.
    RefusalSettings,
    /// A refusal of a change of associations looks at everything again.
    RefusalResource,
    /// A lookup that finds nothing reads row and head again.
    LookupRefusal,
    /// A version that is not there is looked for again between two equal heads.
    VersionRefusal,
    /// A registration reads the lookup row again, after the head.
    LookupAgain,
    /// The highest version is the latest only if the head says so.
    LatestRead,
    /// A reference to the latest version finds a live one.
    LatestReference,
    /// A delete of the latest version finds a live one.
    LatestDelete,
    /// The rows of a subject are as many as the head counts.
    RowCount,
    /// Rows that are newer than the head do not count.
    RowBorn,
    /// The versions with an id have that id.
    UsageMoved,
    /// An id without a user is read again.
    UserAgain,
    /// Other contexts are as they were when the search of them ends.
    ContextsAgain,
    /// Writers finish a sweep before they write.
    SweepFirst,
    /// The mark goes after the rows.
    RowsBeforeMark,
    /// A permanent delete sweeps what referred to the version.
    ReferrersFirst,
    /// A referrer is noted at its targets before it is there.
    ReferrerHint,
    /// A context is noted before its first version is there.
    ContextNote,
    /// A namespace is noted before its first resource is there.
    NamespaceHint,
    /// The counter passes an id before an import takes it.
    CounterRaise,
    /// A context's settings move before it is deleted.
    ContextMove,
    /// A context is empty still after that.
    ContextEmpty,
    /// A copy of a version is registered beside the head that it was made from.
    CopyHead,
    /// A refusal to register looks for the content again.
    RefusalLookup,
    /// An answer about a reference to the latest version finds its subject unchanged.
    LatestAgain,
    /// References to the schema's own subject agree with the head.
    OwnTarget,
}

impl StepName {
    /// All of them.
    pub const ALL: [Self; 30] = [
        Self::StrongRead,
        Self::SameToken,
        Self::OnlyUp,
        Self::RefusalHead,
        Self::RefusalSettings,
        Self::RefusalResource,
        Self::LookupRefusal,
        Self::VersionRefusal,
        Self::LookupAgain,
        Self::LatestRead,
        Self::LatestReference,
        Self::LatestDelete,
        Self::RowCount,
        Self::RowBorn,
        Self::UsageMoved,
        Self::UserAgain,
        Self::ContextsAgain,
        Self::SweepFirst,
        Self::RowsBeforeMark,
        Self::ReferrersFirst,
        Self::ReferrerHint,
        Self::ContextNote,
        Self::NamespaceHint,
        Self::CounterRaise,
        Self::ContextMove,
        Self::ContextEmpty,
        Self::CopyHead,
        Self::RefusalLookup,
        Self::LatestAgain,
        Self::OwnTarget,
    ];
}

/// One condition of one transaction, or one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Safeguard {
    /// A condition.
    Guard(PlanName, GuardName),
    /// A step.
    Step(StepName),
}

impl Safeguard {
    /// All of them: first the conditions, transaction by transaction, then the steps.
    pub fn all() -> impl Iterator<Item = Self> {
        let of = |plan: PlanName| plan.guards().iter().map(move |&guard| Self::Guard(plan, guard));
        PlanName::ALL.into_iter().flat_map(of).chain(StepName::ALL.into_iter().map(Self::Step))
    }
}

impl fmt::Display for Safeguard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Guard(plan, guard) => write!(f, "{plan:?}.{guard:?}"),
            Self::Step(step) => write!(f, "Step.{step:?}"),
        }
    }
}

impl Store {
    /// The same table without some safeguards. Only for tests that show what each is for.
    #[must_use]
    pub fn without(mut self, dropped: impl IntoIterator<Item = Safeguard>) -> Self {
        self.dropped = Arc::new(dropped.into_iter().collect());
        self
    }

    /// The same table with some conditions left out of every transaction.
    #[must_use]
    pub fn without_guards(self, dropped: impl IntoIterator<Item = GuardName>) -> Self {
        let dropped: Vec<GuardName> = dropped.into_iter().collect();
        let of = |plan: PlanName| plan.guards().iter().map(move |&guard| (plan, guard));
        let all = PlanName::ALL.into_iter().flat_map(of).filter(|(_, guard)| dropped.contains(guard));
        self.without(all.map(|(plan, guard)| Safeguard::Guard(plan, guard)).collect::<Vec<_>>())
    }

    /// Whether a step is taken: always, but in tests of what it is for.
    pub fn takes(&self, step: StepName) -> bool {
        self.dropped.is_empty() || !self.dropped.contains(&Safeguard::Step(step))
    }

    /// Whether what a step looks at is as it must be.
    pub fn holds(&self, step: StepName, condition: bool) -> bool {
        condition || !self.takes(step)
    }
}
