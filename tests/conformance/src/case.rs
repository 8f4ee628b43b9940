//! A case as it stands in the files.

use crate::Result;
use crate::body::Generated;
use crate::ordered::Ordered;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Steps on a registry that is empty at the first one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Two letters for the area, and a number.
    pub id: String,
    /// What holds, in words.
    pub title: String,
    /// The section of the specification that says so.
    pub section: String,
    /// Entry points, by their keys, that cannot run it, each with the reason.
    #[serde(default)]
    pub except: BTreeMap<String, String>,
    /// Environment variables of the server, by their names; none where they say nothing.
    #[serde(default)]
    pub settings: Environment,
    /// What is done and expected, in order.
    pub steps: Vec<Step>,
}

/// Environment variables of a server.
pub type Environment = BTreeMap<String, String>;

/// One exchange, or a restart of the server.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Step {
    /// Instead of an exchange.
    pub restart: Option<Restart>,
    /// The method.
    pub method: String,
    /// Path and query, encoded as sent.
    pub path: String,
    /// Headers besides the usual ones. `null` leaves out a usual one.
    pub headers: BTreeMap<String, Header>,
    /// A JSON body.
    pub body: Option<Ordered>,
    /// A body as it is.
    pub raw_body: Option<String>,
    /// A body of bytes that may be no text.
    pub body_hex: Option<String>,
    /// A body too long to write down.
    pub body_gen: Option<Generated>,
    /// What the answer is held to, besides what holds for each.
    pub expect: Expect,
}

/// How to stop the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Restart {
    /// Ask it to, and wait.
    Stop,
    /// `kill -9`
    Kill,
}

/// The values of a header.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Header {
    /// Not sent, although it usually is.
    None(()),
    /// One.
    One(String),
    /// Several, each in a line of its own.
    Many(Vec<String>),
}

/// One value or several that are equally right.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum OneOf {
    /// Exactly this.
    One(i64),
    /// Any of these, where the specification leaves it open.
    Any(Vec<i64>),
}

impl OneOf {
    /// Whether `value` is right.
    pub fn allows(&self, value: i64) -> bool {
        match self {
            Self::One(one) => *one == value,
            Self::Any(all) => all.contains(&value),
        }
    }
}

impl Default for OneOf {
    fn default() -> Self {
        Self::One(200)
    }
}

/// What an answer is held to.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// HTTP status.
    pub status: OneOf,
    /// Member `error_code`.
    pub error_code: Option<OneOf>,
    /// Member `message`, exactly.
    pub message: Option<String>,
    /// Parts of `message`.
    pub message_contains: Vec<String>,
    /// The end of `message`.
    pub message_ends: Option<String>,
    /// The whole body, members in any order.
    pub json: Option<Ordered>,
    /// The whole body, members in this order.
    pub json_ordered: Option<Ordered>,
    /// Members the body has among others; arrays item by item.
    pub json_subset: Option<Ordered>,
    /// An array of these in any order.
    pub json_set: Option<Vec<Ordered>>,
    /// Items an array has among others; each item of it comes once.
    pub json_has: Vec<Ordered>,
    /// The whole body as text.
    pub text: Option<String>,
    /// The whole body as a text too long to write down: the schema that such a body posts.
    pub text_gen: Option<Generated>,
    /// Parts of the body as text.
    pub body_contains: Vec<String>,
    /// Length of the array.
    pub len: Option<usize>,
    /// Members the object lacks.
    pub absent: Vec<String>,
    /// Members the object may have, in this order.
    pub order: Option<Vec<String>>,
    /// Members the object may have.
    pub keys_only: Option<Vec<String>>,
    /// Length of the array `messages`.
    pub messages_len: Option<usize>,
    /// Parts of some text of `messages`.
    pub messages_contain: Vec<String>,
    /// Headers with exactly this value; `@uuid4` is any random UUID.
    pub headers_exact: BTreeMap<String, String>,
    /// Headers that are not there.
    pub absent_headers: Vec<String>,
    /// The methods of header `Allow`, in any order.
    pub allow: Option<Vec<String>>,
    /// Whether the body is compressed.
    pub gzip: Option<bool>,
}

/// The cases of one file.
pub(crate) fn parse(text: &str) -> Result<Vec<Case>> {
    serde_json::from_str(&unfold(text)?).map_err(|error| error.to_string())
}

/// Replaces `${x*N}`, a letter and a number, by N times the letter: long names stay readable.
fn unfold(text: &str) -> Result<String> {
    let mut unfolded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let (run, after) = after.split_once('}').ok_or("`${` without `}`")?;
        let (letter, count) = run.split_once('*').ok_or_else(|| format!("not a run: ${{{run}}}"))?;
        let count: usize = count.parse().map_err(|_| format!("not a run: ${{{run}}}"))?;
        unfolded.push_str(before);
        unfolded.push_str(&letter.repeat(count));
        rest = after;
    }
    unfolded.push_str(rest);
    Ok(unfolded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_unfold() {
        assert_eq!(unfold("a${n*3}b${d*1}").unwrap(), "annnbd");
        assert!(unfold("a${n3}").is_err() && unfold("a${n*3").is_err());
    }

    #[test]
    fn unknown_members_are_told() {
        let case = |expect: &str| {
            parse(&format!(
                r#"[{{"id":"a-1","title":"t","section":"1","steps":[{{"method":"GET","path":"/","expect":{expect}}}]}}]"#
            ))
        };
        assert!(case(r#"{"status":[200,204]}"#).is_ok());
        assert!(case(r#"{"status":200,"jsonn":1}"#).unwrap_err().contains("jsonn"));
    }
}
