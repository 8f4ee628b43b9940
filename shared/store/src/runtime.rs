//! Time, sleep and randomness, given from outside.
//!
//! The retry loop and the SDK take all three from here, so that a test can run this very code under a scheduler of its
//! own and replay it from a seed.

use aws_smithy_async::rt::sleep::{AsyncSleep, SharedAsyncSleep, TokioSleep};
use aws_smithy_async::time::{SharedTimeSource, SystemTimeSource};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A source of random numbers: request tokens and jitter. Quality matters, secrecy does not.
pub trait Entropy: Send + Sync + fmt::Debug {
    /// The next 64 bits.
    fn next(&self) -> u64;
}

/// What a process takes from its surroundings.
#[derive(Clone, Debug)]
pub struct Runtime {
    /// The wall clock.
    pub clock: SharedTimeSource,
    /// How to wait.
    pub sleep: SharedAsyncSleep,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
}

#[derive(Debug)]
struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn next(&self) -> u64 {
        fastrand::u64(..)
    }
}

impl Runtime {
    /// The real clock, tokio's timer and the system's randomness.
    pub fn system() -> Self {
        Self {
            clock: SharedTimeSource::new(SystemTimeSource::new()),
            sleep: SharedAsyncSleep::new(TokioSleep::new()),
            entropy: Arc::new(SystemEntropy),
        }
    }

    /// Milliseconds since the epoch; 0 for a clock set before it.
    pub fn now_millis(&self) -> u64 {
        let since_epoch = self.now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX)
    }

    pub(crate) fn now(&self) -> SystemTime {
        self.clock.now()
    }

    /// Waits a random part of `limit` ("full jitter").
    pub(crate) async fn sleep_up_to(&self, limit: Duration) {
        let limit = u64::try_from(limit.as_micros()).unwrap_or(u64::MAX);
        let micros = self.entropy.next() % limit.saturating_add(1);
        self.sleep.sleep(Duration::from_micros(micros)).await;
    }

    /// The bytes of a random UUID (version 4).
    pub fn random_uuid(&self) -> [u8; 16] {
        let random = (u128::from(self.entropy.next()) << 64) | u128::from(self.entropy.next());
        let version = (random & !(0xf << 76)) | (4 << 76);
        ((version & !(3 << 62)) | (2 << 62)).to_be_bytes()
    }

    /// A token for one transaction: 32 hex digits, of which DynamoDB allows 36.
    pub(crate) fn token(&self) -> String {
        format!("{:016x}{:016x}", self.entropy.next(), self.entropy.next())
    }
}
