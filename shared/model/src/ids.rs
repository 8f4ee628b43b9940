//! Schema ids and version numbers.

use std::fmt;

const MAX: i64 = i32::MAX as i64;

/// The id of a schema within one context: 0 to 2³¹−1. The server gives out ids from 1; 0 can only be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SchemaId(u32);

impl SchemaId {
    /// The id that is never given out.
    pub const ZERO: Self = Self(0);

    /// The first id that is given out.
    pub const FIRST: Self = Self(1);

    /// The last id there is.
    pub const MAX: Self = Self(i32::MAX.unsigned_abs());

    /// `None` outside 0 to 2³¹−1.
    pub fn new(id: i64) -> Option<Self> {
        u32::try_from(id).ok().filter(|_| id <= MAX).map(Self)
    }

    /// The number.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for SchemaId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A version number within a subject: 1 to 2³¹−1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version(u32);

impl Version {
    /// The first version of a subject.
    pub const FIRST: Self = Self(1);

    /// `None` outside 1 to 2³¹−1.
    pub fn new(number: i64) -> Option<Self> {
        u32::try_from(number).ok().filter(|&n| n >= 1 && i64::from(n) <= MAX).map(Self)
    }

    /// The number.
    pub fn get(self) -> u32 {
        self.0
    }

    /// The version after this one; `None` at the end of the range.
    pub fn next(self) -> Option<Self> {
        Self::new(i64::from(self.0) + 1)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Which version a request means (rest-api.md §2.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionSpec {
    /// The highest version that is not deleted: `latest` in any case, or `-1`.
    Latest,
    /// Exactly this one.
    Number(Version),
}

impl VersionSpec {
    /// Reads a path segment; blanks around it do not count. `None` for anything §2.6 does not allow.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("latest") {
            return Some(Self::Latest);
        }
        match text.parse::<i64>().ok()? {
            -1 => Some(Self::Latest),
            number => Version::new(number).map(Self::Number),
        }
    }
}

impl fmt::Display for VersionSpec {
    /// As error messages show it: −1 for latest.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Latest => f.write_str("-1"),
            Self::Number(version) => version.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_specs() {
        let number = |n| Version::new(n).map(VersionSpec::Number);
        for (text, expected) in [
            ("latest", Some(VersionSpec::Latest)),
            (" LATEST ", Some(VersionSpec::Latest)),
            ("-1", Some(VersionSpec::Latest)),
            ("1", number(1)),
            (" 7 ", number(7)),
            ("+7", number(7)),
            ("2147483647", number(2_147_483_647)),
            ("2147483648", None),
            ("0", None),
            ("-2", None),
            ("abc", None),
            ("", None),
            ("1.0", None),
        ] {
            assert_eq!(VersionSpec::parse(text), expected, "{text:?}");
        }
    }

    #[test]
    fn bounds() {
        assert_eq!(SchemaId::new(-1), None);
        assert_eq!(SchemaId::new(0).map(SchemaId::get), Some(0));
        assert_eq!(SchemaId::new(1 << 31), None);
        assert_eq!(Version::new(0), None);
        assert_eq!(Version::new(MAX).and_then(Version::next), None);
    }
}
