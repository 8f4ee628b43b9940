#![allow(clippy::todo, clippy::unused_async, unused_variables, missing_docs)]
//! (signatures only for now)
use crate::*;
use registrar_model::*;
impl Registry {
    pub async fn delete_subject(&self, subject: &Subject, permanent: bool) -> Result<Vec<Version>, RegistryError> {
        todo!()
    }
}
