//! Names and values of a schema registry.
//!
//! Types carry the rules of the field: what does not obey them does not parse. No serde, no async, no I/O here, so
//! every other crate can depend on this one.

mod association;
mod config;
mod content;
mod hash;
mod id_range;
mod ids;
mod java_order;
mod level;
mod metadata;
mod mode;
mod rules;
mod subject;
mod subject_prefix;

pub use association::{ANY_NAME, Association, AssociationType, Lifecycle, Resource, TOPIC, name_fault};
pub use config::{Config, ConfigUpdate, Update};
pub use content::{Reference, SchemaContent, SchemaType};
pub use hash::{Guid, Sha256Hash};
pub use id_range::IdRange;
pub use ids::{SchemaId, Version, VersionSpec};
pub use java_order::JavaString;
pub use level::{Level, Policy};
pub use metadata::{Metadata, VersionMark};
pub use mode::Mode;
pub use rules::{EnableAt, Rule, RuleKind, RuleMode, RuleSet, RuleSetError};
pub use subject::{ContextName, MAX_NAME_BYTES, Subject, SubjectError};
pub use subject_prefix::SubjectPrefix;
