//! Associations of topics with subjects (rest-api.md appendix A).

use crate::call::{Answer, Call, json};
use crate::dto::associations::{
    AssociatedDto, AssociationDto, BatchDto, ResultDto, read_batch, read_gets, read_request,
};
use crate::error::{Failure, refusal};
use bytes::Bytes;
use registrar_model::{ANY_NAME, ContextName, Lifecycle};
use registrar_registry::{
    Associated, AssociationFilter, AssociationOp, MutateOptions, RegistryError, ResourceAssociation,
};

/// `GET /associations`: by name, as one client asks; a name left out stands for any. An addition of ours.
pub(super) async fn find(call: Call) -> Answer {
    let named = |name| call.query.first(name).filter(|name| !name.is_empty()).unwrap_or(ANY_NAME).to_owned();
    by_name(&call, &named("resourceNamespace"), &named("resourceName")).await
}

/// `GET /associations/resources/{resourceNamespace}/{resourceName}`
pub(super) async fn of_name(call: Call) -> Answer {
    by_name(&call, call.param("resourceNamespace"), call.param("resourceName")).await
}

async fn by_name(call: &Call, namespace: &str, name: &str) -> Answer {
    check_enabled(call)?;
    let filter = filter(call)?;
    page(call, call.registry().associations_by_name(namespace, name, &filter).await?)
}

/// `GET /associations/resources/{resourceId}`
pub(super) async fn of_resource(call: Call) -> Answer {
    check_enabled(&call)?;
    let filter = filter(&call)?;
    page(&call, call.registry().associations_of_resource(call.param("resourceId"), &filter).await?)
}

/// `GET /associations/subjects/{subject}`; the name counts as it is written.
pub(super) async fn of_subject(call: Call) -> Answer {
    check_enabled(&call)?;
    let filter = filter(&call)?;
    page(&call, call.registry().associations_of_subject(call.param("subject"), &filter).await?)
}

fn page(call: &Call, found: Vec<ResourceAssociation>) -> Answer {
    let page = call.page(call.options().schema_limits)?.of(found);
    json(&page.iter().map(AssociationDto::from).collect::<Vec<_>>())
}

/// `POST /associations`
pub(super) async fn create(call: Call) -> Answer {
    check_enabled(&call)?;
    let request = call.read("createAssociation.request", |value| read_request(value, AssociationOp::Create))?;
    json(&AssociatedDto::from(&call.registry().change_associations(&request, &options(&call)?).await?))
}

/// `PUT /associations/resources/{resourceId}`
pub(super) async fn upsert(call: Call) -> Answer {
    check_enabled(&call)?;
    let mut request =
        call.read("createOrUpdateAssociation.request", |value| read_request(value, AssociationOp::Upsert))?;
    let id = call.param("resourceId");
    if request.resource_id.get_or_insert_with(|| id.to_owned()) != id {
        let detail = "Resource ID in the path parameter does not match the resource ID in the request body";
        return Err(RegistryError::InvalidAssociation { property: "resourceId", detail: detail.to_owned() }.into());
    }
    json(&AssociatedDto::from(&call.registry().change_associations(&request, &options(&call)?).await?))
}

/// `DELETE /associations/resources/{resourceId}`
pub(super) async fn delete(call: Call) -> Answer {
    check_enabled(&call)?;
    let types: Vec<String> = call.query.all("associationType").map(str::to_owned).collect();
    let (cascade, dry_run) = (call.query.flag("cascadeLifecycle"), call.query.flag("dryRun"));
    let (id, resource_type) = (call.param("resourceId"), call.query.first("resourceType"));
    call.registry().delete_associations(id, &types, resource_type, cascade, dry_run).await?;
    Ok(Bytes::new())
}

/// `POST /associations:batchGet`
pub(super) async fn batch_get(call: Call) -> Answer {
    check_enabled(&call)?;
    let gets = call.read("batchGetAssociations.request", read_gets)?;
    let found = call.registry().get_associations_batch(&gets, call.query.flag("includeSchemas")).await?;
    results(&call, found)
}

/// `POST /associations:batchMutate`
pub(super) async fn batch_mutate(call: Call) -> Answer {
    check_enabled(&call)?;
    let requests = call.read("mutateAssociations.request", read_batch)?;
    let done = Box::pin(call.registry().change_associations_batch(&requests, &options(&call)?)).await?;
    results(&call, done)
}

/// Each request of a batch has an answer or an error of its own.
fn results(call: &Call, done: Vec<Result<Associated, RegistryError>>) -> Answer {
    let (mut answers, mut errors) = (Vec::new(), Vec::new());
    for (place, result) in done.into_iter().enumerate() {
        match result {
            Ok(answer) => answers.push((place, answer)),
            Err(error) => {
                let refusal = refusal(error.into(), None, call.options().legacy_conflict_code);
                if let Some(detail) = &refusal.detail {
                    tracing::error!(place, answer = refusal.message, detail, "failed in a batch");
                }
                errors.push((place, refusal.into_parts().1));
            }
        }
    }
    let answers = answers.iter().map(|(place, answer)| (*place, ResultDto::Result(AssociatedDto::from(answer))));
    let errors = errors.into_iter().map(|(place, error)| (place, ResultDto::Error(error)));
    let mut results: Vec<_> = answers.chain(errors).collect();
    results.sort_by_key(|(place, _)| *place);
    json(&BatchDto { results: results.into_iter().map(|(_, result)| result).collect() })
}

/// With associations switched off their paths are unknown.
fn check_enabled(call: &Call) -> Result<(), Failure> {
    if call.registry().settings().associations { Ok(()) } else { Err(Failure::NotFound) }
}

fn options(call: &Call) -> Result<MutateOptions, Failure> {
    Ok(MutateOptions { context: context(call.query.first("context"))?, dry_run: call.query.flag("dryRun") })
}

/// `ctx`, `.ctx` and `:.ctx:` mean the same, as in a path (rest-api.md §2.4).
fn context(name: Option<&str>) -> Result<ContextName, Failure> {
    let Some(name) = name.filter(|name| !name.is_empty()) else { return Ok(ContextName::default_context()) };
    let bare = name.strip_prefix(':').unwrap_or(name);
    let bare = bare.strip_suffix(':').unwrap_or(bare);
    let dotted = if bare.starts_with('.') { bare.to_owned() } else { format!(".{bare}") };
    ContextName::parse(&dotted)
        .ok_or_else(|| Failure::BadRequest(format!("Context name '{name}' cannot contain a colon")))
}

fn filter(call: &Call) -> Result<AssociationFilter, Failure> {
    let lifecycle = call.query.first("lifecycle").filter(|name| !name.is_empty());
    let lifecycle = lifecycle.map(|name| Lifecycle::parse(name).ok_or(Failure::NotFound)).transpose()?;
    Ok(AssociationFilter {
        resource_type: call.query.first("resourceType").map(str::to_owned),
        association_types: call.query.all("associationType").map(str::to_owned).collect(),
        lifecycle,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts() {
        for (name, expected) in [
            (None, "."),
            (Some(""), "."),
            (Some("."), "."),
            (Some(":.:"), "."),
            (Some("ctx"), ".ctx"),
            (Some(".ctx"), ".ctx"),
            (Some(":.ctx:"), ".ctx"),
        ] {
            assert_eq!(context(name).unwrap().as_str(), expected, "{name:?}");
        }
        assert!(matches!(context(Some(":.a:b")), Err(Failure::BadRequest(_))));
    }
}
