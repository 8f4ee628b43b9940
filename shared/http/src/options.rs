//! Settings.

/// Which routes a service offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// All of them.
    #[default]
    All,
    /// Those that never write; the others are 405.
    ReadsOnly,
}

/// Settings of the HTTP layer, fixed for the life of a process.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// Which routes are offered.
    pub access: Access,
    /// Prefix in front of every path, such as `/registry`; empty for none.
    pub base_path: String,
    /// Longest request body in bytes; a longer one is 413.
    pub max_body_bytes: usize,
    /// Answer an incompatible schema with `error_code` 409, as releases before 8.0.4 do, instead of 40901.
    pub legacy_conflict_code: bool,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            access: Access::All,
            base_path: String::new(),
            max_body_bytes: 10 * 1024 * 1024,
            legacy_conflict_code: false,
        }
    }
}
