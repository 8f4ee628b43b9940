#![allow(clippy::todo, clippy::unused_async, unused_variables, missing_docs)]
//! (signatures only for now)
use crate::*;
use registrar_model::*;
impl Registry {
    pub async fn schema_by_id(&self, id: SchemaId, query: &IdQuery) -> Result<SchemaById, RegistryError> {
        todo!()
    }
    pub async fn subjects_of_id(&self, id: SchemaId, query: &IdQuery) -> Result<Vec<Subject>, RegistryError> {
        todo!()
    }
    pub async fn versions_of_id(
        &self,
        id: SchemaId,
        query: &IdQuery,
    ) -> Result<Vec<(Subject, Version)>, RegistryError> {
        todo!()
    }
    pub async fn schema_by_guid(&self, guid: Guid, format: &str) -> Result<SchemaById, RegistryError> {
        todo!()
    }
    pub async fn ids_of_guid(&self, guid: Guid) -> Result<Vec<(ContextName, SchemaId)>, RegistryError> {
        todo!()
    }
}
