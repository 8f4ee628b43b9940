//! The cases over the two Lambda functions, behind each kind of front; and what the functions must refuse.

use registrar_conformance::entry::{Front, Lambda};
use registrar_conformance::{Result, refusals, report};
use std::process::ExitCode;

fn main() -> ExitCode {
    report::exit(cases().and(refused()))
}

fn cases() -> Result<()> {
    report::run(&[&Lambda(Front::RestApi), &Lambda(Front::FunctionUrl), &Lambda(Front::LoadBalancer)])
}

fn refused() -> Result<()> {
    let suite = report::suite()?;
    let writes = refusals::read_function(suite.cases())?;
    report::print(&format!("function that reads: {writes} writes sent, all refused, nothing changed"));
    let requests = refusals::http_api(suite.cases())?;
    report::print(&format!("HTTP API: {requests} requests sent, all answered with 501, nothing changed"));
    Ok(())
}
