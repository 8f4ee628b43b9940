//! store
#![allow(missing_docs)]

/// Why the table could not be read or written.
#[derive(Debug)]
pub enum StoreError {
    /// The retry budget is spent: contention, throttling or an outage. Safe to repeat.
    Exhausted(String),
    /// The table refused for good (no such table, no permission).
    Refused(String),
    /// A bug, or data that this version cannot read.
    Broken(String),
}

/// The table.
#[derive(Clone)]
pub struct Store {}
