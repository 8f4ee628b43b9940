//! The cases over the program `registrar serve`, restarts included.
//!
//! The program is the one that `REGISTRAR_BIN` names, or else the one that cargo has put beside this test.

use registrar_conformance::entry::Serve;
use registrar_conformance::{Result, report};
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    report::exit(run())
}

fn run() -> Result<()> {
    let binary = binary()?;
    if !binary.is_file() {
        let cases = report::suite()?.cases().len();
        report::print(&format!(
            "left out: {cases} cases over registrar serve, since {} is not built",
            binary.display()
        ));
        return Ok(());
    }
    report::run(&[&Serve::new(&binary)?])
}

fn binary() -> Result<PathBuf> {
    if let Some(binary) = std::env::var_os("REGISTRAR_BIN") {
        return Ok(PathBuf::from(binary));
    }
    // target/PROFILE/deps/THIS
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let profile = this.ancestors().nth(2).ok_or("this test stands in no target folder")?;
    Ok(profile.join("registrar"))
}
