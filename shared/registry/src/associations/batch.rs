//! Many resources at once: each request stands for itself, and the answers are in their order.

use super::{Associated, AssociationGet, AssociationRequest, MutateOptions};
use crate::{Registry, RegistryError};
use futures_util::future::join_all;

/// Most requests of one batch: a client waits for all of them.
const MAX_BATCH: usize = 1_000;

/// How many are read side by side.
const SIDE_BY_SIDE: usize = 16;

impl Registry {
    /// Reads the associations of several resources.
    ///
    /// # Errors
    /// 42212 for a batch without requests, or with too many.
    pub async fn get_associations_batch(
        &self,
        gets: &[AssociationGet],
        with_schemas: bool,
    ) -> Result<Vec<Result<Associated, RegistryError>>, RegistryError> {
        check_size(gets.len())?;
        let mut answers = Vec::with_capacity(gets.len());
        for gets in gets.chunks(SIDE_BY_SIDE) {
            answers.extend(join_all(gets.iter().map(|get| self.get_associations(get, with_schemas))).await);
        }
        Ok(answers)
    }

    /// Changes the associations of several resources, one after the other.
    ///
    /// # Errors
    /// 42212 for a batch without requests, or with too many.
    pub async fn change_associations_batch(
        &self,
        requests: &[AssociationRequest],
        options: &MutateOptions,
    ) -> Result<Vec<Result<Associated, RegistryError>>, RegistryError> {
        check_size(requests.len())?;
        let mut answers = Vec::with_capacity(requests.len());
        for request in requests {
            answers.push(self.change_associations(request, options).await);
        }
        Ok(answers)
    }
}

fn check_size(requests: usize) -> Result<(), RegistryError> {
    match requests {
        0 => Err(RegistryError::empty_association_member("requests")),
        1..=MAX_BATCH => Ok(()),
        _ => Err(RegistryError::association("requests", format!("cannot be more than {MAX_BATCH}"))),
    }
}
