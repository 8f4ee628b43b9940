//! What to do about an incompatible change, in one sentence: beyond what Confluent says.

use crate::Difference;

/// What would be accepted instead of a new schema that does not read old data because of `difference`. `lenient` says
/// whether the LENIENT policy would accept it as it is.
pub(super) fn to_reader(difference: &Difference, lenient: bool) -> String {
    let Difference { kind, path, .. } = difference;
    if lenient {
        return with_lenient_policy(kind, path);
    }
    let accepted = match *kind {
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
    accepts(&accepted)
}

/// What would be accepted instead of a new schema whose data the old one does not read because of `difference`, which
/// says how the old schema differs from the new one.
pub(super) fn to_writer(difference: &Difference, lenient: bool) -> String {
    let Difference { kind, path, .. } = difference;
    if lenient {
        return accepts_leniently("");
    }
    let accepted = match *kind {
        "REQUIRED_ATTRIBUTE_ADDED" => format!("the property at '{path}' still required"),
        "ITEM_ADDED_TO_OPEN_CONTENT_MODEL" => format!("the item at '{path}' kept"),
        "ITEM_REMOVED_FROM_CLOSED_CONTENT_MODEL" => format!("no item at '{path}'"),
        "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL"
        | "PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL" => format!("no property at '{path}'"),
        _ if kind.contains("PROPERTY") && kind.contains("_ADDED_") => format!("the property at '{path}' kept"),
        "COMBINED_TYPE_SUBSCHEMAS_CHANGED" | "SUM_TYPE_NARROWED" => format!("no branch added or widened at '{path}'"),
        "PRODUCT_TYPE_EXTENDED" => format!("every branch of allOf at '{path}' kept"),
        "ENUM_ARRAY_NARROWED" | "ENUM_ARRAY_CHANGED" => format!("no value added at '{path}'"),
        "TYPE_CHANGED" | "TYPE_NARROWED" => format!("a type at '{path}' that the old one covers"),
        "SCHEMA_ADDED" => format!("the schema at '{path}' kept"),
        _ if kind.ends_with("_ADDED") || kind.ends_with("_REMOVED") => format!("the keyword at '{path}' as it was"),
        _ => format!("the value at '{path}' as it was, or one that allows less"),
    };
    accepts(&accepted)
}

fn accepts(what: &str) -> String {
    format!("This would be accepted: {what}.")
}

fn accepts_leniently(more: &str) -> String {
    format!("This would be accepted by the LENIENT compatibility policy{more}.")
}

fn with_lenient_policy(kind: &str, path: &str) -> String {
    if !kind.ends_with("_TO_OPEN_CONTENT_MODEL") {
        return accepts_leniently("");
    }
    accepts_leniently(&format!(
        ", and so would the property at '{path}' be if its object had had additionalProperties: false before"
    ))
}
