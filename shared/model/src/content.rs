//! What is registered.

use crate::{ContextName, Metadata, RuleSet, Subject};

/// The language a schema is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SchemaType {
    /// Apache Avro; what a request means that names no type.
    Avro,
    /// JSON Schema.
    Json,
    /// Protocol Buffers.
    Protobuf,
}

impl SchemaType {
    /// All types.
    pub const ALL: [Self; 3] = [Self::Json, Self::Protobuf, Self::Avro];

    /// Reads a type name; case counts (rest-api.md §3.1).
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|schema_type| schema_type.name() == text)
    }

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Avro => "AVRO",
            Self::Json => "JSON",
            Self::Protobuf => "PROTOBUF",
        }
    }
}

/// A schema's reference to a version of a subject (rest-api.md §3.4), kept and returned as given, but for a version
/// of −1, which is stored as the number it stood for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    /// What the schema text calls it: a type name, a URI or an import path.
    pub name: String,
    /// The subject as the client wrote it, qualified or not.
    pub subject: String,
    /// A version number, or −1 for the latest at registration.
    pub version: i32,
}

impl Reference {
    /// The subject that a schema in `referrer` means (rest-api.md §6.9): an explicit context other than the default
    /// one stands; otherwise it is the referrer's. Outside the default context `:.:x` is taken literally.
    pub fn target(&self, referrer: &ContextName) -> Subject {
        let parsed = Subject::parse(&self.subject);
        if !parsed.context().is_default() || referrer.is_default() {
            return parsed;
        }
        Subject::new(referrer.clone(), self.subject.clone())
    }
}

/// All that makes two registrations the same content: the stored text and what goes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaContent {
    /// The schema language.
    pub schema_type: SchemaType,
    /// The stored text (rest-api.md §6.11), never the posted bytes.
    pub text: String,
    /// References in the order given.
    pub references: Vec<Reference>,
    /// Metadata; none and empty differ.
    pub metadata: Option<Metadata>,
    /// Rules; none and empty differ.
    pub rule_set: Option<RuleSet>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_live_in_the_referrers_context() {
        let default = ContextName::default_context();
        let other = ContextName::parse(".c").unwrap();
        for (subject, referrer, expected) in [
            ("x", &default, "x"),
            (":.:x", &default, "x"),
            (":.d:x", &default, ":.d:x"),
            ("x", &other, ":.c:x"),
            (":.d:x", &other, ":.d:x"),
            (":.:x", &other, ":.c::.:x"),
        ] {
            let reference = Reference { name: "n".into(), subject: subject.into(), version: 1 };
            assert_eq!(reference.target(referrer).to_string(), expected, "{subject} from {}", referrer.as_str());
        }
    }
}
