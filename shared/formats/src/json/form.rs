//! When two branches are written alike: what the reference implementation prints of them is the same.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::model::{ArrayRules, Graph, Kind, Node, NodeId, ObjectRules, Rest, StringRules};
use crate::json_text::{KeyOrder, write_string};

/// The keywords of both models. What has another name is printed as it stands.
const KNOWN: &str = " $anchor $defs $dynamicAnchor $dynamicRef $id $ref additionalItems additionalProperties allOf \
    anyOf const contains default definitions dependencies dependentRequired dependentSchemas deprecated description \
    else enum exclusiveMaximum exclusiveMinimum format id if items maxContains maxItems maxLength maxProperties \
    maximum minContains minItems minLength minProperties minimum multipleOf not oneOf pattern patternProperties \
    prefixItems properties propertyNames readOnly required then title type unevaluatedItems unevaluatedProperties \
    uniqueItems writeOnly ";

/// Numbers for forms: two nodes have the same one if they are written alike.
#[derive(Default)]
pub(super) struct Forms {
    numbers: HashMap<String, usize>,
    of_nodes: HashMap<NodeId, usize>,
}

impl Forms {
    /// The form of a node. What is below it comes first, without the stack of the thread.
    pub(super) fn of(&mut self, graph: &Graph, id: NodeId) -> usize {
        let mut stack = vec![id];
        while let Some(top) = stack.last().copied() {
            if self.of_nodes.contains_key(&top) {
                stack.pop();
                continue;
            }
            let missing: Vec<NodeId> =
                graph.kind(top).children().into_iter().filter(|child| !self.of_nodes.contains_key(child)).collect();
            if !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            let text = self.print(graph, top);
            let count = self.numbers.len();
            let number = *self.numbers.entry(text).or_insert(count);
            self.of_nodes.insert(top, number);
        }
        self.of_nodes.get(&id).copied().unwrap_or_default()
    }

    fn print(&self, graph: &Graph, id: NodeId) -> String {
        let node = graph.node(id);
        let mut out = self.rules(&node.kind);
        // Writing to a string cannot fail.
        let notes = node.notes();
        let _ = write!(out, "|{:?}|{:?}|{:?}", notes.id, notes.title, notes.description);
        let _ = write!(out, "|{:?}", notes.default.as_ref().map(|default| &default.text));
        other_keywords(graph, node, &mut out);
        out
    }

    fn rules(&self, kind: &Kind) -> String {
        match kind {
            Kind::String(rules) => {
                let StringRules { typed, min_length, max_length, pattern, format } = &**rules;
                format!("string {typed} {min_length:?} {max_length:?} {pattern:?} {format:?}")
            }
            Kind::Number(rules) => format!("{rules:?}"),
            Kind::Boolean | Kind::Null | Kind::Empty | Kind::True | Kind::False | Kind::MetaSchema(_) => {
                format!("{kind:?}")
            }
            Kind::Enum(values) => format!("enum {values:?}"),
            Kind::Const(value) => format!("const {value}"),
            Kind::Reference(to) => format!("ref {} {}", to.dynamic, to.text),
            Kind::Object(rules) => self.object(rules),
            Kind::Array(rules) => self.array(rules),
            Kind::Not(_) | Kind::Conditional(_) | Kind::Combined(_) => {
                let word = match kind {
                    Kind::Combined(combined) => combined.criterion.word(),
                    Kind::Conditional(parts) if parts.then.is_none() => "if else",
                    Kind::Conditional(_) => "if",
                    _ => "not",
                };
                format!("{word} {:?}", self.all(kind.children()))
            }
        }
    }

    fn object(&self, rules: &ObjectRules) -> String {
        let mut required: Vec<&String> = rules.required.iter().collect();
        required.sort();
        let mut properties = self.named(rules.properties.iter());
        properties.sort_unstable();
        let patterns = self.named(rules.patterns.iter().map(|(name, id)| (name.as_str(), *id)));
        format!(
            "object {} {properties:?} {required:?} {patterns:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            rules.typed,
            self.rest(rules.additional),
            rules.min_properties,
            rules.max_properties,
            rules.needs,
            self.named(rules.needs_schema.iter()),
            self.all(rules.property_names),
            self.all(rules.unevaluated),
        )
    }

    fn array(&self, rules: &ArrayRules) -> String {
        format!(
            "array {} {:?} {:?} {:?} {:?} {:?} {:?} {} {:?} {:?} {:?}",
            rules.typed,
            self.all(rules.items),
            self.all(rules.tuple.iter().copied()),
            self.rest(rules.additional),
            self.all(rules.contains),
            rules.min_items,
            rules.max_items,
            rules.unique,
            rules.min_contains,
            rules.max_contains,
            self.all(rules.unevaluated),
        )
    }

    fn named<'n>(&self, list: impl Iterator<Item = (&'n str, NodeId)>) -> Vec<(&'n str, usize)> {
        list.map(|(name, id)| (name, self.number(id))).collect()
    }

    fn all(&self, ids: impl IntoIterator<Item = NodeId>) -> Vec<usize> {
        ids.into_iter().map(|id| self.number(id)).collect()
    }

    fn rest(&self, rest: Rest) -> (bool, Option<usize>) {
        (rest == Rest::Forbidden, rest.schema().map(|id| self.number(id)))
    }

    fn number(&self, id: NodeId) -> usize {
        self.of_nodes.get(&id).copied().unwrap_or_default()
    }
}

/// Everything else that stands in the object, in the order of names.
fn other_keywords(graph: &Graph, node: &Node, out: &mut String) {
    let Some((source, json)) =
        node.source.and_then(|source| graph.documents.get(source.document).map(|json| (source, json)))
    else {
        return;
    };
    let mut others: Vec<_> = json
        .value(source.value)
        .members()
        .filter(|(key, _)| key.contains(' ') || !KNOWN.contains(&format!(" {key} ")))
        .collect();
    others.sort_by_key(|(key, _)| *key);
    for (key, value) in others {
        out.push('|');
        write_string(key, out);
        out.push_str(&value.to_text(KeyOrder::Sorted));
    }
}
