//! The folder on disk: what is created, what is refused, and that it is let go.

use std::fs;
use std::path::{Path, PathBuf};

use registrar_embedded::Embedded;

use crate::support::{client_of, create_table, get, item, n, put_all};

/// A folder of this name for one test, empty.
fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("embedded").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

/// The message of a refusal, which is one line and names the folder.
#[track_caller]
fn refusal(dir: &Path) -> String {
    let error = Embedded::open(dir).unwrap_err().to_string();
    assert!(!error.contains('\n') && error.contains(dir.to_str().unwrap()), "{error}");
    error
}

#[tokio::test]
async fn data_is_there_again_and_the_folder_is_let_go() {
    let dir = scratch("again").join("not/yet/there");
    for round in 0..3 {
        let embedded = Embedded::open(&dir).unwrap();
        let client = client_of(&embedded);
        if round == 0 {
            create_table(&client).await;
        } else {
            assert_eq!(get(&client, "a", "#").await.unwrap()["round"], n(round - 1));
        }
        put_all(&client, [item("a", "#", [("round", n(round))])]).await;
    }
    let mut files: Vec<_> =
        fs::read_dir(&dir).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(files, ["format", "lock", "registrar.db"]);
    fs::remove_dir_all(&dir).unwrap();
}

#[tokio::test]
async fn one_process_at_a_time() {
    let dir = scratch("lock");
    let first = Embedded::open(&dir).unwrap();
    let error = Embedded::open(&dir).unwrap_err();
    assert!(error.is_in_use());
    assert!(error.to_string().contains("is in use by another registrar process"), "{error}");

    let client = client_of(&first);
    drop(first);
    assert!(Embedded::open(&dir).unwrap_err().is_in_use(), "the client still holds it");
    drop(client);
    Embedded::open(&dir).unwrap();
}

#[test]
fn what_is_not_a_folder_is_refused() {
    let dir = scratch("not-a-folder");
    fs::write(dir.join("file"), "text").unwrap();
    assert!(refusal(&dir.join("file")).contains("is not a folder"));
    assert!(refusal(&dir.join("file/below")).contains("cannot use the folder"));
    fs::create_dir_all(dir.join("locked/lock")).unwrap();
    assert!(refusal(&dir.join("locked")).contains("cannot open the lock file"));
}

#[test]
fn a_newer_or_unknown_format_is_refused_and_left_alone() {
    let dir = scratch("format");
    drop(Embedded::open(&dir).unwrap());
    let before = fs::read(dir.join("registrar.db")).unwrap();
    for (text, expected) in [
        ("registrar-data 2\n", "newer registrar (format 2, this one reads 1)"),
        ("registrar-data 0\n", "does not say which format"),
        ("registrar-data one\n", "does not say which format"),
        ("", "does not say which format"),
        ("another program\n", "does not say which format"),
    ] {
        fs::write(dir.join("format"), text).unwrap();
        assert!(refusal(&dir).contains(expected), "{text}");
    }
    fs::write(dir.join("format"), [0xff, 0xfe]).unwrap();
    assert!(refusal(&dir).contains("does not say which format"));
    fs::remove_file(dir.join("format")).unwrap();
    assert!(refusal(&dir).contains("no format file"));
    assert_eq!(fs::read(dir.join("registrar.db")).unwrap(), before);
    fs::write(dir.join("format"), "registrar-data 1\n").unwrap();
    Embedded::open(&dir).unwrap();
}

#[test]
fn a_file_that_is_no_database_is_refused() {
    let dir = scratch("corrupt");
    drop(Embedded::open(&dir).unwrap());
    fs::write(dir.join("registrar.db"), "this is not a database, but it is long enough to look at".repeat(100))
        .unwrap();
    assert!(refusal(&dir).contains("the file is not a database"));
    fs::write(dir.join("registrar.db"), "").unwrap();
    Embedded::open(&dir).unwrap();
}

/// The database says for itself, too, how new it is: its schema version stands behind its name in the file.
#[test]
fn a_newer_database_is_refused_and_left_alone() {
    let dir = scratch("newer-database");
    drop(Embedded::open(&dir).unwrap());
    let file = dir.join("registrar.db");
    let mut bytes = fs::read(&file).unwrap();
    let name = b"schema_version";
    let after = |at: usize| bytes[at..].strip_prefix(name).filter(|rest| rest[..2].iter().all(u8::is_ascii_digit));
    let found: Vec<usize> = (0..bytes.len()).filter(|&at| after(at).is_some()).collect();
    let [at] = found[..] else { panic!("{found:?}") };
    bytes[at + name.len()..][..2].copy_from_slice(b"99");
    fs::write(&file, &bytes).unwrap();
    assert!(refusal(&dir).contains("newer registrar"));
    assert_eq!(fs::read(&file).unwrap(), bytes);
}

#[tokio::test]
async fn a_crash_while_the_format_was_written_does_no_harm() {
    let dir = scratch("half-format");
    fs::write(dir.join("format.new"), "regis").unwrap();
    fs::write(dir.join("lock"), "").unwrap();
    drop(Embedded::open(&dir).unwrap());
    assert_eq!(fs::read_to_string(dir.join("format")).unwrap(), "registrar-data 1\n");
}
