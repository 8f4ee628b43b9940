//! The registry: a store, settings, and the operations in the other files of this crate.

use crate::Settings;
use registrar_store::Store;
use std::sync::Arc;

/// A schema registry over a table. Cheap to clone; holds nothing that another process could make untrue.
#[derive(Clone)]
pub struct Registry {
    pub(crate) store: Store,
    pub(crate) settings: Arc<Settings>,
}

impl Registry {
    /// A registry over `store`.
    pub fn new(store: Store, settings: Settings) -> Self {
        Self { store, settings: Arc::new(settings) }
    }

    /// The settings of this process.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}
