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
    /// A member that nobody knows: arrays within arrays, n of them.
    NestedBody,
    /// n spaces.
    Spaces,
}

impl Generated {
    /// The body.
    pub fn body(self) -> Vec<u8> {
        match self.kind {
            Kind::AvroWide | Kind::AvroNested | Kind::AvroNoise => {
                let schema = ("schema".to_owned(), Ordered::Text(self.schema()));
                Ordered::Object(vec![schema]).to_string().into_bytes()
            }
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
            Kind::NestedBody | Kind::Spaces => String::new(),
        }
    }
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
