//! Where a sealed value belongs: bound into its seal, so that it opens nowhere else.

use crate::key::Scope;
use registrar_model::{Sha256Hash, Subject};

/// What a sealed value is a part of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'a> {
    /// The content with this exact hash. Each subject and context that has it keeps the same values, so it does not
    /// matter among which of them one is moved.
    Content(Sha256Hash),
    /// A subject's own configuration.
    Subject(&'a Subject),
    /// The configuration of a scope: its own, or that of `.__GLOBAL` beside it.
    Scope(&'a Scope, Part),
}

/// One of the two levels in one settings item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Own,
    Global,
}

/// One property in one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot<'a> {
    /// What it is a part of.
    pub(crate) place: Place<'a>,
    /// Which metadata of it.
    pub(crate) member: &'static str,
    /// The property's name.
    pub(crate) property: &'a str,
}

impl Slot<'_> {
    /// The slot in bytes, with the key's name. Each text has its length in front, so no two slots are written alike.
    /// Stored seals depend on it: never to be changed without another number in the first line.
    pub(super) fn bytes(&self, key: &str) -> Vec<u8> {
        let hash;
        let owner: [&str; 3] = match self.place {
            Place::Content(digest) => {
                hash = digest.to_string();
                ["content", &hash, ""]
            }
            Place::Subject(subject) => ["subject", subject.context().as_str(), subject.name()],
            Place::Scope(Scope::Shared, Part::Own) => ["top", "", ""],
            Place::Scope(Scope::Shared, Part::Global) => ["global", "", ""],
            Place::Scope(Scope::Context(context), _) => ["context", context.as_str(), ""],
        };
        let mut bytes = b"registrar sensitive value 1".to_vec();
        for text in owner.into_iter().chain([key, self.member, self.property]) {
            bytes.extend_from_slice(&(text.len() as u64).to_be_bytes());
            bytes.extend_from_slice(text.as_bytes());
        }
        bytes
    }
}
