//! A digest of a JSON value by content: the order of an object's members does not matter, all else does.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

/// Two equal values have equal digests. Unequal ones differ but for a chance of 1 in 2^64: enough to notice that a
/// token is used for another request, which only a bug can do.
///
/// It is taken while the JSON is read, without building the value. Depth is bounded by the reader (128 levels).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Digest(u64);

impl Digest {
    fn of(kind: u8, content: impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        kind.hash(&mut hasher);
        content.hash(&mut hasher);
        Self(hasher.finish())
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DigestVisitor)
    }
}

struct DigestVisitor;

impl<'de> Visitor<'de> for DigestVisitor {
    type Value = Digest;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Digest, E> {
        Ok(Digest::of(b'n', ()))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Digest, E> {
        Ok(Digest::of(b'b', value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Digest, E> {
        Ok(Digest::of(b'u', value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Digest, E> {
        Ok(Digest::of(b'i', value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Digest, E> {
        Ok(Digest::of(b'f', value.to_bits()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Digest, E> {
        Ok(Digest::of(b's', value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Digest, A::Error> {
        let mut hasher = DefaultHasher::new();
        b'a'.hash(&mut hasher);
        while let Some(element) = elements.next_element::<Digest>()? {
            element.hash(&mut hasher);
        }
        Ok(Digest(hasher.finish()))
    }

    /// Members are summed up, so that their order is lost and nothing else is.
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Digest, A::Error> {
        let mut sum = 0_u64;
        let mut count = 0_u64;
        while let Some((name, value)) = members.next_entry::<Digest, Digest>()? {
            sum = sum.wrapping_add(Digest::of(b'm', (name, value)).0);
            count += 1;
        }
        Ok(Digest::of(b'o', (sum, count)))
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    fn digest(json: &str) -> Digest {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn order_of_members_does_not_matter_and_all_else_does() {
        let base = digest(r#"{"a": [1, "x", null], "b": {"c": true, "d": 1.5}}"#);
        assert_eq!(base, digest(r#"{"b":{"d":1.5,"c":true},"a":[1,"x",null]}"#));
        for other in [
            r#"{"a": ["x", 1, null], "b": {"c": true, "d": 1.5}}"#,
            r#"{"a": [1, "x", null], "b": {"c": false, "d": 1.5}}"#,
            r#"{"a": [1, "x"], "b": {"c": true, "d": 1.5}}"#,
            r#"{"a": [1, "x", null], "b": {"c": true}}"#,
            r#"{"b": [1, "x", null], "a": {"c": true, "d": 1.5}}"#,
            r#"{"a": [1, "x", null], "b": {"c": true, "d": "1.5"}}"#,
            r#"{"a": [-1, "x", null], "b": {"c": true, "d": 1.5}}"#,
            "[]",
            "{}",
        ] {
            assert_ne!(base, digest(other), "{other}");
        }
    }
}
