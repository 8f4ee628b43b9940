//! How contents, settings and reference targets are written as bytes: tagged by a format number, every text and list
//! with its length in front, so that any value of the model survives, whatever characters it holds.

mod config;
mod content;
mod reader;
mod resource;
mod rules;
mod sealing;
mod targets;
mod writer;

pub(crate) use config::{decode_config, encode_config};
pub(crate) use content::{decode_content, encode_content};
pub(crate) use resource::{decode_resource, encode_resource};
pub(crate) use targets::{decode_targets, encode_targets};

pub(crate) use sealing::Vault;

use reader::Reader;
use writer::Writer;

/// What is written, unless a value in it is sealed. Readers refuse what they do not know; a new member needs a new number.
const FORMAT: u8 = 1;
/// The same, but that each metadata property says whether its value is sealed. Versions that know no seals refuse it.
const SEALED_FORMAT: u8 = 2;
