//! What a table holds, in a form in which two runs are equal that differ only in what may differ: the counter may leave
//! gaps, so ids are renamed; a request that is repeated may move tags once more, so only their order counts.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

use aws_sdk_dynamodb::types::AttributeValue;
use registrar_model::{ContextName, Subject};

type Item = HashMap<String, AttributeValue>;

/// Attributes that hold a tag of their subject.
const TAGS: [&str; 4] = ["tag", "fl", "mk", "bn"];
/// Attributes that are only ever compared with themselves: times and revisions.
const IGNORED: [&str; 3] = ["ts", "rx", "ix"];

/// All items.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    items: BTreeMap<(String, String), Item>,
    /// What each id of a context stands for.
    names: BTreeMap<(String, u64), String>,
}

impl Contents {
    pub(crate) fn of(items: BTreeMap<(String, String), Item>) -> Self {
        let mut ids: BTreeMap<(String, String), Vec<u64>> = BTreeMap::new();
        for ((pk, sk), item) in &items {
            if let (Some((context, id)), "#", Some(guid)) = (schema_of(pk), &**sk, item.get("gd")) {
                ids.entry((context.to_owned(), format!("{guid:?}"))).or_default().push(id);
            }
        }
        let mut names = BTreeMap::new();
        for ((context, guid), mut same) in ids {
            same.sort_unstable();
            let named = same.into_iter().enumerate();
            names.extend(named.map(|(n, id)| ((context.clone(), id), format!("<{guid} {n}>"))));
        }
        Self { items, names }
    }

    pub(crate) fn items(&self) -> Vec<Item> {
        self.items.values().cloned().collect()
    }

    /// Every subject that was ever written to, since heads stay; and one in each context, so that it is looked at.
    pub(crate) fn subjects(&self) -> Vec<Subject> {
        let heads = self.items.keys().filter(|(_, sk)| sk == "!");
        let contexts = self.items.keys().filter(|(pk, _)| pk == "CTX").map(|(_, context)| context.as_str());
        let contexts = contexts.chain(["."]).map(|context| (context, "none"));
        let parsed = heads.filter_map(|(pk, _)| pk.split_once("/S/")).chain(contexts);
        parsed.filter_map(|(context, name)| Some(Subject::new(ContextName::parse(context)?, name))).collect()
    }

    /// The text of an answer with the ids of a context renamed.
    pub(crate) fn rename(&self, context: &str, answer: &str) -> String {
        let mut parts = answer.split("\"id\":");
        let mut renamed = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let digits = part.len() - part.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
            let (id, rest) = part.split_at(digits);
            let name = id.parse().ok().and_then(|id| self.names.get(&(context.to_owned(), id)));
            // Writing to a string does not fail.
            let _ = write!(renamed, "\"id\":{}{rest}", name.map_or(id, |name| name));
        }
        renamed
    }

    /// How this differs from what it should be.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        let (ours, theirs) = (self.lines(), other.lines());
        if ours == theirs {
            return None;
        }
        let more: Vec<_> = ours.difference(&theirs).take(4).collect();
        let less: Vec<_> = theirs.difference(&ours).take(4).collect();
        Some(format!("the table has {more:#?} instead of {less:#?}"))
    }

    fn lines(&self) -> BTreeSet<String> {
        let tags = self.tags();
        self.items.iter().filter_map(|((pk, sk), item)| self.line(pk, sk, item, &tags)).collect()
    }

    /// The tags of each subject, in order.
    fn tags(&self) -> BTreeMap<&str, BTreeSet<u64>> {
        let mut tags: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
        for ((pk, _), item) in self.items.iter().filter(|((pk, _), _)| pk.contains("/S/")) {
            tags.entry(pk).or_default().extend(TAGS.iter().filter_map(|name| number(item.get(*name)?)));
        }
        tags
    }

    /// One item; nothing for one that says no more than that something was tried.
    fn line(&self, pk: &str, sk: &str, item: &Item, tags: &BTreeMap<&str, BTreeSet<u64>>) -> Option<String> {
        if pk.ends_with("/N") {
            return None;
        }
        let context = pk.split('/').next().unwrap_or_default();
        let name = |context: &str, id: u64| self.names.get(&(context.to_owned(), id)).cloned();
        let partition = match schema_of(pk) {
            Some((context, id)) => format!("{context}/I/{}", name(context, id)?),
            None => pk.to_owned(),
        };
        let mut line = match sk.rsplit_once('#') {
            Some((before, id)) if sk.starts_with("I#") => {
                format!("{partition} {before}#{}", name(context, id.parse().ok()?)?)
            }
            Some((before, id)) if sk.starts_with("R#") || pk.starts_with("G/") => {
                let of = before.rsplit('#').next().unwrap_or_default();
                format!("{partition} {before}#{}", name(of, id.parse().ok()?)?)
            }
            _ => format!("{partition} {sk}"),
        };
        let sorted: BTreeMap<_, _> = item.iter().filter(|(name, _)| !IGNORED.contains(&name.as_str())).collect();
        for (attribute, value) in sorted {
            let shown = match (attribute.as_str(), number(value)) {
                ("pk" | "sk", _) => continue,
                ("id", Some(id)) => name(context, id).unwrap_or_else(|| id.to_string()),
                (tag, Some(value)) if TAGS.contains(&tag) => match tags.get(pk) {
                    Some(all) => format!("{}.", all.range(..value).count()),
                    None => continue,
                },
                ("as", _) => format!("{:?}", without_guids(value)),
                _ => format!("{value:?}"),
            };
            // Writing to a string does not fail.
            let _ = write!(line, " {attribute}={shown}");
        }
        Some(line)
    }
}

/// Context and id, if it is the partition of a schema.
fn schema_of(pk: &str) -> Option<(&str, u64)> {
    let (context, id) = pk.split_once("/I/")?;
    Some((context, id.parse().ok()?))
}

/// Associations as stored, without what ends each: a random guid, and two times that are near the start of the clock.
fn without_guids(value: &AttributeValue) -> Vec<u8> {
    const GUID: usize = 16;
    const TIME: usize = 6;
    let mut bytes = value.as_b().map(|bytes| bytes.clone().into_inner()).unwrap_or_default();
    let is_time = |bytes: &[u8]| bytes.ends_with(&[0x92, 0xcc, 0x31]);
    for at in GUID..(bytes.len() + 1).saturating_sub(2 * TIME) {
        let (first, second) = bytes[at..at + 2 * TIME].split_at(TIME);
        if is_time(first) && is_time(second) {
            bytes[at - GUID..at + 2 * TIME].fill(0);
        }
    }
    bytes
}

fn number(value: &AttributeValue) -> Option<u64> {
    value.as_n().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use aws_sdk_dynamodb::primitives::Blob;

    use super::*;

    fn item(attributes: &[(&str, u64)], guid: u8) -> Item {
        let numbers = attributes.iter().map(|(name, value)| ((*name).to_owned(), AttributeValue::N(value.to_string())));
        numbers.chain([("gd".to_owned(), AttributeValue::B(Blob::new([guid; 16])))]).collect()
    }

    /// A schema with a version that uses it.
    fn table(id: u64, tag: u64, uses: u64) -> Contents {
        let key = |pk: &str, sk: &str| (pk.to_owned(), sk.to_owned());
        Contents::of(BTreeMap::from([
            (key(&format!("./I/{id}"), "#"), item(&[], 7)),
            (key("./F/hash", "#"), item(&[("id", id), ("us", uses)], 7)),
            (key("./S/s", "!"), item(&[("tag", tag)], 0)),
            (key("./S/s", "V#0000000001"), item(&[("id", id), ("bn", 3)], 7)),
            (key("./N", "#"), item(&[("last", id)], 0)),
        ]))
    }

    #[test]
    fn gaps_and_tags_that_moved_on_are_no_difference() {
        let one = table(4, 5, 1);
        assert_eq!(one.difference(&table(9, 6, 1)), None);
        assert_eq!(one.rename(".", r#"{"id":4}"#), table(9, 6, 1).rename(".", r#"{"id":9}"#));
        assert_eq!(one.rename(".", r#"{"id":9,"ids":4}"#), r#"{"id":9,"ids":4}"#);
    }

    #[test]
    fn counts_and_the_order_of_tags_are() {
        let one = table(4, 5, 1);
        assert!(one.difference(&table(4, 5, 2)).unwrap().contains("us="));
        assert!(one.difference(&table(4, 3, 1)).unwrap().contains("tag="));
    }
}
