//! The record of a context.

use crate::StoreError;
use crate::attributes::{Attributes, Item};

pub(crate) const DESCRIPTION: &str = "ds";

/// A context that holds schemas, held some, or was created empty. Its `tag` is the highest that a registration has read
/// in the context's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextItem {
    /// What it is for, in the words of whoever created it.
    pub description: Option<String>,
}

impl ContextItem {
    pub(crate) fn decode(item: &Item) -> Result<Self, StoreError> {
        Ok(Self { description: Attributes(item).optional_text(DESCRIPTION)?.map(str::to_owned) })
    }
}
