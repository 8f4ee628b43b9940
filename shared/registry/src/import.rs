//! Imports: explicit ids and versions (rest-api.md §6.1 "In IMPORT").

use crate::second_read::{Intent, SecondRead};
use crate::{Denied, Registry, RegistryError};
use registrar_model::{SchemaId, Version};
use registrar_store::{DeletedRow, Key, Overwritten, ReferenceTarget};

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
}

/// The version that an import writes over, if its schema refers to that very version.
pub(crate) fn refers_to_itself(intent: Intent<'_>, targets: &[ReferenceTarget]) -> Option<Version> {
    let own = |target: &&ReferenceTarget| {
        target.target.subject == intent.around.subject && target.target.version == intent.version
    };
    targets.iter().find(own).map(|target| target.target.version)
}
