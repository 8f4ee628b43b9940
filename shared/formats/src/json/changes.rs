//! The types of differences: which of them are compatible, and what is said about them (json-diff-rules.md §8, §9).

use registrar_model::Policy;

use crate::difference::UNEXPECTED_EXCEPTION;

/// Incompatible by every policy, without a description.
const WITHOUT_WORDS: &str = "SCHEMA_ADDED";

/// Compatible by every policy, although there is a description.
const WITH_WORDS: &str = "SUM_TYPE_EXTENDED";

/// A schema that an earlier version refers to cannot be had.
pub(super) const UNSUPPORTED_REFERENCE: &str = "UNSUPPORTED_REFERENCE";

/// Whether a difference of this type keeps a reader from reading.
pub(super) fn is_incompatible(kind: &str, policy: Policy) -> bool {
    match kind {
        WITHOUT_WORDS | UNEXPECTED_EXCEPTION => true,
        WITH_WORDS => false,
        _ if policy == Policy::Lenient && is_lenient(kind) => false,
        _ => sentence(kind).is_some(),
    }
}

/// Whether the LENIENT policy allows what the STRICT one does not.
fn is_lenient(kind: &str) -> bool {
    matches!(
        kind,
        "ADDITIONAL_PROPERTIES_REMOVED"
            | "ADDITIONAL_PROPERTIES_NARROWED"
            | "UNEVALUATED_PROPERTIES_REMOVED"
            | "UNEVALUATED_PROPERTIES_NARROWED"
            | "REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN_CONTENT_MODEL"
            | "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL"
            | "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL"
            | "PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"
            | "PROPERTY_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"
    )
}

/// The message of an incompatible difference; none for a type that is not of JSON Schema.
///
/// That the quotes do not match is part of the format.
pub(crate) fn message(kind: &str, path: &str, new: &str, old: &str) -> Option<String> {
    let description = match kind {
        UNSUPPORTED_REFERENCE => {
            return Some("A previous schema version contains an unsupported external reference".to_owned());
        }
        WITHOUT_WORDS => String::new(),
        _ => {
            let sentence = sentence(kind)?;
            // Word by word, so that a path that looks like a placeholder stays what it is.
            let filled = sentence.split(' ').map(|word| match word {
                "NEW" => new.to_owned(),
                "OLD" => old.to_owned(),
                "PATH" => format!("'{path}'"),
                _ => word.to_owned(),
            });
            filled.collect::<Vec<_>>().join(" ")
        }
    };
    Some(format!("{{errorType:\"{kind}\", description:\"{description}'}}"))
}

fn sentence(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "TYPE_NARROWED"
        | "TYPE_CHANGED"
        | "ENUM_ARRAY_CHANGED"
        | "COMBINED_TYPE_CHANGED"
        | "COMBINED_TYPE_SUBSCHEMAS_CHANGED" => {
            "A type at path PATH is different between the NEW schema and the OLD schema"
        }
        "MAX_LENGTH_ADDED"
        | "MIN_LENGTH_ADDED"
        | "PATTERN_ADDED"
        | "MAXIMUM_ADDED"
        | "MINIMUM_ADDED"
        | "EXCLUSIVE_MAXIMUM_ADDED"
        | "EXCLUSIVE_MINIMUM_ADDED"
        | "MULTIPLE_OF_ADDED"
        | "REQUIRED_ATTRIBUTE_ADDED"
        | "MAX_PROPERTIES_ADDED"
        | "MIN_PROPERTIES_ADDED"
        | "ADDITIONAL_PROPERTIES_REMOVED"
        | "DEPENDENCY_ARRAY_ADDED"
        | "DEPENDENCY_SCHEMA_ADDED"
        | "UNEVALUATED_PROPERTIES_REMOVED"
        | "MAX_ITEMS_ADDED"
        | "MIN_ITEMS_ADDED"
        | "MAX_CONTAINS_ADDED"
        | "MIN_CONTAINS_ADDED"
        | "UNIQUE_ITEMS_ADDED"
        | "ADDITIONAL_ITEMS_REMOVED"
        | "UNEVALUATED_ITEMS_REMOVED" => "The keyword at path PATH in the NEW schema is not present in the OLD schema",
        "MAX_LENGTH_DECREASED"
        | "MAXIMUM_DECREASED"
        | "EXCLUSIVE_MAXIMUM_DECREASED"
        | "MAX_PROPERTIES_DECREASED"
        | "MAX_ITEMS_DECREASED"
        | "MAX_CONTAINS_DECREASED" => {
            "The value at path PATH in the NEW schema is less than its value in the OLD schema"
        }
        "MIN_LENGTH_INCREASED"
        | "MINIMUM_INCREASED"
        | "EXCLUSIVE_MINIMUM_INCREASED"
        | "MULTIPLE_OF_EXPANDED"
        | "MIN_PROPERTIES_INCREASED"
        | "MIN_ITEMS_INCREASED"
        | "MIN_CONTAINS_INCREASED" => {
            "The value at path PATH in the NEW schema is more than its value in the OLD schema"
        }
        "PATTERN_CHANGED" | "MULTIPLE_OF_CHANGED" | "DEPENDENCY_ARRAY_CHANGED" => {
            "The value at path PATH is different between the NEW and OLD schema"
        }
        "ADDITIONAL_PROPERTIES_NARROWED"
        | "UNEVALUATED_PROPERTIES_NARROWED"
        | "ADDITIONAL_ITEMS_NARROWED"
        | "UNEVALUATED_ITEMS_NARROWED"
        | "ENUM_ARRAY_NARROWED"
        | "SUM_TYPE_NARROWED" => {
            "An array or combined type at path PATH has fewer elements in the NEW schema than the OLD schema"
        }
        "DEPENDENCY_ARRAY_EXTENDED" | "PRODUCT_TYPE_EXTENDED" | WITH_WORDS | "NOT_TYPE_EXTENDED" => {
            "An array or combined type at path PATH has more elements in the NEW schema than the OLD schema"
        }
        "REQUIRED_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL"
        | "REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN_CONTENT_MODEL"
        | "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL"
        | "ITEM_ADDED_TO_OPEN_CONTENT_MODEL" => {
            "The NEW schema has an open content model and has a property or item at path PATH which is missing in \
             the OLD schema"
        }
        "REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL" => {
            "The NEW schema has an unopen content model and has a required property at path PATH which is missing in \
             the OLD schema"
        }
        "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL" | "ITEM_REMOVED_FROM_CLOSED_CONTENT_MODEL" => {
            "The NEW has a closed content model and is missing a property or item present at path PATH in the OLD \
             schema"
        }
        "PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"
        | "ITEM_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL" => {
            "A property or item is missing in the NEW schema but present at path PATH in the OLD schema and is not \
             covered by its partially open content model"
        }
        "PROPERTY_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"
        | "ITEM_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL" => {
            "The NEW schema has a property or item at path PATH which is missing in the OLD schema and is not covered \
             by its partially open content model"
        }
        _ => return None,
    })
}
