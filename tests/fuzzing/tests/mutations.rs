//! Every target over its kept inputs and changed ones, for a few seconds each (`docs/FUZZING.md`).
//!
//! `REGISTRAR_FUZZ_SECONDS` is the time for each target, 3 by default. `REGISTRAR_FUZZ_SEED` is where chance begins: always at
//! the same place unless said, so that no change fails for what was there before it. `REGISTRAR_FUZZ_TARGET` names the only
//! target to run; `REGISTRAR_FUZZ_INPUT` is a file to give to it instead.

#![expect(clippy::print_stdout, reason = "a test without a harness reports this way")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use registrar_fuzzing::mutations::{self, Run};
use registrar_fuzzing::{Target, targets};

type Inputs = Vec<Vec<u8>>;

/// The stack that a request has.
const STACK: usize = 2 << 20;

fn main() -> ExitCode {
    match tried() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            println!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn number(name: &str) -> Result<Option<u64>, String> {
    let Ok(text) = std::env::var(name) else { return Ok(None) };
    text.parse().map(Some).map_err(|_| format!("{name}={text:?} is not a whole number"))
}

fn tried() -> Result<(), String> {
    let only = std::env::var("REGISTRAR_FUZZ_TARGET").ok();
    let chosen: Vec<Target> =
        targets().into_iter().filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name)).collect();
    if chosen.is_empty() {
        return Err(format!("there is no target {only:?}"));
    }
    if let Ok(file) = std::env::var("REGISTRAR_FUZZ_INPUT") {
        let input = std::fs::read(&file).map_err(|error| format!("{file}: {error}"))?;
        let broken = chosen.iter().find(|(_, target)| mutations::breaks(*target, &input));
        return broken.map_or_else(
            || {
                println!("{file} breaks no rule");
                Ok(())
            },
            |(name, _)| Err(format!("{file} breaks a rule of {name}")),
        );
    }
    let seed = number("REGISTRAR_FUZZ_SEED")?.unwrap_or(1);
    let time = Duration::from_secs(number("REGISTRAR_FUZZ_SECONDS")?.unwrap_or(3));
    println!("fuzzing {} targets for {} s each, seed {seed}", chosen.len(), time.as_secs());
    let mut executions = 0;
    let mut findings = Vec::new();
    for &target in &chosen {
        let run = one(target, seed, time)?;
        println!("{:16} {:9} executions", target.0, run.executions);
        executions += run.executions;
        findings.extend(run.finding.map(|input| (target.0, input)));
    }
    for (name, input) in &findings {
        report(name, input, seed)?;
    }
    println!("proof: {executions} executions fuzzed over {} targets, {} findings", chosen.len(), findings.len());
    if findings.is_empty() { Ok(()) } else { Err("a rule is broken".to_owned()) }
}

/// Runs a target on a stack as large as a request has.
fn one((name, target): Target, seed: u64, time: Duration) -> Result<Run, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
    let (full, mut kept) = kept(&folder.join("corpus").join(name)).map_err(|error| format!("{name}: {error}"))?;
    kept.extend(full.iter().cloned());
    if kept.is_empty() {
        return Err(format!("{name} has no kept inputs"));
    }
    let language = name.split('_').next().unwrap_or_default();
    let language = if ["avro", "json", "protobuf", "regex"].contains(&language) { language } else { "server" };
    let dictionary = folder.join("dictionaries").join(format!("{language}.dict"));
    let words = std::fs::read_to_string(&dictionary).map_err(|error| format!("{}: {error}", dictionary.display()))?;
    let words = mutations::words(&words);
    let fuzz = move || mutations::run(target, &kept, &full, &words, seed, time);
    let run = thread::Builder::new().stack_size(STACK).spawn(fuzz);
    run.map_err(|error| error.to_string())?.join().map_err(|_| format!("{name} has stopped the fuzzer itself"))
}

/// The kept inputs in the order of their names, so that a seed means the same everywhere; first those that have everything
/// in them, as their names say, of which every slip is tried.
fn kept(folder: &Path) -> std::io::Result<(Inputs, Inputs)> {
    let entries = std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = entries.collect::<Result<_, _>>()?;
    paths.sort();
    let is_full = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("full"));
    let (full, others): (Vec<PathBuf>, Vec<PathBuf>) = paths.into_iter().partition(is_full);
    let read = |paths: Vec<PathBuf>| paths.iter().map(std::fs::read).collect::<Result<_, _>>();
    Ok((read(full)?, read(others)?))
}

fn report(name: &str, input: &[u8], seed: u64) -> Result<(), String> {
    let file = std::env::temp_dir().join(format!("registrar-fuzz-{name}-{seed}"));
    std::fs::write(&file, input).map_err(|error| format!("{}: {error}", file.display()))?;
    println!(
        "{name}: an input of {} bytes breaks a rule. Again: REGISTRAR_FUZZ_TARGET={name} REGISTRAR_FUZZ_INPUT={} \
         tests/run fuzz",
        input.len(),
        file.display()
    );
    Ok(())
}
