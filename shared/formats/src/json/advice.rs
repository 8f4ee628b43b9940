//! What to do about an incompatible change, in one sentence: beyond what Confluent says.

use registrar_model::Policy;

use crate::Difference;

/// A sentence about what would be accepted instead of a change that `differences` keep from being compatible.
/// `lenient` says whether the LENIENT policy would accept it as it is.
pub(super) fn sentence(policy: Policy, lenient: bool, differences: &[Difference]) -> Option<String> {
    let Difference { kind, path, .. } = differences.first()?;
    let accepted = match *kind {
        _ if policy != Policy::Lenient && lenient => return Some(with_lenient_policy(kind, path)),
        "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL"
        | "REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN_CONTENT_MODEL" => {
            format!("the property at '{path}' added to an object that had additionalProperties: false before")
        }
        "REQUIRED_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL" => {
            format!("the property at '{path}' with the schema true, or optional under the LENIENT policy")
        }
        "REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL" | "REQUIRED_ATTRIBUTE_ADDED" => {
            format!("the property at '{path}' with a default, or not required")
        }
        "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL"
        | "PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL" => {
            format!("the property at '{path}' kept, or removed while its object becomes open")
        }
        "ITEM_ADDED_TO_OPEN_CONTENT_MODEL" => format!("the item at '{path}' with the schema true"),
        "ITEM_REMOVED_FROM_CLOSED_CONTENT_MODEL" => format!("the item at '{path}' kept"),
        "COMBINED_TYPE_SUBSCHEMAS_CHANGED" | "SUM_TYPE_NARROWED" => {
            format!("every branch at '{path}' kept or widened, and others added")
        }
        "PRODUCT_TYPE_EXTENDED" => format!("no branch added to allOf at '{path}'"),
        "ENUM_ARRAY_NARROWED" | "ENUM_ARRAY_CHANGED" => format!("all values at '{path}' kept, and others added"),
        "TYPE_CHANGED" | "TYPE_NARROWED" => format!("anyOf at '{path}' with the old type as one of its branches"),
        "SCHEMA_ADDED" => format!("no schema at '{path}'"),
        _ if kind.ends_with("_ADDED") || kind.ends_with("_REMOVED") => format!("the keyword at '{path}' as it was"),
        _ => format!("the value at '{path}' as it was, or one that allows more"),
    };
    Some(format!("This would be accepted: {accepted}."))
}

fn with_lenient_policy(kind: &str, path: &str) -> String {
    let closing = if kind.ends_with("_TO_OPEN_CONTENT_MODEL") {
        format!(", and so would the property at '{path}' be if its object had had additionalProperties: false before")
    } else {
        String::new()
    };
    format!("This would be accepted by the LENIENT compatibility policy{closing}.")
}
