//! What values look like, as data.

/// A JSON value, or the text of a parameter.
pub(crate) enum Shape {
    /// Any text.
    Text,
    /// One of these texts.
    Choice(fn() -> Vec<&'static str>),
    /// A whole number of 32 bits that is not below this one.
    Integer(i32),
    /// Milliseconds since 1970.
    Time,
    /// `true` or `false`.
    Flag,
    /// Texts of one kind in order.
    List(&'static Self),
    /// An object with any members, all of one shape.
    Map(&'static Self),
    /// Anything.
    Any,
    /// An object of this type.
    Object(&'static Type),
}

/// An object with a name in the document.
pub(crate) struct Type {
    /// The name. One that requests hold is called as messages about a wrong shape call it.
    pub(crate) name: &'static str,
    /// What it is, in a sentence.
    pub(crate) meaning: &'static str,
    /// In the order in which answers have them.
    pub(crate) members: &'static [Member],
}

/// A member of an object.
pub(crate) struct Member {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    pub(crate) presence: Presence,
    /// What it means, in a sentence.
    pub(crate) meaning: &'static str,
}

/// Whether a member is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    /// Always.
    Always,
    /// Where there is something to say.
    Sometimes,
    /// It may be missing, and it may be `null`.
    Nullable,
}

/// A member that is always there.
pub(crate) const fn always(name: &'static str, shape: Shape, meaning: &'static str) -> Member {
    Member { name, shape, presence: Presence::Always, meaning }
}

/// A member that may be missing.
pub(crate) const fn sometimes(name: &'static str, shape: Shape, meaning: &'static str) -> Member {
    Member { name, shape, presence: Presence::Sometimes, meaning }
}

/// A member that may be missing or `null`.
pub(crate) const fn nullable(name: &'static str, shape: Shape, meaning: &'static str) -> Member {
    Member { name, shape, presence: Presence::Nullable, meaning }
}
