//! The writing half of the byte format.

use super::{FORMAT, SEALED_FORMAT};

/// Appends values to a buffer.
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn new() -> Self {
        Self(vec![FORMAT])
    }

    /// For values of which some are sealed.
    pub(crate) fn sealed() -> Self {
        Self(vec![SEALED_FORMAT])
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }

    /// Whether readers expect metadata properties to say of themselves if they are sealed.
    pub(crate) fn is_sealed(&self) -> bool {
        self.0.first() == Some(&SEALED_FORMAT)
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
        self.bytes(text.as_bytes());
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
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
