//! Events as they arrive, and which front they come from.

use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// An event that is no HTTP request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(pub(crate) String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// What stands between the client and the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Front {
    /// API Gateway REST API: raw path, decoded query.
    Rest,
    /// Function URL, or `cargo lambda watch`: raw path, raw query.
    FunctionUrl,
    /// Application load balancer: raw path, raw query.
    Alb,
    /// API Gateway HTTP API: decoded path.
    HttpApi,
}

type Single = BTreeMap<String, Option<String>>;
type Multi = BTreeMap<String, Option<Vec<String>>>;

/// The members that count, of all fronts together.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Event {
    version: Option<String>,
    http_method: Option<String>,
    pub(crate) path: Option<String>,
    pub(crate) raw_path: Option<String>,
    pub(crate) raw_query_string: Option<String>,
    headers: Option<Single>,
    multi_value_headers: Option<Multi>,
    query_string_parameters: Option<Single>,
    multi_value_query_string_parameters: Option<Multi>,
    pub(crate) body: Option<String>,
    is_base64_encoded: Option<bool>,
    pub(crate) request_context: Option<RequestContext>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct RequestContext {
    elb: Option<Value>,
    domain_name: Option<String>,
    pub(crate) stage: Option<String>,
    http: Option<HttpContext>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct HttpContext {
    method: Option<String>,
}

impl Event {
    /// Reads the members that count; unknown ones do not matter.
    pub(crate) fn read(event: Value) -> Result<Self, Error> {
        serde_json::from_value(event).map_err(|error| Error(format!("not an HTTP event: {error}")))
    }

    /// Events of a REST API carry no version; those of an HTTP API do in both of its formats, and a function URL has
    /// the second format in a domain of its own (platform.md §3).
    pub(crate) fn front(&self) -> Front {
        let context = self.request_context.as_ref();
        if context.is_some_and(|context| context.elb.is_some()) {
            return Front::Alb;
        }
        let domain = context.and_then(|context| context.domain_name.as_deref()).unwrap_or_default();
        match self.version.as_deref() {
            Some("2.0") if domain.contains(".lambda-url.") || domain == "localhost" => Front::FunctionUrl,
            Some(_) => Front::HttpApi,
            None => Front::Rest,
        }
    }

    /// The method, wherever the front puts it.
    pub(crate) fn method(&self) -> Option<&str> {
        let context = self.request_context.as_ref().and_then(|context| context.http.as_ref());
        context.and_then(|http| http.method.as_deref()).or(self.http_method.as_deref())
    }

    /// Whether `body` is base64.
    pub(crate) fn is_base64(&self) -> bool {
        self.is_base64_encoded.unwrap_or_default()
    }

    /// The headers; what HTTP does not allow in one is left out.
    pub(crate) fn headers(&self) -> HeaderMap {
        let pairs = pairs(self.multi_value_headers.as_ref(), self.headers.as_ref());
        let header = |(name, value): (&str, &str)| {
            Some((HeaderName::from_bytes(name.as_bytes()).ok()?, HeaderValue::from_bytes(value.as_bytes()).ok()?))
        };
        let mut headers = HeaderMap::new();
        for (name, value) in pairs.into_iter().filter_map(header) {
            headers.append(name, value);
        }
        headers
    }

    /// The query parameters as the front gives them, several of one name in their order.
    pub(crate) fn parameters(&self) -> Vec<(&str, &str)> {
        pairs(self.multi_value_query_string_parameters.as_ref(), self.query_string_parameters.as_ref())
    }
}

/// The multi-value form has all values; the single one only the last, and is all there is where it is switched off.
fn pairs<'a>(multi: Option<&'a Multi>, single: Option<&'a Single>) -> Vec<(&'a str, &'a str)> {
    if let Some(multi) = multi {
        let values = |(name, values): (&'a String, &'a Option<Vec<String>>)| {
            values.iter().flatten().map(|value| (name.as_str(), value.as_str())).collect::<Vec<_>>()
        };
        return multi.iter().flat_map(values).collect();
    }
    single.into_iter().flatten().filter_map(|(name, value)| Some((name.as_str(), value.as_deref()?))).collect()
}
