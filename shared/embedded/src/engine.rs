//! The database together with what it needs around it: its folder, and the memory of transaction tokens.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use dynoxide::{Database, DynoxideError};

use crate::data_dir::{Claim, DataDir};
use crate::disk;
use crate::dispatch::{dispatch, is_write};
use crate::error::OpenError;
use crate::tokens::Tokens;

/// What names an operation: this prefix, then the operation.
const TARGET_PREFIX: &str = "DynamoDB_20120810.";

/// Fields are dropped in this order: the file is closed before its lock is given up.
pub(crate) struct Engine {
    database: Database,
    tokens: Tokens,
    data: Option<DataDir>,
    opened: Instant,
}

/// An HTTP answer: status, and a JSON body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Engine {
    pub(crate) fn open(dir: &Path) -> Result<Self, OpenError> {
        let (data, database) = match DataDir::claim(dir)? {
            Claim::Whole(data) => {
                let database = open_database(&data)?;
                data.sync()?;
                (data, database)
            }
            Claim::ReadOnly(data) => {
                let database = copy_database(&data)?;
                (data, database)
            }
        };
        Ok(Self { database, tokens: Tokens::default(), data: Some(data), opened: Instant::now() })
    }

    pub(crate) fn in_memory() -> Result<Self, OpenError> {
        let database = Database::memory().map_err(|e| OpenError::database(None, &e.to_string()))?;
        Ok(Self { database, tokens: Tokens::default(), data: None, opened: Instant::now() })
    }

    pub(crate) const fn is_on_disk(&self) -> bool {
        self.data.is_some()
    }

    pub(crate) fn is_read_only(&self) -> bool {
        self.data.as_ref().is_some_and(DataDir::is_read_only)
    }

    /// Microseconds from the opening to `moment`.
    pub(crate) fn micros_until(&self, moment: Instant) -> u128 {
        moment.duration_since(self.opened).as_micros()
    }

    /// Answers one request. `target` is the `x-amz-target` header. Never panics: a fault inside the database is an
    /// `InternalServerError`, as on the real service, and the SDK and the store treat it as an unknown outcome.
    pub(crate) fn answer(&self, target: &str, body: &[u8]) -> Answer {
        let Some(operation) = target.strip_prefix(TARGET_PREFIX) else {
            return unknown_operation();
        };
        if self.is_read_only() && is_write(operation) {
            return hindered(disk::READ_ONLY);
        }
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

/// The database of a folder that may only be read. `SQLite` cannot open it there, since readers of a write-ahead log share
/// a file that they write; so it is copied into a temporary database, which is deleted when it is closed.
fn copy_database(data: &DataDir) -> Result<Database, OpenError> {
    let file = data.database();
    let failed = |e: DynoxideError| explain(data, &file, &e);
    let source = data.database_to_read()?;
    let database = Database::new("").map_err(failed)?;
    database.restore_from(&source).map_err(failed)?;
    Ok(database)
}

fn explain(data: &DataDir, file: &Path, error: &DynoxideError) -> OpenError {
    let cause = error.to_string();
    if cause.contains("newer version") {
        return OpenError::newer_format(data.path(), "its database file has a newer layout");
    }
    if cause.contains("not a valid SQLite database") {
        return OpenError::database(Some(file), "the file is not a database");
    }
    OpenError::database(Some(file), disk::fault(error).unwrap_or(&cause))
}

fn failed(error: &DynoxideError) -> Answer {
    if let Some(why) = disk::fault(error) {
        return hindered(why);
    }
    Answer { status: error.status_code(), body: error.to_json().into_bytes() }
}

/// The disk stands in the way.
fn hindered(why: &str) -> Answer {
    let body = serde_json::json!({ "__type": format!("registrar#{}", disk::STORAGE), "message": why });
    Answer { status: 500, body: body.to_string().into_bytes() }
}

fn unknown_operation() -> Answer {
    Answer { status: 400, body: br#"{"__type":"com.amazon.coral.service#UnknownOperationException"}"#.to_vec() }
}
