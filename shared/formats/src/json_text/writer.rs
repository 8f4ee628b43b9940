//! The writer: compact text, escaped as Jackson escapes it.

use std::cmp::Ordering;

use super::tree::{Node, Value};

/// The order in which members are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyOrder {
    /// As in the tree
    Kept,
    /// Ascending as Java orders strings, at every level
    Sorted,
}

enum Pending<'a> {
    Items { array: Value<'a>, next: usize },
    Members { members: Vec<(&'a str, Value<'a>)>, next: usize },
}

/// Appends the compact text of `value` to `out`.
pub fn write(value: Value<'_>, order: KeyOrder, out: &mut String) {
    let mut stack: Vec<Pending<'_>> = Vec::new();
    open(value, order, out, &mut stack);
    while let Some(top) = stack.last_mut() {
        let child = match top {
            Pending::Items { array, next } => {
                let Some(item) = array.item(*next) else {
                    out.push(']');
                    stack.pop();
                    continue;
                };
                if *next > 0 {
                    out.push(',');
                }
                *next += 1;
                item
            }
            Pending::Members { members, next } => {
                let Some((key, member)) = members.get(*next).copied() else {
                    out.push('}');
                    stack.pop();
                    continue;
                };
                if *next > 0 {
                    out.push(',');
                }
                *next += 1;
                write_string(key, out);
                out.push(':');
                member
            }
        };
        open(child, order, out, &mut stack);
    }
}

fn open<'a>(value: Value<'a>, order: KeyOrder, out: &mut String, stack: &mut Vec<Pending<'a>>) {
    match value.node() {
        Node::Null => out.push_str("null"),
        Node::Bool(true) => out.push_str("true"),
        Node::Bool(false) => out.push_str("false"),
        Node::Number(text) => write_number(text, out),
        Node::String(text) => write_string(text, out),
        Node::Array(_) => {
            out.push('[');
            stack.push(Pending::Items { array: value, next: 0 });
        }
        Node::Object(_) => {
            out.push('{');
            let mut members: Vec<_> = value.members().collect();
            if order == KeyOrder::Sorted {
                members.sort_by(|(left, _), (right, _)| utf16_order(left, right));
            }
            stack.push(Pending::Members { members, next: 0 });
        }
    }
}

/// Non-finite numbers have no JSON text; Jackson writes them as strings.
fn write_number(text: &str, out: &mut String) {
    if text.ends_with(|last: char| last.is_ascii_digit()) {
        out.push_str(text);
        return;
    }
    write_string(text, out);
}

/// Appends `text` as a JSON string: `"`, `\` and U+0000 to U+001F are escaped, everything else is written raw.
pub fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut plain = 0;
    for (index, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(&text[plain..index]);
        plain = index + 1;
        write_escape(byte, out);
    }
    out.push_str(&text[plain..]);
    out.push('"');
}

fn write_escape(byte: u8, out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    match byte {
        b'"' => out.push_str("\\\""),
        b'\\' => out.push_str("\\\\"),
        0x08 => out.push_str("\\b"),
        b'\t' => out.push_str("\\t"),
        b'\n' => out.push_str("\\n"),
        0x0C => out.push_str("\\f"),
        b'\r' => out.push_str("\\r"),
        control => {
            out.push_str("\\u00");
            out.push(char::from(HEX[usize::from(control >> 4)]));
            out.push(char::from(HEX[usize::from(control & 15)]));
        }
    }
}

/// Java's order of strings: by UTF-16 code unit, which differs from the order of code points above U+FFFF.
pub fn utf16_order(left: &str, right: &str) -> Ordering {
    if left.is_ascii() || right.is_ascii() {
        return left.cmp(right);
    }
    left.encode_utf16().cmp(right.encode_utf16())
}
