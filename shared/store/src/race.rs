//! The one retry loop: how long and how often an operation is tried again.

use crate::{Runtime, StoreError};
use aws_smithy_async::rt::sleep::AsyncSleep;
use futures_util::future::{Either, select};
use std::pin::pin;
use std::time::{Duration, SystemTime};

/// How long one operation, or one call, may go on trying. Clients give up after 30 s, as API Gateway does.
const BUDGET: Duration = Duration::from_secs(15);
/// The clock may stand still in tests and jump on real machines, so attempts are bounded as well.
const MAX_ATTEMPTS: u32 = 1_000;
const FIRST_WAIT: Duration = Duration::from_millis(4);
const LONGEST_WAIT: Duration = Duration::from_millis(250);

/// One operation's attempts. Whoever loses one says so, and is told to go on or to give up.
#[derive(Debug)]
pub struct Race {
    runtime: Runtime,
    started: SystemTime,
    attempts: u32,
}

impl Race {
    /// A race that begins now.
    pub fn new(runtime: Runtime) -> Self {
        let started = runtime.now();
        Self { runtime, started, attempts: 0 }
    }

    /// How many attempts have failed.
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// An attempt was overtaken by another writer: waits a little (not at all the first time) and returns, or fails with
    /// [`StoreError::Exhausted`] when the budget is spent.
    pub async fn lost(&mut self, to: &str) -> Result<(), StoreError> {
        self.again(to, 1).await
    }

    /// A call failed for a passing reason: waits with full jitter and returns, or fails likewise.
    pub(crate) async fn failed(&mut self, why: &str) -> Result<(), StoreError> {
        self.again(why, 0).await
    }

    /// What `work` comes to, or [`StoreError::Exhausted`] when the budget is spent before.
    pub async fn within<T>(&self, doing: &str, work: impl Future<Output = T>) -> Result<T, StoreError> {
        let left = BUDGET.saturating_sub(self.elapsed());
        match select(pin!(work), pin!(self.runtime.sleep.sleep(left))).await {
            Either::Left((done, _)) => Ok(done),
            Either::Right(_) => Err(StoreError::Exhausted(format!("{doing}: no end in {BUDGET:?}"))),
        }
    }

    fn elapsed(&self) -> Duration {
        self.runtime.now().duration_since(self.started).unwrap_or_default()
    }

    async fn again(&mut self, why: &str, free: u32) -> Result<(), StoreError> {
        let elapsed = self.elapsed();
        self.attempts += 1;
        if self.attempts >= MAX_ATTEMPTS || elapsed >= BUDGET {
            return Err(StoreError::Exhausted(format!("{why}, after {} attempts in {elapsed:?}", self.attempts)));
        }
        if self.attempts > free {
            let doublings = (self.attempts - free - 1).min(16);
            let limit = FIRST_WAIT.saturating_mul(1 << doublings).min(LONGEST_WAIT);
            self.runtime.sleep_up_to(limit).await;
        }
        Ok(())
    }
}
