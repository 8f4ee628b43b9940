//! Metadata of a schema.

use crate::{JavaString, Version};
use std::collections::{BTreeMap, BTreeSet};

/// The property that the registry keeps itself: the version under which the schema was registered, where the request
/// asked for one (rest-api.md §6.3).
const VERSION: &str = "confluent:version";

/// Longest text of that property that counts as a number.
const MAX_NUMBER_BYTES: usize = 32;

/// Tags, properties and the names of sensitive properties (rest-api.md §3.5). No metadata and empty metadata differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Path in the schema → tags.
    pub tags: BTreeMap<JavaString, BTreeSet<JavaString>>,
    /// Free properties.
    pub properties: BTreeMap<JavaString, String>,
    /// Names of properties whose values are secrets.
    pub sensitive: BTreeSet<JavaString>,
}

impl Metadata {
    /// The value of one property.
    pub fn property(&self, name: &str) -> Option<&str> {
        self.properties.get(&JavaString::from(name)).map(String::as_str)
    }

    /// Both together (rest-api.md §6.1 C4c): for each path and each property the right side's, if it has one.
    #[must_use]
    pub fn merged(mut self, right: &Self) -> Self {
        self.tags.extend(right.tags.clone());
        self.properties.extend(right.properties.clone());
        self.sensitive.extend(right.sensitive.iter().cloned());
        self
    }

    /// Whether `confluent:version` is there, whatever its value.
    pub fn has_version(&self) -> bool {
        self.property(VERSION).is_some()
    }

    /// The same with `confluent:version` set to `number`.
    #[must_use]
    pub fn with_version(mut self, number: i64) -> Self {
        self.properties.insert(JavaString::from(VERSION), number.to_string());
        self
    }

    /// What lookups file a schema under (rest-api.md §6.2 "equal ignoring version"): the metadata without a numeric
    /// `confluent:version`, and nothing where that leaves nothing. [`VersionMark`] tells apart what this makes one.
    pub fn filed(metadata: Option<&Self>) -> Option<Self> {
        let mut filed = metadata?.clone();
        if filed.version_number().is_some() {
            filed.properties.remove(&JavaString::from(VERSION));
        }
        (filed != Self::default()).then_some(filed)
    }

    /// The text of `confluent:version`, if it is a number.
    fn version_number(&self) -> Option<&str> {
        self.property(VERSION).filter(|text| parse(text).is_some())
    }
}

/// What tells apart metadata that are filed under one key ([`Metadata::filed`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum VersionMark {
    /// No metadata, or some without a numeric `confluent:version`.
    #[default]
    Plain,
    /// Empty metadata.
    Empty,
    /// Metadata with a numeric `confluent:version`; its text.
    Numbered(String),
}

impl VersionMark {
    /// The mark of some metadata.
    pub fn of(metadata: Option<&Metadata>) -> Self {
        let Some(metadata) = metadata else { return Self::Plain };
        match metadata.version_number() {
            Some(number) => Self::Numbered(number.to_owned()),
            None if *metadata == Metadata::default() => Self::Empty,
            None => Self::Plain,
        }
    }

    /// Whether who looks for metadata of this mark finds a version with that mark, both being filed under one key.
    pub fn finds(&self, found: &Self, version: Version) -> bool {
        match (self, found) {
            (Self::Numbered(asked), Self::Numbered(number)) => asked == number,
            (Self::Numbered(asked), _) => parse(asked) == Some(i64::from(version.get())),
            (_, Self::Numbered(_)) => true,
            (asked, found) => asked == found,
        }
    }
}

/// As Java reads an `int`.
fn parse(text: &str) -> Option<i64> {
    text.parse::<i32>().ok().filter(|_| text.len() <= MAX_NUMBER_BYTES).map(i64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties(pairs: &[(&str, &str)]) -> Metadata {
        let properties = pairs.iter().map(|(key, value)| (JavaString::from(*key), (*value).to_owned())).collect();
        Metadata { properties, ..Metadata::default() }
    }

    fn version(text: &str) -> Metadata {
        properties(&[(VERSION, text)])
    }

    #[test]
    fn the_right_side_wins() {
        let left = Metadata {
            tags: [("a".into(), ["X".into()].into()), ("b".into(), ["Y".into()].into())].into(),
            sensitive: ["k".into()].into(),
            ..properties(&[("k", "1"), ("l", "2")])
        };
        let right = Metadata {
            tags: [("b".into(), ["Z".into()].into())].into(),
            sensitive: ["m".into()].into(),
            ..properties(&[("l", "3"), ("m", "4")])
        };
        let merged = Metadata {
            tags: [("a".into(), ["X".into()].into()), ("b".into(), ["Z".into()].into())].into(),
            sensitive: ["k".into(), "m".into()].into(),
            ..properties(&[("k", "1"), ("l", "3"), ("m", "4")])
        };
        assert_eq!(left.merged(&right), merged);
    }

    #[test]
    fn numeric_versions_are_left_out() {
        let (empty, named) = (Metadata::default(), properties(&[("k", "v")]));
        for (metadata, filed, mark) in [
            (None, None, VersionMark::Plain),
            (Some(empty), None, VersionMark::Empty),
            (Some(version("2")), None, VersionMark::Numbered("2".into())),
            (Some(version("-1")), None, VersionMark::Numbered("-1".into())),
            (Some(version("+2")), None, VersionMark::Numbered("+2".into())),
            (Some(version("two")), Some(version("two")), VersionMark::Plain),
            (Some(version("2147483648")), Some(version("2147483648")), VersionMark::Plain),
            (Some(version(&"0".repeat(33))), Some(version(&"0".repeat(33))), VersionMark::Plain),
            (Some(named.clone().with_version(3)), Some(named.clone()), VersionMark::Numbered("3".into())),
            (Some(named.clone()), Some(named), VersionMark::Plain),
        ] {
            assert_eq!(Metadata::filed(metadata.as_ref()), filed, "{metadata:?}");
            assert_eq!(VersionMark::of(metadata.as_ref()), mark, "{metadata:?}");
        }
    }

    #[test]
    fn who_finds_whom() {
        let number = |text: &str| VersionMark::Numbered(text.to_owned());
        let two = Version::new(2).unwrap();
        for (asked, found, expected) in [
            (VersionMark::Plain, VersionMark::Plain, true),
            (VersionMark::Plain, VersionMark::Empty, false),
            (VersionMark::Plain, number("7"), true),
            (VersionMark::Empty, VersionMark::Plain, false),
            (VersionMark::Empty, VersionMark::Empty, true),
            (VersionMark::Empty, number("7"), true),
            (number("2"), VersionMark::Plain, true),
            (number("02"), VersionMark::Empty, true),
            (number("3"), VersionMark::Plain, false),
            (number("-1"), VersionMark::Plain, false),
            (number("7"), number("7"), true),
            (number("2"), number("7"), false),
            (number("07"), number("7"), false),
        ] {
            assert_eq!(asked.finds(&found, two), expected, "{asked:?} {found:?}");
        }
    }
}
