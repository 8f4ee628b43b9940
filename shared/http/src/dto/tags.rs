//! Tags on the wire (rest-api.md §3.7), and the body of `POST …/tags` (§4.2).

use super::read::{Members, Mismatch, constant, integer, list, set, string};
use super::{metadata, rule_set};
use registrar_formats::json_text::Value;
use registrar_formats::{EntityKind, TaggedEntity};
use registrar_registry::{TagChanges, TagRequest};

/// Reads a list of tagged entities; nulls are left out.
pub(crate) fn read(value: Value<'_>) -> Result<Option<Vec<TaggedEntity>>, Mismatch> {
    list(value, entity)
}

fn entity(value: Value<'_>) -> Result<Option<TaggedEntity>, Mismatch> {
    if value.kind() == registrar_formats::json_text::Kind::Null {
        return Ok(None);
    }
    let members = Members::of(value, "SchemaTags")?;
    let tags = members.get("tags", set)?.unwrap_or_default();
    let (path, kind) = members.get("schemaEntity", place)?.ok_or_else(|| missing("schemaEntity"))?;
    Ok(Some(TaggedEntity { path, kind, tags: tags.into_iter().map(|tag| tag.0).collect() }))
}

fn place(value: Value<'_>) -> Result<Option<(String, EntityKind)>, Mismatch> {
    let members = Members::of(value, "SchemaEntity")?;
    let kinds = [EntityKind::Record, EntityKind::Field].map(|kind| (kind.name(), kind));
    let path = members.get("entityPath", string)?.ok_or_else(|| missing("entityPath"))?;
    let kind = members.get("entityType", |value| constant(value, "EntityType", &kinds))?;
    Ok(Some((path, kind.ok_or_else(|| missing("entityType"))?)))
}

fn missing(name: &str) -> Mismatch {
    Mismatch(format!("Missing member \"{name}\""))
}

/// Reads the body of `POST …/tags`.
pub(crate) fn request(value: Value<'_>) -> Result<TagRequest, Mismatch> {
    let members = Members::of(value, "TagSchemaRequest")?;
    Ok(TagRequest {
        new_version: members.get("newVersion", integer)?.unwrap_or_default(),
        tags: TagChanges {
            add: members.get("tagsToAdd", read)?.unwrap_or_default(),
            remove: members.get("tagsToRemove", read)?.unwrap_or_default(),
            propagate: false,
        },
        metadata: members.get("metadata", metadata::read)?,
        rule_set: members.get("ruleSet", rule_set::read)?,
        rules_to_merge: members.get("rulesToMerge", rule_set::read)?,
        rules_to_remove: members.get("rulesToRemove", |value| list(value, string))?,
    })
}
