//! One case over one entry point.

use crate::case::{Case, Step};
use crate::entry::{EntryPoint, Session};
use crate::exchange::{Reply, Request};
use crate::transcript::Line;
use crate::{Result, check, invariants};

/// How much of a body a report shows.
const SHOWN: usize = 1_500;

/// Runs a case on an empty registry. The lines answer to the steps; a restart has none.
pub(crate) fn run(case: &Case, entry: &dyn EntryPoint) -> Result<Vec<Option<Line>>> {
    let mut session = entry.open(&case.settings)?;
    let mut lines = Vec::new();
    for (at, step) in case.steps.iter().enumerate() {
        let tag = format!("{}/{}", case.id, at + 1);
        lines.push(run_step(step, &tag, &mut *session)?);
    }
    Ok(lines)
}

fn run_step(step: &Step, tag: &str, session: &mut dyn Session) -> Result<Option<Line>> {
    if let Some(restart) = step.restart {
        session.restart(restart).map_err(|error| format!("step {tag}, a restart: {error}"))?;
        return Ok(None);
    }
    let request = Request::of(step, tag)?;
    let reply = session.send(&request).map_err(|error| format!("step {tag}: {error}\n{}", sent(&request)))?;
    let verdict = invariants::check(&request, &reply).and_then(|()| check::check(&step.expect, &reply));
    match verdict {
        Ok(()) => Ok(Some(Line::of(&request, &reply))),
        Err(what) => Err(format!("step {tag}: {what}\n{}\n{}", sent(&request), got(&reply))),
    }
}

fn sent(request: &Request) -> String {
    let body = request.body.as_ref().map(|body| shortened(&String::from_utf8_lossy(body))).unwrap_or_default();
    format!("    sent {} {} {:?} {body}", request.method, shortened(&request.target), request.headers)
}

fn got(reply: &Reply) -> String {
    format!("    got  {} {:?} {}", reply.status, reply.headers, shortened(&reply.text()))
}

fn shortened(text: &str) -> String {
    if text.len() <= SHOWN {
        return text.to_owned();
    }
    let start: String = text.chars().take(SHOWN).collect();
    format!("{start}… ({} bytes)", text.len())
}
