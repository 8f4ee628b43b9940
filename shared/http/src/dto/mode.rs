//! Modes on the wire (rest-api.md §3.10, §4.6).

use super::read::{Members, Mismatch, string};
use registrar_formats::json_text::Value;
use registrar_model::{Mode, Update};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// Reads an update; the name is the registry's to judge.
pub(crate) fn read(value: Value<'_>) -> Result<Update<String>, Mismatch> {
    Members::of(value, "ModeUpdateRequest")?.update("mode", string)
}

/// A mode; an empty object for none.
#[derive(Serialize)]
pub(crate) struct ModeDto {
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
}

impl From<Option<Mode>> for ModeDto {
    fn from(mode: Option<Mode>) -> Self {
        Self { mode: mode.map(Mode::name) }
    }
}

/// The request echoed: an explicit null stays one.
pub(crate) struct ModeUpdateDto<'a>(pub(crate) &'a Update<String>);

impl Serialize for ModeUpdateDto<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        match self.0 {
            Update::Keep => {}
            Update::Clear => object.serialize_entry("mode", &())?,
            Update::Set(name) => object.serialize_entry("mode", name)?,
        }
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_and_echoes() {
        for (body, expected) in [
            (serde_json::to_string(&ModeDto::from(Some(Mode::ReadOnly))), "{\"mode\":\"READONLY\"}"),
            (serde_json::to_string(&ModeDto::from(None)), "{}"),
            (serde_json::to_string(&ModeUpdateDto(&Update::Set("import".into()))), "{\"mode\":\"import\"}"),
            (serde_json::to_string(&ModeUpdateDto(&Update::Clear)), "{\"mode\":null}"),
            (serde_json::to_string(&ModeUpdateDto(&Update::Keep)), "{}"),
        ] {
            assert_eq!(body.unwrap(), expected);
        }
    }
}
