//! The row of one version of a subject.

use super::{schema_id, version};
use crate::StoreError;
use crate::attributes::{Attributes, Item};
use crate::blob::Body;
use crate::codec::decode_targets;
use crate::items::Head;
use crate::keyring::Keyring;
use registrar_model::{Guid, SchemaContent, SchemaId, Sha256Hash, Subject, Version, VersionMark};

pub(crate) const NUMBER: &str = "vn";
pub(crate) const ID: &str = "id";
pub(crate) const HASH: &str = "sh";
pub(crate) const EQUALITY: &str = "eq";
pub(crate) const MARK: &str = "cv";
pub(crate) const INLINED: &str = "eo";
pub(crate) const GUID: &str = "gd";
pub(crate) const DELETED: &str = "dl";
pub(crate) const BORN: &str = "bn";
pub(crate) const REFS: &str = "rf";
pub(crate) const REFS_REVISION: &str = "rx";
pub(crate) const WRITTEN: &str = "ts";
pub(crate) const TARGETS: &str = "rt";
pub(crate) const BODY: &str = "bd";

/// One version of one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionRow {
    /// Its number.
    pub version: Version,
    /// The schema id.
    pub id: SchemaId,
    /// Hash of the exact content.
    pub hash: Sha256Hash,
    /// Hash of the content as lookups compare it.
    pub equality: Sha256Hash,
    /// What tells its metadata apart from others with the same `equality`.
    pub mark: VersionMark,
    /// For a row with references: `equality` of the same text had it none. A lookup without references means it, too.
    pub inlined: Option<Sha256Hash>,
    /// The name of the content everywhere.
    pub guid: Guid,
    /// Soft-deleted by itself. A row born at or before the head's floor is deleted as well.
    pub deleted: bool,
    /// The head's tag that made this row.
    pub born: u64,
    /// How many references from other versions there are to this one.
    pub refs: u64,
    /// Grows with every change of `refs`, also where a referrer comes back to life without changing the number.
    pub refs_revision: u64,
    /// When it was written, in milliseconds since the epoch.
    pub written: u64,
    /// What it refers to.
    pub targets: Vec<Target>,
    /// The content, once it has been read: from the row itself if it is small, else from the schema item.
    pub content: Option<SchemaContent>,
    /// The packed content of a small schema. Expanded only when asked for: a list of versions needs none of them.
    body: Option<Vec<u8>>,
}

/// A version that another refers to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// Its subject, resolved.
    pub subject: Subject,
    /// Its number.
    pub version: Version,
    /// How many of the references mean it.
    pub count: u64,
}

impl VersionRow {
    pub(crate) fn decode(item: &Item) -> Result<Self, StoreError> {
        let item = Attributes(item);
        Ok(Self {
            version: version(&item, NUMBER)?,
            id: schema_id(&item, ID)?,
            hash: Sha256Hash(item.digest(HASH)?),
            equality: Sha256Hash(item.digest(EQUALITY)?),
            mark: decode_mark(&item)?,
            inlined: item.optional_digest(INLINED)?.map(Sha256Hash),
            guid: Guid(item.digest(GUID)?),
            deleted: item.flag(DELETED)?,
            born: item.number(BORN)?,
            refs: item.count(REFS)?,
            refs_revision: item.count(REFS_REVISION)?,
            written: item.number(WRITTEN)?,
            targets: item.optional_binary(TARGETS)?.map(decode_targets).transpose()?.unwrap_or_default(),
            content: None,
            body: item.optional_binary(BODY)?.map(<[u8]>::to_vec),
        })
    }

    /// Expands the content that the row carries itself; false if it stands elsewhere.
    pub(crate) fn expand(&mut self, keys: &Keyring) -> Result<bool, StoreError> {
        if self.content.is_none() {
            self.content = self.body.as_deref().map(|body| Body::decode(body, self.hash, keys)).transpose()?;
        }
        Ok(self.content.is_some())
    }

    /// Whether the row carries its content itself.
    pub fn is_whole(&self) -> bool {
        self.body.is_some()
    }

    /// Whether the row counts as there, seen beside `head`.
    pub fn is_live(&self, head: &Head) -> bool {
        !self.deleted && self.born > head.floor
    }
}

/// Empty metadata; no number reads so.
const EMPTY: &str = "{}";

/// The mark of a row's metadata; absent for the usual one.
pub(crate) fn decode_mark(item: &Attributes<'_>) -> Result<VersionMark, StoreError> {
    Ok(match item.optional_text(MARK)? {
        None => VersionMark::Plain,
        Some(EMPTY) => VersionMark::Empty,
        Some(number) => VersionMark::Numbered(number.to_owned()),
    })
}

/// The mark as an attribute; `None` for the usual one.
pub(crate) fn encode_mark(mark: &VersionMark) -> Option<String> {
    match mark {
        VersionMark::Plain => None,
        VersionMark::Empty => Some(EMPTY.to_owned()),
        VersionMark::Numbered(number) => Some(number.clone()),
    }
}
