//! Operating modes.

/// What a subject, a context or the registry lets clients do (rest-api.md §6.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Everything; the default.
    ReadWrite,
    /// No writes.
    ReadOnly,
    /// As `ReadOnly`, under another name.
    ReadOnlyOverride,
    /// Registration with given ids only.
    Import,
    /// Registration with given ids, for a whole registry that follows another one.
    Forward,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 5] = [Self::ReadWrite, Self::ReadOnly, Self::ReadOnlyOverride, Self::Import, Self::Forward];

    /// Reads a mode name in any case.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name().eq_ignore_ascii_case(text))
    }

    /// The upper-case name.
    pub fn name(self) -> &'static str {
        match self {
            Self::ReadWrite => "READWRITE",
            Self::ReadOnly => "READONLY",
            Self::ReadOnlyOverride => "READONLY_OVERRIDE",
            Self::Import => "IMPORT",
            Self::Forward => "FORWARD",
        }
    }

    /// Whether writes are refused.
    pub fn is_read_only(self) -> bool {
        matches!(self, Self::ReadOnly | Self::ReadOnlyOverride)
    }

    /// Whether registrations carry their ids, and are neither validated nor checked for compatibility.
    pub fn takes_ids(self) -> bool {
        matches!(self, Self::Import | Self::Forward)
    }
}
