//! Associations of topics with subjects (rest-api.md appendix A).

mod batch;
mod change;
mod checks;
mod creation;
mod projection;
mod query;
mod request;
mod response;
mod schemas;

pub(crate) use query::each;
pub use request::{
    AssociationFilter, AssociationGet, AssociationInfo, AssociationOp, AssociationRequest, ListedLifecycle,
    MutateOptions, SubjectAssociations,
};
pub use response::{Associated, AssociatedSchema, ResourceAssociation};
