//! Metadata on the wire (rest-api.md §3.5).

use super::read::{Members, Mismatch, map, set, string};
use registrar_formats::json_text::Value;
use registrar_model::{JavaString, Metadata};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::collections::{BTreeMap, BTreeSet};

/// Reads metadata; null members become empty.
pub(crate) fn read(value: Value<'_>) -> Result<Option<Metadata>, Mismatch> {
    let members = Members::of(value, "Metadata")?;
    Ok(Some(Metadata {
        tags: members.get("tags", |value| map(value, set))?.unwrap_or_default(),
        properties: members.get("properties", |value| map(value, string))?.unwrap_or_default(),
        sensitive: members.get("sensitive", set)?.unwrap_or_default(),
    }))
}

/// Writes metadata: tags, properties, sensitive; empty ones left out.
pub(crate) struct MetadataDto<'a>(pub(crate) &'a Metadata);

impl Serialize for MetadataDto<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        if !self.0.tags.is_empty() {
            object.serialize_entry("tags", &Tags(&self.0.tags))?;
        }
        if !self.0.properties.is_empty() {
            object.serialize_entry("properties", &Texts(&self.0.properties))?;
        }
        if !self.0.sensitive.is_empty() {
            object.serialize_entry("sensitive", &Names(&self.0.sensitive))?;
        }
        object.end()
    }
}

struct Tags<'a>(&'a BTreeMap<JavaString, BTreeSet<JavaString>>);

impl Serialize for Tags<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(path, tags)| (path.as_str(), Names(tags))))
    }
}

/// A map of texts in its own order.
pub(crate) struct Texts<'a>(pub(crate) &'a BTreeMap<JavaString, String>);

impl Serialize for Texts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key.as_str(), value)))
    }
}

/// A set of texts in its own order.
pub(crate) struct Names<'a>(pub(crate) &'a BTreeSet<JavaString>);

impl Serialize for Names<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(JavaString::as_str))
    }
}
