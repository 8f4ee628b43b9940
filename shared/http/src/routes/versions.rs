//! Versions of a subject (rest-api.md §4.2).

use crate::call::{Answer, Call, json};
use crate::dto::schema::{RegisteredDto, SchemaDto};
use crate::dto::tags;
use bytes::Bytes;
use registrar_model::SchemaId;
use registrar_registry::{RegisterOptions, VersionFilter, VersionOptions};

/// `GET /subjects/{subject}/versions`
pub(super) async fn list(call: Call) -> Answer {
    let filter = VersionFilter {
        deleted: call.query.flag("deleted"),
        deleted_only: call.query.flag("deletedOnly"),
        deleted_as_negative: call.query.flag("deletedAsNegative"),
    };
    let page = call.page(call.options().version_limits)?;
    json(&page.of(call.registry().versions(&call.subject(), filter).await?))
}

/// `POST /subjects/{subject}/versions`: register.
pub(super) async fn register(call: Call) -> Answer {
    let request = call.schema("register.request")?;
    let options = RegisterOptions {
        normalize: call.query.flag("normalize"),
        format: call.query.text("format"),
        force: call.query.flag("force"),
        dry_run: false,
    };
    let registered = call.registry().register(&call.subject(), request, &options).await?;
    json(&RegisteredDto::from(&registered))
}

/// `POST /subjects/{subject}/versions/{version}/tags`: registers a copy with other tags, metadata or rules.
pub(super) async fn tag(call: Call) -> Answer {
    let request = call.read("tagSchema.request", tags::request)?;
    let registered = call.registry().tag_version(&call.subject(), call.version()?, request).await?;
    json(&RegisteredDto::from(&registered))
}

fn options(call: &Call) -> VersionOptions {
    VersionOptions {
        deleted: call.query.flag("deleted"),
        format: call.query.text("format"),
        reference_format: call.query.text("referenceFormat"),
        find_tags: Vec::new(),
    }
}

/// `GET /subjects/{subject}/versions/{version}`
pub(super) async fn get(call: Call) -> Answer {
    let find_tags = call.query.all("findTags").map(str::to_owned).collect();
    let options = VersionOptions { find_tags, ..options(&call) };
    let found = call.registry().version(&call.subject(), call.version()?, &options).await?;
    json(&SchemaDto::from(&found))
}

/// `GET /subjects/{subject}/versions/{version}/schema`: the bare text.
pub(super) async fn text(call: Call) -> Answer {
    let found = call.registry().version(&call.subject(), call.version()?, &options(&call)).await?;
    Ok(Bytes::from(found.content.text))
}

/// `GET /subjects/{subject}/versions/{version}/referencedby`
pub(super) async fn referenced_by(call: Call) -> Answer {
    let version = call.version()?;
    let page = call.page(call.options().schema_limits)?;
    let ids = call.registry().referenced_by(&call.subject(), version, call.query.flag("deleted")).await?;
    json(&page.of(ids).into_iter().map(SchemaId::get).collect::<Vec<_>>())
}

/// `DELETE /subjects/{subject}/versions/{version}`
pub(super) async fn delete(call: Call) -> Answer {
    let permanent = call.query.flag("permanent");
    let deleted = call.registry().delete_version(&call.subject(), call.version()?, permanent).await?;
    json(&deleted.get())
}
