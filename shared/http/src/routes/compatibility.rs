//! Compatibility (rest-api.md §4.4).

use crate::call::{Answer, Call, json};
use crate::dto::server::VerdictDto;
use registrar_registry::CheckOptions;

fn options(call: &Call) -> CheckOptions {
    CheckOptions { normalize: call.query.flag("normalize"), verbose: call.query.flag("verbose") }
}

/// `POST /compatibility/subjects/{subject}/versions`: as registration would check.
pub(super) async fn all(call: Call) -> Answer {
    let request = call.schema("check.request")?;
    let options = options(&call);
    let verdict = call.registry().check_all(&call.subject(), request, options).await?;
    json(&VerdictDto::new(&verdict, options.verbose))
}

/// `POST /compatibility/subjects/{subject}/versions/{version}`: against one version.
pub(super) async fn one(call: Call) -> Answer {
    let request = call.schema("check.request")?;
    let options = options(&call);
    let verdict = call.registry().check_one(&call.subject(), call.version()?, request, options).await?;
    json(&VerdictDto::new(&verdict, options.verbose))
}
