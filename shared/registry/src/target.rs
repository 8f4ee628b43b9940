//! What a setting is for (rest-api.md §2.1, §4.5).

use registrar_model::Subject;
use registrar_store::Scope;

/// Where a configuration or mode is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SettingTarget {
    /// The top level.
    Top,
    /// `:.__GLOBAL:`.
    Global,
    /// A context as a whole.
    Context(Subject),
    /// One subject.
    Subject(Subject),
}

impl SettingTarget {
    /// No subject, and the default context as such, mean the top level.
    pub(crate) fn of(target: Option<&Subject>) -> Self {
        match target {
            None => Self::Top,
            Some(subject) if !subject.is_context() => Self::Subject(subject.clone()),
            Some(subject) if subject.context().is_default() => Self::Top,
            Some(subject) if subject.context().is_global() => Self::Global,
            Some(subject) => Self::Context(subject.clone()),
        }
    }

    /// The settings item, for anything but a subject.
    pub(crate) fn scope(&self) -> Scope {
        match self {
            Self::Top | Self::Global => Scope::Shared,
            Self::Context(subject) | Self::Subject(subject) => Scope::of(subject.context()),
        }
    }

    /// As error messages name it; the top level has no name.
    pub(crate) fn subject(&self) -> Option<Subject> {
        match self {
            Self::Top => None,
            Self::Global => Some(Subject::parse(":.__GLOBAL:")),
            Self::Context(subject) | Self::Subject(subject) => Some(subject.clone()),
        }
    }
}
