//! How contents, settings and reference targets are written as bytes: tagged by a format number, every text and list
//! with its length in front, so that any value of the model survives, whatever characters it holds.

mod config;
mod content;
mod reader;
mod rules;
mod targets;
mod writer;

pub(crate) use config::{decode_config, encode_config};
pub(crate) use content::{decode_content, encode_content};
pub(crate) use targets::{decode_targets, encode_targets};

use reader::Reader;
use writer::Writer;

/// The only format so far. Readers refuse others; a new member needs a new number.
const FORMAT: u8 = 1;
