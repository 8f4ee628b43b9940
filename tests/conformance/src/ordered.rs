//! JSON that keeps the order of members and notices repeated ones.

use crate::invariants::is_random_uuid;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;

/// A JSON value. Equality is in order; see [`Ordered::same`] for the other.
#[derive(Clone, Debug, PartialEq)]
pub enum Ordered {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// Any number.
    Number(serde_json::Number),
    /// A text.
    Text(String),
    /// An array.
    Array(Vec<Self>),
    /// An object, members in their order.
    Object(Vec<(String, Self)>),
}

/// In an expected value, a time in milliseconds: any that a clock of this century shows.
const TIME: &str = "@ts";
/// In an expected value, any random UUID.
const UUID: &str = "@uuid4";
const CENTURY: std::ops::Range<u64> = 946_684_800_000..4_102_444_800_000;

impl Ordered {
    /// Reads one value; a repeated member is an error.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(text).map_err(|error| error.to_string())
    }

    /// The member `name`.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.members().iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The members of an object, in their order; none of anything else.
    pub fn members(&self) -> &[(String, Self)] {
        if let Self::Object(members) = self { members } else { &[] }
    }

    /// The text.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The items of an array.
    pub fn items(&self) -> Option<&[Self]> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }

    /// The whole number.
    pub fn integer(&self) -> Option<i64> {
        if let Self::Number(number) = self { number.as_i64() } else { None }
    }

    /// Whether `got` is this value with its members in this order.
    pub fn same_in_order(&self, got: &Self) -> bool {
        match (self, got) {
            (Self::Object(want), Self::Object(got)) => {
                want.len() == got.len()
                    && want.iter().zip(got).all(|((key, value), (name, is))| key == name && value.same_in_order(is))
            }
            (Self::Array(want), Self::Array(got)) => {
                want.len() == got.len() && want.iter().zip(got).all(|(want, got)| want.same_in_order(got))
            }
            _ => self.same_scalar(got),
        }
    }

    /// Whether `got` is this value with its members in any order.
    pub fn same(&self, got: &Self) -> bool {
        match (self, got) {
            (Self::Object(want), Self::Object(have)) => {
                want.len() == have.len()
                    && want.iter().all(|(key, value)| got.get(key).is_some_and(|got| value.same(got)))
            }
            (Self::Array(want), Self::Array(got)) => {
                want.len() == got.len() && want.iter().zip(got).all(|(want, got)| want.same(got))
            }
            _ => self.same_scalar(got),
        }
    }

    /// Whether `got` has at least the members of this value; arrays agree item by item.
    pub fn within(&self, got: &Self) -> bool {
        match (self, got) {
            (Self::Object(want), Self::Object(_)) => {
                want.iter().all(|(key, value)| got.get(key).is_some_and(|got| value.within(got)))
            }
            (Self::Array(want), Self::Array(got)) => {
                want.len() == got.len() && want.iter().zip(got).all(|(want, got)| want.within(got))
            }
            _ => self.same_scalar(got),
        }
    }

    fn same_scalar(&self, got: &Self) -> bool {
        match (self, got) {
            (Self::Text(text), Self::Number(number)) if text == TIME => {
                number.as_u64().is_some_and(|time| CENTURY.contains(&time))
            }
            (Self::Text(text), Self::Text(got)) if text == UUID => is_random_uuid(got),
            _ => self == got,
        }
    }
}

impl fmt::Display for Ordered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Ordered {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Array(items) => items.serialize(serializer),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (key, value) in members {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Ordered;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Ordered, E> {
        Ok(Ordered::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Ordered, E> {
        Ok(Ordered::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Ordered, E> {
        Ok(Ordered::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Ordered, E> {
        Ok(Ordered::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Ordered, E> {
        serde_json::Number::from_f64(value).map(Ordered::Number).ok_or_else(|| E::custom("not a JSON number"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Ordered, E> {
        Ok(Ordered::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Ordered, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Ordered::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Ordered, A::Error> {
        let mut members: Vec<(String, Ordered)> = Vec::new();
        while let Some((key, value)) = access.next_entry::<String, Ordered>()? {
            if members.iter().any(|(known, _)| *known == key) {
                return Err(A::Error::custom(format!("member {key:?} comes twice")));
            }
            members.push((key, value));
        }
        Ok(Ordered::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Ordered {
        Ordered::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn order_and_subsets() {
        let (ab, ba) = (value(r#"{"a":1,"b":[{"c":null}]}"#), value(r#"{"b":[{"c":null}],"a":1}"#));
        assert!(ab.same(&ba) && !ab.same_in_order(&ba) && ab.same_in_order(&ab));
        assert!(value(r#"{"a":1}"#).within(&ab) && !ab.within(&value(r#"{"a":1}"#)));
        assert!(!value(r#"{"a":1}"#).same(&ab) && !value("1").same(&value("true")));
        assert!(!value("[1]").within(&value("[1,2]")) && value(r#"[{"a":1}]"#).within(&value(r#"[{"a":1,"b":2}]"#)));
        assert_eq!(ab.to_string(), r#"{"a":1,"b":[{"c":null}]}"#);
    }

    #[test]
    fn times_are_times() {
        assert!(value(r#""@ts""#).same(&value("1704067200000")));
        for other in ["0", "1704067200", r#""@tz""#, "null", "1.5"] {
            assert!(!value(r#""@ts""#).same(&value(other)), "{other}");
        }
    }

    #[test]
    fn repeated_members_are_an_error() {
        assert!(Ordered::parse(br#"{"a":1,"a":1}"#).unwrap_err().contains("comes twice"));
    }
}
