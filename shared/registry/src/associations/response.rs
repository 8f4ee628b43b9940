//! What the association calls answer, freed of HTTP.

use crate::VersionedSchema;
use registrar_model::{Association, Resource};

/// An association with its resource.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the two parts say it")]
pub struct ResourceAssociation {
    pub resource: Resource,
    pub association: Association,
}

/// A resource and some of its associations. What the request left open stays empty.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "as `AssociationRequest`")]
pub struct Associated {
    pub resource_name: Option<String>,
    pub resource_namespace: Option<String>,
    pub resource_id: Option<String>,
    pub resource_type: Option<String>,
    /// Those that came, or changed; the rest of them after a delete; those found by a read.
    pub associations: Vec<AssociatedSchema>,
}

/// An association, with a schema of its subject where one was registered or asked for.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the two parts say it")]
pub struct AssociatedSchema {
    pub association: Association,
    pub schema: Option<VersionedSchema>,
}
