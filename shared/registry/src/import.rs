//! Imports: explicit ids and versions (rest-api.md §6.1 "In IMPORT").

use crate::second_read::{Intent, SecondRead};
use crate::{Denied, Registry, RegistryError};
use registrar_model::{SchemaId, Version};
use registrar_store::{DeletedRow, Head, Key, Lookup, LookupAfter, Overwritten, VersionRow};

impl Registry {
    /// One id never holds two contents.
    pub(crate) fn check_import(intent: Intent<'_>, read: &SecondRead, id: SchemaId) -> Result<(), RegistryError> {
        if read.import_hash.is_some_and(|hash| hash != intent.candidate.keys.hash) {
            return Err(Denied::OverwriteId(intent.around.subject.clone(), id).into());
        }
        Ok(())
    }

    /// Reads what hangs on the version that an import writes over. An outer `None` if it changed meanwhile.
    pub(crate) async fn overwritten(
        &self,
        intent: Intent<'_>,
        read: &mut SecondRead,
    ) -> Result<Option<Option<Overwritten>>, RegistryError> {
        let Some(row) = read.overwritten.take() else { return Ok(Some(None)) };
        let around = intent.around;
        let (subject, context) = (&around.subject, around.subject.context());
        let fetched = self
            .store
            .fetch([
                Key::Fingerprint(context.clone(), row.hash),
                Key::OtherId(context.clone(), row.hash, row.id),
                Key::Lookup(subject.clone(), row.equality),
            ])
            .await?;
        let lookup = fetched.lookup(subject, row.equality)?;
        if row.born > around.head.tag || lookup.as_ref().is_some_and(|lookup| lookup.born > around.head.tag) {
            return Ok(None);
        }
        let lookup = self.lookup_without(&around.head, subject, &row, lookup.as_ref()).await?;
        let fingerprint = fetched.fingerprint(context, row.hash)?;
        let other = fetched.other_id(context, row.hash, row.id)?;
        read.replaced.retain(|gone| gone.row.version != row.version);
        let was_live = row.is_live(&around.head);
        Ok(Some(Some(Overwritten { row: DeletedRow { row, fingerprint, other }, was_live, lookup })))
    }

    /// What becomes of a content's lookup row when `row` no longer has the content, or not for good.
    pub(crate) async fn lookup_without(
        &self,
        head: &Head,
        subject: &registrar_model::Subject,
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

/// The number that an import may write over, to refuse a schema that refers to the version it replaces.
pub(crate) fn refers_to_itself(intent: Intent<'_>, targets: &[registrar_store::ReferenceTarget]) -> Option<Version> {
    let own = |target: &&registrar_store::ReferenceTarget| {
        target.target.subject == intent.around.subject && target.target.version == intent.version
    };
    targets.iter().find(own).map(|target| target.target.version)
}
