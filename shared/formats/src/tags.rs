//! Tags within a schema: what has them, and how they change (rest-api.md §3.7, §6.6).

/// What a tag is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntityKind {
    /// A field, or a property.
    Field,
    /// A record, a message or an object.
    Record,
}

impl EntityKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Field, Self::Record];

    /// The name in requests and answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Field => "sr_field",
            Self::Record => "sr_record",
        }
    }
}

/// Something in a schema that has tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaggedEntity {
    /// Where it is, in the words of its language, such as `object.address.object.street`.
    pub path: String,
    /// What it is.
    pub kind: EntityKind,
    /// Its tags, each once.
    pub tags: Vec<String>,
}

/// A change of the tags of one entity: first they are added, then removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagEdit {
    /// Where it is.
    pub path: String,
    /// What it is.
    pub kind: EntityKind,
    /// Tags to have that it may not have yet.
    pub add: Vec<String>,
    /// Tags not to have.
    pub remove: Vec<String>,
}
