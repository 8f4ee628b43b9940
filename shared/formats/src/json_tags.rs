//! The list of tags in a schema that is JSON: reading it and changing it (json-tags-rules.md).

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use crate::json_text::{Json, KeyOrder, Kind, Value};
use crate::tags::TagList;
use crate::{SchemaError, TagEdit};

/// The keyword.
pub(crate) const TAGS: &str = "confluent:tags";

/// Every tag anywhere in the text, in its order, each once. A keyword that is no list is an error.
pub(crate) fn inline(json: &Json) -> Result<Vec<String>, SchemaError> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut stack = vec![json.root()];
    while let Some(value) = stack.pop() {
        for tag in list(value)? {
            if seen.insert(tag.clone()) {
                found.push(tag);
            }
        }
        let below: Vec<Value<'_>> = value.items().chain(value.members().map(|(_, member)| member)).collect();
        stack.extend(below.into_iter().rev());
    }
    Ok(found)
}

/// The tags of one object of the text.
fn list(value: Value<'_>) -> Result<Vec<String>, SchemaError> {
    match value.get(TAGS) {
        None => Ok(Vec::new()),
        Some(tags) if tags.kind() == Kind::Array => Ok(texts(tags)),
        Some(tags) => Err(SchemaError::new(format!("{TAGS} is no list: {}", tags.to_text(KeyOrder::Kept)))),
    }
}

/// The items of a list as texts, each once; none of what is no list.
pub(crate) fn texts(tags: Value<'_>) -> Vec<String> {
    let mut seen = HashSet::new();
    let text = |tag: Value<'_>| tag.as_str().map_or_else(|| tag.to_text(KeyOrder::Kept), str::to_owned);
    tags.items().map(text).filter(|tag| seen.insert(tag.clone())).collect()
}

/// The text after `edits`, each of the object at the id beside it.
pub(crate) fn edited<'e>(
    json: &Json,
    edits: impl IntoIterator<Item = (&'e TagEdit, u32)>,
) -> Result<Json, SchemaError> {
    let mut lists: HashMap<u32, TagList> = HashMap::new();
    for (edit, place) in edits {
        let tags = match lists.entry(place) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(TagList::new(list(json.value(place))?)),
        };
        tags.change(edit);
    }
    let lists = lists.into_iter().map(|(place, tags)| (place, tags.into_vec())).collect();
    Ok(json.root().with_lists(TAGS, &lists))
}
