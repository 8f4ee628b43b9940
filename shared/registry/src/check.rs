#![allow(clippy::todo, clippy::unused_async, unused_variables, missing_docs)]
//! (signatures only for now)
use crate::*;
use registrar_model::*;
impl Registry {
    pub async fn check_all(
        &self,
        subject: &Subject,
        request: SchemaRequest,
        options: CheckOptions,
    ) -> Result<Verdict, RegistryError> {
        todo!()
    }
    pub async fn check_one(
        &self,
        subject: &Subject,
        version: VersionSpec,
        request: SchemaRequest,
        options: CheckOptions,
    ) -> Result<Verdict, RegistryError> {
        todo!()
    }
}
