//! Text in the order Java sorts it.

use std::cmp::Ordering;

/// A string ordered by UTF-16 code units, as `java.lang.String` is: hashes over sorted members depend on it
/// (rest-api.md §6.0), and it differs from UTF-8 order where surrogate pairs meet U+E000 to U+FFFF.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct JavaString(pub String);

impl JavaString {
    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for JavaString {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<String> for JavaString {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Ord for JavaString {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.encode_utf16().cmp(other.0.encode_utf16())
    }
}

impl PartialOrd for JavaString {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surrogate_pairs_sort_before_the_private_use_area() {
        let emoji = JavaString::from("\u{1F600}");
        let private_use = JavaString::from("\u{E000}");
        assert!(emoji < private_use);
        assert!(emoji.0 > private_use.0, "UTF-8 order is the other way round");
    }
}
