#![allow(clippy::todo, clippy::unused_async, unused_variables, missing_docs)]
//! (signatures only for now)
use crate::*;
use registrar_model::*;
impl Registry {
    pub async fn version(
        &self,
        subject: &Subject,
        version: VersionSpec,
        options: &VersionOptions,
    ) -> Result<VersionedSchema, RegistryError> {
        todo!()
    }
    pub async fn latest_with_metadata(
        &self,
        subject: &Subject,
        properties: &[(String, String)],
        options: &VersionOptions,
    ) -> Result<VersionedSchema, RegistryError> {
        todo!()
    }
    pub async fn referenced_by(
        &self,
        subject: &Subject,
        version: VersionSpec,
        deleted: bool,
    ) -> Result<Vec<SchemaId>, RegistryError> {
        todo!()
    }
}
