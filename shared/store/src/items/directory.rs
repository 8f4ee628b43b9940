//! The list of a context's subjects.

use crate::StoreError;
use crate::attributes::{Attributes, Item};
use registrar_model::{ContextName, Subject};

pub(crate) const STATE: &str = "st";
pub(crate) const HAS_MODE: &str = "hm";
pub(crate) const ALIAS: &str = "al";
pub(crate) const LIVE: &str = "L";
pub(crate) const DELETED: &str = "D";

/// Whether a subject has live versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectState {
    /// At least one.
    Live,
    /// Only soft-deleted ones.
    OnlyDeleted,
}

/// A subject that has versions, or a mode or alias of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryEntry {
    /// The subject.
    pub subject: Subject,
    /// `None` without versions.
    pub state: Option<SubjectState>,
    /// Whether a mode is set for it.
    pub has_mode: bool,
    /// The alias in its configuration.
    pub alias: Option<String>,
}

impl DirectoryEntry {
    pub(crate) fn decode(context: &ContextName, item: &Item) -> Result<Self, StoreError> {
        let item = Attributes(item);
        let sk = item.text("sk")?;
        let name = sk.strip_prefix('=').ok_or_else(|| StoreError::Broken(format!("directory key {sk}")))?;
        let state = match item.optional_text(STATE)? {
            None => None,
            Some(LIVE) => Some(SubjectState::Live),
            Some(DELETED) => Some(SubjectState::OnlyDeleted),
            Some(other) => return Err(StoreError::Broken(format!("subject state {other}"))),
        };
        let alias = item.optional_text(ALIAS)?.map(str::to_owned);
        Ok(Self { subject: Subject::new(context.clone(), name), state, has_mode: item.flag(HAS_MODE)?, alias })
    }
}
