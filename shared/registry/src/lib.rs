//! Use cases of the registry: what each request reads, decides and commits.
//!
//! Nothing here knows HTTP or builds a key. Every method is one operation that takes effect at one instant, or not at
//! all; retries after a lost race happen inside (design: `docs/STORAGE.md`).

mod agreement;
mod alias;
mod associations;
mod candidate;
mod check;
mod compare;
mod config;
mod contents;
mod contexts;
mod contract;
mod delete_subject;
mod delete_version;
mod elsewhere;
mod error;
mod fetch;
mod fetch_by_id;
mod find;
mod find_tags;
mod import;
mod known;
mod lanes;
mod list;
mod lookup;
mod lookup_after;
mod mode;
mod mode_import;
mod references;
mod referrers;
mod register;
mod registry;
mod request;
mod response;
mod scope_settings;
mod second_read;
mod settings;
mod start;
mod surroundings;
mod sweep;
mod tag_version;
mod target;
mod turns;

pub use associations::{
    Associated, AssociatedSchema, AssociationFilter, AssociationGet, AssociationInfo, AssociationOp,
    AssociationRequest, ListedLifecycle, MutateOptions, ResourceAssociation, SubjectAssociations,
};
pub use error::{Denied, InvalidMode, InvalidSchema, Limit, Posted, RegistryError};
pub use lanes::{LIGHT_BYTES, Lanes};
pub use registry::Registry;
pub use request::{
    CheckOptions, IdQuery, LookupOptions, ReferenceRequest, RegisterOptions, SchemaRequest, SchemasQuery,
    SubjectFilter, TagChanges, TagRequest, VersionFilter, VersionOptions,
};
pub use response::{ContextDescription, ListedSchema, Registered, SchemaById, Verdict, VersionedSchema};
pub use settings::Settings;
