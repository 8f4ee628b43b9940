//! Query parameters (rest-api.md §1.6): the first of several wins, unknown ones do not count, booleans never fail.

use crate::error::Failure;
use crate::path::decode;

/// The decoded parameters of a request in order.
#[derive(Debug, Default)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    /// Reads a raw query string. The error is the parameter that does not decode.
    pub(crate) fn parse(raw: &str) -> Result<Self, String> {
        raw.split('&').filter(|pair| !pair.is_empty()).map(parameter).collect::<Result<_, _>>().map(Self)
    }

    /// Only the parameters that `is_taken` names.
    pub(crate) fn only(mut self, is_taken: impl Fn(&str) -> bool) -> Self {
        self.0.retain(|(name, _)| is_taken(name));
        self
    }

    /// The first value of a parameter.
    pub(crate) fn first(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// All values of a parameter in order.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Gives a parameter one value in place of those it has.
    pub(crate) fn set(&mut self, name: &str, value: String) {
        self.0.retain(|(key, _)| key != name);
        self.0.push((name.to_owned(), value));
    }

    /// Changes every value of a parameter.
    pub(crate) fn change(&mut self, name: &str, change: impl Fn(&mut String)) {
        self.0.iter_mut().filter(|(key, _)| key == name).for_each(|(_, value)| change(value));
    }

    /// The first value, empty where the parameter is absent.
    pub(crate) fn text(&self, name: &str) -> String {
        self.first(name).unwrap_or_default().to_owned()
    }

    /// `true` in any case is true, anything else and nothing is false.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.first(name).is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    /// A whole number of 32 bits; absent and blank mean `default`, anything else is a plain 404.
    pub(crate) fn integer(&self, name: &str, default: i32) -> Result<i32, Failure> {
        match self.first(name) {
            None => Ok(default),
            Some(text) if text.trim().is_empty() => Ok(default),
            Some(text) => text.parse().map_err(|_| Failure::NotFound),
        }
    }
}

fn parameter(pair: &str) -> Result<(String, String), String> {
    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
    let decoded = |text: &str| decode(text, true).ok_or_else(|| pair.to_owned());
    Ok((decoded(name)?, decoded(value)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters() {
        let query = Query::parse("a=1&&key=x%20y+z&key=%2B&empty=&bare&subject=%3A.c%3Aé&a=2").unwrap();
        assert_eq!(query.first("a"), Some("1"));
        assert_eq!(query.all("key").collect::<Vec<_>>(), ["x y z", "+"]);
        assert_eq!(query.first("empty"), Some(""));
        assert_eq!(query.first("bare"), Some(""));
        assert_eq!(query.first("subject"), Some(":.c:é"));
        assert_eq!(query.first("none"), None);
        for bad in ["a=%", "%zz=1", "ok=1&b=%C3"] {
            assert!(Query::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn flags_never_fail() {
        for (raw, expected) in [
            ("deleted=true", true),
            ("deleted=True", true),
            ("deleted=TRUE", true),
            ("deleted=false", false),
            ("deleted=1", false),
            ("deleted=yes", false),
            ("deleted=", false),
            ("deleted", false),
            ("", false),
            ("Deleted=true", false),
        ] {
            assert_eq!(Query::parse(raw).unwrap().flag("deleted"), expected, "{raw}");
        }
    }

    #[test]
    fn integers() {
        for (raw, expected) in [
            ("limit=5", Some(5)),
            ("limit=-1", Some(-1)),
            ("limit=%2B5", Some(5)),
            ("limit=", Some(7)),
            ("", Some(7)),
            ("limit=x", None),
            ("limit=1.0", None),
            ("limit=2147483648", None),
            ("limit=x&limit=1", None),
        ] {
            assert_eq!(Query::parse(raw).unwrap().integer("limit", 7).ok(), expected, "{raw}");
        }
    }
}
