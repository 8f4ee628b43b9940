//! Writes the members of JSON objects: what the three texts of a schema have in common.

use super::model::{Kind, Node};
use crate::json_text::{KeyOrder, Value, write, write_string};

/// A text in the making.
#[derive(Default)]
pub(super) struct Writer {
    out: String,
}

impl Writer {
    /// The whole text.
    pub(super) fn finish(self) -> String {
        self.out
    }

    /// `text` as it is.
    pub(super) fn raw(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// A string.
    pub(super) fn string(&mut self, text: &str) {
        write_string(text, &mut self.out);
    }

    /// A comma, a key and its colon: a member that is not the first.
    pub(super) fn key(&mut self, key: &str) {
        self.out.push(',');
        self.first_key(key);
    }

    fn first_key(&mut self, key: &str) {
        self.string(key);
        self.out.push(':');
    }

    /// A member with a string.
    pub(super) fn text(&mut self, key: &str, value: &str) {
        self.key(key);
        self.string(value);
    }

    /// A member with a list of strings.
    pub(super) fn texts<'t>(&mut self, key: &str, values: impl Iterator<Item = &'t str>) {
        self.key(key);
        self.out.push('[');
        for (index, value) in values.enumerate() {
            self.comma(index);
            self.string(value);
        }
        self.out.push(']');
    }

    /// A member with a number.
    pub(super) fn number(&mut self, key: &str, value: i32) {
        self.key(key);
        self.out.push_str(&value.to_string());
    }

    /// A member with any value.
    pub(super) fn value(&mut self, key: &str, value: Value<'_>, order: KeyOrder) {
        self.key(key);
        write(value, order, &mut self.out);
    }

    /// An object with `members`, the first of which has no comma before it.
    pub(super) fn object<'t>(&mut self, members: impl Iterator<Item = (&'t str, Value<'t>)>, order: KeyOrder) {
        self.out.push('{');
        for (index, (key, value)) in members.enumerate() {
            self.comma(index);
            self.first_key(key);
            write(value, order, &mut self.out);
        }
        self.out.push('}');
    }

    /// What stands before child `index` of `node`: of a record, the beginning of the field with its name.
    pub(super) fn before_child(&mut self, node: &Node, index: usize) {
        self.comma(index);
        if let Kind::Record(record) = &node.kind {
            self.out.push_str("{\"name\":");
            self.string(&record.fields[index].name);
            self.out.push_str(",\"type\":");
        }
    }

    fn comma(&mut self, index: usize) {
        if index > 0 {
            self.out.push(',');
        }
    }
}
