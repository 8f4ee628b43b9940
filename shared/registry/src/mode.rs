#![allow(clippy::todo, clippy::unused_async, unused_variables, missing_docs)]
//! (signatures only for now)
use crate::*;
use registrar_model::*;
impl Registry {
    pub async fn mode(&self, target: Option<&Subject>, default_to_global: bool) -> Result<Mode, RegistryError> {
        todo!()
    }
    /// `Update::Keep` = the member was missing (42204).
    pub async fn set_mode(
        &self,
        target: Option<&Subject>,
        update: Update<String>,
        force: bool,
    ) -> Result<(), RegistryError> {
        todo!()
    }
    /// The mode before; `None` where there was none (only with `recursive`).
    pub async fn delete_mode(&self, target: Option<&Subject>, recursive: bool) -> Result<Option<Mode>, RegistryError> {
        todo!()
    }
}
