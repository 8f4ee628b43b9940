//! Options of the HTTP layer.

use crate::page::Limits;

/// Which routes a service offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// All of them.
    #[default]
    All,
    /// Those whose handler never writes; the other methods are 405.
    ReadsOnly,
}

/// Options of the HTTP layer, fixed for the life of a process.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// Which routes are offered.
    pub access: Access,
    /// Prefix in front of every path: empty, or with a slash in front and none at the end.
    pub base_path: String,
    /// Longest request body in bytes; a longer one is 413.
    pub max_body_bytes: usize,
    /// Whether answers are compressed for clients that ask.
    pub gzip: bool,
    /// Answer an incompatible schema with `error_code` 409, as servers before 8.0.4 do, instead of 40901.
    pub legacy_conflict_code: bool,
    /// Page sizes of lists of schemas and of referrers.
    pub schema_limits: Limits,
    /// Page sizes of lists of subjects.
    pub subject_limits: Limits,
    /// Page sizes of lists of versions.
    pub version_limits: Limits,
    /// Page sizes of the list of contexts.
    pub context_limits: Limits,
    /// `schema-registry-cluster` of the cluster id.
    pub registry_cluster_id: String,
    /// `kafka-cluster` of the cluster id.
    pub kafka_cluster_id: String,
    /// Attributes `GET /v1/metadata/deployment` lists.
    pub deployment: Vec<String>,
    /// The server's version.
    pub version: String,
    /// The commit it was built from.
    pub commit_id: Option<String>,
}

impl Default for HttpOptions {
    fn default() -> Self {
        const UNLIMITED: Limits = Limits { default: i32::MAX.unsigned_abs(), max: i32::MAX.unsigned_abs() };
        Self {
            access: Access::All,
            base_path: String::new(),
            max_body_bytes: 10 * 1024 * 1024,
            gzip: true,
            legacy_conflict_code: false,
            schema_limits: Limits { default: 1000, max: 1000 },
            subject_limits: UNLIMITED,
            version_limits: UNLIMITED,
            context_limits: UNLIMITED,
            registry_cluster_id: "schema-registry".to_owned(),
            kafka_cluster_id: String::new(),
            deployment: Vec::new(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit_id: None,
        }
    }
}
