//! The registry: a store, settings, and the operations in the other files of this crate.

use crate::turns::Turns;
use crate::{Lanes, Settings};
use registrar_store::Store;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A schema registry over a table. Cheap to clone; holds nothing that another process could make untrue.
#[derive(Clone, Debug)]
pub struct Registry {
    pub(crate) store: Store,
    pub(crate) settings: Arc<Settings>,
    /// Whether the last registration or lookup was configured to normalise. Only a guess at which row to read first:
    /// a wrong one costs a round trip, never an answer.
    normalizes: Arc<AtomicBool>,
    /// Who writes which subject in this process: saves attempts, decides nothing.
    pub(crate) turns: Turns,
    /// Whether a request is handed on where its subject is an alias.
    pub(crate) follows_aliases: bool,
    /// Where long work is done; none where that is all the same.
    pub(crate) lanes: Option<Arc<dyn Lanes>>,
}

impl Registry {
    /// A registry over `store`.
    pub fn new(store: Store, settings: Settings) -> Self {
        let store = store.with_ids(settings.id_range);
        Self {
            store,
            settings: Arc::new(settings),
            normalizes: Arc::default(),
            turns: Turns::default(),
            follows_aliases: true,
            lanes: None,
        }
    }

    /// The same registry, which says before it takes long.
    #[must_use]
    pub fn with_lanes(self, lanes: Arc<dyn Lanes>) -> Self {
        Self { lanes: Some(lanes), ..self }
    }

    /// The settings of this process.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The same registry for a request that was handed on: aliases do not count any more.
    #[must_use]
    pub fn past_aliases(&self) -> Self {
        Self { follows_aliases: false, ..self.clone() }
    }

    pub(crate) fn expects_normalizing(&self) -> bool {
        self.normalizes.load(Ordering::Relaxed)
    }

    pub(crate) fn saw_normalizing(&self, normalizes: bool) {
        self.normalizes.store(normalizes, Ordering::Relaxed);
    }
}
