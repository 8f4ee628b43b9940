#![allow(clippy::todo, clippy::unused_async, unused_variables, missing_docs)]
//! (signatures only for now)
use crate::*;
use registrar_model::*;
impl Registry {
    /// `None` = top level (also for `Subject` of the default context with an empty name, which the callee treats alike).
    pub async fn config(&self, target: Option<&Subject>, default_to_global: bool) -> Result<Config, RegistryError> {
        todo!()
    }
    /// The stored configuration after the update, nothing filled in.
    pub async fn set_config(&self, target: Option<&Subject>, update: ConfigUpdate) -> Result<Config, RegistryError> {
        todo!()
    }
    /// The configuration before, as `config` would have answered it.
    pub async fn delete_config(&self, target: Option<&Subject>) -> Result<Config, RegistryError> {
        todo!()
    }
}
