//! Time that stands still, so that two runs write the same, until it is let go.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_smithy_async::rt::sleep::{AsyncSleep, SharedAsyncSleep, Sleep};
use aws_smithy_async::time::{SharedTimeSource, TimeSource};
use registrar_harness::instant_runtime;
use registrar_store::Runtime;

/// 2024-01-01T00:00:00Z.
const START: Duration = Duration::from_hours(473_352);
/// Whoever asks for this long a sleep sets a time-out, which must not strike: faults are injected, not waited for.
const TIMEOUT: Duration = Duration::from_secs(1);
/// How far a wait moves the clock while time passes; more than it asked for, so that a retry budget is soon spent.
const STEP: u64 = 1_000;

/// The clock of one place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Time(Arc<Clock>);

#[derive(Debug, Default)]
struct Clock {
    passes: AtomicBool,
    millis: AtomicU64,
}

impl Time {
    /// Clock and sleep of a process; its random numbers follow from the seed.
    pub(crate) fn runtime(&self, seed: u64) -> Runtime {
        Runtime {
            clock: SharedTimeSource::new(self.clone()),
            sleep: SharedAsyncSleep::new(self.clone()),
            ..instant_runtime(seed)
        }
    }

    /// From now on each wait takes a second.
    pub(crate) fn let_pass(&self) {
        self.0.passes.store(true, Ordering::Relaxed);
    }

    /// Back to the start, and still.
    pub(crate) fn stop(&self) {
        self.0.passes.store(false, Ordering::Relaxed);
        self.0.millis.store(0, Ordering::Relaxed);
    }
}

impl TimeSource for Time {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + START + Duration::from_millis(self.0.millis.load(Ordering::Relaxed))
    }
}

impl AsyncSleep for Time {
    fn sleep(&self, duration: Duration) -> Sleep {
        if duration >= TIMEOUT {
            return Sleep::new(std::future::pending());
        }
        if self.0.passes.load(Ordering::Relaxed) {
            self.0.millis.fetch_add(STEP, Ordering::Relaxed);
        }
        Sleep::new(tokio::task::yield_now())
    }
}
