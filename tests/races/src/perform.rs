//! Carrying operations out, and what clients are told.

use std::hash::{DefaultHasher, Hash, Hasher};

use registrar_harness::schemas::{number, subject};
use registrar_model::{ConfigUpdate, ContextName, SchemaId, Subject, SubjectPrefix, Update, Version, VersionSpec};
use registrar_registry::{
    AssociationFilter, AssociationInfo, AssociationOp, AssociationRequest, CheckOptions, Denied, IdQuery,
    LookupOptions, MutateOptions, RegisterOptions, Registry, RegistryError, ResourceAssociation, SchemaRequest,
    SchemasQuery, SubjectFilter, TagRequest, VersionFilter, VersionOptions, VersionedSchema,
};

use crate::operation::{NAMESPACE, Operation, RESOURCE};
use crate::schema::{guid_of, schema};

/// What stands in front of the subject in the answer of an operation that an alias led away.
const ALIASED: &str = "aliased to ";
/// What stands between the entries of a list.
const BETWEEN: &str = " | ";

/// An id in an answer; which number it is means nothing, so orders are compared with ids renamed.
pub fn id_token(context: &ContextName, id: SchemaId) -> String {
    format!("<id {}/{id}>", context.as_str())
}

fn spec(version: i64) -> VersionSpec {
    if version == 0 { VersionSpec::Latest } else { number(version) }
}

/// Who a subject is associated with.
pub async fn associations_of(registry: &Registry, subject: &str) -> Result<String, RegistryError> {
    Ok(shown(&registry.associations_of_subject(subject, &AssociationFilter::default()).await?))
}

fn shown(associations: &[ResourceAssociation]) -> String {
    let show = |one: &ResourceAssociation| {
        let association = &one.association;
        let kind = (association.association_type, association.lifecycle);
        format!("{} of {} is {} {:?}", association.subject, one.resource.id, kind.0.name(), kind.1)
    };
    associations.iter().map(show).collect::<Vec<_>>().join(", ")
}

/// Carries it out, and tells what the client was told.
pub async fn perform(registry: &Registry, operation: &Operation) -> String {
    let told = match operation {
        Operation::Associate { .. } | Operation::AssociateWith { .. } | Operation::Dissociate { .. } => {
            Box::pin(told_of_associations(registry, operation)).await
        }
        _ => Box::pin(told(registry, operation)).await,
    };
    match told {
        Ok(answer) => answer,
        Err(RegistryError::Denied(Denied::OverwriteId(..))) => "refused: the id is taken".to_owned(),
        Err(RegistryError::Aliased(subject)) => format!("{ALIASED}{subject}"),
        Err(error) => format!("refused: {error:?}"),
    }
}

/// The subject that an answer says to ask instead.
pub fn alias_in(answer: &str) -> Option<&str> {
    answer.strip_prefix(ALIASED)
}

/// The entries of a list.
pub fn entries(answer: &str) -> Vec<&str> {
    answer.split(BETWEEN).filter(|entry| !entry.is_empty()).collect()
}

async fn told(registry: &Registry, operation: &Operation) -> Result<String, RegistryError> {
    Ok(match *operation {
        Operation::Register { subject: name, content, normalize } => {
            register(registry, &subject(name), schema(content), normalize).await?
        }
        Operation::Import { subject: name, content, id, version } => {
            let import = SchemaRequest { id: SchemaId::new(id), version, ..schema(content) };
            register(registry, &subject(name), import, false).await?
        }
        Operation::Copy { subject: name, version } => {
            let subject = subject(name);
            let copy = registry.tag_version(&subject, spec(version), TagRequest::default()).await?;
            format!("copied {} {} {}", copy.version, id_token(subject.context(), copy.id), copy.guid)
        }
        Operation::DeleteVersion { subject: name, version, permanent } => {
            let version = registry.delete_version(&subject(name), spec(version), permanent).await?;
            format!("deleted {version}")
        }
        Operation::DeleteSubject { subject: name, permanent } => {
            let versions = registry.delete_subject(&subject(name), permanent).await?;
            format!("deleted {}", list(&versions))
        }
        Operation::SetLevel { target, level } => {
            let level = level.map_or(Update::Clear, Update::Set);
            let update = ConfigUpdate { level, ..ConfigUpdate::default() };
            let config = registry.set_config(target.map(subject).as_ref(), update).await?;
            format!("level {:?}", config.level)
        }
        Operation::SetAlias { subject: name, alias } => {
            let alias = alias.map_or(Update::Clear, |alias| Update::Set(alias.to_owned()));
            let update = ConfigUpdate { alias, ..ConfigUpdate::default() };
            let config = registry.set_config(Some(&subject(name)), update).await?;
            format!("alias {:?}", config.alias)
        }
        Operation::DeleteConfig { target } => {
            format!("level was {:?}", registry.delete_config(target.map(subject).as_ref()).await?.level)
        }
        Operation::SetMode { target, mode, force } => {
            let mode = mode.map_or(Update::Clear, |mode| Update::Set(mode.name().to_owned()));
            registry.set_mode(target.map(subject).as_ref(), mode, force).await?;
            "mode set".to_owned()
        }
        Operation::DeleteMode { target } => {
            format!("mode was {:?}", registry.delete_mode(target.map(subject).as_ref(), false).await?)
        }
        Operation::DeleteContext { context } => {
            registry.delete_context(subject(context).context()).await?;
            "context deleted".to_owned()
        }
        Operation::AssociationsOf { subject } => associations_of(registry, subject).await?,
        Operation::AssociationsOfResource { resource } => {
            shown(&registry.associations_of_resource(resource, &AssociationFilter::default()).await?)
        }
        Operation::Lookup { subject: name, content, deleted } => {
            let options = LookupOptions { deleted, ..LookupOptions::default() };
            let found = registry.lookup(&subject(name), schema(content), &options).await?;
            format!("found {} {} {}", found.version, id_token(found.subject.context(), found.id), found.guid)
        }
        Operation::Latest { subject: name } => version(registry, &subject(name), VersionSpec::Latest, false).await?,
        Operation::Version { subject: name, version: number, deleted } => {
            version(registry, &subject(name), spec(number), deleted).await?
        }
        Operation::Versions { subject: name, deleted } => {
            let filter = VersionFilter { deleted, ..VersionFilter::default() };
            format!("{:?}", registry.versions(&subject(name), filter).await?)
        }
        Operation::SettingsOf { target, mode } => settings_of(registry, target.map(subject).as_ref(), mode).await?,
        Operation::InForce { target, mode } => in_force(registry, target.map(subject).as_ref(), mode).await?,
        Operation::Check { subject: name, version, content } => {
            let (subject, options) = (subject(name), CheckOptions::default());
            let verdict = match version {
                Some(number) => Box::pin(registry.check_one(&subject, spec(number), schema(content), options)).await?,
                None => Box::pin(registry.check_all(&subject, schema(content), options)).await?,
            };
            format!("compatible: {} {:?}", verdict.is_compatible, verdict.messages)
        }
        _ => told_by_id_or_list(registry, operation).await?,
    })
}

async fn told_by_id_or_list(registry: &Registry, operation: &Operation) -> Result<String, RegistryError> {
    let everything = SubjectPrefix::parse(":*:");
    let entries: Vec<String> = match *operation {
        Operation::ByGuid { content } => {
            let found = registry.schema_by_guid(guid_of(content), "").await?;
            return Ok(format!("{} {}", found.guid, sum(&found.content.text)));
        }
        Operation::ById { id, subject } => {
            let Some(id) = SchemaId::new(id) else { return Ok(String::new()) };
            let query = IdQuery { subject: subject.map(str::to_owned), ..IdQuery::default() };
            let found = registry.schema_by_id(id, &query).await?;
            let user = found.subject.zip(found.version);
            let user = user.map_or_else(|| "nobody".to_owned(), |(subject, version)| format!("{subject} {version}"));
            return Ok(format!("{} of {user}, {}", found.guid, sum(&found.content.text)));
        }
        Operation::Subjects { deleted } => {
            let filter = if deleted { SubjectFilter::WithDeleted } else { SubjectFilter::Live };
            registry.subjects(&everything, filter).await?.iter().map(ToString::to_string).collect()
        }
        Operation::Schemas { deleted } => {
            let query = SchemasQuery {
                prefix: everything,
                deleted,
                aliases: false,
                latest_only: false,
                rule_type: String::new(),
                associations: None,
                offset: 0,
                limit: usize::MAX,
            };
            let entry = |schema: VersionedSchema| {
                let is_deleted = if schema.deleted == Some(true) { " deleted" } else { "" };
                format!("{} {} {}{is_deleted}", schema.subject, schema.version, schema.guid)
            };
            registry.schemas(&query).await?.into_iter().map(|listed| entry(listed.schema)).collect()
        }
        Operation::UsersOf { id, deleted } => {
            let Some(id) = SchemaId::new(id) else { return Ok(String::new()) };
            let users = registry.versions_of_id(id, &IdQuery { deleted, ..IdQuery::default() }).await;
            // Nobody and nothing are the same: whether the last user has gone is of another moment than who was the last.
            let users = match users {
                Err(RegistryError::SchemaNotFound) => Vec::new(),
                users => users?,
            };
            // The subject by itself: which version it is may change, that there is one need not.
            users
                .into_iter()
                .flat_map(|(subject, version)| [subject.to_string(), format!("{subject} {version}")])
                .collect()
        }
        Operation::ReferrersOf { subject: name, version, deleted } => {
            let ids = registry.referenced_by(&subject(name), spec(version), deleted).await?;
            guids(registry, ids).await?
        }
        _ => Vec::new(),
    };
    Ok(entries.join(BETWEEN))
}

/// What the ids stand for, since their numbers mean nothing; without those that have gone meanwhile.
async fn guids(registry: &Registry, ids: Vec<SchemaId>) -> Result<Vec<String>, RegistryError> {
    let mut guids = Vec::new();
    for id in ids {
        match registry.schema_by_id(id, &IdQuery::default()).await {
            Ok(found) => guids.push(found.guid.to_string()),
            Err(RegistryError::SchemaNotFound) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(guids)
}

async fn told_of_associations(registry: &Registry, operation: &Operation) -> Result<String, RegistryError> {
    let info = |of: &str| AssociationInfo { association_type: Some(of.to_owned()), ..AssociationInfo::default() };
    let (resource, info) = match *operation {
        Operation::Associate { resource, of, subject, lifecycle } => {
            let subject = subject.map(str::to_owned);
            (resource, AssociationInfo { subject, lifecycle: Some(lifecycle), ..info(of) })
        }
        Operation::AssociateWith { content } => {
            (RESOURCE, AssociationInfo { schema: Some(schema(content)), ..info("value") })
        }
        Operation::Dissociate { resource, cascade } => {
            registry.delete_associations(resource, &[], None, cascade, false).await?;
            return Ok("dissociated".to_owned());
        }
        _ => return Ok(String::new()),
    };
    let request = AssociationRequest {
        resource_name: Some(resource.to_owned()),
        resource_namespace: Some(NAMESPACE.to_owned()),
        resource_id: Some(resource.to_owned()),
        resource_type: None,
        ops: vec![AssociationOp::Create(info)],
    };
    let options = MutateOptions { context: ContextName::default_context(), dry_run: false };
    registry.change_associations(&request, &options).await?;
    Ok("associated".to_owned())
}

async fn register(
    registry: &Registry,
    subject: &Subject,
    request: SchemaRequest,
    normalize: bool,
) -> Result<String, RegistryError> {
    let options = RegisterOptions { normalize, ..RegisterOptions::default() };
    let registered = registry.register(subject, request, &options).await?;
    Ok(format!("registered {} {} {}", registered.version, id_token(subject.context(), registered.id), registered.guid))
}

/// What is set exactly there.
pub async fn settings_of(registry: &Registry, target: Option<&Subject>, mode: bool) -> Result<String, RegistryError> {
    settings(registry, target, mode, false).await
}

/// What is in force there.
pub async fn in_force(registry: &Registry, target: Option<&Subject>, mode: bool) -> Result<String, RegistryError> {
    settings(registry, target, mode, true).await
}

async fn settings(
    registry: &Registry,
    target: Option<&Subject>,
    mode: bool,
    default_to_global: bool,
) -> Result<String, RegistryError> {
    if mode {
        return Ok(format!("{:?}", registry.mode(target, default_to_global).await?));
    }
    let config = registry.config(target, default_to_global).await?;
    Ok(format!("{:?} {:?}", config.level, config.alias))
}

/// A version as it is shown.
pub async fn version(
    registry: &Registry,
    subject: &Subject,
    version: VersionSpec,
    deleted: bool,
) -> Result<String, RegistryError> {
    let options = VersionOptions { deleted, ..VersionOptions::default() };
    let found = registry.version(subject, version, &options).await?;
    let is_deleted = if found.deleted == Some(true) { " deleted" } else { "" };
    let (id, text) = (id_token(found.subject.context(), found.id), sum(&found.content.text));
    Ok(format!("version {} {id} {} {text} of {}{is_deleted}", found.version, found.guid, found.subject))
}

/// What tells one text from another.
fn sum(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:08x}", hasher.finish() >> 32)
}

fn list(versions: &[Version]) -> String {
    versions.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}
