//! What the server says about itself, and verdicts (rest-api.md §3.10, §4.8).

use crate::HttpOptions;
use registrar_model::{ContextName, SchemaId};
use registrar_registry::Verdict;
use serde::Serialize;

/// An empty object.
#[derive(Serialize)]
pub(crate) struct EmptyDto {}

/// A context and the id a schema has there.
#[derive(Serialize)]
pub(crate) struct ContextIdDto<'a> {
    context: &'a str,
    id: u32,
}

impl<'a> From<&'a (ContextName, SchemaId)> for ContextIdDto<'a> {
    fn from((context, id): &'a (ContextName, SchemaId)) -> Self {
        Self { context: context.as_str(), id: id.get() }
    }
}

/// The result of a compatibility check; messages, even none, only if asked for.
#[derive(Serialize)]
pub(crate) struct VerdictDto<'a> {
    is_compatible: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    messages: Option<Vec<&'a str>>,
}

impl<'a> VerdictDto<'a> {
    /// Advice comes last, since clients know what stands before it.
    pub(crate) fn new(verdict: &'a Verdict, verbose: bool) -> Self {
        let messages = verdict.messages.iter().chain(&verdict.advice).map(String::as_str);
        Self { is_compatible: verdict.is_compatible, messages: verbose.then(|| messages.collect()) }
    }
}

/// The cluster id.
#[derive(Serialize)]
pub(crate) struct ClusterDto<'a> {
    scope: Scope<'a>,
}

#[derive(Serialize)]
struct Scope<'a> {
    path: [&'a str; 0],
    clusters: Clusters<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Clusters<'a> {
    kafka_cluster: &'a str,
    schema_registry_cluster: &'a str,
}

impl<'a> From<&'a HttpOptions> for ClusterDto<'a> {
    fn from(options: &'a HttpOptions) -> Self {
        let clusters = Clusters {
            kafka_cluster: &options.kafka_cluster_id,
            schema_registry_cluster: &options.registry_cluster_id,
        };
        Self { scope: Scope { path: [], clusters } }
    }
}

/// The server's version.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VersionDto<'a> {
    version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit_id: Option<&'a str>,
}

impl<'a> From<&'a HttpOptions> for VersionDto<'a> {
    fn from(options: &'a HttpOptions) -> Self {
        Self { version: &options.version, commit_id: options.commit_id.as_deref() }
    }
}

/// Attributes of the deployment.
#[derive(Serialize)]
pub(crate) struct DeploymentDto<'a> {
    attributes: &'a [String],
}

impl<'a> From<&'a HttpOptions> for DeploymentDto<'a> {
    fn from(options: &'a HttpOptions) -> Self {
        Self { attributes: &options.deployment }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies() {
        let options = HttpOptions { version: "1.2.3".into(), ..HttpOptions::default() };
        let verdict = Verdict { is_compatible: true, messages: Vec::new(), advice: None };
        for (body, expected) in [
            (serde_json::to_string(&EmptyDto {}), "{}"),
            (serde_json::to_string(&VerdictDto::new(&verdict, false)), "{\"is_compatible\":true}"),
            (serde_json::to_string(&VerdictDto::new(&verdict, true)), "{\"is_compatible\":true,\"messages\":[]}"),
            (
                serde_json::to_string(&ClusterDto::from(&options)),
                "{\"scope\":{\"path\":[],\"clusters\":{\"kafka-cluster\":\"\",\
                 \"schema-registry-cluster\":\"schema-registry\"}}}",
            ),
            (serde_json::to_string(&VersionDto::from(&options)), "{\"version\":\"1.2.3\"}"),
            (serde_json::to_string(&DeploymentDto::from(&options)), "{\"attributes\":[]}"),
        ] {
            assert_eq!(body.unwrap(), expected);
        }
    }
}
