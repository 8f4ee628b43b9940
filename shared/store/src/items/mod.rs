//! The items of the table as values.

pub(crate) mod context;
pub(crate) mod directory;
pub(crate) mod fingerprint;
pub(crate) mod head;
pub(crate) mod lookup;
pub(crate) mod resource;
pub(crate) mod schema;
pub(crate) mod settings;
mod usage;
pub(crate) mod version;

pub use context::ContextItem;
pub use directory::{DirectoryEntry, SubjectState};
pub use fingerprint::Fingerprint;
pub use head::Head;
pub use lookup::Lookup;
pub use resource::ResourceItem;
pub use schema::SchemaItem;
pub use settings::{SettingsItem, SettingsPart};
pub use usage::Usage;
pub use version::{Target, VersionRow};

pub(crate) use schema::SchemaHead;
pub(crate) use version::{BODY, HASH};

use crate::StoreError;
use crate::attributes::{Attributes, wrong};
use registrar_model::{SchemaId, Version};

fn schema_id(item: &Attributes<'_>, name: &str) -> Result<SchemaId, StoreError> {
    SchemaId::new(item.number(name)?).ok_or_else(|| wrong(name, item.0.get(name)))
}

fn version(item: &Attributes<'_>, name: &str) -> Result<Version, StoreError> {
    Version::new(item.number(name)?).ok_or_else(|| wrong(name, item.0.get(name)))
}

fn optional_version(item: &Attributes<'_>, name: &str) -> Result<Option<Version>, StoreError> {
    Ok(Version::new(item.optional_number(name)?.unwrap_or(0)))
}
