//! Bodies too long to write down.

use crate::ordered::Ordered;
use serde::Deserialize;
use std::fmt::Write;

/// What to make, and how much of it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generated {
    kind: Kind,
    n: usize,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// A record of n fields.
    AvroWide,
    /// Arrays within arrays, n of them.
    AvroNested,
    /// A record with a doc of n letters that do not compress well.
    AvroNoise,
    /// JSON Schema: `not` within `not`, n objects in all.
    JsonNested,
    /// JSON Schema: `oneOf` with n constants, ascending.
    JsonConstants,
    /// The same constants descending.
    JsonConstantsBackwards,
    /// Protobuf: messages within messages, n of them.
    ProtobufNested,
    /// A member that nobody knows: arrays within arrays, n of them.
    NestedBody,
    /// n spaces.
    Spaces,
}

impl Generated {
    /// The body.
    pub fn body(self) -> Vec<u8> {
        match self.kind {
            Kind::AvroWide | Kind::AvroNested | Kind::AvroNoise => self.request("AVRO"),
            Kind::JsonNested | Kind::JsonConstants | Kind::JsonConstantsBackwards => self.request("JSON"),
            Kind::ProtobufNested => self.request("PROTOBUF"),
            Kind::NestedBody => format!(r#"{{"x":{}{}}}"#, "[".repeat(self.n), "]".repeat(self.n)).into_bytes(),
            Kind::Spaces => b" ".repeat(self.n),
        }
    }

    /// The schema in the body, in the form it is stored; nothing where there is none.
    pub fn schema(self) -> String {
        match self.kind {
            Kind::AvroWide => wide(self.n),
            Kind::AvroNested => {
                format!(r#"{}"string"{}"#, r#"{"type":"array","items":"#.repeat(self.n), "}".repeat(self.n))
            }
            Kind::AvroNoise => {
                format!(r#"{{"type":"record","name":"Noise","doc":"{}","fields":[]}}"#, noise(self.n))
            }
            Kind::JsonNested => {
                let around = self.n.saturating_sub(1);
                format!("{}{{}}{}", r#"{"not":"#.repeat(around), "}".repeat(around))
            }
            Kind::JsonConstants => one_of(0..self.n),
            Kind::JsonConstantsBackwards => one_of((0..self.n).rev()),
            Kind::ProtobufNested => format!("{}{}", "message A {".repeat(self.n), "}".repeat(self.n)),
            Kind::NestedBody | Kind::Spaces => String::new(),
        }
    }

    fn request(self, schema_type: &str) -> Vec<u8> {
        let members = [("schemaType", schema_type.to_owned()), ("schema", self.schema())];
        let members = members.map(|(name, value)| (name.to_owned(), Ordered::Text(value)));
        Ordered::Object(members.into()).to_string().into_bytes()
    }
}

fn one_of(constants: impl Iterator<Item = usize>) -> String {
    let branches: Vec<String> = constants.map(|constant| format!(r#"{{"const":{constant}}}"#)).collect();
    format!(r#"{{"oneOf":[{}]}}"#, branches.join(","))
}

fn wide(fields: usize) -> String {
    let mut schema = r#"{"type":"record","name":"Wide","fields":["#.to_owned();
    for field in 0..fields {
        let comma = if field == 0 { "" } else { "," };
        // Writing to a string does not fail.
        let _ = write!(
            schema,
            r#"{comma}{{"name":"f{field:04}","type":["null","string"],"doc":"column {field}","default":null}}"#
        );
    }
    schema + "]}"
}

/// Letters by a linear congruential generator, the same on each run.
fn noise(letters: usize) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut state: u64 = 1;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(ALPHABET[usize::try_from(state >> 58).unwrap_or(0)])
    };
    (0..letters).map(next).collect()
}
