//! What in a stored schema has which tags (rest-api.md §4.2, `findTags`).

use crate::{Registry, RegistryError};
use registrar_formats::TaggedEntity;
use registrar_model::{ContextName, SchemaContent};

/// The tag that stands for all.
const ANY: &str = "*";

impl Registry {
    /// The entities of a stored schema with one of the tags `wanted`; nothing is read where none is.
    pub(crate) async fn tagged(
        &self,
        context: &ContextName,
        content: &SchemaContent,
        wanted: &[String],
    ) -> Result<Vec<TaggedEntity>, RegistryError> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let (schema, _) = self.stored_schema(context, content).await?;
        // What was imported need not be valid, and is served all the same: then nothing of it is tagged.
        let entities = schema.tagged_entities().unwrap_or_default();
        Ok(entities.into_iter().filter(|entity| is_wanted(entity, wanted)).collect())
    }
}

fn is_wanted(entity: &TaggedEntity, wanted: &[String]) -> bool {
    wanted.iter().any(|tag| tag == ANY || entity.tags.contains(tag))
}
