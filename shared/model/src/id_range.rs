//! The ids that one writer may give out.

use crate::SchemaId;
use std::fmt;

/// A range of schema ids, both ends included, from 1 on. Writers in different regions have ranges that do not overlap, so
/// that an id which one of them has acknowledged never comes to mean something else (`docs/OPERATIONS.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IdRange {
    first: SchemaId,
    last: SchemaId,
}

impl IdRange {
    /// All ids that are ever given out.
    pub const ALL: Self = Self { first: SchemaId::FIRST, last: SchemaId::MAX };

    /// `None` if the range is empty or has the id 0, which can only be imported.
    pub fn new(first: SchemaId, last: SchemaId) -> Option<Self> {
        (SchemaId::FIRST <= first && first <= last).then_some(Self { first, last })
    }

    /// Reads `FIRST-LAST`, two numbers in digits.
    pub fn parse(text: &str) -> Option<Self> {
        let id = |text: &str| {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|_| digits).and_then(SchemaId::new)
        };
        let (first, last) = text.split_once('-')?;
        Self::new(id(first.trim())?, id(last.trim())?)
    }

    /// The lowest id.
    pub fn first(self) -> SchemaId {
        self.first
    }

    /// The highest id.
    pub fn last(self) -> SchemaId {
        self.last
    }

    /// Whether an id is one of them.
    pub fn contains(self, id: SchemaId) -> bool {
        (self.first..=self.last).contains(&id)
    }
}

impl Default for IdRange {
    fn default() -> Self {
        Self::ALL
    }
}

impl fmt::Display for IdRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.first, self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        for (text, expected) in [
            ("1-2147483647", Some("1-2147483647")),
            ("1000-1999", Some("1000-1999")),
            ("7-7", Some("7-7")),
            (" 1 - 2 ", Some("1-2")),
            ("0-5", None),
            ("5-4", None),
            ("1-2147483648", None),
            ("-1-5", None),
            ("+1-5", None),
            ("1", None),
            ("1-", None),
            ("", None),
        ] {
            assert_eq!(IdRange::parse(text).map(|range| range.to_string()).as_deref(), expected, "{text}");
        }
        let range = IdRange::parse("5-7").unwrap();
        assert_eq!([4, 5, 7, 8].map(|id| range.contains(SchemaId::new(id).unwrap())), [false, true, true, false]);
        assert_eq!(IdRange::parse("1-2147483647"), Some(IdRange::ALL));
    }
}
