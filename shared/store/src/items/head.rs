//! The head of a subject.

use super::optional_version;
use crate::StoreError;
use crate::attributes::{Attributes, Item};
use crate::codec::{Vault, decode_config};
use registrar_model::{Config, Mode, Version};

pub(crate) const TAG: &str = "tag";
pub(crate) const FLOOR: &str = "fl";
pub(crate) const HIGHEST: &str = "mx";
pub(crate) const LATEST: &str = "lt";
pub(crate) const LIVE: &str = "lv";
pub(crate) const TOTAL: &str = "tt";
pub(crate) const INREFS: &str = "ir";
/// Counts every change of `INREFS`, so that two changes that cancel out are still seen.
pub(crate) const INREFS_REVISION: &str = "ix";
pub(crate) const MARK: &str = "mk";
pub(crate) const REFERS: &str = "rr";
pub(crate) const ASSOCIATIONS: &str = "ac";
pub(crate) const STRONG: &str = "sg";
pub(crate) const CONFIG: &str = "cf";
pub(crate) const MODE: &str = "md";

/// What holds a subject together. Absent reads as all zero. Never removed, so that `tag` never goes back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Revision: one more with every write to the subject. Every write is conditioned on the one it read.
    pub tag: u64,
    /// The tag at which the last whole-subject delete committed: rows born at or before it are dead.
    pub floor: u64,
    /// The highest version, soft-deleted ones included.
    pub highest: Option<Version>,
    /// The highest live version.
    pub latest: Option<Version>,
    /// How many versions are live.
    pub live: u64,
    /// How many versions there are.
    pub total: u64,
    /// References from versions of other subjects to any version of this one.
    pub inrefs: u64,
    /// Grows with every change of `inrefs`, also where a referrer comes back to life without changing the number.
    pub inrefs_revision: u64,
    /// The tag of a permanent delete whose rows are still being swept.
    pub mark: Option<u64>,
    /// Whether any version ever had references: only then can a text without references mean one that has some.
    pub refers: bool,
    /// How many associations there are with the subject.
    pub associations: u64,
    /// How many of them are STRONG: one at most, unless something is wrong.
    pub strong: u64,
    /// The subject's own configuration.
    pub config: Option<Config>,
    /// The subject's own mode.
    pub mode: Option<Mode>,
}

impl Head {
    /// The alias in the subject's own configuration.
    pub fn alias(&self) -> Option<&str> {
        self.config.as_ref().and_then(Config::alias)
    }

    pub(crate) fn decode(item: Option<&Item>, vault: &Vault<'_>) -> Result<Self, StoreError> {
        let Some(item) = item.map(Attributes) else { return Ok(Self::default()) };
        Ok(Self {
            tag: item.count(TAG)?,
            floor: item.count(FLOOR)?,
            highest: optional_version(&item, HIGHEST)?,
            latest: optional_version(&item, LATEST)?,
            live: item.count(LIVE)?,
            total: item.count(TOTAL)?,
            inrefs: item.count(INREFS)?,
            inrefs_revision: item.count(INREFS_REVISION)?,
            mark: item.optional_number(MARK)?,
            refers: item.flag(REFERS)?,
            associations: item.count(ASSOCIATIONS)?,
            strong: item.count(STRONG)?,
            config: item.optional_binary(CONFIG)?.map(|bytes| decode_config(bytes, vault)).transpose()?,
            mode: decode_mode(&item, MODE)?,
        })
    }
}

/// A mode attribute, if it is there.
pub(crate) fn decode_mode(item: &Attributes<'_>, name: &str) -> Result<Option<Mode>, StoreError> {
    let Some(text) = item.optional_text(name)? else { return Ok(None) };
    Mode::parse(text).map(Some).ok_or_else(|| StoreError::Broken(format!("unknown mode {text}")))
}
