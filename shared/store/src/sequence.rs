//! Ids: counters of a context, one for each range that ids are given from.
//!
//! Each is an item of its own, known by the first id of its range. So writers with different ranges never write the same
//! item: between regions whole items win over each other, and a counter must never go back (`docs/OPERATIONS.md`).

use crate::attributes::{Attributes, Item, number};
use crate::key::{self, Key};
use crate::query::Range;
use crate::{StepName, Store, StoreError};
use aws_sdk_dynamodb::types::ReturnValue;
use registrar_model::{ContextName, IdRange, SchemaId};

const LAST: &str = "n";

/// How far the ids of one range have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The first id of the range; 0 for ids that were imported outside of the importer's range.
    pub first: SchemaId,
    /// The highest id given out or imported; one less than `first` where there is none.
    pub last: u64,
}

impl Counter {
    /// Whether the counter begins at or below an id, and has passed it.
    pub fn has_passed(self, id: SchemaId) -> bool {
        self.first <= id && u64::from(id.get()) <= self.last
    }

    /// The highest id, if there is one. A range that has begun and given none stands below its first id, which may be the
    /// last one of another range.
    fn given(self) -> Option<u64> {
        self.has_passed(self.first).then_some(self.last)
    }
}

impl Store {
    /// A fresh id of this process' range. Called once the registration is known to be accepted; a crash after it only
    /// leaves a gap. Atomic by itself: an answer that is lost costs a gap, never a repeat. `None` when the ids of the range
    /// are used up in the context. One round trip, but for the first id of a range that is not all ids.
    pub async fn next_id(&self, context: &ContextName) -> Result<Option<SchemaId>, StoreError> {
        let fresh = self.count(context).await?;
        if fresh.is_some() || self.ids == IdRange::ALL {
            return Ok(fresh);
        }
        self.begin_range(context).await?;
        self.count(context).await
    }

    /// The next id by the counter alone. `None` at its end, and where a range has not begun.
    async fn count(&self, context: &ContextName) -> Result<Option<SchemaId>, StoreError> {
        let is_all = self.ids == IdRange::ALL;
        let condition = if is_all { "attribute_not_exists(#n) OR #n < :last" } else { "#n < :last" };
        let updated = self.update(self.counter(context), |call| {
            call.update_expression("ADD #n :one")
                .condition_expression(condition)
                .expression_attribute_names("#n", LAST)
                .expression_attribute_values(":one", number(1))
                .expression_attribute_values(":last", number(self.ids.last().get()))
                .return_values(ReturnValue::UpdatedNew)
        });
        let Some(item) = updated.await? else { return Ok(None) };
        let last: u64 = Attributes(&item).number(LAST)?;
        Ok(i64::try_from(last).ok().and_then(SchemaId::new))
    }

    /// Makes the counter of a range that has none, behind all ids of the range that are known to be given: those of other
    /// ranges that it overlaps by now, and imports. One that is there, at its end or just made by another, is left alone.
    async fn begin_range(&self, context: &ContextName) -> Result<(), StoreError> {
        let counters = self.counters(context).await?;
        if counters.iter().any(|counter| counter.first == self.ids.first()) {
            return Ok(());
        }
        let before = u64::from(self.ids.first().get() - 1);
        let end = u64::from(self.ids.last().get());
        let given = counters.iter().filter_map(|counter| counter.given()).filter(|last| (before..=end).contains(last));
        self.raise(self.counter(context), LAST, number(given.max().unwrap_or(before))).await
    }

    /// Moves the counter to at least `id`, before an import commits that id. What is not of this process' range is noted
    /// apart: the counters of other ranges belong to others.
    pub async fn raise_counter(&self, context: &ContextName, id: SchemaId) -> Result<(), StoreError> {
        if !self.takes(StepName::CounterRaise) {
            return Ok(());
        }
        let own = self.ids.contains(id);
        let key = if own { self.counter(context) } else { Key::Counter(context.clone(), SchemaId::ZERO) };
        self.raise(key, LAST, number(id.get())).await
    }

    /// The highest id given out or imported in a context, if any.
    pub async fn last_id(&self, context: &ContextName) -> Result<Option<SchemaId>, StoreError> {
        let last = self.counters(context).await?.into_iter().filter_map(Counter::given).max();
        // A counter of an earlier version may have moved past the last id.
        let last = last.map(|last| last.min(u64::from(SchemaId::MAX.get())));
        Ok(last.and_then(|last| i64::try_from(last).ok()).and_then(SchemaId::new))
    }

    /// All counters of a context, by the first ids of their ranges.
    pub async fn counters(&self, context: &ContextName) -> Result<Vec<Counter>, StoreError> {
        self.query(Range::all(key::counter_pk(context), key::COUNTER_PREFIX)).await?.iter().map(counter).collect()
    }

    fn counter(&self, context: &ContextName) -> Key {
        Key::Counter(context.clone(), self.ids.first())
    }
}

fn counter(item: &Item) -> Result<Counter, StoreError> {
    let item = Attributes(item);
    let sk = item.text("sk")?;
    let first = key::counted_from(sk).ok_or_else(|| StoreError::Broken(format!("counter key {sk}")))?;
    Ok(Counter { first, last: item.number(LAST)? })
}
