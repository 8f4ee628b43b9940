//! Records of contexts.

use crate::attributes::number;
use crate::items::ContextItem;
use crate::items::context::DESCRIPTION;
use crate::items::head::TAG;
use crate::key::Key;
use crate::{StepName, Store, StoreError};
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
        if !self.takes(StepName::ContextNote) {
            return Ok(());
        }
        self.raise(Key::Context(context.clone()), TAG, number(tag)).await
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
        let updated = self.update(Key::Context(context.clone()), |call| {
            let call = call.update_expression(expression).return_values(ReturnValue::AllNew);
            let call = names.iter().fold(call, |call, (name, of)| call.expression_attribute_names(*name, *of));
            values.iter().fold(call, |call, (name, value)| call.expression_attribute_values(*name, value.clone()))
        });
        ContextItem::decode(&updated.await?.unwrap_or_default())
    }
}
