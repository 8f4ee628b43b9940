//! Which version of which subject uses an id.

use crate::StoreError;
use crate::attributes::{Attributes, Item};
use crate::key::{USAGE_PREFIX, unescape};
use registrar_model::{ContextName, Subject, Version};

/// One user of a schema id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The subject.
    pub subject: Subject,
    /// Its version.
    pub version: Version,
    /// When that version was written, in milliseconds since the epoch.
    pub written: u64,
}

impl Usage {
    pub(crate) fn decode(context: &ContextName, item: &Item) -> Result<Self, StoreError> {
        let item = Attributes(item);
        let sk = item.text("sk")?;
        let parsed = sk.strip_prefix(USAGE_PREFIX).and_then(|rest| rest.rsplit_once('#'));
        let version = parsed.and_then(|(_, number)| number.parse().ok()).and_then(Version::new);
        let (Some((name, _)), Some(version)) = (parsed, version) else {
            return Err(StoreError::Broken(format!("usage key {sk}")));
        };
        Ok(Self {
            subject: Subject::new(context.clone(), unescape(name)),
            version,
            written: item.count(super::version::WRITTEN)?,
        })
    }
}
