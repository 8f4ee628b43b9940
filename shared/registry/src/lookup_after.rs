//! Which version a lookup row means when the one it meant goes.

use crate::{Registry, RegistryError};
use registrar_model::Subject;
use registrar_store::{Head, Lookup, LookupAfter, VersionRow};

impl Registry {
    /// What becomes of a content's lookup row when `row` no longer has the content, or not for good.
    pub(crate) async fn lookup_without(
        &self,
        head: &Head,
        subject: &Subject,
        row: &VersionRow,
        lookup: Option<&Lookup>,
    ) -> Result<LookupAfter, RegistryError> {
        let Some(lookup) = lookup.filter(|lookup| lookup.version == row.version) else { return Ok(LookupAfter::Keep) };
        if !lookup.several {
            return Ok(LookupAfter::Gone);
        }
        let rows = self.store.versions(subject).await?;
        let same = |other: &&VersionRow| {
            other.version != row.version && other.equality == row.equality && other.born <= head.tag
        };
        let newest = |live: bool| -> Option<&VersionRow> {
            rows.iter().rev().filter(same).find(|other| other.is_live(head) == live)
        };
        let heir = newest(true).or_else(|| newest(false));
        Ok(heir.map_or(LookupAfter::Gone, |heir| LookupAfter::Means(Box::new(heir.clone()))))
    }
}
