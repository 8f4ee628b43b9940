//! Modes on the wire (rest-api.md §3.10, §4.6).

use super::read::{Members, Mismatch, string};
use registrar_formats::json_text::Value;
use registrar_model::{Mode, Update};
use serde::Serialize;

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
#[derive(Serialize)]
pub(crate) struct ModeUpdateDto<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<Option<&'a str>>,
}

impl<'a> From<&'a Update<String>> for ModeUpdateDto<'a> {
    fn from(update: &'a Update<String>) -> Self {
        let mode = match update {
            Update::Keep => None,
            Update::Clear => Some(None),
            Update::Set(name) => Some(Some(name.as_str())),
        };
        Self { mode }
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
            (serde_json::to_string(&ModeUpdateDto::from(&Update::Set("import".into()))), "{\"mode\":\"import\"}"),
            (serde_json::to_string(&ModeUpdateDto::from(&Update::Clear)), "{\"mode\":null}"),
            (serde_json::to_string(&ModeUpdateDto::from(&Update::Keep)), "{}"),
        ] {
            assert_eq!(body.unwrap(), expected);
        }
    }
}
