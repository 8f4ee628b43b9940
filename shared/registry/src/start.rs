//! What a registration starts from: the text of the request, with tags changed, or what stands for it (rest-api.md §6.1
//! C1, C4a, C4b).

use crate::candidate::Draft;
use crate::find::Normalize;
use crate::register::permits;
use crate::{InvalidSchema, ReferenceRequest, Registry, RegistryError, SchemaRequest, TagChanges};
use registrar_formats::{Strictness, TagEdit, TaggedEntity};
use registrar_model::{SchemaContent, Subject};

/// A schema that has its text.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) draft: Draft,
    /// The head's tag beside which other versions were read for it; the registration holds only as long as it stands.
    pub(crate) tag: Option<u64>,
    pub(crate) normalize: Normalize,
}

impl Registry {
    /// Makes the text; `None` if another writer was faster.
    pub(crate) async fn start(
        &self,
        subject: &Subject,
        request: &SchemaRequest,
        normalize: Normalize,
    ) -> Result<Option<Start>, RegistryError> {
        let mut draft = self.draft(subject, request).await?;
        if request.tags.has_edits() {
            draft = draft.tagged(&request.tags.edits())?;
        }
        if !draft.is_blank() && !request.tags.propagate {
            return Ok(Some(Start { draft, tag: None, normalize }));
        }
        // There is nothing to look up yet, so the mode comes first.
        let around = self.surroundings(subject).await?;
        self.check_alias(subject, &around.head)?;
        if let Err(denied) = permits(&around, request) {
            return self.refuse(&around, denied).await;
        }
        let tag = Some(around.head.tag);
        // An import is taken as it is.
        let latest = if around.mode().takes_ids() { None } else { self.latest_row(subject).await? };
        let latest = latest.and_then(|row| row.content);
        if draft.is_blank() {
            let Some(latest) = &latest else { return Err(InvalidSchema::Empty.into()) };
            draft = self.draft(subject, &filled_from(request, latest)).await?;
        }
        if let Some(latest) = latest.filter(|_| request.tags.propagate) {
            draft = self.with_tags_of(subject, draft, &latest).await?;
        }
        Ok(Some(Start { draft, tag, normalize }))
    }

    /// The schema with all tags that the latest version has in its text.
    async fn with_tags_of(
        &self,
        subject: &Subject,
        draft: Draft,
        latest: &SchemaContent,
    ) -> Result<Draft, RegistryError> {
        let (schema, _) = self.stored_schema(subject.context(), latest).await?;
        let add = schema.tagged_entities().map_err(|error| InvalidSchema::Tags(error.to_string()))?;
        let changes = TagChanges { add, ..TagChanges::default() };
        if changes.has_edits() { draft.tagged(&changes.edits()) } else { Ok(draft) }
    }
}

impl Draft {
    /// The same schema with changed tags.
    pub(crate) fn tagged(self, edits: &[TagEdit]) -> Result<Self, RegistryError> {
        let schema = self.parse(Strictness::Existing)?.schema;
        let tagged = schema.with_tags(edits).map_err(|error| InvalidSchema::Tags(error.to_string()))?;
        Ok(self.with_text(tagged.text()))
    }
}

impl TagChanges {
    /// Whether tags are added or removed by name.
    pub(crate) fn has_edits(&self) -> bool {
        !self.add.is_empty() || !self.remove.is_empty()
    }

    /// Whether tags change at all.
    pub(crate) fn is_any(&self) -> bool {
        self.has_edits() || self.propagate
    }

    /// First everything is added, then removed. A dot in front of a path does not count.
    pub(crate) fn edits(&self) -> Vec<TagEdit> {
        let edit = |entity: &TaggedEntity, add: &[String], remove: &[String]| TagEdit {
            path: entity.path.strip_prefix('.').unwrap_or(&entity.path).to_owned(),
            kind: entity.kind,
            add: add.to_vec(),
            remove: remove.to_vec(),
        };
        let add = self.add.iter().map(|entity| edit(entity, &entity.tags, &[]));
        let remove = self.remove.iter().map(|entity| edit(entity, &[], &entity.tags));
        add.chain(remove).collect()
    }
}

/// A blank text stands for the latest version's text, type and references (C4a).
fn filled_from(request: &SchemaRequest, latest: &SchemaContent) -> SchemaRequest {
    SchemaRequest {
        schema: Some(latest.text.clone()),
        schema_type: Some(latest.schema_type.name().to_owned()),
        references: stored_references(latest),
        ..request.clone()
    }
}

/// The references of a stored schema, as a request gives them.
pub(crate) fn stored_references(content: &SchemaContent) -> Vec<ReferenceRequest> {
    let references = content.references.iter().map(|reference| ReferenceRequest {
        name: Some(reference.name.clone()),
        subject: Some(reference.subject.clone()),
        version: Some(reference.version),
    });
    references.collect()
}
