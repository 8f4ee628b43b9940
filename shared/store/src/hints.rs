//! What is noted before the change that makes it true: who may refer to a version, and that a namespace of resources is
//! in use.

use crate::fault::{Fault, classify};
use crate::items::Target;
use crate::key::Key;
use crate::read::key_item;
use crate::{StepName, Store, StoreError};
use futures_util::future::try_join_all;
use registrar_model::{ContextName, SchemaId};

impl Store {
    /// Notes that the schema `id` may come to refer to each target. Idempotent, and harmless if the registration fails:
    /// whoever reads a hint verifies it.
    pub async fn put_referrers(
        &self,
        context: &ContextName,
        id: SchemaId,
        targets: &[Target],
    ) -> Result<(), StoreError> {
        if !self.takes(StepName::ReferrerHint) {
            return Ok(());
        }
        let puts = targets.iter().map(|target| {
            self.put_hint(Key::Referrer {
                target: target.subject.clone(),
                version: target.version,
                context: context.clone(),
                id,
            })
        });
        try_join_all(puts).await.map(drop)
    }

    /// Notes that a namespace may come to have resources. Idempotent; an empty one does no harm.
    pub async fn put_namespace(&self, namespace: &str) -> Result<(), StoreError> {
        if !self.takes(StepName::NamespaceHint) {
            return Ok(());
        }
        self.put_hint(Key::Namespace(namespace.to_owned())).await
    }

    async fn put_hint(&self, key: Key) -> Result<(), StoreError> {
        let mut race = self.race();
        loop {
            let call = self.client.put_item().table_name(&*self.table).set_item(Some(key_item(&key)));
            match call.send().await.map_err(|error| classify(&error)) {
                Ok(_) => return Ok(()),
                Err(Fault::Final(error)) => return Err(error),
                Err(Fault::Passing(why)) => race.failed(&why).await?,
            }
        }
    }
}
