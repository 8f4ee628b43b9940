//! What a new association is: what a request leaves out, and what it may not say (rest-api.md appendix A,
//! "Validation"). Nothing here reads; the mode in force is the caller's to ask.

use super::checks::{Info, Wanted, not_frozen};
use crate::RegistryError;
use registrar_model::{Lifecycle, Subject};

/// A new association, all of it settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct New {
    pub(super) subject: Subject,
    pub(super) lifecycle: Lifecycle,
}

/// By a create: a schema makes it STRONG, nothing makes it WEAK.
pub(super) fn by_create(wanted: &Wanted, info: &Info) -> Result<New, RegistryError> {
    if info.schema.is_some() && info.frozen == Some(false) {
        return Err(RegistryError::association("frozen", "cannot be false when schema is provided for create"));
    }
    settle(wanted, info, info.schema.is_some() || info.frozen == Some(true))
}

/// By an upsert, which registers no schema: what is a topic's own is made with the topic.
pub(super) fn by_upsert(wanted: &Wanted, info: &Info) -> Result<New, RegistryError> {
    if info.schema.is_some() {
        return Err(RegistryError::association("schema", "cannot be provided when an upsert creates an association"));
    }
    settle(wanted, info, info.frozen == Some(true))
}

fn settle(wanted: &Wanted, info: &Info, implies_strong: bool) -> Result<New, RegistryError> {
    let lifecycle = info.lifecycle.unwrap_or(if implies_strong { Lifecycle::Strong } else { Lifecycle::Weak });
    if lifecycle.is_frozen() && info.frozen == Some(false) {
        return Err(not_frozen());
    }
    let own = wanted.own_subject(info.association_type);
    let subject = match (lifecycle, info.subject.clone(), own) {
        (Lifecycle::Strong, None, Some(own)) => own,
        (_, None, _) => return Err(RegistryError::empty_association_member("subject")),
        (Lifecycle::Strong, Some(given), Some(own)) if given != own => {
            let detail = format!("frozen associations must use subject '{own}'");
            return Err(RegistryError::association("subject", detail));
        }
        (Lifecycle::Weak, Some(given), Some(own)) if given == own => {
            let detail = format!("WEAK associations cannot use subject '{own}'");
            return Err(RegistryError::association("subject", detail));
        }
        (_, Some(given), _) => given,
    };
    Ok(New { subject, lifecycle })
}
