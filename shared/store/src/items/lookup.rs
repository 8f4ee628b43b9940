//! The row that answers "which version has this content".

use super::{schema_id, version};
use crate::StoreError;
use crate::attributes::{Attributes, Item};
use crate::items::Head;
use registrar_model::{SchemaId, Sha256Hash, Version, VersionMark};

pub(crate) const SEVERAL: &str = "du";

/// The newest version with one content, as lookups file it: a live one if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The version.
    pub version: Version,
    /// Its schema id.
    pub id: SchemaId,
    /// Hash of its exact content.
    pub hash: Sha256Hash,
    /// What tells its metadata apart from others filed under the same key.
    pub mark: VersionMark,
    /// Whether that version is soft-deleted by itself.
    pub deleted: bool,
    /// The head's tag that made that version.
    pub born: u64,
    /// Whether more than one version of the subject may be filed under this key: an explicit version, IMPORT and
    /// `confluent:version` do that.
    pub several: bool,
}

impl Lookup {
    pub(crate) fn decode(item: &Item) -> Result<Self, StoreError> {
        let item = Attributes(item);
        Ok(Self {
            version: version(&item, super::version::NUMBER)?,
            id: schema_id(&item, super::version::ID)?,
            hash: Sha256Hash(item.digest(super::version::HASH)?),
            mark: super::version::decode_mark(&item)?,
            deleted: item.flag(super::version::DELETED)?,
            born: item.number(super::version::BORN)?,
            several: item.flag(SEVERAL)?,
        })
    }

    /// Whether the version counts as there, seen beside `head`.
    pub fn is_live(&self, head: &Head) -> bool {
        !self.deleted && self.born > head.floor
    }
}
