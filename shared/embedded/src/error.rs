//! Why a database could not be opened.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a database could not be opened. [`Display`](fmt::Display) is one line that names the place and the cause.
#[derive(Debug)]
pub struct OpenError {
    place: Option<PathBuf>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    InUse,
    NotAFolder,
    NewerFormat(String),
    UnknownFormat,
    NoFormat,
    Io { doing: &'static str, cause: io::Error },
    Database(String),
}

impl OpenError {
    /// Whether another process holds the data, so that trying again later can help.
    pub const fn is_in_use(&self) -> bool {
        matches!(self.kind, Kind::InUse)
    }

    pub(crate) fn in_use(dir: &Path) -> Self {
        Self::at(dir, Kind::InUse)
    }

    pub(crate) fn not_a_folder(dir: &Path) -> Self {
        Self::at(dir, Kind::NotAFolder)
    }

    pub(crate) fn newer_format(dir: &Path, found: impl Into<String>) -> Self {
        Self::at(dir, Kind::NewerFormat(found.into()))
    }

    pub(crate) fn unknown_format(file: &Path) -> Self {
        Self::at(file, Kind::UnknownFormat)
    }

    pub(crate) fn no_format(dir: &Path) -> Self {
        Self::at(dir, Kind::NoFormat)
    }

    pub(crate) fn io(path: &Path, doing: &'static str, cause: io::Error) -> Self {
        Self::at(path, Kind::Io { doing, cause })
    }

    pub(crate) fn database(place: Option<&Path>, cause: &str) -> Self {
        Self { place: place.map(Path::to_owned), kind: Kind::Database(one_line(cause)) }
    }

    fn at(place: &Path, kind: Kind) -> Self {
        Self { place: Some(place.to_owned()), kind }
    }
}

/// Errors are shown as one line; a cause from elsewhere may have several.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{}: ", place.display())?,
            None => f.write_str("in-memory database: ")?,
        }
        match &self.kind {
            Kind::InUse => f.write_str("is in use by another registrar process"),
            Kind::NotAFolder => f.write_str("is not a folder"),
            Kind::NewerFormat(found) => {
                write!(f, "was written by a newer registrar ({found}); this version cannot read it and left it alone")
            }
            Kind::UnknownFormat => f.write_str("does not say which format the data has; is this a registrar folder?"),
            Kind::NoFormat => f.write_str("holds a database but no format file; is this a registrar folder?"),
            Kind::Io { doing, cause } => write!(f, "cannot {doing}: {cause}"),
            Kind::Database(cause) => write!(f, "cannot open the database: {cause}"),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            Kind::Io { cause, .. } => Some(cause),
            _ => None,
        }
    }
}
