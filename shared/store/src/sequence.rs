//! Ids: one counter a context.

use crate::attributes::{Attributes, number};
use crate::key::Key;
use crate::{Store, StoreError};
use aws_sdk_dynamodb::types::ReturnValue;
use registrar_model::{ContextName, SchemaId};

const LAST: &str = "n";

impl Store {
    /// A fresh id. Called once the registration is known to be accepted; a crash after it only leaves a gap. Atomic by
    /// itself: an answer that is lost costs a gap, never a repeat. `None` when the ids of the context are used up.
    pub async fn next_id(&self, context: &ContextName) -> Result<Option<SchemaId>, StoreError> {
        let updated = self.update(Key::Counter(context.clone()), |call| {
            call.update_expression("ADD #n :one")
                .expression_attribute_names("#n", LAST)
                .expression_attribute_values(":one", number(1))
                .return_values(ReturnValue::UpdatedNew)
        });
        let last: u64 = Attributes(&updated.await?.unwrap_or_default()).number(LAST)?;
        Ok(i64::try_from(last).ok().and_then(SchemaId::new))
    }

    /// Moves the counter to at least `id`, before an import commits that id.
    pub async fn raise_counter(&self, context: &ContextName, id: SchemaId) -> Result<(), StoreError> {
        self.raise(Key::Counter(context.clone()), LAST, number(id.get())).await
    }

    /// The highest id given out or imported in a context, if any.
    pub async fn last_id(&self, context: &ContextName) -> Result<Option<SchemaId>, StoreError> {
        let Some(item) = self.get(&Key::Counter(context.clone())).await? else { return Ok(None) };
        let last: u64 = Attributes(&item).number(LAST)?;
        // A counter that was asked for more than there is has moved past the last id.
        let last = last.min(u64::from(SchemaId::MAX.get()));
        Ok(i64::try_from(last).ok().and_then(SchemaId::new))
    }
}
