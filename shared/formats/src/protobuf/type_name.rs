//! The types of fields as they are written: scalars, maps and names.

use super::parse::MAX_DEPTH;
use crate::SchemaError;

const SCALARS: [&str; 15] = [
    "bool", "bytes", "double", "fixed32", "fixed64", "float", "int32", "int64", "sfixed32", "sfixed64", "sint32",
    "sint64", "string", "uint32", "uint64",
];

/// What a written type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written<'a> {
    Scalar(&'a str),
    Map { key: &'a str, value: &'a str },
    Name(&'a str),
}

pub(super) fn is_scalar(name: &str) -> bool {
    SCALARS.binary_search(&name).is_ok()
}

/// Takes a written type apart.
///
/// # Errors
/// For a map whose key is no scalar or one of bytes or floating point, and for a name that cannot be one.
pub(super) fn read(text: &str) -> Result<Written<'_>, SchemaError> {
    let written = split(text)?;
    // The value of a map may be a map again.
    let mut inner = written;
    for _ in 0..MAX_DEPTH {
        match inner {
            Written::Map { value, .. } => inner = split(value)?,
            _ => return Ok(written),
        }
    }
    Err(SchemaError::new(format!("maps nested more than {MAX_DEPTH} levels deep")))
}

fn split(text: &str) -> Result<Written<'_>, SchemaError> {
    if is_scalar(text) {
        return Ok(Written::Scalar(text));
    }
    let Some(inner) = text.strip_prefix("map<").and_then(|rest| rest.strip_suffix('>')) else {
        if text.is_empty() || text.contains('#') {
            return Err(SchemaError::new(format!("unexpected name: {text}")));
        }
        return Ok(Written::Name(text));
    };
    let Some((key, value)) = inner.split_once(',') else {
        return Err(SchemaError::new(format!("expected ',' in map type: {text}")));
    };
    let (key, value) = (key.trim(), value.trim());
    if !is_scalar(key) || matches!(key, "bytes" | "double" | "float") {
        return Err(SchemaError::new(format!("map key must be non-byte, non-floating point scalar: {key}")));
    }
    Ok(Written::Map { key, value })
}

/// How the default of a field of this type is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DefaultKind {
    Text,
    Number,
    Bare,
}

/// Decided by the last part of the name alone, and bytes count as a number: both as in Confluent's registry.
pub(super) fn default_kind(text: &str) -> DefaultKind {
    match text.rsplit('.').next().unwrap_or(text) {
        "string" => DefaultKind::Text,
        "bool" => DefaultKind::Bare,
        simple if is_scalar(simple) => DefaultKind::Number,
        _ => DefaultKind::Bare,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scalars_are_sorted() {
        assert!(SCALARS.is_sorted());
    }
}
