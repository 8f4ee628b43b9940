//! Tags within a schema: what has them, and how they change (rest-api.md §3.7, §6.6).

use std::collections::HashSet;

use crate::SchemaError;

/// How many bytes the paths of tagged entities have at most, give or take one.
const MAX_PATH_BYTES: usize = 8 << 20;

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

impl TagEdit {
    /// The path without the dot it may begin with, which does not count (rest-api.md §3.7).
    pub(crate) fn plain_path(&self) -> &str {
        self.path.strip_prefix('.').unwrap_or(&self.path)
    }

    /// Why the edit cannot be done, in the words of the reference.
    pub(crate) fn no_match(&self) -> SchemaError {
        SchemaError::new(format!("No matching path '{}' found in the schema", self.path))
    }
}

/// The tags of one entity while they change.
#[derive(Default)]
pub(crate) struct TagList {
    tags: Vec<String>,
    known: HashSet<String>,
}

impl TagList {
    /// The list with these tags.
    pub(crate) fn new(tags: Vec<String>) -> Self {
        Self { known: tags.iter().cloned().collect(), tags }
    }

    /// Adds what is not there yet, then removes.
    pub(crate) fn change(&mut self, edit: &TagEdit) {
        self.extend(edit.add.clone());
        let removed: HashSet<&String> = edit.remove.iter().filter(|tag| self.known.remove(*tag)).collect();
        if !removed.is_empty() {
            self.tags.retain(|tag| !removed.contains(tag));
        }
    }

    /// Adds what is not there yet.
    pub(crate) fn extend(&mut self, tags: Vec<String>) {
        let known = &mut self.known;
        self.tags.extend(tags.into_iter().filter(|tag| known.insert(tag.clone())));
    }

    pub(crate) fn into_vec(self) -> Vec<String> {
        self.tags
    }
}

/// Entities while they are collected.
#[derive(Default)]
pub(crate) struct Collected {
    entities: Vec<TaggedEntity>,
    bytes: usize,
}

impl Collected {
    /// Adds an entity, unless it has no tags.
    pub(crate) fn add(&mut self, path: String, kind: EntityKind, tags: Vec<String>) -> Result<(), SchemaError> {
        if tags.is_empty() {
            return Ok(());
        }
        self.bytes += path.len();
        if self.bytes > MAX_PATH_BYTES {
            return Err(SchemaError::new(format!("the paths of the tags have more than {MAX_PATH_BYTES} bytes")));
        }
        self.entities.push(TaggedEntity { path, kind, tags });
        Ok(())
    }

    pub(crate) fn into_vec(self) -> Vec<TaggedEntity> {
        self.entities
    }
}
