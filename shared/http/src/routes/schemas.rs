//! Schemas by id, by guid and across subjects (rest-api.md §4.3).

use crate::call::{Answer, Call, json};
use crate::dto::schema::{ListedSchemaDto, SchemaStringDto, SubjectVersionDto};
use crate::dto::server::ContextIdDto;
use crate::error::Failure;
use bytes::Bytes;
use registrar_model::{Guid, Lifecycle, SchemaId, SubjectPrefix};
use registrar_registry::{IdQuery, ListedLifecycle, RegistryError, SchemaById, SchemasQuery, SubjectAssociations};

/// `GET /schemas`; without a prefix, those of the default context.
pub(super) async fn list(call: Call) -> Answer {
    let page = call.page(call.options().schema_limits)?;
    let query = SchemasQuery {
        prefix: SubjectPrefix::parse(&call.query.text("subjectPrefix")),
        deleted: call.query.flag("deleted"),
        aliases: call.query.flag("aliases"),
        latest_only: call.query.flag("latestOnly"),
        rule_type: call.query.text("ruleType"),
        associations: associations(&call)?,
        offset: page.offset,
        limit: page.limit,
    };
    let schemas = call.registry().schemas(&query).await?;
    json(&schemas.iter().map(ListedSchemaDto::from).collect::<Vec<_>>())
}

/// The filters by association; `None` without any of them.
fn associations(call: &Call) -> Result<Option<SubjectAssociations>, Failure> {
    let lifecycle = |name: &str| match name {
        "NONE" => Ok(ListedLifecycle::None),
        name => Lifecycle::parse(name).map(ListedLifecycle::Some).ok_or(Failure::NotFound),
    };
    let wanted = SubjectAssociations {
        resource_type: call.query.first("resourceType").filter(|name| !name.is_empty()).map(str::to_owned),
        association_types: call.query.all("associationType").map(str::to_owned).collect(),
        lifecycles: call.query.all("lifecycle").map(lifecycle).collect::<Result<_, _>>()?,
    };
    let none = wanted.resource_type.is_none() && wanted.association_types.is_empty() && wanted.lifecycles.is_empty();
    Ok((!none).then_some(wanted))
}

/// `GET /schemas/types`
pub(super) fn types(call: &Call) -> Answer {
    let types = &call.registry().settings().schema_types;
    json(&types.iter().map(|schema_type| schema_type.name()).collect::<Vec<_>>())
}

fn id_query(call: &Call) -> IdQuery {
    IdQuery {
        subject: call.query.first("subject").map(str::to_owned),
        format: call.query.text("format"),
        reference_format: call.query.text("referenceFormat"),
        find_tags: Vec::new(),
        fetch_max_id: call.query.flag("fetchMaxId"),
        deleted: call.query.flag("deleted"),
    }
}

async fn find(call: &Call, query: &IdQuery) -> Result<SchemaById, Failure> {
    let number = call.id()?;
    let unknown = || RegistryError::SchemaIdNotFound(number.to_string());
    let id = SchemaId::new(i64::from(number)).ok_or_else(unknown)?;
    Ok(call.registry().schema_by_id(id, query).await?)
}

/// `GET /schemas/ids/{id}`
pub(super) async fn by_id(call: Call) -> Answer {
    let find_tags = call.query.all("findTags").map(str::to_owned).collect();
    json(&SchemaStringDto::from(&find(&call, &IdQuery { find_tags, ..id_query(&call) }).await?))
}

/// `GET /schemas/ids/{id}/schema`: the bare text.
pub(super) async fn text_by_id(call: Call) -> Answer {
    Ok(Bytes::from(find(&call, &id_query(&call)).await?.content.text))
}

/// `GET /schemas/ids/{id}/subjects`
pub(super) async fn subjects(call: Call) -> Answer {
    let id = SchemaId::new(i64::from(call.id()?)).ok_or(RegistryError::SchemaNotFound)?;
    let page = call.page(call.options().subject_limits)?;
    let subjects = page.of(call.registry().subjects_of_id(id, &id_query(&call)).await?);
    json(&subjects.iter().map(ToString::to_string).collect::<Vec<_>>())
}

/// `GET /schemas/ids/{id}/versions`
pub(super) async fn versions(call: Call) -> Answer {
    let id = SchemaId::new(i64::from(call.id()?)).ok_or(RegistryError::SchemaNotFound)?;
    let page = call.page(call.options().version_limits)?;
    let versions = page.of(call.registry().versions_of_id(id, &id_query(&call)).await?);
    json(&versions.iter().map(SubjectVersionDto::from).collect::<Vec<_>>())
}

/// `GET /schemas/guids/{guid}`
pub(super) async fn by_guid(call: Call) -> Answer {
    let text = call.param("guid");
    let guid = Guid::parse(text).ok_or_else(|| RegistryError::SchemaIdNotFound(text.to_owned()))?;
    let found = call.registry().schema_by_guid(guid, &call.query.text("format")).await?;
    json(&SchemaStringDto::from(&found))
}

/// `GET /schemas/guids/{guid}/ids`; nothing for what is no guid.
pub(super) async fn ids(call: Call) -> Answer {
    let ids = match Guid::parse(call.param("guid")) {
        Some(guid) => call.registry().ids_of_guid(guid).await?,
        None => Vec::new(),
    };
    json(&ids.iter().map(ContextIdDto::from).collect::<Vec<_>>())
}
