//! Requests that a function must not serve, whatever they ask for.

use crate::Result;
use crate::case::{Case, Environment};
use crate::entry::{EntryPoint, Front, HttpApi, Lambda, ReadFunction, Session, is_read};
use crate::exchange::{Reply, Request};
use crate::invariants;

/// Sends every write of the cases to the function that reads: each must fail, and all together change nothing.
pub fn read_function(cases: &[Case]) -> Result<usize> {
    // The root takes a POST and does nothing with it.
    let is_write = |request: &Request| !is_read(request) && request.method != "OPTIONS" && request.target != "/";
    let writes = requests(cases)?.into_iter().filter(is_write);
    refuse(&ReadFunction, writes, |reply| matches!(reply.status, 400..=499))
}

/// Sends every request of the cases as an HTTP API would, which decodes paths: 501, and nothing changes. What a function
/// URL cannot carry an HTTP API cannot either.
pub fn http_api(cases: &[Case]) -> Result<usize> {
    let carried: Vec<_> =
        cases.iter().filter(|case| !case.except.contains_key(Lambda(Front::FunctionUrl).key())).cloned().collect();
    refuse(&HttpApi, requests(&carried)?.into_iter(), |reply| reply.status == 501)
}

fn requests(cases: &[Case]) -> Result<Vec<Request>> {
    let exchanges = cases.iter().flat_map(|case| &case.steps).filter(|step| step.restart.is_none());
    // Bodies too long to write down say nothing about who may write.
    exchanges.filter(|step| step.body_gen.is_none()).map(|step| Request::of(step, "refused")).collect()
}

fn refuse(
    entry: &dyn EntryPoint,
    requests: impl Iterator<Item = Request>,
    is_refusal: impl Fn(&Reply) -> bool,
) -> Result<usize> {
    let mut session = entry.open(&Environment::new())?;
    let mut sent = 0;
    for request in requests {
        let reply = session.send(&request)?;
        invariants::check(&request, &reply)
            .map_err(|error| format!("{} {}: {error}", request.method, request.target))?;
        if !is_refusal(&reply) {
            return Err(format!(
                "{}: {} {} was answered with {}",
                entry.name(),
                request.method,
                request.target,
                reply.status
            ));
        }
        sent += 1;
    }
    unchanged(&mut *session)?;
    Ok(sent)
}

/// What a table without a write looks like; asked of the function that may answer.
fn unchanged(session: &mut dyn Session) -> Result<()> {
    for (target, want) in [
        ("/subjects?deleted=true", "[]"),
        ("/config", r#"{"compatibilityLevel":"BACKWARD"}"#),
        ("/mode", r#"{"mode":"READWRITE"}"#),
    ] {
        let request = Request { method: "GET".to_owned(), target: target.to_owned(), headers: Vec::new(), body: None };
        let reply = session.look(&request)?;
        if reply.text() != want {
            return Err(format!("after requests that were refused {target} is {}", reply.text()));
        }
    }
    Ok(())
}
