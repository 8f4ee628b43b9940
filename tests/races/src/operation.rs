//! What clients do.

use registrar_model::{ContextName, Level, Lifecycle, Mode, Subject};

pub use crate::schema::Content;

/// The namespace of all topics in here.
pub const NAMESPACE: &str = "n";
/// The topic that schemas come with, and the subject that is its own by name.
pub const RESOURCE: &str = "x";
/// See [`RESOURCE`].
pub const OWN: &str = ":.n:x-value";

/// One call of the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the field's")]
pub enum Operation {
    Register {
        subject: &'static str,
        content: Content,
        normalize: bool,
    },
    Import {
        subject: &'static str,
        content: Content,
        id: i64,
        version: i32,
    },
    /// Registers a copy of a version; version 0 is the latest.
    Copy {
        subject: &'static str,
        version: i64,
    },
    DeleteVersion {
        subject: &'static str,
        version: i64,
        permanent: bool,
    },
    DeleteSubject {
        subject: &'static str,
        permanent: bool,
    },
    SetLevel {
        target: Option<&'static str>,
        level: Option<Level>,
    },
    SetAlias {
        subject: &'static str,
        alias: Option<&'static str>,
    },
    DeleteConfig {
        target: Option<&'static str>,
    },
    SetMode {
        target: Option<&'static str>,
        mode: Option<Mode>,
        force: bool,
    },
    DeleteMode {
        target: Option<&'static str>,
    },
    DeleteContext {
        context: &'static str,
    },
    Associate {
        resource: &'static str,
        of: &'static str,
        subject: Option<&'static str>,
        lifecycle: Lifecycle,
    },
    /// Of the value of [`RESOURCE`] with a schema, which makes it STRONG; the subject is the topic's own.
    AssociateWith {
        content: Content,
    },
    Dissociate {
        resource: &'static str,
        cascade: bool,
    },
    AssociationsOf {
        subject: &'static str,
    },
    AssociationsOfResource {
        resource: &'static str,
    },
    Lookup {
        subject: &'static str,
        content: Content,
        deleted: bool,
    },
    Latest {
        subject: &'static str,
    },
    Version {
        subject: &'static str,
        version: i64,
        deleted: bool,
    },
    Versions {
        subject: &'static str,
        deleted: bool,
    },
    /// With a subject, as the clients ask that read a message.
    ById {
        id: i64,
        subject: Option<&'static str>,
    },
    ByGuid {
        content: Content,
    },
    SettingsOf {
        target: Option<&'static str>,
        mode: bool,
    },
    /// What is in force there, wherever it was set.
    InForce {
        target: Option<&'static str>,
        mode: bool,
    },
    /// Compares with a version, 0 being the latest, or with what the level asks for.
    Check {
        subject: &'static str,
        version: Option<i64>,
        content: Content,
    },
    /// Lists are of no one moment; each of their entries is.
    Subjects {
        deleted: bool,
    },
    Schemas {
        deleted: bool,
    },
    UsersOf {
        id: i64,
        deleted: bool,
    },
    ReferrersOf {
        subject: &'static str,
        version: i64,
        deleted: bool,
    },
}

impl Operation {
    /// Whether it asks the counter for an id if it finds nothing.
    pub fn may_take_an_id(&self) -> bool {
        matches!(self, Self::Register { .. } | Self::Copy { .. } | Self::AssociateWith { .. })
    }

    /// Whether it answers entries that are judged one by one.
    pub fn is_list(&self) -> bool {
        matches!(self, Self::Subjects { .. } | Self::Schemas { .. } | Self::UsersOf { .. } | Self::ReferrersOf { .. })
    }

    /// Whether it may change what is in force somewhere; a deleted subject takes its settings along.
    pub fn may_change_settings(&self) -> bool {
        matches!(
            self,
            Self::SetLevel { .. }
                | Self::SetAlias { .. }
                | Self::DeleteConfig { .. }
                | Self::SetMode { .. }
                | Self::DeleteMode { .. }
                | Self::DeleteSubject { .. }
                | Self::Dissociate { .. }
        )
    }

    /// Whether it is done in steps of which each counts by itself: a switch to IMPORT of more than a subject.
    pub fn is_gradual(&self) -> bool {
        let Self::SetMode { target, mode: Some(Mode::Import), force: false } = self else { return false };
        target.is_none_or(|target| Subject::parse(target).is_context())
    }

    /// The context that may be noted for it, although it then fails.
    pub fn notes_context(&self) -> Option<ContextName> {
        match self {
            Self::Register { subject, .. } | Self::Import { subject, .. } | Self::Copy { subject, .. } => {
                Some(Subject::parse(subject).context().clone())
            }
            Self::AssociateWith { .. } => Some(Subject::parse(OWN).context().clone()),
            _ => None,
        }
    }

    /// The subject it is about, if there is one and only one.
    pub fn subject(&self) -> Option<&'static str> {
        match self {
            Self::Register { subject, .. }
            | Self::Import { subject, .. }
            | Self::Copy { subject, .. }
            | Self::DeleteVersion { subject, .. }
            | Self::DeleteSubject { subject, .. }
            | Self::AssociationsOf { subject }
            | Self::SetAlias { subject, .. }
            | Self::Lookup { subject, .. }
            | Self::Latest { subject }
            | Self::Version { subject, .. }
            | Self::Versions { subject, .. }
            | Self::Check { subject, .. }
            | Self::ReferrersOf { subject, .. } => Some(subject),
            Self::SetLevel { target, .. }
            | Self::DeleteConfig { target }
            | Self::SetMode { target, .. }
            | Self::DeleteMode { target }
            | Self::SettingsOf { target, .. }
            | Self::InForce { target, .. } => target.filter(|target| !Subject::parse(target).is_context()),
            Self::Associate { subject, .. } => *subject,
            Self::AssociateWith { .. } => Some(OWN),
            Self::DeleteContext { .. }
            | Self::Dissociate { .. }
            | Self::AssociationsOfResource { .. }
            | Self::ById { .. }
            | Self::ByGuid { .. }
            | Self::Subjects { .. }
            | Self::Schemas { .. }
            | Self::UsersOf { .. } => None,
        }
    }

    /// The same call on another subject, which an alias led to.
    #[must_use]
    pub fn on(self, behind: &'static str) -> Self {
        let mut moved = self;
        match &mut moved {
            Self::Register { subject, .. }
            | Self::Import { subject, .. }
            | Self::Copy { subject, .. }
            | Self::DeleteVersion { subject, .. }
            | Self::DeleteSubject { subject, .. }
            | Self::AssociationsOf { subject }
            | Self::Lookup { subject, .. }
            | Self::Latest { subject }
            | Self::Version { subject, .. }
            | Self::Versions { subject, .. }
            | Self::Check { subject, .. }
            | Self::ReferrersOf { subject, .. } => *subject = behind,
            _ => {}
        }
        moved
    }
}
