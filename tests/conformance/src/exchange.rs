//! A request and a reply, freed of what carries them.

use crate::case::{Header, Step};
use crate::{Result, ordered::Ordered};
use flate2::read::GzDecoder;
use std::io::Read;

const CONTENT_TYPE: &str = "content-type";
const REQUEST_ID: &str = "x-request-id";
const V1: &str = "application/vnd.schemaregistry.v1+json";

/// What is sent.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method.
    pub method: String,
    /// Path and query, still encoded.
    pub target: String,
    /// Names in lower case; one name may come more than once.
    pub headers: Vec<(String, String)>,
    /// Whether there is a body at all, and which.
    pub body: Option<Vec<u8>>,
}

impl Request {
    /// The request of a step. A body goes with the registry's own type and every request with an id, `tag`, unless the
    /// step says otherwise.
    pub fn of(step: &Step, tag: &str) -> Result<Self> {
        let body = body(step)?;
        let mut headers = Vec::new();
        if body.is_some() && !names(step, CONTENT_TYPE) {
            headers.push((CONTENT_TYPE.to_owned(), V1.to_owned()));
        }
        if !names(step, REQUEST_ID) {
            headers.push((REQUEST_ID.to_owned(), tag.to_owned()));
        }
        for (name, header) in &step.headers {
            let values = match header {
                Header::None(()) => &[][..],
                Header::One(value) => std::slice::from_ref(value),
                Header::Many(values) => values,
            };
            headers.extend(values.iter().map(|value| (name.to_ascii_lowercase(), value.clone())));
        }
        Ok(Self { method: step.method.clone(), target: step.path.clone(), headers, body })
    }

    /// The path, and the query without its question mark.
    pub fn path_and_query(&self) -> (&str, Option<&str>) {
        self.target.split_once('?').map_or((&*self.target, None), |(path, query)| (path, Some(query)))
    }

    /// The id that must come back: the one value that is not blank.
    pub fn request_id(&self) -> Option<&str> {
        let mut ids = self.headers.iter().filter(|(name, _)| name == REQUEST_ID).map(|(_, value)| value.trim());
        let first = ids.next().filter(|id| !id.is_empty());
        if ids.next().is_none() { first } else { None }
    }
}

fn names(step: &Step, name: &str) -> bool {
    step.headers.keys().any(|key| key.eq_ignore_ascii_case(name))
}

fn body(step: &Step) -> Result<Option<Vec<u8>>> {
    if let Some(json) = &step.body {
        return Ok(Some(json.to_string().into_bytes()));
    }
    if let Some(hex) = &step.body_hex {
        return unhex(hex).map(Some);
    }
    if let Some(generated) = step.body_gen {
        return Ok(Some(generated.body()));
    }
    Ok(step.raw_body.as_ref().map(|body| body.clone().into_bytes()))
}

fn unhex(hex: &str) -> Result<Vec<u8>> {
    let pair = |at| hex.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    (0..hex.len()).step_by(2).map(|at| pair(at).ok_or_else(|| format!("not hex: {hex}"))).collect()
}

/// What comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// Names in lower case, in order of names.
    pub headers: Vec<(String, String)>,
    /// The body, decompressed.
    pub body: Vec<u8>,
    /// The length of the body as it came.
    pub length: usize,
}

impl Reply {
    /// Sorts the headers and decompresses the body.
    pub fn new(status: u16, headers: Vec<(String, String)>, body: Vec<u8>) -> Result<Self> {
        let mut headers: Vec<_> = headers.into_iter().map(|(name, value)| (name.to_ascii_lowercase(), value)).collect();
        headers.sort();
        let mut reply = Self { status, headers, length: body.len(), body };
        if reply.is_compressed() && reply.length > 0 {
            let mut plain = Vec::new();
            GzDecoder::new(&*reply.body).read_to_end(&mut plain).map_err(|error| format!("not gzip: {error}"))?;
            reply.body = plain;
        }
        Ok(reply)
    }

    /// All values of a header.
    pub fn header(&self, name: &str) -> Vec<&str> {
        self.headers.iter().filter(|(key, _)| key == name).map(|(_, value)| &**value).collect()
    }

    /// Whether the body came compressed.
    pub fn is_compressed(&self) -> bool {
        self.header("content-encoding") == ["gzip"]
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    pub fn json(&self) -> Result<Ordered> {
        Ordered::parse(&self.body).map_err(|error| format!("the body is no JSON ({error})"))
    }
}
