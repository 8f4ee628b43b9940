//! The types of differences (protobuf-diff-rules.md) and what their messages say (rest-api.md §6.8).

/// A type of difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DifferenceKind {
    PackageChanged,
    MessageAdded,
    MessageRemoved,
    MessageMoved,
    EnumAdded,
    EnumRemoved,
    EnumConstAdded,
    EnumConstRemoved,
    EnumConstChanged,
    FieldAdded,
    FieldRemoved,
    FieldNameChanged,
    FieldKindChanged,
    FieldScalarKindChanged,
    FieldNamedTypeChanged,
    FieldNumericLabelChanged,
    FieldStringOrBytesLabelChanged,
    RequiredFieldAdded,
    RequiredFieldRemoved,
    OneofAdded,
    OneofRemoved,
    OneofFieldAdded,
    OneofFieldRemoved,
    OneofFieldMovedToTopLevel,
    MultipleFieldsMovedToOneof,
    FieldMovedToExistingOneof,
}

impl DifferenceKind {
    /// The name on the wire.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::PackageChanged => "PACKAGE_CHANGED",
            Self::MessageAdded => "MESSAGE_ADDED",
            Self::MessageRemoved => "MESSAGE_REMOVED",
            Self::MessageMoved => "MESSAGE_MOVED",
            Self::EnumAdded => "ENUM_ADDED",
            Self::EnumRemoved => "ENUM_REMOVED",
            Self::EnumConstAdded => "ENUM_CONST_ADDED",
            Self::EnumConstRemoved => "ENUM_CONST_REMOVED",
            Self::EnumConstChanged => "ENUM_CONST_CHANGED",
            Self::FieldAdded => "FIELD_ADDED",
            Self::FieldRemoved => "FIELD_REMOVED",
            Self::FieldNameChanged => "FIELD_NAME_CHANGED",
            Self::FieldKindChanged => "FIELD_KIND_CHANGED",
            Self::FieldScalarKindChanged => "FIELD_SCALAR_KIND_CHANGED",
            Self::FieldNamedTypeChanged => "FIELD_NAMED_TYPE_CHANGED",
            Self::FieldNumericLabelChanged => "FIELD_NUMERIC_LABEL_CHANGED",
            Self::FieldStringOrBytesLabelChanged => "FIELD_STRING_OR_BYTES_LABEL_CHANGED",
            Self::RequiredFieldAdded => "REQUIRED_FIELD_ADDED",
            Self::RequiredFieldRemoved => "REQUIRED_FIELD_REMOVED",
            Self::OneofAdded => "ONEOF_ADDED",
            Self::OneofRemoved => "ONEOF_REMOVED",
            Self::OneofFieldAdded => "ONEOF_FIELD_ADDED",
            Self::OneofFieldRemoved => "ONEOF_FIELD_REMOVED",
            Self::OneofFieldMovedToTopLevel => "ONEOF_FIELD_MOVED_TO_TOP_LEVEL",
            Self::MultipleFieldsMovedToOneof => "MULTIPLE_FIELDS_MOVED_TO_ONEOF",
            Self::FieldMovedToExistingOneof => "FIELD_MOVED_TO_EXISTING_ONEOF",
        }
    }

    /// Whether the difference keeps the new schema from reading what the old one wrote.
    pub(super) fn is_incompatible(self) -> bool {
        matches!(
            self,
            Self::PackageChanged
                | Self::MessageRemoved
                | Self::FieldKindChanged
                | Self::FieldScalarKindChanged
                | Self::FieldNamedTypeChanged
                | Self::FieldNumericLabelChanged
                | Self::RequiredFieldAdded
                | Self::RequiredFieldRemoved
                | Self::OneofFieldRemoved
                | Self::MultipleFieldsMovedToOneof
                | Self::FieldMovedToExistingOneof
        )
    }
}

/// The description of an incompatible difference, none for a type that is not Protobuf's.
pub(crate) fn description(kind: &str, path: &str, new: &str, old: &str) -> Option<String> {
    Some(match kind {
        "PACKAGE_CHANGED" => {
            format!("The package at '{path}' in the {new} schema does not match the package in the {old} schema")
        }
        "MESSAGE_REMOVED" => {
            format!("The {new} schema is missing a MESSAGE type at path '{path}' in the {old} schema")
        }
        "FIELD_KIND_CHANGED" => {
            format!("The type of a field at path '{path}' in the {new} schema does not match the {old} schema")
        }
        "FIELD_SCALAR_KIND_CHANGED" => format!(
            "The kind of a SCALAR field at path '{path}' in the {new} schema does not match its kind in the {old} schema"
        ),
        "FIELD_NAMED_TYPE_CHANGED" => format!(
            "The type of a MESSAGE field at path '{path}' in the {new} schema does not match its type in the {old} \
             schema"
        ),
        "FIELD_NUMERIC_LABEL_CHANGED" => format!(
            "The label for a NUMERIC field at path '{path}' in the {new} schema does not match its label in the {old} \
             schema"
        ),
        // The two blanks are the reference's.
        "REQUIRED_FIELD_ADDED" => {
            format!("A required field  at path '{path}' in the {new} schema is missing in the {old} schema")
        }
        "REQUIRED_FIELD_REMOVED" => {
            format!("The {new} schema is missing a required field at path: '{path}' in the {old} schema")
        }
        "ONEOF_FIELD_REMOVED" => {
            format!("The {new} schema is missing a oneof field at path '{path}' in the {old} schema")
        }
        "MULTIPLE_FIELDS_MOVED_TO_ONEOF" => format!(
            "Multiple fields in the oneof at path '{path}' in the {new} schema are outside a oneof in the {old} schema"
        ),
        "FIELD_MOVED_TO_EXISTING_ONEOF" => format!(
            "A field in the oneof at path '{path}' in the {new} schema is outside an existing oneof in the {old} schema"
        ),
        _ => return None,
    })
}
