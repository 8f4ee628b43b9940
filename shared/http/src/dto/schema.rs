//! Schemas in answers (rest-api.md §3.2, §3.3, §3.8). The order of the members below is the order on the wire.

use super::associations::AssociationDto;
use super::metadata::MetadataDto;
use super::rule_set::RuleSetDto;
use registrar_formats::TaggedEntity;
use registrar_model::{Reference, SchemaContent, Subject, Version};
use registrar_registry::{ListedSchema, Registered, SchemaById, VersionedSchema};
use serde::Serialize;

#[derive(Serialize)]
struct ReferenceDto<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    subject: &'a str,
    version: i32,
}

/// A tagged entity (§3.7).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SchemaTagsDto<'a> {
    schema_entity: SchemaEntityDto<'a>,
    tags: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SchemaEntityDto<'a> {
    entity_path: &'a str,
    entity_type: &'static str,
}

/// A version of a subject (§3.2).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SchemaDto<'a> {
    #[serde(skip_serializing_if = "String::is_empty")]
    subject: String,
    version: u32,
    id: u32,
    guid: String,
    schema_type: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    references: Vec<ReferenceDto<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<MetadataDto<'a>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    schema: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    schema_tags: Vec<SchemaTagsDto<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deleted: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_set: Option<RuleSetDto<'a>>,
}

/// A schema in a list of all (§3.2): with what only lists show before the rule set.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListedSchemaDto<'a> {
    #[serde(flatten)]
    schema: SchemaDto<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    aliases: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    associations: Vec<AssociationDto<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_set: Option<RuleSetDto<'a>>,
}

/// A schema by id or guid (§3.3).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SchemaStringDto<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    guid: String,
    schema_type: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    schema: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    references: Vec<ReferenceDto<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<MetadataDto<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_set: Option<RuleSetDto<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    schema_tags: Vec<SchemaTagsDto<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_id: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<u64>,
}

/// The answer to a registration (§3.8).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RegisteredDto<'a> {
    id: u32,
    version: u32,
    guid: String,
    schema_type: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    references: Vec<ReferenceDto<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<MetadataDto<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_set: Option<RuleSetDto<'a>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    schema: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deleted: Option<bool>,
}

/// A subject and one of its versions (§3.10).
#[derive(Serialize)]
pub(crate) struct SubjectVersionDto {
    subject: String,
    version: u32,
}

impl<'a> From<&'a Reference> for ReferenceDto<'a> {
    fn from(reference: &'a Reference) -> Self {
        Self { name: &reference.name, subject: &reference.subject, version: reference.version }
    }
}

impl<'a> From<&'a TaggedEntity> for SchemaTagsDto<'a> {
    fn from(entity: &'a TaggedEntity) -> Self {
        let schema_entity = SchemaEntityDto { entity_path: &entity.path, entity_type: entity.kind.name() };
        Self { schema_entity, tags: &entity.tags }
    }
}

fn references(content: &SchemaContent) -> Vec<ReferenceDto<'_>> {
    content.references.iter().map(ReferenceDto::from).collect()
}

fn metadata(content: &SchemaContent) -> Option<MetadataDto<'_>> {
    content.metadata.as_ref().map(MetadataDto)
}

fn rule_set(content: &SchemaContent) -> Option<RuleSetDto<'_>> {
    content.rule_set.as_ref().map(RuleSetDto::from)
}

impl<'a> From<&'a VersionedSchema> for SchemaDto<'a> {
    fn from(schema: &'a VersionedSchema) -> Self {
        let content = &schema.content;
        Self {
            subject: schema.subject.to_string(),
            version: schema.version.get(),
            id: schema.id.get(),
            guid: schema.guid.to_string(),
            schema_type: content.schema_type.name(),
            references: references(content),
            metadata: metadata(content),
            schema: &content.text,
            schema_tags: schema.tagged.iter().map(SchemaTagsDto::from).collect(),
            ts: schema.ts,
            deleted: schema.deleted,
            rule_set: rule_set(content),
        }
    }
}

impl<'a> From<&'a ListedSchema> for ListedSchemaDto<'a> {
    fn from(listed: &'a ListedSchema) -> Self {
        Self {
            schema: SchemaDto { rule_set: None, ..SchemaDto::from(&listed.schema) },
            aliases: listed.aliases.iter().map(Subject::to_string).collect(),
            associations: listed.associations.iter().map(AssociationDto::from).collect(),
            rule_set: rule_set(&listed.schema.content),
        }
    }
}

impl<'a> From<&'a SchemaById> for SchemaStringDto<'a> {
    fn from(schema: &'a SchemaById) -> Self {
        let content = &schema.content;
        Self {
            subject: schema.subject.as_ref().map(Subject::to_string).filter(|subject| !subject.is_empty()),
            version: schema.version.map(Version::get),
            guid: schema.guid.to_string(),
            schema_type: content.schema_type.name(),
            schema: &content.text,
            references: references(content),
            metadata: metadata(content),
            rule_set: rule_set(content),
            schema_tags: schema.tagged.iter().map(SchemaTagsDto::from).collect(),
            max_id: schema.max_id.map(registrar_model::SchemaId::get),
            ts: schema.ts,
        }
    }
}

impl<'a> From<&'a Registered> for RegisteredDto<'a> {
    fn from(registered: &'a Registered) -> Self {
        let content = &registered.content;
        Self {
            id: registered.id.get(),
            version: registered.version.get(),
            guid: registered.guid.to_string(),
            schema_type: content.schema_type.name(),
            references: references(content),
            metadata: metadata(content),
            rule_set: rule_set(content),
            schema: &content.text,
            ts: registered.ts,
            deleted: registered.deleted,
        }
    }
}

impl From<&(Subject, Version)> for SubjectVersionDto {
    fn from((subject, version): &(Subject, Version)) -> Self {
        Self { subject: subject.to_string(), version: version.get() }
    }
}

#[cfg(test)]
mod tests;
