//! Metadata of a schema.

use crate::JavaString;
use std::collections::{BTreeMap, BTreeSet};

/// Tags, properties and the names of sensitive properties (rest-api.md §3.5). No metadata and empty metadata differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Path in the schema → tags.
    pub tags: BTreeMap<JavaString, BTreeSet<JavaString>>,
    /// Free properties.
    pub properties: BTreeMap<JavaString, String>,
    /// Names of properties whose values are secrets.
    pub sensitive: BTreeSet<JavaString>,
}

impl Metadata {
    /// The value of one property.
    pub fn property(&self, name: &str) -> Option<&str> {
        self.properties.get(&JavaString::from(name)).map(String::as_str)
    }
}
