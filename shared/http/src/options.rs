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
    /// How deeply the JSON of a body may nest; deeper is 400.
    pub max_nesting: usize,
    /// Most values of a body, as [`registrar_formats::Extent`] counts; more are 413.
    pub max_values: usize,
    /// How many seconds a body may take to arrive; longer is 408. Only where it arrives in pieces.
    pub body_seconds: u64,
    /// Most bytes of bodies and answers that a server holds at a time, all requests together; more are 429.
    pub max_bytes_in_flight: usize,
    /// Limits of connections, for `serve`.
    pub transport: Transport,
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
            max_nesting: registrar_formats::MAX_NESTING,
            max_values: 120_000,
            body_seconds: 30,
            max_bytes_in_flight: 32_000_000,
            transport: Transport::default(),
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

/// Limits of a server's connections. The functions have none: the gateway before them has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transport {
    /// Most bytes of one request's first line and headers.
    pub max_header_bytes: usize,
    /// How many seconds a client may take over them, and an idle connection is kept.
    pub header_seconds: u64,
    /// How many seconds a client may go without taking in anything of an answer.
    pub write_seconds: u64,
    /// Most connections; further ones wait.
    pub max_connections: usize,
    /// Most requests with bodies that are worked on at a time, and as many that wait for a thread of their own; further
    /// ones wait before anything is made of them.
    pub max_running: usize,
    /// How many requests may take long at a time, each on a thread of its own.
    pub heavy_threads: usize,
}

impl Default for Transport {
    fn default() -> Self {
        Self {
            max_header_bytes: 64 << 10,
            header_seconds: 60,
            write_seconds: 30,
            max_connections: 1_000,
            max_running: 32,
            heavy_threads: 1,
        }
    }
}
