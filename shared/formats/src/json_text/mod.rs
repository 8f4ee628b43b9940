//! Lossless JSON text: one reader and one writer for every schema language written in JSON.
//!
//! What a general JSON crate throws away is kept here, because it ends up in stored schemas: the order of members,
//! the text of numbers, and (as Jackson's tree does) the place of the first of several members with one name together
//! with the value of the last. Comments and the tokens `NaN`, `Infinity` and `-Infinity` are read only when the
//! [`Dialect`] says so.
//!
//! The tree is one arena, so that copying, comparing and dropping it never walk the thread's stack; the reader and
//! the writer keep their own stacks. Nesting is limited to [`MAX_DEPTH`] levels and a number to
//! [`MAX_NUMBER_LENGTH`] characters, the limits Confluent's JSON library has.

mod reader;
mod tree;
mod writer;

pub use reader::{Dialect, JsonError, MAX_DEPTH, MAX_NUMBER_LENGTH};
pub use tree::{Json, Kind, Value};
pub use writer::{KeyOrder, utf16_order, write, write_string};
