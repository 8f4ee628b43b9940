//! Keys for sensitive values at rest, and how a value is sealed with them (rest-api.md §6.13).
//!
//! AES-256-GCM by `ring`. A nonce is 96 random bits from the operating system, through the same crate, and not from
//! [`Runtime`](crate::Runtime): its numbers are seeded with little and can repeat between processes, and one repeated
//! nonce gives away two values and the key that authenticates them.

mod place;

pub(crate) use place::{Part, Place, Slot};

use crate::StoreError;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::rand::{SecureRandom, SystemRandom};
use std::fmt;
use std::sync::Arc;

/// Bytes of a key.
const KEY_BYTES: usize = 32;
/// Longest name of a key in bytes; it is stored with every value.
const MAX_NAME_BYTES: usize = 64;

/// One key and the name under which it is stored beside what it has sealed. The name is no secret.
pub struct DataKey {
    name: String,
    key: LessSafeKey,
}

impl DataKey {
    /// `name`: 1 to 64 letters, digits, `.`, `_` or `-`; `secret`: 32 random bytes.
    pub fn new(name: &str, secret: &[u8]) -> Result<Self, KeyError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        if name.is_empty() || name.len() > MAX_NAME_BYTES || !name.bytes().all(plain) {
            return Err(KeyError::Name(name.to_owned()));
        }
        let length = || KeyError::Length { name: name.to_owned(), bytes: secret.len() };
        if secret.len() != KEY_BYTES {
            return Err(length());
        }
        let key = UnboundKey::new(&AES_256_GCM, secret).map_err(|_| length())?;
        Ok(Self { name: name.to_owned(), key: LessSafeKey::new(key) })
    }
}

impl fmt::Debug for DataKey {
    /// The name alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DataKey({})", self.name)
    }
}

/// Why keys cannot be used. Never shows a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyError {
    /// Not a name for a key.
    Name(String),
    /// Not 32 bytes.
    Length {
        /// The key's name.
        name: String,
        /// How many bytes it has.
        bytes: usize,
    },
    /// Two keys of one name.
    Repeated(String),
    /// No key at all.
    None,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => {
                write!(f, "{name:?} is no name for a key: 1 to {MAX_NAME_BYTES} letters, digits, '.', '_' or '-'")
            }
            Self::Length { name, bytes } => write!(f, "key '{name}' has {bytes} bytes, not {KEY_BYTES}"),
            Self::Repeated(name) => write!(f, "there are two keys named '{name}'"),
            Self::None => f.write_str("there is no key"),
        }
    }
}

impl std::error::Error for KeyError {}

/// The keys of this process: the first seals, all open. None by default: then values are stored in clear.
#[derive(Clone, Debug, Default)]
pub struct Keyring(Option<Arc<Keys>>);

#[derive(Debug)]
struct Keys {
    seals: DataKey,
    older: Vec<DataKey>,
}

/// A sealed value as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sealed {
    /// The name of the key.
    pub(crate) key: String,
    /// Nonce, ciphertext and tag.
    pub(crate) bytes: Vec<u8>,
}

impl Keyring {
    /// The first key seals new values; the others only open what they sealed.
    pub fn new(keys: impl IntoIterator<Item = DataKey>) -> Result<Self, KeyError> {
        let mut keys = keys.into_iter();
        let seals = keys.next().ok_or(KeyError::None)?;
        let older: Vec<DataKey> = keys.collect();
        let mut names: Vec<&str> = older.iter().chain([&seals]).map(|key| &*key.name).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(KeyError::Repeated(pair[0].to_owned()));
        }
        Ok(Self(Some(Arc::new(Keys { seals, older }))))
    }

    /// Seals a value for its place; `None` where there is no key.
    pub(crate) fn seal(&self, value: &str, slot: &Slot<'_>) -> Result<Option<Sealed>, StoreError> {
        let Some(keys) = &self.0 else { return Ok(None) };
        let DataKey { name, key } = &keys.seals;
        let mut nonce = [0; NONCE_LEN];
        let failed =
            |_| StoreError::Broken("the system gives no random numbers, or a value cannot be sealed".to_owned());
        SystemRandom::new().fill(&mut nonce).map_err(failed)?;
        let mut text = value.as_bytes().to_vec();
        let bound = Aad::from(slot.bytes(name));
        let tag =
            key.seal_in_place_separate_tag(Nonce::assume_unique_for_key(nonce), bound, &mut text).map_err(failed)?;
        let bytes = [&nonce[..], &text, tag.as_ref()].concat();
        Ok(Some(Sealed { key: name.clone(), bytes }))
    }

    /// Opens a value that was sealed for this very place; [`StoreError::Locked`] where that cannot be done.
    pub(crate) fn open(&self, sealed: &Sealed, slot: &Slot<'_>) -> Result<String, StoreError> {
        let (name, property) = (&sealed.key, slot.property);
        let mut keys = self.0.iter().flat_map(|keys| keys.older.iter().chain([&keys.seals]));
        let Some(DataKey { key, .. }) = keys.find(|key| key.name == *name) else {
            return Err(StoreError::Locked(format!(
                "metadata property '{property}' is encrypted with key '{name}', which this server does not have"
            )));
        };
        let locked = || {
            StoreError::Locked(format!(
                "metadata property '{property}' does not open with this server's key '{name}': it is another key of \
                 that name, or the data are damaged"
            ))
        };
        let (nonce, text) = sealed.bytes.split_at_checked(NONCE_LEN).ok_or_else(locked)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| locked())?;
        let mut text = text.to_vec();
        let bound = Aad::from(slot.bytes(name));
        let value = key.open_in_place(nonce, bound, &mut text).map_err(|_| locked())?;
        String::from_utf8(value.to_vec()).map_err(|_| locked())
    }
}

#[cfg(test)]
mod tests;
