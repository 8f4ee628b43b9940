//! The writing half of the byte format.

use super::FORMAT;

/// Appends values to a buffer.
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn new() -> Self {
        Self(vec![FORMAT])
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// A number in base 128, least significant group first.
    pub(crate) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.byte(low_group(number) | 0x80);
            number >>= 7;
        }
        self.byte(low_group(number));
    }

    pub(crate) fn signed(&mut self, number: i32) {
        self.0.extend_from_slice(&number.to_be_bytes());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn flag(&mut self, flag: bool) {
        self.byte(u8::from(flag));
    }

    /// Presence, then the value.
    pub(crate) fn optional<T>(&mut self, value: Option<T>, mut write: impl FnMut(&mut Self, T)) {
        self.flag(value.is_some());
        if let Some(value) = value {
            write(self, value);
        }
    }

    /// The length, then each item.
    pub(crate) fn list<T>(&mut self, items: impl ExactSizeIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        self.number(items.len() as u64);
        items.for_each(|item| write(self, item));
    }
}

/// The lowest seven bits.
fn low_group(number: u64) -> u8 {
    u8::try_from(number & 0x7f).unwrap_or_default()
}
