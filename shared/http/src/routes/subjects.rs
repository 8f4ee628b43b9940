//! Subjects (rest-api.md §4.1).

use crate::call::{Answer, Call, json};
use crate::dto::schema::SchemaDto;
use registrar_model::{SubjectPrefix, Version};
use registrar_registry::{LookupOptions, SubjectFilter, VersionOptions};

/// `GET /subjects`; without a prefix, those of every context.
pub(super) async fn list(call: Call) -> Answer {
    let prefix = SubjectPrefix::parse(call.query.first("subjectPrefix").unwrap_or(":*:"));
    let filter = match (call.query.flag("deletedOnly"), call.query.flag("deleted")) {
        (true, _) => SubjectFilter::OnlyDeleted,
        (false, true) => SubjectFilter::WithDeleted,
        (false, false) => SubjectFilter::Live,
    };
    let page = call.page(call.options().subject_limits)?;
    let subjects = page.of(call.registry().subjects(&prefix, filter).await?);
    json(&subjects.iter().map(ToString::to_string).collect::<Vec<_>>())
}

/// `POST /subjects/{subject}`: look up by content.
pub(super) async fn lookup(call: Call) -> Answer {
    let request = call.schema("lookup.request")?;
    let options = LookupOptions {
        normalize: call.query.flag("normalize"),
        deleted: call.query.flag("deleted"),
        format: call.query.text("format"),
    };
    let found = Box::pin(call.registry().lookup(&call.subject(), request, &options)).await?;
    json(&SchemaDto::from(&found))
}

/// `GET /subjects/{subject}/metadata`: the latest version with the given properties.
pub(super) async fn with_metadata(call: Call) -> Answer {
    let values = call.query.all("value").map(str::to_owned);
    let properties: Vec<_> = call.query.all("key").map(str::to_owned).zip(values).collect();
    let options = VersionOptions {
        deleted: call.query.flag("deleted"),
        format: call.query.text("format"),
        ..VersionOptions::default()
    };
    let found = call.registry().latest_with_metadata(&call.subject(), &properties, &options).await?;
    json(&SchemaDto::from(&found))
}

/// `DELETE /subjects/{subject}`
pub(super) async fn delete(call: Call) -> Answer {
    let deleted = call.registry().delete_subject(&call.subject(), call.query.flag("permanent")).await?;
    json(&deleted.into_iter().map(Version::get).collect::<Vec<_>>())
}
