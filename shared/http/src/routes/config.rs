//! Configuration, at the top level and of a subject or context (rest-api.md §4.5).

use crate::call::{Answer, Call, json};
use crate::dto::config::{ConfigDto, read};

/// `GET /config` and `GET /config/{subject}`
pub(super) async fn get(call: Call) -> Answer {
    let default_to_global = call.query.flag("defaultToGlobal");
    json(&ConfigDto::Current(&call.registry().config(call.scope().as_ref(), default_to_global).await?))
}

/// `PUT /config` and `PUT /config/{subject}`
pub(super) async fn put(call: Call) -> Answer {
    let update = call.read("updateConfig.request", read)?;
    json(&ConfigDto::Updated(&call.registry().set_config(call.scope().as_ref(), update).await?))
}

/// `DELETE /config` and `DELETE /config/{subject}`
pub(super) async fn delete(call: Call) -> Answer {
    json(&ConfigDto::Current(&call.registry().delete_config(call.scope().as_ref()).await?))
}
