//! Aliases (rest-api.md §2.5): the configuration of a subject may name another subject, which then gets its requests.
//!
//! An operation sees the alias of the subject it was asked about in the head, which it reads anyway. It then does nothing
//! but say so, and whoever asked asks the other subject, through [`Registry::past_aliases`]: one hop, no further.

use crate::{Registry, RegistryError};
use registrar_model::{JavaString, Subject};
use registrar_store::{DirectoryEntry, Head, Key};
use std::collections::BTreeMap;

/// Subjects that aliases lead to, with those aliases.
pub(crate) type Aliases = BTreeMap<Subject, Vec<Subject>>;

impl Registry {
    /// Hands a request on whose subject is an alias.
    pub(crate) fn check_alias(&self, subject: &Subject, head: &Head) -> Result<(), RegistryError> {
        let alias = head.alias().filter(|_| self.follows_aliases);
        alias.map_or(Ok(()), |alias| Err(RegistryError::Aliased(target(subject, alias))))
    }

    /// The same for a request that would not read the head otherwise.
    pub(crate) async fn check_alias_of(&self, subject: &Subject) -> Result<(), RegistryError> {
        if !self.follows_aliases || subject.is_context() {
            return Ok(());
        }
        let head = self.store.fetch([Key::Head(subject.clone())]).await?.head(subject)?;
        self.check_alias(subject, &head)
    }

    /// What a request comes to that was refused before the head was read: the other subject may lie in a context where
    /// references resolve, or have a name that is allowed.
    pub(crate) async fn unless_aliased(&self, subject: &Subject, error: RegistryError) -> RegistryError {
        if !matches!(error, RegistryError::InvalidSchema(_) | RegistryError::InvalidSubject(_)) {
            return error;
        }
        self.check_alias_of(subject).await.err().unwrap_or(error)
    }
}

/// The aliases among the subjects of a list.
pub(crate) fn among(entries: &[DirectoryEntry]) -> Aliases {
    let mut aliases = Aliases::new();
    for entry in entries {
        if let Some(alias) = &entry.alias {
            aliases.entry(target(&entry.subject, alias)).or_default().push(entry.subject.clone());
        }
    }
    for aliases in aliases.values_mut() {
        aliases.sort_by_cached_key(|alias| JavaString(alias.to_string()));
    }
    aliases
}

/// An alias that names no context means one beside the subject.
pub(crate) fn target(subject: &Subject, alias: &str) -> Subject {
    let qualified = alias.starts_with(":.") || alias.starts_with(":*:");
    if qualified { Subject::parse(alias) } else { Subject::new(subject.context().clone(), alias) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alias_without_context_lies_beside_the_subject() {
        for (subject, alias, expected) in [
            ("s", "t", "t"),
            (":.c:s", "t", ":.c:t"),
            ("s", ":.c:t", ":.c:t"),
            (":.c:s", ":.d:t", ":.d:t"),
            (":.c:s", ":.:t", "t"),
            (":.c:s", ":d:t", ":.c::d:t"),
            ("s", "a/b", "a/b"),
        ] {
            assert_eq!(target(&Subject::parse(subject), alias).to_string(), expected, "{subject} to {alias}");
        }
    }
}
