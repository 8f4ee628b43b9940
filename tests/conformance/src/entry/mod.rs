//! The ways into the registry.

mod events;
mod http1;
mod lambda;
mod serve;
mod service;

pub use events::Front;
pub use lambda::{HttpApi, Lambda, ReadFunction, is_read};
pub use serve::Serve;
pub use service::Service;

use crate::Result;
use crate::case::Restart;
use crate::exchange::{Reply, Request};

/// A way in.
pub trait EntryPoint: Sync {
    /// Its name in cases and in the environment.
    fn key(&self) -> &'static str;
    /// Its name in reports.
    fn name(&self) -> String;
    /// An empty registry behind it.
    fn open(&self) -> Result<Box<dyn Session>>;
    /// Whether its registries outlive a restart.
    fn can_restart(&self) -> bool {
        false
    }
}

/// A registry that nobody else uses.
pub trait Session {
    /// One exchange.
    fn send(&mut self, request: &Request) -> Result<Reply>;
    /// An exchange beside the way under test, to see what became of the registry.
    fn look(&mut self, request: &Request) -> Result<Reply> {
        self.send(request)
    }
    /// Stops the server and starts it again on the same data.
    fn restart(&mut self, how: Restart) -> Result<()> {
        Err(format!("cannot restart ({how:?})"))
    }
}
