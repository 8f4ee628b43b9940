//! A schema by id.

use crate::StoreError;
use crate::attributes::{Attributes, Item};
use crate::blob::Body;
use crate::keyring::Keyring;
use registrar_model::{Guid, SchemaContent, Sha256Hash};

pub(crate) const CHUNKS: &str = "ck";

/// What an id stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaItem {
    /// Hash of the exact content.
    pub hash: Sha256Hash,
    /// The name of the content everywhere.
    pub guid: Guid,
    /// The content.
    pub content: SchemaContent,
}

/// A schema item whose body may still have to be fetched.
pub(crate) struct SchemaHead {
    pub(crate) hash: Sha256Hash,
    pub(crate) guid: Guid,
    pub(crate) chunks: u16,
    pub(crate) body: Option<Vec<u8>>,
}

impl SchemaHead {
    pub(crate) fn decode(item: &Item) -> Result<Self, StoreError> {
        let item = Attributes(item);
        Ok(Self {
            hash: Sha256Hash(item.digest(super::version::HASH)?),
            guid: Guid(item.digest(super::version::GUID)?),
            chunks: item.optional_number(CHUNKS)?.unwrap_or(0),
            body: item.optional_binary(super::version::BODY)?.map(<[u8]>::to_vec),
        })
    }

    pub(crate) fn complete(self, body: &[u8], keys: &Keyring) -> Result<SchemaItem, StoreError> {
        let content = Body::decode(body, self.hash, keys)?;
        Ok(SchemaItem { hash: self.hash, guid: self.guid, content })
    }
}
