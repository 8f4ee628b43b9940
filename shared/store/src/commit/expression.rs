//! Expressions of conditions and updates, with placeholders for every name and value.

use crate::attributes::number;
use crate::plan::{Edit, Test};
use aws_sdk_dynamodb::types::AttributeValue;
use std::collections::HashMap;
use std::fmt::Write as _;

type Names = Option<HashMap<String, String>>;
type Values = Option<HashMap<String, AttributeValue>>;

/// Placeholders of one action.
#[derive(Default)]
pub(super) struct Expressions {
    names: HashMap<String, String>,
    values: HashMap<String, AttributeValue>,
}

impl Expressions {
    fn name(&mut self, name: &str) -> String {
        let placeholder = format!("#{name}");
        self.names.insert(placeholder.clone(), name.to_owned());
        placeholder
    }

    fn value(&mut self, value: AttributeValue) -> String {
        let placeholder = format!(":v{}", self.values.len());
        self.values.insert(placeholder.clone(), value);
        placeholder
    }

    /// All tests joined; `None` without any.
    pub(super) fn condition<'a>(&mut self, tests: impl Iterator<Item = &'a Test>) -> Option<String> {
        let terms: Vec<String> = tests.map(|test| self.term(test)).collect();
        (!terms.is_empty()).then(|| terms.join(" AND "))
    }

    /// A condition that holds for every item.
    pub(super) fn always(&mut self) -> String {
        let pk = self.name("pk");
        format!("attribute_exists({pk}) OR attribute_not_exists({pk})")
    }

    fn term(&mut self, test: &Test) -> String {
        match test {
            Test::Absent => format!("attribute_not_exists({})", self.name("pk")),
            Test::Is(name, value) => {
                let (name, value) = (self.name(name), self.value(value.clone()));
                format!("{name} = {value}")
            }
            Test::Counts(name, 0) => {
                let (name, zero) = (self.name(name), self.value(number(0)));
                format!("(attribute_not_exists({name}) OR {name} = {zero})")
            }
            Test::Counts(name, count) => self.comparison(name, "=", *count),
            Test::Below(name, bound) => {
                let pk = self.name("pk");
                let below = self.comparison(name, "<", *bound);
                format!("attribute_exists({pk}) AND (attribute_not_exists(#{name}) OR {below})")
            }
            Test::Above(name, bound) => self.comparison(name, ">", *bound),
            Test::Unset(name) => {
                let (pk, name) = (self.name("pk"), self.name(name));
                let no = self.value(AttributeValue::Bool(false));
                format!("attribute_exists({pk}) AND (attribute_not_exists({name}) OR {name} = {no})")
            }
        }
    }

    fn comparison(&mut self, name: &str, operator: &str, bound: u64) -> String {
        let (name, value) = (self.name(name), self.value(number(bound)));
        format!("{name} {operator} {value}")
    }

    /// `SET …, ADD …, REMOVE …`.
    pub(super) fn update(&mut self, edits: Vec<Edit>) -> String {
        let (mut set, mut add, mut remove) = (Vec::new(), Vec::new(), Vec::new());
        for edit in edits {
            match edit {
                Edit::Set(name, value) => set.push(format!("{} = {}", self.name(name), self.value(value))),
                Edit::Add(name, count) => add.push(format!("{} {}", self.name(name), self.value(number(count)))),
                Edit::Remove(name) => remove.push(self.name(name)),
            }
        }
        let mut update = String::new();
        for (verb, terms) in [("SET", set), ("ADD", add), ("REMOVE", remove)] {
            if !terms.is_empty() {
                let _ = write!(update, "{}{verb} {}", if update.is_empty() { "" } else { " " }, terms.join(", "));
            }
        }
        update
    }

    pub(super) fn finish(self) -> (Names, Values) {
        let Self { names, values } = self;
        ((!names.is_empty()).then_some(names), (!values.is_empty()).then_some(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn updates_name_each_verb_once() {
        let mut expressions = Expressions::default();
        let edits = vec![Edit::Set("a", number(1)), Edit::Add("b", -2), Edit::Remove("c"), Edit::Set("d", number(3))];
        assert_eq!(expressions.update(edits), "SET #a = :v0, #d = :v2 ADD #b :v1 REMOVE #c");
    }

    #[test]
    fn conditions_join_with_and() {
        let mut expressions = Expressions::default();
        let tests = [Test::Absent, Test::Counts("tag", 0), Test::Counts("tag", 7), Test::Below("fl", 3)];
        assert_eq!(
            expressions.condition(tests.iter()).unwrap(),
            "attribute_not_exists(#pk) AND (attribute_not_exists(#tag) OR #tag = :v0) AND #tag = :v1 \
             AND attribute_exists(#pk) AND (attribute_not_exists(#fl) OR #fl < :v2)"
        );
        assert_eq!(expressions.condition(std::iter::empty()), None);
    }
}
