#![allow(clippy::todo, clippy::unused_async, unused_variables, missing_docs)]
//! (signatures only for now)
use crate::*;
use registrar_model::*;
impl Registry {
    pub async fn lookup(
        &self,
        subject: &Subject,
        request: SchemaRequest,
        options: &LookupOptions,
    ) -> Result<VersionedSchema, RegistryError> {
        todo!()
    }
}
