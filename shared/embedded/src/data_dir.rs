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

/// The first word of the format file.
const FORMAT_NAME: &str = "registrar-data";
/// The format this program writes, and the newest that it reads.
const FORMAT_NUMBER: u32 = 1;

/// A folder this process has to itself until the value is dropped.
#[derive(Debug)]
pub(crate) struct DataDir {
    dir: PathBuf,
    /// Closing the file gives up the lock, also when the process is killed.
    _lock: File,
}

impl DataDir {
    /// Creates the folder where there is none, locks it, and checks or writes its format file.
    pub(crate) fn claim(dir: &Path) -> Result<Self, OpenError> {
        // Absolute, because `SQLite` takes a relative name such as `file:x` for a URI.
        let dir = std::path::absolute(dir).map_err(|e| OpenError::io(dir, "find the folder", e))?;
        create_durably(&dir)?;
        let lock = lock(&dir)?;
        let claimed = Self { dir, _lock: lock };
        claimed.check_format()?;
        Ok(claimed)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.dir
    }

    /// The file the database is kept in.
    pub(crate) fn database(&self) -> PathBuf {
        self.dir.join(DATABASE)
    }

    /// Makes the names of new files in the folder outlive a power failure.
    pub(crate) fn sync(&self) -> Result<(), OpenError> {
        sync_folder(&self.dir).map_err(|e| OpenError::io(&self.dir, "sync the folder", e))
    }

    fn check_format(&self) -> Result<(), OpenError> {
        let file = self.dir.join(FORMAT);
        match fs::read_to_string(&file) {
            Ok(text) => check_format_text(&file, &self.dir, &text),
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
fn lock(dir: &Path) -> Result<File, OpenError> {
    let path = dir.join(LOCK);
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|e| OpenError::io(&path, "open the lock file", e))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::in_use(dir)),
        Err(TryLockError::Error(e)) => Err(OpenError::io(&path, "lock the file", e)),
    }
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
