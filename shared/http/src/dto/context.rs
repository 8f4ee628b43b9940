//! A context with its description: bodies of our own.

use super::read::{Members, string};
use crate::context_prefix::BadContext;
use crate::error::Failure;
use registrar_formats::json_text::Value;
use registrar_model::{ContextName, Update};
use registrar_registry::ContextDescription;
use serde::Serialize;

/// What to create.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ContextRequest {
    pub(crate) name: ContextName,
    /// Absent leaves what is there, null removes it.
    pub(crate) description: Update<String>,
}

/// Reads the body; the name may be given in every form that a path may have it in.
pub(crate) fn read(value: Value<'_>) -> Result<ContextRequest, Failure> {
    let members = Members::of(value, "ContextCreateRequest")?;
    let refused = |message: &str| Failure::BadRequest(message.to_owned());
    let name = members.get("name", string)?.ok_or_else(|| refused("Context name is missing"))?;
    let context = ContextName::parse_lenient(&name).ok_or_else(|| Failure::BadRequest(BadContext(name).message()))?;
    if context.is_default() {
        return Err(refused("The default context is always there and has no description"));
    }
    Ok(ContextRequest { name: context, description: members.update("description", string)? })
}

/// The answer.
#[derive(Serialize)]
pub(crate) struct ContextDto<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
}

impl<'a> From<&'a ContextDescription> for ContextDto<'a> {
    fn from(context: &'a ContextDescription) -> Self {
        Self { name: context.name.as_str(), description: context.description.as_deref() }
    }
}
