//! Whole processes against one folder: killed while they write, kept out by the lock, and out of disk space.
//!
//! This binary is its own child: started with a role and a folder it writes, otherwise it runs the tests.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking and prints its figures")]

mod child;

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::{env, fs};

use registrar_embedded::Embedded;

const KILLS: usize = 10;
/// Acknowledged writes after which the child is killed; it differs from kill to kill.
const WRITES: usize = 12;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().collect();
    if let [_, role, dir] = arguments.as_slice()
        && role == child::ROLE
    {
        return child::write_until_stopped(Path::new(dir));
    }
    killed_writers_lose_nothing_acknowledged();
    #[cfg(target_os = "linux")]
    a_full_disk_is_an_error_and_harms_nothing();
    ExitCode::SUCCESS
}

fn killed_writers_lose_nothing_acknowledged() {
    let dir = scratch("kill");
    let mut acknowledged = 0;
    for kill in 0..KILLS {
        let mut writer = start_writer(&dir, &[]);
        let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines().map(Result::unwrap);
        let seen: Vec<String> = lines.by_ref().take(WRITES + 7 * kill).collect();
        let refused = Embedded::open(&dir).unwrap_err();
        assert!(refused.is_in_use(), "{refused}");

        writer.kill().unwrap();
        writer.wait().unwrap();
        let seen: Vec<usize> = seen.into_iter().chain(lines).map(|line| line.parse().unwrap()).collect();
        assert!(seen.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{seen:?}");

        let found = child::check(&dir);
        let last = *seen.last().unwrap();
        assert!(found == last || found == last + 1, "acknowledged {last}, found {found}");
        acknowledged += seen.len();
    }
    println!("durability: {KILLS} kills, {acknowledged} acknowledged transactions, all found, none torn");
}

/// The file size limit stands for a full disk: the write fails in the same place.
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error_and_harms_nothing() {
    let dir = scratch("full");
    let writer = start_writer(&dir, &["sh", "-c", "trap '' XFSZ; ulimit -f 1500; exec \"$@\"", "sh"]);
    let finished = writer.wait_with_output().unwrap();
    let lines = String::from_utf8(finished.stdout).unwrap();
    let (acknowledged, ending) = lines.trim_end().rsplit_once('\n').unwrap();
    assert!(ending.starts_with("failed 500 "), "{ending}");
    assert!(finished.status.success(), "{lines}");

    let last: usize = acknowledged.lines().last().unwrap().parse().unwrap();
    let found = child::check(&dir);
    assert!(found == last || found == last + 1, "acknowledged {last}, found {found}");
    println!("durability: no space left after {last} transactions: {ending}; all found");
}

fn start_writer(dir: &Path, before: &[&str]) -> Child {
    let this = env::current_exe().unwrap();
    let mut words =
        before.iter().map(|word| OsStr::new(*word)).chain([this.as_os_str(), child::ROLE.as_ref(), dir.as_os_str()]);
    Command::new(words.next().unwrap()).args(words).stdout(Stdio::piped()).spawn().unwrap()
}

/// A folder of this name that is not there yet.
fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("durability").join(name);
    let _ = fs::remove_dir_all(&dir);
    dir
}
