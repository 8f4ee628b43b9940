#![allow(clippy::todo, clippy::unused_async, unused_variables, missing_docs)]
//! (signatures only for now)
use crate::*;
use registrar_model::*;
impl Registry {
    /// Sorted by their text form.
    pub async fn subjects(&self, prefix: &SubjectPrefix, filter: SubjectFilter) -> Result<Vec<Subject>, RegistryError> {
        todo!()
    }
    /// Ascending by absolute value; soft-deleted ones negative where asked for.
    pub async fn versions(&self, subject: &Subject, filter: VersionFilter) -> Result<Vec<i64>, RegistryError> {
        todo!()
    }
    pub async fn schemas(&self, query: &SchemasQuery) -> Result<Vec<VersionedSchema>, RegistryError> {
        todo!()
    }
}
