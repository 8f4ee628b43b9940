//! The database together with what it needs around it: its folder, and the memory of transaction tokens.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use dynoxide::{Database, DynoxideError};

use crate::data_dir::DataDir;
use crate::dispatch::dispatch;
use crate::error::OpenError;
use crate::tokens::Tokens;

/// What names an operation: this prefix, then the operation.
const TARGET_PREFIX: &str = "DynamoDB_20120810.";

/// Fields are dropped in this order: the file is closed before its lock is given up.
pub(crate) struct Engine {
    database: Database,
    tokens: Tokens,
    data: Option<DataDir>,
}

/// An HTTP answer: status, and a JSON body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Engine {
    pub(crate) fn open(dir: &Path) -> Result<Self, OpenError> {
        let data = DataDir::claim(dir)?;
        let database = open_database(&data)?;
        data.sync()?;
        Ok(Self { database, tokens: Tokens::default(), data: Some(data) })
    }

    pub(crate) fn in_memory() -> Result<Self, OpenError> {
        let database = Database::memory().map_err(|e| OpenError::database(None, &e.to_string()))?;
        Ok(Self { database, tokens: Tokens::default(), data: None })
    }

    pub(crate) const fn is_on_disk(&self) -> bool {
        self.data.is_some()
    }

    /// Answers one request. `target` is the `x-amz-target` header. Never panics: a fault inside the database is an
    /// `InternalServerError`, as on the real service, and the SDK and the store treat it as an unknown outcome.
    pub(crate) fn answer(&self, target: &str, body: &[u8]) -> Answer {
        let Some(operation) = target.strip_prefix(TARGET_PREFIX) else {
            return unknown_operation();
        };
        // A panic inside leaves its lock poisoned, so every later call is refused as well: nothing half done is read.
        match catch_unwind(AssertUnwindSafe(|| dispatch(&self.database, &self.tokens, operation, body))) {
            Ok(Some(Ok(body))) => Answer { status: 200, body },
            Ok(Some(Err(error))) => failed(&error),
            Ok(None) => unknown_operation(),
            Err(_) => failed(&DynoxideError::InternalServerError("the embedded database panicked".to_owned())),
        }
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("data", &self.data).finish_non_exhaustive()
    }
}

fn open_database(data: &DataDir) -> Result<Database, OpenError> {
    let file = data.database();
    let Some(name) = file.to_str() else {
        return Err(OpenError::database(Some(data.path()), "the name of the folder is not UTF-8"));
    };
    Database::new(name).map_err(|e| explain(data, &file, &e))
}

fn explain(data: &DataDir, file: &Path, error: &DynoxideError) -> OpenError {
    let cause = error.to_string();
    if cause.contains("newer version") {
        return OpenError::newer_format(data.path(), "its database file has a newer layout");
    }
    if cause.contains("not a valid SQLite database") {
        return OpenError::database(Some(file), "the file is not a database");
    }
    OpenError::database(Some(file), &cause)
}

fn failed(error: &DynoxideError) -> Answer {
    Answer { status: error.status_code(), body: error.to_json().into_bytes() }
}

fn unknown_operation() -> Answer {
    Answer { status: 400, body: br#"{"__type":"com.amazon.coral.service#UnknownOperationException"}"#.to_vec() }
}
