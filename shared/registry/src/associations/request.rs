//! What the association calls ask for, freed of HTTP.

use crate::SchemaRequest;
use registrar_model::{ContextName, Lifecycle};

/// Changes of one resource's associations. Members that a client may leave out are judged by the registry (42212).
#[derive(Clone, Debug, Default)]
pub struct AssociationRequest {
    /// Name of the resource.
    pub resource_name: Option<String>,
    /// Its namespace.
    pub resource_namespace: Option<String>,
    /// Its id; may be missing in a dry run.
    pub resource_id: Option<String>,
    /// `topic` where absent.
    pub resource_type: Option<String>,
    /// What to do, in order; at most one of each association type.
    pub ops: Vec<AssociationOp>,
}

/// One change.
#[derive(Clone, Debug)]
pub enum AssociationOp {
    /// A new association; one that is there already must be the same.
    Create(AssociationInfo),
    /// A new WEAK association, or a new schema for a STRONG one.
    Upsert(AssociationInfo),
    /// It goes.
    Delete {
        /// `value` where absent.
        association_type: Option<String>,
        /// The subject of a STRONG one goes as well.
        cascade: bool,
    },
}

/// An association as asked for.
#[derive(Clone, Debug, Default)]
pub struct AssociationInfo {
    /// The subject; the resource's own where a STRONG association leaves it out.
    pub subject: Option<String>,
    /// `value` where absent.
    pub association_type: Option<String>,
    /// Whether the subject belongs to the resource.
    pub lifecycle: Option<Lifecycle>,
    /// Always what goes with the lifecycle, but a client may say it.
    pub frozen: Option<bool>,
    /// A schema to register under the subject.
    pub schema: Option<SchemaRequest>,
    /// Whether to normalise that schema; OR-ed with the configuration.
    pub normalize: bool,
}

/// Query of the calls that change associations.
#[derive(Clone, Debug)]
pub struct MutateOptions {
    /// Where subjects are that name no context.
    pub context: ContextName,
    /// Check everything and write nothing.
    pub dry_run: bool,
}

/// Which associations a list shows.
#[derive(Clone, Debug, Default)]
pub struct AssociationFilter {
    /// Type of the resources; `topic` where absent.
    pub resource_type: Option<String>,
    /// Association types; none stands for all.
    pub association_types: Vec<String>,
    /// Only this one.
    pub lifecycle: Option<Lifecycle>,
}

/// One resource of a batch read: by its id or, without one, by its names.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "as `AssociationRequest`")]
pub struct AssociationGet {
    pub resource_name: Option<String>,
    pub resource_namespace: Option<String>,
    pub resource_id: Option<String>,
    pub filter: AssociationFilter,
}

/// A lifecycle in a filter of schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedLifecycle {
    /// Subjects without a matching association.
    None,
    /// Those with one of this lifecycle.
    Some(Lifecycle),
}

/// Which schemas to list by the associations of their subjects.
#[derive(Clone, Debug, Default)]
pub struct SubjectAssociations {
    /// Type of the resources; any where absent.
    pub resource_type: Option<String>,
    /// Association types; none stands for all.
    pub association_types: Vec<String>,
    /// Lifecycles; none stands for both.
    pub lifecycles: Vec<ListedLifecycle>,
}
