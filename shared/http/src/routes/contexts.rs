//! Contexts (rest-api.md §4.7). Creating one, and reading its description, are additions of ours on paths where the
//! reference has no such methods.

use crate::call::{Answer, Call, json};
use crate::dto::context::{ContextDto, ContextRequest, read};
use crate::error::Failure;
use bytes::Bytes;
use registrar_model::{ContextName, Subject};

/// `GET /contexts`
pub(super) async fn list(call: Call) -> Answer {
    let page = call.page(call.options().context_limits)?;
    let prefix = call.query.text("contextPrefix");
    let mut contexts = call.registry().contexts().await?;
    contexts.retain(|context| context.as_str().starts_with(&prefix));
    json(&page.of(contexts).iter().map(ContextName::as_str).collect::<Vec<_>>())
}

/// `POST /contexts`: creates a context, or describes one that is there.
pub(super) async fn create(call: Call) -> Answer {
    let ContextRequest { name, description } = call.read("createContext.request", read)?;
    json(&ContextDto::from(&call.registry().create_context(&name, description).await?))
}

/// `GET /contexts/{context}`
pub(super) async fn get(call: Call) -> Answer {
    json(&ContextDto::from(&call.registry().context(&name(&call)?).await?))
}

/// `DELETE /contexts/{context}`; a context that is not there counts as deleted.
pub(super) async fn delete(call: Call) -> Answer {
    call.registry().delete_context(&name(&call)?).await?;
    Ok(Bytes::new())
}

/// The rewriting of paths makes `:.ctx:` of every name but that of the default context, which is no path of its own.
fn name(call: &Call) -> Result<ContextName, Failure> {
    let subject = Subject::parse(call.param("context"));
    let names_one = subject.is_context() && !subject.context().is_default();
    names_one.then(|| subject.context().clone()).ok_or(Failure::NotFound)
}
