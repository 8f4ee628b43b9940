//! The normalized text: the stored text with the members of every object sorted (json-canonical.md, normalize).

use crate::json_text::{Json, KeyOrder};

/// The normalized text of a tree.
pub(super) fn print(json: &Json) -> String {
    json.root().to_text(KeyOrder::Sorted)
}
