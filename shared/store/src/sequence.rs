//! Ids: one counter a context.

use crate::attributes::{Attributes, number};
use crate::fault::{Fault, classify};
use crate::key::Key;
use crate::read::key_item;
use crate::{Store, StoreError};
use aws_sdk_dynamodb::types::ReturnValue;
use registrar_model::{ContextName, SchemaId};

const LAST: &str = "n";

impl Store {
    /// A fresh id. Called once the registration is known to be accepted; a crash after it only leaves a gap. Atomic by
    /// itself: an answer that is lost costs a gap, never a repeat. `None` when the ids of the context are used up.
    pub async fn next_id(&self, context: &ContextName) -> Result<Option<SchemaId>, StoreError> {
        let mut race = self.race();
        loop {
            let call = self
                .client
                .update_item()
                .table_name(&*self.table)
                .set_key(Some(key_item(&Key::Counter(context.clone()))))
                .update_expression("ADD #n :one")
                .expression_attribute_names("#n", LAST)
                .expression_attribute_values(":one", number(1))
                .return_values(ReturnValue::UpdatedNew);
            match call.send().await.map_err(|error| classify(&error)) {
                Ok(answer) => {
                    let attributes = answer.attributes.unwrap_or_default();
                    let last: u64 = Attributes(&attributes).number(LAST)?;
                    return Ok(i64::try_from(last).ok().and_then(SchemaId::new));
                }
                Err(Fault::Final(error)) => return Err(error),
                Err(Fault::Passing(why)) => race.failed(&why).await?,
            }
        }
    }

    /// Moves the counter to at least `id`, before an import commits that id.
    pub async fn raise_counter(&self, context: &ContextName, id: SchemaId) -> Result<(), StoreError> {
        let mut race = self.race();
        loop {
            let call = self
                .client
                .update_item()
                .table_name(&*self.table)
                .set_key(Some(key_item(&Key::Counter(context.clone()))))
                .update_expression("SET #n = :id")
                .condition_expression("attribute_not_exists(#n) OR #n < :id")
                .expression_attribute_names("#n", LAST)
                .expression_attribute_values(":id", number(id.get()));
            let Err(error) = call.send().await else { return Ok(()) };
            if error.as_service_error().is_some_and(
                aws_sdk_dynamodb::operation::update_item::UpdateItemError::is_conditional_check_failed_exception,
            ) {
                return Ok(());
            }
            match classify(&error) {
                Fault::Final(error) => return Err(error),
                Fault::Passing(why) => race.failed(&why).await?,
            }
        }
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
