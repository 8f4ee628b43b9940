//! Failures of the disk under the database, told apart from all others so that nobody tries again for long.

use dynoxide::DynoxideError;

/// The error code of an answer that a disk stands in the way of. DynamoDB has none like it; `registrar_store` knows it.
pub(crate) const STORAGE: &str = "StorageException";

/// What a write to a read-only folder is answered with.
pub(crate) const READ_ONLY: &str = "the data folder is read-only";

/// `SQLite`'s words for what the disk does, and ours. An I/O error is also what a limit on the size of files comes to.
const DISK: [(&str, &str); 5] = [
    ("database or disk is full", "the disk of the data folder is full"),
    ("attempt to write a readonly database", READ_ONLY),
    ("disk I/O error", "the disk of the data folder cannot be read or written"),
    ("unable to open database file", "a file in the data folder cannot be opened"),
    ("database disk image is malformed", "the database is damaged"),
];

/// What the disk does to a call, if that is why it failed. The database passes on `SQLite`'s words in errors of several
/// kinds, all of them internal.
pub(crate) fn fault(error: &DynoxideError) -> Option<&'static str> {
    let text = match error {
        DynoxideError::InternalServerError(text) => text.clone(),
        DynoxideError::SqliteError(_) => error.to_string(),
        _ => return None,
    };
    DISK.iter().find(|(words, _)| text.contains(words)).map(|(_, why)| *why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_internal_errors_are_of_the_disk() {
        let words = || "backend: database or disk is full".to_owned();
        assert_eq!(fault(&DynoxideError::InternalServerError(words())), Some("the disk of the data folder is full"));
        assert_eq!(fault(&DynoxideError::ValidationException(words())), None);
        assert_eq!(fault(&DynoxideError::InternalServerError("another".to_owned())), None);
    }
}
