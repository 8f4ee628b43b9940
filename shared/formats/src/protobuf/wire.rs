//! The bytes of messages: just enough of the Protobuf encoding for descriptors.

use crate::SchemaError;
use std::cell::Cell;
use std::rc::Rc;

/// How deeply groups may nest where they are skipped; nothing in a descriptor is one.
const MAX_GROUPS: usize = 100;

/// Most fields of a descriptor, those of the messages in it included: an empty message takes two bytes here, and hundreds
/// once it is read.
pub const MAX_FIELDS: usize = 150_000;

/// The fields of one message as they come, not yet interpreted.
#[derive(Debug, Default)]
pub(super) struct Record {
    fields: Vec<(u32, Content)>,
    /// How many more there may be, of all messages of the descriptor.
    left: Rc<Cell<usize>>,
}

#[derive(Debug)]
enum Content {
    Varint(u64),
    Bytes(Vec<u8>),
    /// Fixed width or a group: no field of a descriptor that is read has these.
    Other,
}

fn truncated() -> SchemaError {
    SchemaError::new("the descriptor ends in the middle of a field")
}

struct Input<'a> {
    bytes: &'a [u8],
}

impl<'a> Input<'a> {
    fn varint(&mut self) -> Result<u64, SchemaError> {
        let mut value = 0;
        for shift in (0..70).step_by(7) {
            let (byte, rest) = self.bytes.split_first().ok_or_else(truncated)?;
            self.bytes = rest;
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(SchemaError::new("a number in the descriptor is too long"))
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8], SchemaError> {
        let length = usize::try_from(length).map_err(|_| truncated())?;
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or_else(truncated)?;
        self.bytes = rest;
        Ok(taken)
    }

    /// Reads the number and the wire type of a field.
    fn tag(&mut self) -> Result<(u32, u64), SchemaError> {
        let tag = self.varint()?;
        match u32::try_from(tag >> 3) {
            Ok(number) if number > 0 => Ok((number, tag & 7)),
            _ => Err(SchemaError::new("a field of the descriptor has no valid number")),
        }
    }

    fn content(&mut self, number: u32, wire_type: u64) -> Result<Content, SchemaError> {
        match wire_type {
            0 => self.varint().map(Content::Varint),
            2 => {
                let length = self.varint()?;
                Ok(Content::Bytes(self.take(length)?.to_vec()))
            }
            1 => self.take(8).map(|_| Content::Other),
            5 => self.take(4).map(|_| Content::Other),
            3 => self.skip_group(number).map(|()| Content::Other),
            _ => Err(SchemaError::new("a field of the descriptor has no valid wire type")),
        }
    }

    fn skip_group(&mut self, number: u32) -> Result<(), SchemaError> {
        let mut open = vec![number];
        while let Some(innermost) = open.last().copied() {
            match self.tag()? {
                (number, 3) if open.len() < MAX_GROUPS => open.push(number),
                (number, 4) if number == innermost => {
                    open.pop();
                }
                (_, 3 | 4) => return Err(SchemaError::new("the groups of the descriptor do not match")),
                (number, wire_type) => {
                    self.content(number, wire_type)?;
                }
            }
        }
        Ok(())
    }
}

impl Record {
    /// The outermost message of a descriptor.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, SchemaError> {
        Self::within(bytes, &Rc::new(Cell::new(MAX_FIELDS)))
    }

    fn within(bytes: &[u8], left: &Rc<Cell<usize>>) -> Result<Self, SchemaError> {
        let mut input = Input { bytes };
        let mut fields = Vec::new();
        while !input.bytes.is_empty() {
            let Some(fewer) = left.get().checked_sub(1) else {
                return Err(SchemaError::new(format!("the descriptor has more than {MAX_FIELDS} fields")));
            };
            left.set(fewer);
            let (number, wire_type) = input.tag()?;
            fields.push((number, input.content(number, wire_type)?));
        }
        Ok(Self { fields, left: Rc::clone(left) })
    }

    fn all(&self, number: u32) -> impl DoubleEndedIterator<Item = &Content> {
        self.fields.iter().filter(move |field| field.0 == number).map(|field| &field.1)
    }

    fn bytes(&self, number: u32) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.all(number).filter_map(|content| match content {
            Content::Bytes(bytes) => Some(bytes.as_slice()),
            _ => None,
        })
    }

    fn varints(&self, number: u32) -> impl DoubleEndedIterator<Item = u64> {
        self.all(number).filter_map(|content| match content {
            Content::Varint(value) => Some(*value),
            _ => None,
        })
    }

    /// The last value of a text; what is no UTF-8 is replaced, as in Java.
    pub(super) fn text(&self, number: u32) -> Option<String> {
        self.bytes(number).next_back().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    pub(super) fn texts(&self, number: u32) -> Vec<String> {
        self.bytes(number).map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect()
    }

    /// The last value of an `int32`.
    pub(super) fn int(&self, number: u32) -> Option<i32> {
        self.varints(number).next_back().map(low_bits)
    }

    /// All values of a repeated `int32`, packed or not.
    pub(super) fn ints(&self, number: u32) -> Result<Vec<i32>, SchemaError> {
        let mut values = Vec::new();
        for content in self.all(number) {
            match content {
                Content::Varint(value) => values.push(low_bits(*value)),
                Content::Bytes(bytes) => {
                    let mut input = Input { bytes };
                    while !input.bytes.is_empty() {
                        values.push(low_bits(input.varint()?));
                    }
                }
                Content::Other => {}
            }
        }
        Ok(values)
    }

    pub(super) fn flag(&self, number: u32) -> Option<bool> {
        self.varints(number).next_back().map(|value| value != 0)
    }

    /// A message that may be given in parts.
    pub(super) fn record(&self, number: u32) -> Result<Option<Self>, SchemaError> {
        let parts: Vec<&[u8]> = self.bytes(number).collect();
        if parts.is_empty() {
            return Ok(None);
        }
        Self::within(&parts.concat(), &self.left).map(Some)
    }

    pub(super) fn records(&self, number: u32) -> Result<Vec<Self>, SchemaError> {
        self.bytes(number).map(|bytes| Self::within(bytes, &self.left)).collect()
    }
}

/// An `int32` as Java reads it: the low 32 bits.
fn low_bits(value: u64) -> i32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    i32::from_le_bytes([a, b, c, d])
}

/// Writes the fields of a message; whoever writes them keeps the order of numbers.
#[derive(Debug, Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(low_byte(value) | 0x80);
            value >>= 7;
        }
        self.bytes.push(low_byte(value));
    }

    pub(super) fn int(&mut self, number: u32, value: i32) {
        self.varint(u64::from(number) << 3);
        // Negative numbers are extended to 64 bits.
        self.varint(i64::from(value).cast_unsigned());
    }

    pub(super) fn flag(&mut self, number: u32, value: bool) {
        self.int(number, i32::from(value));
    }

    pub(super) fn text(&mut self, number: u32, text: &str) {
        self.bytes(number, text.as_bytes());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn bytes(&mut self, number: u32, bytes: &[u8]) {
        self.varint(u64::from(number) << 3 | 2);
        self.varint(u64::try_from(bytes.len()).unwrap_or(0));
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn record(&mut self, number: u32, record: &Self) {
        self.bytes(number, &record.bytes);
    }
}

fn low_byte(value: u64) -> u8 {
    let [low, ..] = value.to_le_bytes();
    low
}
