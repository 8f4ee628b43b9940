//! Contents of version rows that are too large to be kept in them.

use crate::{LIGHT_BYTES, Registry, RegistryError};
use registrar_model::{ContextName, SchemaContent, SchemaId};
use registrar_store::{StoreError, VersionRow};
use std::collections::{BTreeSet, HashMap};

/// How many contents are read before anyone looks how large they are. They may be large, and small ones need no read.
pub(crate) const AT_A_TIME: usize = 8;

impl Registry {
    /// Completes rows whose content stands elsewhere: no round trip where all have theirs.
    pub(crate) async fn fill_contents<'a>(
        &self,
        rows: impl IntoIterator<Item = (ContextName, &'a mut VersionRow)>,
    ) -> Result<(), RegistryError> {
        let mut empty: HashMap<ContextName, Vec<&mut VersionRow>> = HashMap::new();
        for (context, row) in rows {
            if !self.store.expand(row)? {
                empty.entry(context).or_default().push(row);
            }
        }
        for (context, rows) in empty {
            let ids: BTreeSet<SchemaId> = rows.iter().map(|row| row.id).collect();
            let schemas = self.store.schemas(&context, &ids.into_iter().collect::<Vec<_>>()).await?;
            for row in rows {
                row.content = schemas.get(&row.id).map(|schema| schema.content.clone());
            }
        }
        Ok(())
    }

    /// The same, a few rows at a time, until their texts take more than `left` bytes: then it stops, and is false.
    pub(crate) async fn fill_within<'a>(
        &self,
        rows: impl IntoIterator<Item = (ContextName, &'a mut VersionRow)>,
        left: &mut usize,
    ) -> Result<bool, RegistryError> {
        let mut rows: Vec<_> = rows.into_iter().collect();
        for group in rows.chunks_mut(AT_A_TIME) {
            self.fill_contents(group.iter_mut().map(|(context, row)| (context.clone(), &mut **row))).await?;
            let bytes = group.iter().filter_map(|(_, row)| Some(row.content.as_ref()?.text.len())).sum();
            let Some(rest) = left.checked_sub(bytes) else { return Ok(false) };
            *left = rest;
        }
        Ok(true)
    }

    /// For each row whether its content is `wanted`. Large contents are let go of again, to be read anew where they are
    /// needed: all of them may be too much.
    pub(crate) async fn with_contents<'a>(
        &self,
        rows: impl IntoIterator<Item = (ContextName, &'a mut VersionRow)>,
        wanted: impl Fn(&SchemaContent) -> bool,
    ) -> Result<Vec<bool>, RegistryError> {
        let mut rows: Vec<_> = rows.into_iter().collect();
        let mut found = Vec::with_capacity(rows.len());
        for group in rows.chunks_mut(AT_A_TIME) {
            self.fill_contents(group.iter_mut().map(|(context, row)| (context.clone(), &mut **row))).await?;
            for (_, row) in group {
                found.push(row.content.as_ref().is_some_and(&wanted));
                row.content.take_if(|content| content.text.len() > LIGHT_BYTES);
            }
        }
        Ok(found)
    }

    /// The content of one row. `None` if it was deleted for good meanwhile: the caller starts again.
    pub(crate) async fn content_of(
        &self,
        context: &ContextName,
        row: &mut VersionRow,
    ) -> Result<Option<SchemaContent>, RegistryError> {
        self.fill_contents([(context.clone(), &mut *row)]).await?;
        Ok(row.content.clone())
    }
}

/// A row without content where the protocol says that it has one.
pub(crate) fn no_content(row: &VersionRow) -> RegistryError {
    StoreError::Broken(format!("schema {} of version {} is missing", row.id, row.version)).into()
}
