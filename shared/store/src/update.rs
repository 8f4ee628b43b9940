//! Single items that change beside transactions: counters and records of contexts.

use crate::attributes::Item;
use crate::fault::{Fault, classify};
use crate::key::Key;
use crate::read::key_item;
use crate::{StepName, Store, StoreError};
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;

impl Store {
    /// Changes one item as `shape` says, and again until the outcome is known, so it must do no harm twice. Answers the
    /// attributes that `shape` asks to be returned; `None` if its condition did not hold.
    pub(crate) async fn update(
        &self,
        key: Key,
        shape: impl Fn(UpdateItemFluentBuilder) -> UpdateItemFluentBuilder,
    ) -> Result<Option<Item>, StoreError> {
        let mut race = self.race();
        loop {
            let call = self.client.update_item().table_name(&*self.table).set_key(Some(key_item(&key)));
            let error = match shape(call).send().await {
                Ok(answer) => return Ok(Some(answer.attributes.unwrap_or_default())),
                Err(error) => error,
            };
            if error.as_service_error().is_some_and(UpdateItemError::is_conditional_check_failed_exception) {
                return Ok(None);
            }
            match classify(&error) {
                Fault::Final(error) => return Err(error),
                Fault::Passing(why) => race.failed(&why).await?,
            }
        }
    }

    /// Sets a number to at least `least`; an absent item begins to be.
    pub(crate) async fn raise(
        &self,
        key: Key,
        attribute: &'static str,
        least: AttributeValue,
    ) -> Result<(), StoreError> {
        let condition = "attribute_not_exists(#number) OR #number < :least";
        let condition = self.takes(StepName::OnlyUp).then(|| condition.to_owned());
        let raised = self.update(key, |call| {
            call.update_expression("SET #number = :least")
                .set_condition_expression(condition.clone())
                .expression_attribute_names("#number", attribute)
                .expression_attribute_values(":least", least.clone())
        });
        // A condition that does not hold says that it is there, or further, already.
        raised.await.map(drop)
    }
}
