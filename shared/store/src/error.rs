//! Why the table could not be read or written.

use std::fmt;

/// A failure of the store. None of them says whether a write took effect, except that each is safe to repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// The retry budget is spent: contention, throttling or an outage.
    Exhausted(String),
    /// The table refuses for good: it is missing, or access is denied.
    Refused(String),
    /// A bug, or data that this version cannot read. Never retried.
    Broken(String),
    /// A sensitive value that no key of this process opens; the words say which key it takes, and hold no value.
    Locked(String),
    /// The disk under an embedded table stands in the way: it is full, say, or read-only. The words are for people.
    Disk(String),
    /// More than one transaction may hold (100 actions, 4 MB).
    TooLarge(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exhausted(detail) => write!(f, "gave up on the table: {detail}"),
            Self::Refused(detail) => write!(f, "the table refused: {detail}"),
            Self::Broken(detail) => write!(f, "unexpected state of the table: {detail}"),
            Self::Locked(detail) => write!(f, "no key for a sensitive value: {detail}"),
            Self::Disk(detail) => write!(f, "the disk stands in the way: {detail}"),
            Self::TooLarge(detail) => write!(f, "too large for one transaction: {detail}"),
        }
    }
}

impl std::error::Error for StoreError {}
