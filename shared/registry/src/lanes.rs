//! Where work goes that keeps a processor busy for long.
//!
//! Everything here computes on the thread that it is called on. A server that answers many requests on few threads
//! wants to know before one of them is taken for long; a function that answers one at a time does not.

use crate::Registry;
use std::fmt;
use std::pin::Pin;

/// What keeps a processor busy for no longer than others may well wait: some milliseconds of parsing.
pub const LIGHT_BYTES: usize = 32 << 10;

/// How many steps of a check are taken before it counts as heavy: some milliseconds.
pub(crate) const LIGHT_STEPS: u64 = 20_000;

/// A server's threads.
pub trait Lanes: Send + Sync + fmt::Debug {
    /// Is ready once the request that waits for it may take long.
    fn heavy(&self) -> Pin<Box<dyn Future<Output = ()> + Send>>;

    /// Is ready once the request that waits for it keeps no other from taking long.
    fn light(&self) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

impl Registry {
    /// To be waited for before work on a text of so many bytes.
    pub async fn before_work(&self, bytes: usize) {
        if bytes > LIGHT_BYTES {
            self.before_heavy_work().await;
        }
    }

    pub(crate) async fn before_heavy_work(&self) {
        if let Some(lanes) = &self.lanes {
            lanes.heavy().await;
        }
    }

    /// To be waited for before waiting for other requests, since one of those may be about to take long.
    pub(crate) async fn before_waiting(&self) {
        if let Some(lanes) = &self.lanes {
            lanes.light().await;
        }
    }
}
