//! The ways into the registry.

mod events;
mod http1;
mod lambda;
mod serve;
mod service;

pub use events::Front;
pub use lambda::{HttpApi, Lambda, ReadFunction, is_read};
pub use serve::{Serve, ServeTable};
pub use service::Service;

use crate::Result;
use crate::case::{Environment, Restart};
use crate::exchange::{Reply, Request};
use registrar_http::{ServerSettings, VARIABLES};

/// A way in.
pub trait EntryPoint: Sync {
    /// Its name in cases and in the environment.
    fn key(&self) -> &'static str;
    /// Its name in reports.
    fn name(&self) -> String;
    /// An empty registry behind it, with these environment variables.
    fn open(&self, environment: &Environment) -> Result<Box<dyn Session>>;
    /// Whether its registries outlive a restart.
    fn can_restart(&self) -> bool {
        false
    }
    /// Whether cases that are said to fail here are tried all the same, and must fail.
    fn tries_exceptions(&self) -> bool {
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

/// The settings that a server takes from these variables; one that no server reads is a mistake of the case.
fn settings(environment: &Environment) -> Result<ServerSettings> {
    let unknown = environment.keys().find(|name| VARIABLES.iter().all(|variable| variable.name != name.as_str()));
    if let Some(name) = unknown {
        return Err(format!("no server reads the variable {name}"));
    }
    ServerSettings::from_environment(|name| environment.get(name).cloned()).map_err(|error| error.to_string())
}
