//! What is wrong with a request by itself (rest-api.md appendix A, "Validation"): nothing here reads.

use super::query::is_topic;
use super::{AssociationInfo, AssociationOp, AssociationRequest, MutateOptions};
use crate::{RegistryError, SchemaRequest};
use registrar_model::{AssociationType, ContextName, Lifecycle, Resource, Subject, TOPIC, name_fault};
use std::collections::BTreeSet;

/// A request that may be carried out, as far as it can tell by itself.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// Name and namespace; a delete of a known resource needs neither.
    pub(super) names: Option<(String, String)>,
    /// The id; only a dry run may lack it.
    pub(super) id: Option<String>,
    pub(super) ops: Vec<Wish>,
}

/// One change, its association type settled.
#[derive(Clone, Debug)]
pub(super) enum Wish {
    Create(Info),
    Upsert(Info),
    Delete {
        /// `None` for all there are.
        types: Option<Vec<AssociationType>>,
        cascade: bool,
    },
}

/// An association as asked for, its subject read.
#[derive(Clone, Debug)]
pub(super) struct Info {
    pub(super) association_type: AssociationType,
    pub(super) subject: Option<Subject>,
    pub(super) lifecycle: Option<Lifecycle>,
    pub(super) frozen: Option<bool>,
    pub(super) schema: Option<SchemaRequest>,
    pub(super) normalize: bool,
}

impl Wanted {
    /// Whether schemas are to be registered first.
    pub(super) fn has_schemas(&self) -> bool {
        self.ops.iter().any(|op| matches!(op, Wish::Create(info) | Wish::Upsert(info) if info.schema.is_some()))
    }
}

impl RegistryError {
    pub(super) fn association(property: &'static str, detail: impl Into<String>) -> Self {
        Self::InvalidAssociation { property, detail: detail.into() }
    }

    pub(super) fn empty_association_member(property: &'static str) -> Self {
        Self::association(property, "cannot be null or empty")
    }
}

impl Wanted {
    /// Reads a request, the resource first, then each association; the first thing wrong is told.
    pub(super) fn read(request: &AssociationRequest, options: &MutateOptions) -> Result<Self, RegistryError> {
        let name = named(request.resource_name.as_deref(), "resourceName")?;
        let namespace = named(request.resource_namespace.as_deref(), "resourceNamespace")?;
        let id = request.resource_id.clone().filter(|id| !id.is_empty());
        if id.is_none() && !options.dry_run {
            return Err(RegistryError::empty_association_member("resourceId"));
        }
        if !is_topic(request.resource_type.as_deref()) {
            return Err(RegistryError::association("resourceType", format!("must be '{TOPIC}'")));
        }
        let resource = Resource { name, namespace, id: id.clone().unwrap_or_default() };
        if !resource.fits() {
            return Err(RegistryError::association("resourceId", "is too long together with the names"));
        }
        if request.ops.is_empty() {
            return Err(RegistryError::empty_association_member("associations"));
        }
        let ops = request.ops.iter().map(|op| Wish::read(op, &options.context)).collect::<Result<Vec<_>, _>>()?;
        let mut seen = BTreeSet::new();
        if let Some(twice) = ops.iter().flat_map(Wish::types).find(|&named| !seen.insert(named)) {
            let detail = format!("'{}' is given more than once", twice.name());
            return Err(RegistryError::association("associationType", detail));
        }
        Ok(Self { names: Some((resource.name, resource.namespace)), id, ops })
    }

    /// A delete of a resource's associations: of some types, or all where none is named. Unknown types match nothing.
    pub(super) fn delete(id: &str, types: &[String], cascade: bool) -> Self {
        let named = types.iter().filter_map(|name| AssociationType::parse(name)).collect();
        let types = (!types.is_empty()).then_some(named);
        Self { names: None, id: Some(id.to_owned()), ops: vec![Wish::Delete { types, cascade }] }
    }

    /// The subject that belongs to the resource.
    pub(super) fn own_subject(&self, association_type: AssociationType) -> Option<Subject> {
        let (name, namespace) = self.names.as_ref()?;
        Some(Resource::default_subject(name, namespace, association_type))
    }
}

impl Wish {
    fn read(op: &AssociationOp, context: &ContextName) -> Result<Self, RegistryError> {
        Ok(match op {
            AssociationOp::Create(info) => Self::Create(Info::read(info, context)?),
            AssociationOp::Upsert(info) => Self::Upsert(Info::read(info, context)?),
            AssociationOp::Delete { association_type, cascade } => {
                let types = Some(vec![type_of(association_type.as_deref())?]);
                Self::Delete { types, cascade: *cascade }
            }
        })
    }

    fn types(&self) -> Vec<AssociationType> {
        match self {
            Self::Create(info) | Self::Upsert(info) => vec![info.association_type],
            Self::Delete { types, .. } => types.clone().unwrap_or_default(),
        }
    }

    /// Whether the two belong to one run: adjacent changes of one kind are judged together.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl Info {
    fn read(info: &AssociationInfo, context: &ContextName) -> Result<Self, RegistryError> {
        if info.subject.as_deref().is_some_and(|subject| subject.is_empty() || subject.chars().any(char::is_control)) {
            return Err(RegistryError::association("subject", "must not be empty"));
        }
        let association_type = type_of(info.association_type.as_deref())?;
        if info.lifecycle == Some(Lifecycle::Weak) {
            if info.schema.is_some() {
                return Err(RegistryError::association("lifecycle", "cannot be WEAK when schema is provided"));
            }
            if info.frozen == Some(true) {
                return Err(RegistryError::association(
                    "frozen",
                    "association with lifecycle of WEAK cannot be frozen",
                ));
            }
        }
        if info.lifecycle == Some(Lifecycle::Strong) && info.frozen == Some(false) {
            return Err(not_frozen());
        }
        Ok(Self {
            association_type,
            subject: info.subject.as_deref().map(|subject| qualified(subject, context)),
            lifecycle: info.lifecycle,
            frozen: info.frozen,
            schema: info.schema.clone(),
            normalize: info.normalize,
        })
    }
}

/// STRONG and frozen always go together.
pub(super) fn not_frozen() -> RegistryError {
    RegistryError::association("frozen", "association with lifecycle of STRONG cannot be frozen=false")
}

/// A subject that names no context is in the one of the request.
fn qualified(subject: &str, context: &ContextName) -> Subject {
    if subject.starts_with(":.") { Subject::parse(subject) } else { Subject::new(context.clone(), subject) }
}

fn named(name: Option<&str>, property: &'static str) -> Result<String, RegistryError> {
    let name = name.unwrap_or_default();
    match name_fault(name) {
        None => Ok(name.to_owned()),
        Some(fault) => Err(RegistryError::association(property, fault)),
    }
}

fn type_of(name: Option<&str>) -> Result<AssociationType, RegistryError> {
    let Some(name) = name.filter(|name| !name.is_empty()) else { return Ok(AssociationType::Value) };
    let unknown = || RegistryError::association("associationType", "must be either 'key' or 'value'");
    AssociationType::parse(name).ok_or_else(unknown)
}
