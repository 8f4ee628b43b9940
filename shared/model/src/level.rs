//! Compatibility levels and policies.

/// How a new version must relate to earlier ones (rest-api.md §6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// No check.
    None,
    /// The new version reads what the newest wrote.
    Backward,
    /// The new version reads what any earlier one wrote.
    BackwardTransitive,
    /// The newest version reads what the new one writes.
    Forward,
    /// Every earlier version reads what the new one writes.
    ForwardTransitive,
    /// Backward and forward with the newest.
    Full,
    /// Backward and forward with all.
    FullTransitive,
}

impl Level {
    /// All levels.
    pub const ALL: [Self; 7] = [
        Self::None,
        Self::Backward,
        Self::BackwardTransitive,
        Self::Forward,
        Self::ForwardTransitive,
        Self::Full,
        Self::FullTransitive,
    ];

    /// Reads a level name in any case.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name().eq_ignore_ascii_case(text))
    }

    /// The upper-case name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "NONE",
            Self::Backward => "BACKWARD",
            Self::BackwardTransitive => "BACKWARD_TRANSITIVE",
            Self::Forward => "FORWARD",
            Self::ForwardTransitive => "FORWARD_TRANSITIVE",
            Self::Full => "FULL",
            Self::FullTransitive => "FULL_TRANSITIVE",
        }
    }

    /// Whether all earlier versions count, not only the newest.
    pub fn is_transitive(self) -> bool {
        matches!(self, Self::BackwardTransitive | Self::ForwardTransitive | Self::FullTransitive)
    }

    /// Whether the new version must read what earlier ones wrote.
    pub fn checks_backward(self) -> bool {
        matches!(self, Self::Backward | Self::BackwardTransitive | Self::Full | Self::FullTransitive)
    }

    /// Whether earlier versions must read what the new one writes.
    pub fn checks_forward(self) -> bool {
        matches!(self, Self::Forward | Self::ForwardTransitive | Self::Full | Self::FullTransitive)
    }
}

/// How strictly compatibility is judged (rest-api.md §6.8.4); strict where none is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// The default.
    Strict,
    /// JSON Schema: content models may be opened and closed.
    Lenient,
    /// Further checks by logical type.
    Logical,
}

impl Policy {
    /// Reads a policy name in any case.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Strict, Self::Lenient, Self::Logical].into_iter().find(|policy| policy.name().eq_ignore_ascii_case(text))
    }

    /// The upper-case name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strict => "STRICT",
            Self::Lenient => "LENIENT",
            Self::Logical => "LOGICAL",
        }
    }
}
