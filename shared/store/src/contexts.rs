//! Records of contexts.

use crate::attributes::number;
use crate::fault::{Fault, classify};
use crate::items::ContextItem;
use crate::items::context::DESCRIPTION;
use crate::items::head::TAG;
use crate::key::Key;
use crate::read::key_item;
use crate::{Store, StoreError};
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValue};
use registrar_model::{ContextName, Update};

impl Store {
    /// The record of a context, if it has one; the default context needs none.
    pub async fn context(&self, context: &ContextName) -> Result<Option<ContextItem>, StoreError> {
        self.get(&Key::Context(context.clone())).await?.as_ref().map(ContextItem::decode).transpose()
    }

    /// Notes that a context may come to hold a schema, before the registration commits; `tag` is that of the context's
    /// settings, as the registration read it. Idempotent; a failed registration leaves an empty context behind.
    pub async fn note_context(&self, context: &ContextName, tag: u64) -> Result<(), StoreError> {
        let mut race = self.race();
        loop {
            let call = self
                .client
                .update_item()
                .table_name(&*self.table)
                .set_key(Some(key_item(&Key::Context(context.clone()))))
                .update_expression("SET #tag = :tag")
                .condition_expression("attribute_not_exists(#tag) OR #tag < :tag")
                .expression_attribute_names("#tag", TAG)
                .expression_attribute_values(":tag", number(tag));
            let Err(error) = call.send().await else { return Ok(()) };
            if error.as_service_error().is_some_and(UpdateItemError::is_conditional_check_failed_exception) {
                return Ok(());
            }
            match classify(&error) {
                Fault::Final(error) => return Err(error),
                Fault::Passing(why) => race.failed(&why).await?,
            }
        }
    }

    /// Creates a context, or changes the description of one that is there; answers the record afterwards.
    pub async fn describe_context(
        &self,
        context: &ContextName,
        description: Update<String>,
    ) -> Result<ContextItem, StoreError> {
        let expression = match description {
            Update::Keep => "SET #tag = if_not_exists(#tag, :none)",
            Update::Clear => "SET #tag = if_not_exists(#tag, :none) REMOVE #description",
            Update::Set(_) => "SET #tag = if_not_exists(#tag, :none), #description = :description",
        };
        let mut names = vec![("#tag", TAG)];
        let mut values = vec![(":none", number(0))];
        if description != Update::Keep {
            names.push(("#description", DESCRIPTION));
        }
        if let Update::Set(text) = description {
            values.push((":description", AttributeValue::S(text)));
        }
        let mut race = self.race();
        loop {
            let call = self
                .client
                .update_item()
                .table_name(&*self.table)
                .set_key(Some(key_item(&Key::Context(context.clone()))))
                .update_expression(expression)
                .return_values(ReturnValue::AllNew);
            let call = names.iter().fold(call, |call, (name, of)| call.expression_attribute_names(*name, *of));
            let call =
                values.iter().fold(call, |call, (name, value)| call.expression_attribute_values(*name, value.clone()));
            match call.send().await.map_err(|error| classify(&error)) {
                Ok(answer) => return ContextItem::decode(&answer.attributes.unwrap_or_default()),
                Err(Fault::Final(error)) => return Err(error),
                Err(Fault::Passing(why)) => race.failed(&why).await?,
            }
        }
    }
}
