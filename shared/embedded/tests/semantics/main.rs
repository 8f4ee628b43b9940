//! What the registry's protocol needs of DynamoDB, asked of the embedded one through the ordinary SDK client.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod capacity;
mod conditions;
mod folder;
mod limits;
mod reads;
mod support;
mod transactions;
mod updates;
mod values;
