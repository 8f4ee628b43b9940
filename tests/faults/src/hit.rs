//! What can happen to a call.

use registrar_harness::{Fault, Point};

/// Something that happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// It fails once.
    Once(Fault),
    /// It and all calls after it fail, until the client has been told.
    Outage(Fault),
    /// The process dies with the call on its way.
    Death(Point),
}

impl Hit {
    /// Every one, in the order of the matrix.
    pub fn all() -> Vec<Self> {
        let errors = [Fault::Throttled, Fault::TimeoutBefore, Fault::TimeoutAfter, Fault::InternalError];
        let outages = errors.into_iter().chain([Fault::Unprocessed, Fault::EmptyPage]);
        // No operation makes a table; `tests/harness/tests/start.rs` has the start.
        let once = Fault::ALL.into_iter().filter(|fault| *fault != Fault::NotSeenYet).map(Self::Once);
        let deaths = [Point::Before, Point::After].map(Self::Death);
        once.chain(outages.map(Self::Outage)).chain(deaths).collect()
    }

    /// The head of its column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Once(Fault::Refused) => "refused",
            Self::Once(Fault::InternalError) => "500",
            Self::Once(Fault::InternalErrorAfter) => "500-done",
            Self::Once(Fault::Throttled) => "throttled",
            Self::Once(Fault::CancelledForLoad) => "cancelled",
            Self::Once(Fault::Conflict) => "conflict",
            Self::Once(Fault::TimeoutBefore) => "lost",
            Self::Once(Fault::TimeoutAfter) => "lost-done",
            Self::Outage(Fault::Throttled) => "all-throttled",
            Self::Outage(Fault::TimeoutAfter) => "all-lost-done",
            Self::Once(Fault::HalfUnprocessed) => "partial",
            Self::Once(Fault::Unprocessed) => "unprocessed",
            Self::Once(Fault::ShortPage) => "short-page",
            Self::Once(Fault::EmptyPage) => "empty-page",
            Self::Once(Fault::NotSeenYet) => "not-seen",
            Self::Outage(Fault::InternalError) => "all-500",
            Self::Outage(Fault::Unprocessed) => "all-unprocessed",
            Self::Outage(Fault::EmptyPage) => "all-empty-page",
            Self::Outage(_) => "all-lost",
            Self::Death(Point::Before) => "death",
            Self::Death(Point::After) => "death-done",
        }
    }

    /// Whether it can happen to a call of this DynamoDB operation.
    pub fn can_strike(self, call: &str) -> bool {
        match self {
            Self::Once(fault) | Self::Outage(fault) => fault.can_hit(call),
            Self::Death(Point::Before) => true,
            Self::Death(Point::After) => Fault::TimeoutAfter.can_hit(call),
        }
    }

    /// Whether no call succeeds from there on. Of calls side by side the others may be enough for the answer.
    pub(crate) const fn is_of_all_calls(self) -> bool {
        matches!(self, Self::Outage(fault) if !fault.is_partial())
    }

    /// Whether the operation gets over it without the client: it tries again by itself.
    pub(crate) const fn passes(self) -> bool {
        matches!(self, Self::Once(fault) if !matches!(fault, Fault::Refused))
    }
}
