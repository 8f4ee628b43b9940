#![allow(clippy::todo, clippy::unused_async, unused_variables, missing_docs)]
//! (signatures only for now)
use crate::*;
use registrar_model::*;
impl Registry {
    pub async fn register(
        &self,
        subject: &Subject,
        request: SchemaRequest,
        options: &RegisterOptions,
    ) -> Result<Registered, RegistryError> {
        todo!()
    }
}
