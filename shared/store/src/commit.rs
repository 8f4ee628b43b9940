//! Sending a plan: one `TransactWriteItems`, repeated unchanged until its outcome is known.

mod expression;

use crate::fault::{Fault, classify};
use crate::plan::{Action, Change, Plan};
use crate::read::key_item;
use crate::safeguard::{PlanName, Safeguard, StepName};
use crate::{Store, StoreError};
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{ConditionCheck, Delete, Put, TransactWriteItem, Update};
use expression::Expressions;

/// Most actions of one transaction.
const MAX_ACTIONS: usize = 100;

/// What became of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All of it happened.
    Committed,
    /// None of it: a condition did not hold, so the operation starts again from its first read.
    Overtaken,
}

impl Store {
    /// Commits a plan, or learns that a condition failed. Conflicts and throttling are waited out; an answer that is
    /// lost is asked for again with the same token, so the plan takes effect at most once.
    pub async fn commit(&self, plan: Plan) -> Result<Outcome, StoreError> {
        if plan.actions.len() > MAX_ACTIONS {
            return Err(StoreError::TooLarge(format!("{} actions, of {MAX_ACTIONS}", plan.actions.len())));
        }
        let name = plan.name;
        let write = |action| self.write_item(name, action);
        let items = plan.actions.into_iter().map(write).collect::<Result<Vec<_>, _>>()?;
        let mut token = self.runtime.token();
        let mut race = self.race();
        loop {
            let call = self.client.transact_write_items().set_transact_items(Some(items.clone()));
            let Err(error) = call.client_request_token(&token).send().await else { return Ok(Outcome::Committed) };
            match cancellation(&error) {
                Some(Cancellation::Condition) => return Ok(Outcome::Overtaken),
                Some(Cancellation::TooLarge(why)) => return Err(StoreError::TooLarge(why)),
                Some(Cancellation::Invalid(why)) => return Err(StoreError::Broken(why)),
                Some(Cancellation::Passing(why)) => race.failed(&why).await?,
                None => match classify(&error) {
                    Fault::Final(error) => return Err(error),
                    Fault::Passing(why) => race.failed(&why).await?,
                },
            }
            if !self.takes(StepName::SameToken) {
                token = self.runtime.token();
            }
        }
    }

    fn write_item(&self, plan: PlanName, action: Action) -> Result<TransactWriteItem, StoreError> {
        let mut expressions = Expressions::default();
        let guards = action.guards.iter().filter(|guard| !self.dropped.contains(&Safeguard::Guard(plan, guard.name)));
        let condition = expressions.condition(guards.map(|guard| &guard.test));
        let key = key_item(&action.key);
        let table = &*self.table;
        let builder = TransactWriteItem::builder();
        let item = match action.change {
            Change::Check => {
                // A check whose only guard a test has dropped must still be a legal action.
                let condition = condition.unwrap_or_else(|| expressions.always());
                let check =
                    ConditionCheck::builder().table_name(table).set_key(Some(key)).condition_expression(condition);
                let (names, values) = expressions.finish();
                builder.condition_check(
                    check
                        .set_expression_attribute_names(names)
                        .set_expression_attribute_values(values)
                        .build()
                        .map_err(|error| unbuildable(&error))?,
                )
            }
            Change::Put(attributes) => {
                let mut item = key;
                item.extend(attributes.into_iter().map(|(name, value)| (name.to_owned(), value)));
                let (names, values) = expressions.finish();
                builder.put(
                    Put::builder()
                        .table_name(table)
                        .set_item(Some(item))
                        .set_condition_expression(condition)
                        .set_expression_attribute_names(names)
                        .set_expression_attribute_values(values)
                        .build()
                        .map_err(|error| unbuildable(&error))?,
                )
            }
            Change::Update(edits) => {
                let update = Update::builder().table_name(table).update_expression(expressions.update(edits));
                let (names, values) = expressions.finish();
                builder.update(
                    update
                        .set_key(Some(key))
                        .set_condition_expression(condition)
                        .set_expression_attribute_names(names)
                        .set_expression_attribute_values(values)
                        .build()
                        .map_err(|error| unbuildable(&error))?,
                )
            }
            Change::Delete => {
                let (names, values) = expressions.finish();
                builder.delete(
                    Delete::builder()
                        .table_name(table)
                        .set_key(Some(key))
                        .set_condition_expression(condition)
                        .set_expression_attribute_names(names)
                        .set_expression_attribute_values(values)
                        .build()
                        .map_err(|error| unbuildable(&error))?,
                )
            }
        };
        Ok(item.build())
    }
}

fn unbuildable(error: &aws_sdk_dynamodb::error::BuildError) -> StoreError {
    StoreError::Broken(error.to_string())
}

/// Why a transaction was cancelled.
enum Cancellation {
    Condition,
    TooLarge(String),
    Invalid(String),
    Passing(String),
}

fn cancellation(error: &SdkError<TransactWriteItemsError>) -> Option<Cancellation> {
    let TransactWriteItemsError::TransactionCanceledException(cancelled) = error.as_service_error()? else {
        return None;
    };
    let codes: Vec<&str> = cancelled.cancellation_reasons().iter().filter_map(|reason| reason.code()).collect();
    let why = || format!("transaction cancelled: {}", codes.join(", "));
    if codes.contains(&"ConditionalCheckFailed") {
        return Some(Cancellation::Condition);
    }
    if codes.contains(&"ItemCollectionSizeLimitExceeded") {
        return Some(Cancellation::TooLarge(why()));
    }
    if codes.contains(&"ValidationError") {
        let message = cancelled.cancellation_reasons().iter().filter_map(|reason| reason.message()).collect::<Vec<_>>();
        let message = message.join("; ");
        let too_large = message.contains("exceeded the maximum allowed size");
        return Some(if too_large { Cancellation::TooLarge(message) } else { Cancellation::Invalid(message) });
    }
    Some(Cancellation::Passing(why()))
}
