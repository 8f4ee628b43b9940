//! Building blocks for tests.
//!
//! [`Meter`] counts what an operation costs, [`Faults`] makes calls fail on purpose; both stand between an SDK client
//! and the database, as its HTTP client. [`instant_runtime`] is time without waiting. Only tests depend on
//! this crate, so it may panic.

mod audit;
mod database;
mod faults;
mod in_memory;
mod meter;
mod request;
mod runtime;
pub mod schemas;

pub use audit::{Audit, comes_of_imports};
pub use faults::{Fault, Faults, Point, Stop};
pub use in_memory::{InMemory, in_memory_registry, new_table};
pub use meter::{Meter, Usage};
pub use runtime::instant_runtime;
