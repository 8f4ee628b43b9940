//! How many bytes of bodies and answers a server holds at a time.

use bytes::Bytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The bytes that all requests hold together. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct InFlight {
    used: Arc<AtomicUsize>,
    limit: usize,
}

/// What one body or answer holds, until it is dropped.
#[derive(Debug)]
pub(crate) struct Hold {
    of: InFlight,
    bytes: usize,
}

impl InFlight {
    pub(crate) fn new(limit: usize) -> Self {
        Self { used: Arc::default(), limit }
    }

    /// Nothing yet.
    pub(crate) fn hold(&self) -> Hold {
        Hold { of: self.clone(), bytes: 0 }
    }

    /// Holds an answer until the last of it is sent; none if there is no room.
    pub(crate) fn keep(&self, answer: Bytes) -> Option<Bytes> {
        let mut hold = self.hold();
        hold.grow(answer.len()).then(|| Bytes::from_owner(Kept { answer, _hold: hold }))
    }
}

/// An answer that goes with its hold.
struct Kept {
    answer: Bytes,
    _hold: Hold,
}

impl AsRef<[u8]> for Kept {
    fn as_ref(&self) -> &[u8] {
        &self.answer
    }
}

impl Hold {
    /// Holds more bytes; false if there is no room. There is room as long as as much is free as this one holds
    /// already: a few that are large cannot leave nothing for those that are small. One that is alone is never refused.
    #[must_use]
    pub(crate) fn grow(&mut self, more: usize) -> bool {
        let others = |used: usize| used.saturating_sub(self.bytes);
        let wanted = self.bytes.saturating_add(more);
        let fits = |used: usize| others(used) == 0 || self.of.limit.saturating_sub(others(used)) / 2 >= wanted;
        let grown = self
            .of
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| fits(used).then(|| used.saturating_add(more)));
        if grown.is_ok() {
            self.bytes = wanted;
        }
        grown.is_ok()
    }

    /// Holds nothing any more.
    pub(crate) fn release(&mut self) {
        self.of.used.fetch_sub(std::mem::take(&mut self.bytes), Ordering::Relaxed);
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.release();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_ones_leave_room_for_small_ones() {
        let all = InFlight::new(100);
        let mut first = all.hold();
        assert!(first.grow(60), "alone");
        let mut second = all.hold();
        assert!(second.grow(20) && !second.grow(1), "as much stays free as it holds");
        let mut third = all.hold();
        assert!(third.grow(10) && !third.grow(1));
        assert!(all.hold().grow(5));
        drop(first);
        assert!(third.grow(30));
        drop((second, third));
        let answer = all.keep(Bytes::from_static(b"answer")).unwrap();
        assert_eq!((&answer[..], all.used.load(Ordering::Relaxed)), (&b"answer"[..], 6));
        drop(answer);
        assert_eq!(all.used.load(Ordering::Relaxed), 0);
        assert!(all.hold().grow(1_000), "alone");
    }
}
