//! The folder that holds a database: its lock, its format file and its data file.
//!
//! ```text
//! DIR/lock           locked for as long as a process has the data open; says nothing
//! DIR/format         one line, "registrar-data 1": written before the database, checked at every start
//! DIR/registrar.db   the database, with SQLite's -wal and -shm files beside it
//! ```

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::error::OpenError;

const LOCK: &str = "lock";
const FORMAT: &str = "format";
const NEW_FORMAT: &str = "format.new";
const DATABASE: &str = "registrar.db";
const LOG: &str = "registrar.db-wal";

/// The first word of the format file.
const FORMAT_NAME: &str = "registrar-data";
/// The format this program writes, and the newest that it reads.
const FORMAT_NUMBER: u32 = 1;

/// A folder this process has to itself until the value is dropped, or that nobody writes until then.
#[derive(Debug)]
pub(crate) struct DataDir {
    dir: PathBuf,
    read_only: bool,
    /// Closing the file gives up the lock, also when the process is killed. A folder that may only be read can lack it.
    _lock: Option<File>,
}

/// What this process may do with a folder.
#[derive(Debug)]
pub(crate) enum Claim {
    /// Whatever it likes.
    Whole(DataDir),
    /// Only read what is there.
    ReadOnly(DataDir),
}

impl DataDir {
    /// Creates the folder where there is none, locks it, and checks or writes its format file.
    pub(crate) fn claim(dir: &Path) -> Result<Claim, OpenError> {
        // Absolute, because `SQLite` takes a relative name such as `file:x` for a URI.
        let dir = std::path::absolute(dir).map_err(|e| OpenError::io(dir, "find the folder", e))?;
        create_durably(&dir)?;
        let path = dir.join(LOCK);
        match OpenOptions::new().create(true).truncate(false).write(true).open(&path) {
            Ok(file) => {
                locked(&dir, file.try_lock())?;
                let claimed = Self { dir, read_only: false, _lock: Some(file) };
                claimed.check_format()?;
                Ok(Claim::Whole(claimed))
            }
            Err(e) if forbids_writing(&e) && dir.join(DATABASE).exists() => Self::claim_to_read(dir),
            Err(e) => Err(OpenError::io(&path, "open the lock file", e)),
        }
    }

    /// Several processes may read at once; one that writes shuts them out, and they it.
    fn claim_to_read(dir: PathBuf) -> Result<Claim, OpenError> {
        let path = dir.join(LOCK);
        let lock = match File::open(&path) {
            Ok(file) => {
                locked(&dir, file.try_lock_shared())?;
                Some(file)
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(OpenError::io(&path, "open the lock file", e)),
        };
        let claimed = Self { dir, read_only: true, _lock: lock };
        claimed.check_format()?;
        Ok(Claim::ReadOnly(claimed))
    }

    pub(crate) const fn is_read_only(&self) -> bool {
        self.read_only
    }

    pub(crate) fn path(&self) -> &Path {
        &self.dir
    }

    /// The file the database is kept in.
    pub(crate) fn database(&self) -> PathBuf {
        self.dir.join(DATABASE)
    }

    /// The database as `SQLite` opens it without writing anything. Without a write-ahead log nothing of it can change,
    /// and it says so; with one, what the log holds counts.
    pub(crate) fn database_to_read(&self) -> Result<String, OpenError> {
        let file = self.database();
        let Some(name) = file.to_str() else {
            return Err(OpenError::database(Some(&self.dir), "the name of the folder is not UTF-8"));
        };
        let log = fs::metadata(self.dir.join(LOG)).map(|log| log.len()).unwrap_or_default();
        let escaped = name.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        Ok(format!("file:{escaped}?{}", if log == 0 { "immutable=1" } else { "mode=ro" }))
    }

    /// Makes the names of new files in the folder outlive a power failure.
    pub(crate) fn sync(&self) -> Result<(), OpenError> {
        sync_folder(&self.dir).map_err(|e| OpenError::io(&self.dir, "sync the folder", e))
    }

    fn check_format(&self) -> Result<(), OpenError> {
        let file = self.dir.join(FORMAT);
        match fs::read_to_string(&file) {
            Ok(text) => check_format_text(&file, &self.dir, &text),
            Err(e) if e.kind() == io::ErrorKind::NotFound && self.read_only => Err(OpenError::no_format(&self.dir)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => self.write_first_format(),
            Err(e) if e.kind() == io::ErrorKind::InvalidData => Err(OpenError::unknown_format(&file)),
            Err(e) => Err(OpenError::io(&file, "read the format file", e)),
        }
    }

    /// The format file comes before the database, so a database without one is not ours to open.
    fn write_first_format(&self) -> Result<(), OpenError> {
        match self.database().try_exists() {
            Ok(false) => self.write_format().map_err(|e| OpenError::io(&self.dir, "write the format file", e)),
            Ok(true) => Err(OpenError::no_format(&self.dir)),
            Err(e) => Err(OpenError::io(&self.dir, "look into the folder", e)),
        }
    }

    fn write_format(&self) -> io::Result<()> {
        let fresh = self.dir.join(NEW_FORMAT);
        let mut file = File::create(&fresh)?;
        writeln!(file, "{FORMAT_NAME} {FORMAT_NUMBER}")?;
        file.sync_all()?;
        fs::rename(&fresh, self.dir.join(FORMAT))?;
        sync_folder(&self.dir)
    }
}

fn check_format_text(file: &Path, dir: &Path, text: &str) -> Result<(), OpenError> {
    let number = text.trim_end().strip_prefix(FORMAT_NAME).and_then(|rest| rest.strip_prefix(' '));
    match number.map(str::parse::<u32>) {
        Some(Ok(FORMAT_NUMBER)) => Ok(()),
        Some(Ok(newer)) if newer > FORMAT_NUMBER => {
            Err(OpenError::newer_format(dir, format!("format {newer}, this one reads {FORMAT_NUMBER}")))
        }
        _ => Err(OpenError::unknown_format(file)),
    }
}

/// Creates `dir` and its missing parents so that a power failure right after cannot take them away again.
fn create_durably(dir: &Path) -> Result<(), OpenError> {
    match fs::metadata(dir) {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(_) => return Err(OpenError::not_a_folder(dir)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => {}
        Err(e) => return Err(OpenError::io(dir, "use the folder", e)),
    }
    let missing: Vec<&Path> = dir.ancestors().take_while(|folder| !folder.exists()).collect();
    fs::create_dir_all(dir).map_err(|e| OpenError::io(dir, "create the folder", e))?;
    missing
        .iter()
        .filter_map(|folder| folder.parent())
        .try_for_each(sync_folder)
        .map_err(|e| OpenError::io(dir, "sync the folder", e))
}

/// The lock is taken before the database is opened: `SQLite` would let a second process in, and wait for the first.
fn locked(dir: &Path, outcome: Result<(), TryLockError>) -> Result<(), OpenError> {
    outcome.map_err(|e| match e {
        TryLockError::WouldBlock => OpenError::in_use(dir),
        TryLockError::Error(e) => OpenError::io(&dir.join(LOCK), "lock the file", e),
    })
}

fn forbids_writing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied)
}

#[cfg(unix)]
fn sync_folder(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

/// Elsewhere a folder cannot be opened as a file, and its entries are the file system's own affair.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
