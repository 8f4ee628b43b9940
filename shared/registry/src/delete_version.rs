#![allow(clippy::todo, clippy::unused_async, unused_variables, missing_docs)]
//! (signatures only for now)
use crate::*;
use registrar_model::*;
impl Registry {
    pub async fn delete_version(
        &self,
        subject: &Subject,
        version: VersionSpec,
        permanent: bool,
    ) -> Result<Version, RegistryError> {
        todo!()
    }
}
