//! A DynamoDB inside the process, behind the ordinary SDK client.
//!
//! [`Embedded::http_client`] is what an `aws_sdk_dynamodb` client takes as its HTTP client. A request that the SDK
//! has built and signed is handed to the database as it is (`x-amz-target` and body), and the database's answer goes
//! back through the SDK's own parser: no port, no TLS, and nothing above this crate can tell the difference. The
//! client needs any static credentials, any region and any endpoint URL.
//!
//! The database is `dynoxide`, `SQLite` inside. What it does not emulate (transaction conflicts, throttling, eventually
//! consistent reads) never happens here; tests inject those faults in front of this client.
//!
//! A call that the disk stands in the way of (it is full, say, or the folder is read-only) is answered with the error code
//! `StorageException` and words for people; nothing of it is done, and the same call may succeed later.
//!
//! Durability: a write is acknowledged after `SQLite` has synced its write-ahead log (WAL, `synchronous = FULL`), so
//! whatever was acknowledged outlives the process and the power.

mod connector;
mod data_dir;
mod digest;
mod disk;
mod dispatch;
mod engine;
mod error;
mod tokens;

use std::path::Path;
use std::sync::Arc;

use aws_smithy_runtime_api::client::http::SharedHttpClient;

use crate::connector::EmbeddedHttp;
use crate::engine::Engine;
pub use crate::error::OpenError;

/// An embedded database. Clones share it; the last one dropped closes the file and gives up its lock, once the calls
/// that are still running have ended.
#[derive(Clone, Debug)]
pub struct Embedded {
    engine: Arc<Engine>,
}

impl Embedded {
    /// Opens the database kept in the folder `dir`, creating the folder and an empty database where there is none.
    /// A folder that this process may only read is read as it is now ([`Embedded::is_read_only`]).
    ///
    /// # Errors
    /// One line that says what is wrong and where: the folder cannot be used, another process holds it, its format is
    /// newer than this program, or its file is not a database.
    pub fn open(dir: &Path) -> Result<Self, OpenError> {
        Engine::open(dir).map(Self::new)
    }

    /// An empty database in memory, gone with the last clone.
    ///
    /// # Errors
    /// [`OpenError`] if the engine cannot start.
    pub fn in_memory() -> Result<Self, OpenError> {
        Engine::in_memory().map(Self::new)
    }

    /// Whether every write is refused, because the folder may only be read.
    pub fn is_read_only(&self) -> bool {
        self.engine.is_read_only()
    }

    /// The HTTP client to give to an SDK client.
    pub fn http_client(&self) -> SharedHttpClient {
        SharedHttpClient::new(EmbeddedHttp::new(Arc::clone(&self.engine)))
    }

    fn new(engine: Engine) -> Self {
        Self { engine: Arc::new(engine) }
    }
}
