//! The index from a content to its id.

use super::schema_id;
use crate::StoreError;
use crate::attributes::{Attributes, Item};
use registrar_model::{Guid, SchemaId};

pub(crate) const USES: &str = "us";

/// One content's id within a context, or one of its further ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// The id.
    pub id: SchemaId,
    /// How many versions have it.
    pub uses: u64,
    /// The name of the content everywhere, to find its guid item.
    pub guid: Guid,
    /// How many chunks hold the body; 0 where the schema item does.
    pub chunks: u16,
}

impl Fingerprint {
    pub(crate) fn decode(item: &Item) -> Result<Self, StoreError> {
        let item = Attributes(item);
        Ok(Self {
            id: schema_id(&item, super::version::ID)?,
            uses: item.number(USES)?,
            guid: Guid(item.digest(super::version::GUID)?),
            chunks: item.optional_number(super::schema::CHUNKS)?.unwrap_or(0),
        })
    }
}
