//! What clients do, and what they are told.

use registrar_harness::schemas::{number, record, request, subject};
use registrar_model::{
    ConfigUpdate, ContextName, Level, Lifecycle, Mode, SchemaId, Subject, Update, Version, VersionSpec,
};
use registrar_registry::{
    AssociationFilter, AssociationInfo, AssociationOp, AssociationRequest, Denied, LookupOptions, MutateOptions,
    ReferenceRequest, RegisterOptions, Registry, RegistryError, ResourceAssociation, SchemaRequest, VersionFilter,
    VersionOptions,
};

/// The namespace of all topics in here.
pub const NAMESPACE: &str = "n";

/// A schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A record; all of them are compatible with each other.
    Record(usize),
    /// A record with a field of this type; none of them may follow another.
    Typed(&'static str),
    /// A record with a field whose type is in a version of another subject.
    Holder(&'static str, i32),
}

/// One call of the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the field's")]
pub enum Operation {
    Register { subject: &'static str, content: Content },
    Import { subject: &'static str, content: Content, id: i64, version: i32 },
    DeleteVersion { subject: &'static str, version: i64, permanent: bool },
    DeleteSubject { subject: &'static str, permanent: bool },
    SetLevel { target: Option<&'static str>, level: Option<Level> },
    SetMode { target: Option<&'static str>, mode: Option<Mode>, force: bool },
    DeleteContext { context: &'static str },
    Associate { resource: &'static str, of: &'static str, subject: Option<&'static str>, lifecycle: Lifecycle },
    Dissociate { resource: &'static str, cascade: bool },
    AssociationsOf { subject: &'static str },
    AssociationsOfResource { resource: &'static str },
    Lookup { subject: &'static str, content: Content, deleted: bool },
    Latest { subject: &'static str },
    Version { subject: &'static str, version: i64, deleted: bool },
    Versions { subject: &'static str, deleted: bool },
}

impl Operation {
    /// Whether it asks the counter for an id if it finds nothing.
    pub fn may_take_an_id(&self) -> bool {
        matches!(self, Self::Register { .. })
    }
}

/// An id in an answer; which number it is means nothing, so orders are compared with ids renamed.
pub fn id_token(context: &ContextName, id: SchemaId) -> String {
    format!("<id {}/{id}>", context.as_str())
}

fn schema(content: Content) -> SchemaRequest {
    match content {
        Content::Record(number) => request(record(number)),
        Content::Typed(kind) => {
            request(format!(r#"{{"type":"record","name":"Reading","fields":[{{"name":"{kind}","type":"{kind}"}}]}}"#))
        }
        Content::Holder(target, version) => {
            let text = r#"{"type":"record","name":"Holder","fields":[{"name":"reading","type":"Reading"}]}"#;
            let reference = ReferenceRequest {
                name: Some("Reading".to_owned()),
                subject: Some(target.to_owned()),
                version: Some(version),
            };
            SchemaRequest { references: vec![reference], ..request(text) }
        }
    }
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
    match told(registry, operation).await {
        Ok(answer) => answer,
        Err(RegistryError::Denied(Denied::OverwriteId(..))) => "refused: the id is taken".to_owned(),
        Err(error) => format!("refused: {error:?}"),
    }
}

async fn told(registry: &Registry, operation: &Operation) -> Result<String, RegistryError> {
    Ok(match *operation {
        Operation::Register { subject: name, content } => register(registry, &subject(name), schema(content)).await?,
        Operation::Import { subject: name, content, id, version } => {
            let import = SchemaRequest { id: SchemaId::new(id), version, ..schema(content) };
            register(registry, &subject(name), import).await?
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
        Operation::SetMode { target, mode, force } => {
            let mode = mode.map_or(Update::Clear, |mode| Update::Set(mode.name().to_owned()));
            registry.set_mode(target.map(subject).as_ref(), mode, force).await?;
            "mode set".to_owned()
        }
        Operation::DeleteContext { context } => {
            registry.delete_context(subject(context).context()).await?;
            "context deleted".to_owned()
        }
        Operation::Associate { resource, of, subject, lifecycle } => {
            let info = AssociationInfo {
                subject: subject.map(str::to_owned),
                association_type: Some(of.to_owned()),
                lifecycle: Some(lifecycle),
                ..AssociationInfo::default()
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
            "associated".to_owned()
        }
        Operation::Dissociate { resource, cascade } => {
            registry.delete_associations(resource, &[], None, cascade, false).await?;
            "dissociated".to_owned()
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
    })
}

async fn register(registry: &Registry, subject: &Subject, request: SchemaRequest) -> Result<String, RegistryError> {
    let registered = registry.register(subject, request, &RegisterOptions::default()).await?;
    Ok(format!("registered {} {} {}", registered.version, id_token(subject.context(), registered.id), registered.guid))
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
    let id = id_token(found.subject.context(), found.id);
    Ok(format!("version {} {id} {} of {}{is_deleted}", found.version, found.guid, found.subject))
}

fn list(versions: &[Version]) -> String {
    versions.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}
