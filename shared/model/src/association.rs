//! Associations: which subject the keys or values of a topic go by (rest-api.md appendix A).

use crate::subject::escaped_len;
use crate::{Guid, Subject};

/// The only type of resource there is.
pub const TOPIC: &str = "topic";

/// What a name stands for in a query that means any.
pub const ANY_NAME: &str = "-";

/// Longest name or namespace, in UTF-16 units.
const MAX_NAME_UNITS: usize = 256;

/// Longest id together with a name or namespace, in bytes of their key form: a sort key holds two of them.
const MAX_KEY_BYTES: usize = 960;

/// Whether the subject belongs to the topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lifecycle {
    /// It does: it is created with the topic, is frozen, and may go with it.
    Strong,
    /// It does not, and others may use it.
    Weak,
}

impl Lifecycle {
    /// Both, in the order of the reference's enumeration.
    pub const ALL: [Self; 2] = [Self::Strong, Self::Weak];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strong => "STRONG",
            Self::Weak => "WEAK",
        }
    }

    /// Reads the exact name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lifecycle| lifecycle.name() == text)
    }

    /// Whether an association of this lifecycle is frozen: the two always go together.
    pub fn is_frozen(self) -> bool {
        self == Self::Strong
    }
}

/// Which part of a topic's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AssociationType {
    /// Their keys.
    Key,
    /// Their values.
    Value,
}

impl AssociationType {
    /// Both, in order of their names.
    pub const ALL: [Self; 2] = [Self::Key, Self::Value];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Value => "value",
        }
    }

    /// Reads the exact name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|association_type| association_type.name() == text)
    }
}

/// A topic, by the id that it has for life and by its names, which another may have had before.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Resource {
    /// Its name.
    pub name: String,
    /// Its cluster.
    pub namespace: String,
    /// Its id.
    pub id: String,
}

impl Resource {
    /// Whether the table can hold it: id and each name together take up to 960 bytes.
    pub fn fits(&self) -> bool {
        let id = escaped_len(&self.id);
        id + self.name.len().max(self.namespace.len()) <= MAX_KEY_BYTES
    }

    /// The subject that belongs to the topic: `:.<namespace>:<name>-<type>`.
    pub fn default_subject(name: &str, namespace: &str, association_type: AssociationType) -> Subject {
        Subject::parse(&format!(":.{namespace}:{name}-{}", association_type.name()))
    }
}

/// What is wrong with a name, in the words of the reference; `None` for nothing.
pub fn name_fault(name: &str) -> Option<String> {
    if name.is_empty() {
        return Some("cannot be null or empty".to_owned());
    }
    if name.encode_utf16().count() > MAX_NAME_UNITS {
        return Some(format!("exceeds max length of {MAX_NAME_UNITS}"));
    }
    let legal = |c: char| matches!(c, '_' | '-') || (c.is_alphanumeric() && c.len_utf16() == 1);
    name.chars().find(|&c| !legal(c)).map(|c| format!("illegal character '{c}'"))
}

/// One type of one resource, and the subject it goes by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Association {
    /// The subject.
    pub subject: Subject,
    /// A name of its own, random.
    pub guid: Guid,
    /// Keys or values.
    pub association_type: AssociationType,
    /// Whether the subject belongs to the resource.
    pub lifecycle: Lifecycle,
    /// When it was made, in milliseconds since the epoch.
    pub created: u64,
    /// When it was last written, likewise.
    pub updated: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let fault = |name: &str| name_fault(name).unwrap_or_default();
        for (name, expected) in [
            ("topic-1_A", ""),
            ("größe", ""),
            ("", "cannot be null or empty"),
            ("a.b", "illegal character '.'"),
            ("a b", "illegal character ' '"),
            ("\u{1F600}", "illegal character '\u{1F600}'"),
        ] {
            assert_eq!(fault(name), expected, "{name}");
        }
        assert_eq!(fault(&"x".repeat(256)), "");
        assert_eq!(fault(&"x".repeat(257)), "exceeds max length of 256");
    }

    #[test]
    fn resources_that_fit() {
        let resource = |id: &str| Resource { name: "n".repeat(60), namespace: "c".into(), id: id.into() };
        assert!(resource(&"x".repeat(900)).fits());
        assert!(!resource(&"x".repeat(901)).fits());
        assert!(!resource(&"/".repeat(301)).fits());
    }

    #[test]
    fn default_subjects() {
        let subject = Resource::default_subject("t", "ns", AssociationType::Key);
        assert_eq!((subject.to_string().as_str(), subject.context().as_str()), (":.ns:t-key", ".ns"));
    }

    #[test]
    fn texts() {
        assert_eq!(Lifecycle::parse("STRONG"), Some(Lifecycle::Strong));
        assert_eq!(Lifecycle::parse("weak"), None);
        assert_eq!(AssociationType::parse("value"), Some(AssociationType::Value));
        assert_eq!(AssociationType::parse("Value"), None);
    }
}
