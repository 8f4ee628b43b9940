//! Schema bodies: compressed, and cut into chunks where one item could not hold them.

use crate::StoreError;
use crate::codec::{Vault, decode_content, encode_content};
use crate::keyring::{Keyring, Place};
use registrar_model::{SchemaContent, Sha256Hash};

/// Largest compressed body that a version row carries itself, so that reading a version is one read.
const INLINE_BYTES: usize = 2_048;
/// Largest part of a body in one item; `DynamoDB` takes 409,600 bytes with all names and keys.
const CHUNK_BYTES: usize = 400_000;
/// Largest compressed body: the chunks travel in one transaction, which may hold 4 MB.
const MAX_BODY_BYTES: usize = 9 * CHUNK_BYTES;
/// Speed matters more than the last percent: registrations wait for it.
const COMPRESSION_LEVEL: i32 = 3;
/// What an expanded body may take: far above any limit on schemas, far below what would hurt.
const MAX_EXPANDED_BYTES: usize = 64 << 20;

/// A body ready to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Body(pub(crate) Vec<u8>);

impl Body {
    /// Seals and compresses; a body that no transaction could hold is [`StoreError::TooLarge`]. `hash` is that of the
    /// exact content.
    pub(crate) fn encode(content: &SchemaContent, hash: Sha256Hash, keys: &Keyring) -> Result<Self, StoreError> {
        let plain = encode_content(content, &Vault { keys, place: Place::Content(hash) })?;
        let packed = zstd::bulk::compress(&plain, COMPRESSION_LEVEL)
            .map_err(|error| StoreError::Broken(format!("a body cannot be compressed: {error}")))?;
        if packed.len() > MAX_BODY_BYTES {
            return Err(StoreError::TooLarge(format!("{} bytes compressed, of {MAX_BODY_BYTES}", packed.len())));
        }
        Ok(Self(packed))
    }

    pub(crate) fn decode(bytes: &[u8], hash: Sha256Hash, keys: &Keyring) -> Result<SchemaContent, StoreError> {
        let plain = zstd::bulk::decompress(bytes, MAX_EXPANDED_BYTES)
            .map_err(|error| StoreError::Broken(format!("a body cannot be expanded: {error}")))?;
        decode_content(&plain, &Vault { keys, place: Place::Content(hash) })
    }

    pub(crate) fn fits_inline(&self) -> bool {
        self.0.len() <= INLINE_BYTES
    }

    /// The parts, where the body is too large for the schema item; empty where it is not.
    pub(crate) fn chunks(&self) -> Vec<&[u8]> {
        if self.0.len() <= CHUNK_BYTES { Vec::new() } else { self.0.chunks(CHUNK_BYTES).collect() }
    }
}
