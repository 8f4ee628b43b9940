//! The signals that end the server: SIGINT (Ctrl-C) and SIGTERM.

use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGXFSZ, on Linux and macOS.
const FILE_TOO_LARGE: i32 = 25;

/// Watches from its creation on, so that a signal during the start is not lost.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    /// Where files may not grow further (`ulimit -f`), this signal would end the process; watched, it leaves the write to
    /// fail as on a full disk.
    _file_too_large: Signal,
}

impl Signals {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            _file_too_large: signal(SignalKind::from_raw(FILE_TOO_LARGE))?,
        })
    }

    /// Returns at the first signal.
    pub(crate) async fn wait(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
