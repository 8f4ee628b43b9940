//! Modes, at the top level and of a subject or context (rest-api.md §4.6).

use crate::call::{Answer, Call, json};
use crate::dto::mode::{ModeDto, ModeUpdateDto, read};

/// `GET /mode` and `GET /mode/{subject}`
pub(super) async fn get(call: Call) -> Answer {
    let mode = call.registry().mode(call.scope().as_ref(), call.query.flag("defaultToGlobal")).await?;
    json(&ModeDto::from(Some(mode)))
}

/// `PUT /mode` and `PUT /mode/{subject}`: the request comes back.
pub(super) async fn put(call: Call) -> Answer {
    let update = call.read("updateMode.request", read)?;
    let force = call.query.flag("force");
    Box::pin(call.registry().set_mode(call.scope().as_ref(), update.clone(), force)).await?;
    json(&ModeUpdateDto(&update))
}

/// `DELETE /mode` and `DELETE /mode/{subject}`
pub(super) async fn delete(call: Call) -> Answer {
    let mode = call.registry().delete_mode(call.scope().as_ref(), call.query.flag("recursive")).await?;
    json(&ModeDto::from(mode))
}
