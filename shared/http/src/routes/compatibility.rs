//! Compatibility (rest-api.md §4.4).

use crate::call::{Answer, Call, json};
use crate::dto::server::VerdictDto;
use crate::error::invalid_schema;
use registrar_registry::{CheckOptions, RegistryError, Verdict};

fn options(call: &Call) -> CheckOptions {
    CheckOptions { normalize: call.query.flag("normalize") }
}

/// `POST /compatibility/subjects/{subject}/versions`: as registration would check.
pub(super) async fn all(call: Call) -> Answer {
    let request = call.schema("check.request")?;
    let verdict = call.registry().check_all(&call.subject(), request, options(&call)).await;
    answer(&call, verdict)
}

/// `POST /compatibility/subjects/{subject}/versions/{version}`: against one version.
pub(super) async fn one(call: Call) -> Answer {
    let request = call.schema("check.request")?;
    let version = call.version()?;
    let verdict = Box::pin(call.registry().check_one(&call.subject(), version, request, options(&call))).await;
    answer(&call, verdict)
}

/// With `verbose`, an invalid schema is a verdict; otherwise it is an error.
fn answer(call: &Call, verdict: Result<Verdict, RegistryError>) -> Answer {
    let verbose = call.query.flag("verbose");
    let verdict = match verdict {
        Err(RegistryError::InvalidSchema(reason)) if verbose => {
            Verdict { is_compatible: false, messages: vec![invalid_schema(&reason)], advice: None }
        }
        other => other?,
    };
    json(&VerdictDto::new(&verdict, verbose))
}
