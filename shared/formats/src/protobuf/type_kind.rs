//! What types of fields can be read as each other (protobuf-diff-rules.md).

use super::link::TypeInfo;
use super::type_name::{Written, read};

/// What kind of type a field has.
pub(super) enum TypeKind<'t> {
    Scalar(Group),
    Map((&'t str, &'t str)),
    Message,
}

/// Scalars that can be read as each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Number,
    Signed,
    Text,
    Fixed32,
    Fixed64,
    Float,
    Double,
}

impl<'t> TypeKind<'t> {
    /// Of a field with this type as it is written, and what that leads to.
    pub(super) fn of(written: &'t str, info: Option<&(String, TypeInfo<'_>)>) -> Self {
        let is_enum = info.is_some_and(|(_, info)| info.is_enum());
        match read(written) {
            Ok(Written::Scalar(_) | Written::Name(_)) if is_enum => Self::Scalar(Group::Number),
            Ok(Written::Scalar(scalar)) => Self::Scalar(Group::of(scalar)),
            Ok(Written::Map { key, value }) => Self::Map((key, value)),
            Ok(Written::Name(_)) | Err(_) => Self::Message,
        }
    }
}

impl Group {
    fn of(scalar: &str) -> Self {
        match scalar {
            "sint32" | "sint64" => Self::Signed,
            "string" | "bytes" => Self::Text,
            "fixed32" | "sfixed32" => Self::Fixed32,
            "fixed64" | "sfixed64" => Self::Fixed64,
            "float" => Self::Float,
            "double" => Self::Double,
            _ => Self::Number,
        }
    }
}
