//! Time that costs none, and randomness that repeats.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_smithy_async::rt::sleep::{AsyncSleep, SharedAsyncSleep, Sleep};
use aws_smithy_async::time::{SharedTimeSource, TimeSource};
use registrar_store::{Entropy, Runtime};

use crate::database::is_elsewhere;

/// When the clock starts: 2024-01-01T00:00:00Z.
const START: Duration = Duration::from_hours(473_352);
/// By how much a look at the clock moves it.
const TICK: Duration = Duration::from_micros(10);
/// Whoever asks for this long a sleep sets a time-out, which must not strike: faults are injected, not waited for.
const TIMEOUT: Duration = Duration::from_secs(1);
/// The longest wait where the database is another process.
const LONGEST_WAIT: Duration = Duration::from_millis(20);

/// A runtime for tests. Its clock moves a little each time it is looked at; a wait lets other tasks run and is over,
/// while time-outs (of a second or more) never strike; its random numbers follow from the seed. Where the database is
/// another process, a wait takes a few milliseconds.
pub fn instant_runtime(seed: u64) -> Runtime {
    Runtime {
        clock: SharedTimeSource::new(TickingClock::default()),
        sleep: SharedAsyncSleep::new(InstantSleep),
        entropy: Arc::new(SeededEntropy(AtomicU64::new(seed))),
    }
}

#[derive(Debug, Default)]
struct TickingClock {
    looks: AtomicU64,
}

impl TimeSource for TickingClock {
    fn now(&self) -> SystemTime {
        let looks = u32::try_from(self.looks.fetch_add(1, Ordering::Relaxed)).unwrap_or(u32::MAX);
        UNIX_EPOCH + START + TICK * looks
    }
}

#[derive(Debug)]
struct InstantSleep;

impl AsyncSleep for InstantSleep {
    fn sleep(&self, duration: Duration) -> Sleep {
        if duration >= TIMEOUT {
            Sleep::new(std::future::pending())
        } else if is_elsewhere() {
            // A server that is out of breath needs time that is real.
            Sleep::new(tokio::time::sleep(duration.min(LONGEST_WAIT)))
        } else {
            Sleep::new(tokio::task::yield_now())
        }
    }
}

/// `SplitMix64`: any seed will do.
#[derive(Debug)]
struct SeededEntropy(AtomicU64);

impl Entropy for SeededEntropy {
    fn next(&self) -> u64 {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let state = self.0.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
