//! The kept inputs of the fuzz targets, done over without a fuzzer: `docs/FUZZING.md`.

use std::panic::catch_unwind;
use std::path::Path;

#[path = "../../../tests/fuzz/src/lib.rs"]
mod fuzz;

/// Gives every kept input of a target to it and says which ones break a rule.
fn replay((name, target): fuzz::Target) -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fuzz/corpus").join(name);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    assert!(!paths.is_empty(), "{name} has no inputs");
    let mut broken = Vec::new();
    for path in &paths {
        let data = std::fs::read(path)?;
        if catch_unwind(|| target(&data)).is_err() {
            broken.push(path);
        }
    }
    assert!(broken.is_empty(), "{} of {} inputs break a rule: {broken:#?}", broken.len(), paths.len());
    Ok(())
}

#[test]
fn kept_inputs_break_no_rule() -> std::io::Result<()> {
    fuzz::TARGETS.into_iter().try_for_each(replay)
}
