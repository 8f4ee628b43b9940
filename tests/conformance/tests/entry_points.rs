//! The cases over every entry point, each answer compared with that of the service in the process.
//!
//! `REGISTRAR_ENTRY` chooses entry points by their keys, `REGISTRAR_CASES` cases by the beginnings of their ids, both
//! separated by commas. The program for `serve` is the one that `REGISTRAR_BIN` names, or else the one that cargo has
//! put beside this test; where there is none, it says so.

use registrar_conformance::entry::{EntryPoint, Front, Lambda, Serve, Service};
use registrar_conformance::errors::Texts;
use registrar_conformance::{Answers, Result, Suite, documented, exit_code, print, refusals};
use std::path::PathBuf;
use std::process::ExitCode;

const LAMBDA: [Lambda; 3] = [Lambda(Front::RestApi), Lambda(Front::FunctionUrl), Lambda(Front::LoadBalancer)];

fn main() -> ExitCode {
    exit_code(run())
}

fn run() -> Result<()> {
    let suite = Suite::load(std::env::var("REGISTRAR_CASES").ok().as_deref())?;
    let mut bad = Vec::new();
    let (mut reference, answers) = suite.reference();
    if is_chosen(&Service) {
        print(&reference.report());
        bad.extend((!reference.is_good()).then(|| Service.name()));
        if suite.is_whole() && !errors(&answers)? {
            bad.push("the texts of errors".to_owned());
        }
        print(&documented::check(suite.cases(), &answers, suite.is_whole())?);
    }
    let serve = serve()?;
    let others =
        LAMBDA.iter().map(|lambda| lambda as &dyn EntryPoint).chain(serve.iter().map(|serve| serve as &dyn EntryPoint));
    for entry in others.filter(|entry| is_chosen(*entry)) {
        let mut outcome = suite.run(entry, &answers);
        print(&outcome.report());
        bad.extend((!outcome.is_good()).then(|| entry.name()));
    }
    if is_chosen(&LAMBDA[0]) {
        refused(&suite)?;
    }
    if bad.is_empty() { Ok(()) } else { Err(format!("not as specified: {}", bad.join(", "))) }
}

/// Whether every text that an error can have is shown by the case that says so.
fn errors(answers: &Answers) -> Result<bool> {
    let texts = Texts::load()?;
    let problems = texts.problems(&answers.errors());
    for problem in &problems {
        print(&format!("FAIL errors.tsv: {problem}"));
    }
    let (all, unshown) = texts.counts();
    print(&format!("errors: {all} texts, {} of them shown by cases, {unshown} not, with a reason", all - unshown));
    Ok(problems.is_empty())
}

fn is_chosen(entry: &dyn EntryPoint) -> bool {
    let chosen = std::env::var("REGISTRAR_ENTRY").unwrap_or_default();
    chosen.is_empty() || chosen.split(',').any(|key| key == entry.key())
}

fn serve() -> Result<Option<Serve>> {
    let binary = match std::env::var_os("REGISTRAR_BIN") {
        Some(binary) => PathBuf::from(binary),
        None => beside_this()?,
    };
    if binary.is_file() {
        return Ok(Some(Serve::new(&binary)));
    }
    print(&format!("left out: registrar serve, since {} is not built", binary.display()));
    Ok(None)
}

/// This test is target/PROFILE/deps/NAME.
fn beside_this() -> Result<PathBuf> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    Ok(this.ancestors().nth(2).ok_or("this test stands in no target folder")?.join("registrar"))
}

fn refused(suite: &Suite) -> Result<()> {
    let writes = refusals::read_function(suite.cases())?;
    print(&format!("function that reads: {writes} writes sent, all refused, nothing changed"));
    let requests = refusals::http_api(suite.cases())?;
    print(&format!("HTTP API: {requests} requests sent, all answered with 501, nothing changed"));
    Ok(())
}
