//! Filters over subjects.

use crate::{ContextName, Subject};

/// Which subjects a list shows (rest-api.md §4.1 "Prefix semantics").
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubjectPrefix {
    /// Names starting so, in every context: `:*:foo`.
    Everywhere(String),
    /// Names starting so, in one context: `:.ctx:fo`, or `fo` for the default one.
    Within(ContextName, String),
}

impl SubjectPrefix {
    /// Reads a `subjectPrefix` parameter.
    pub fn parse(text: &str) -> Self {
        if let Some(prefix) = text.strip_prefix(":*:") {
            return Self::Everywhere(prefix.to_owned());
        }
        let subject = Subject::parse(text);
        Self::Within(subject.context().clone(), subject.name().to_owned())
    }

    /// The part of the name that must match.
    pub fn name(&self) -> &str {
        match self {
            Self::Everywhere(prefix) | Self::Within(_, prefix) => prefix,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes() {
        let within =
            |context: &str, name: &str| SubjectPrefix::Within(ContextName::parse(context).unwrap(), name.into());
        for (text, expected) in [
            (":*:", SubjectPrefix::Everywhere(String::new())),
            (":*:foo", SubjectPrefix::Everywhere("foo".into())),
            (":.ctx:", within(".ctx", "")),
            (":.ctx:fo", within(".ctx", "fo")),
            ("fo", within(".", "fo")),
            ("", within(".", "")),
        ] {
            assert_eq!(SubjectPrefix::parse(text), expected, "{text}");
        }
    }
}
