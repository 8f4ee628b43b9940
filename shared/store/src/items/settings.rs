//! Settings of a scope.

use super::head::{CONFIG, MODE, TAG, decode_mode};
use crate::StoreError;
use crate::attributes::{Attributes, Item};
use crate::codec::{Vault, decode_config};
use crate::key::Scope;
use crate::keyring::{Keyring, Part, Place};
use registrar_model::{Config, Mode};

pub(crate) const GLOBAL_CONFIG: &str = "gc";
pub(crate) const GLOBAL_MODE: &str = "gm";

/// Configuration and mode of one level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsPart {
    /// The configuration set there.
    pub config: Option<Config>,
    /// The mode set there.
    pub mode: Option<Mode>,
}

/// One copy of a scope's settings. Absent reads as nothing set, at tag 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsItem {
    /// Revision: one more with every change.
    pub tag: u64,
    /// The top level, or the context.
    pub own: SettingsPart,
    /// `.__GLOBAL`; only in the shared scope.
    pub global: SettingsPart,
}

impl SettingsItem {
    pub(crate) fn decode(item: Option<&Item>, scope: &Scope, keys: &Keyring) -> Result<Self, StoreError> {
        let Some(item) = item.map(Attributes) else { return Ok(Self::default()) };
        let part = |part, config, mode| {
            let vault = Vault { keys, place: Place::Scope(scope, part) };
            Ok::<_, StoreError>(SettingsPart {
                config: item.optional_binary(config)?.map(|bytes| decode_config(bytes, &vault)).transpose()?,
                mode: decode_mode(&item, mode)?,
            })
        };
        Ok(Self {
            tag: item.count(TAG)?,
            own: part(Part::Own, CONFIG, MODE)?,
            global: part(Part::Global, GLOBAL_CONFIG, GLOBAL_MODE)?,
        })
    }
}
