//! Metadata as bytes, the values of sensitive properties sealed (rest-api.md §6.13).

use super::{Reader, Writer};
use crate::StoreError;
use crate::keyring::{Keyring, Place, Sealed, Slot};
use registrar_model::{JavaString, Metadata};
use std::collections::BTreeMap;

/// What follows a property's name in the sealed format: never to be reordered.
const CLEAR: u8 = 0;
/// AES-256-GCM: the key's name, then nonce, ciphertext and tag.
const AES_256_GCM: u8 = 1;

/// The keys, and the place whose values are written or read.
#[derive(Clone, Copy)]
pub(crate) struct Vault<'a> {
    pub(crate) keys: &'a Keyring,
    pub(crate) place: Place<'a>,
}

/// Sealed values by property.
pub(super) type Seals<'a> = BTreeMap<&'a JavaString, Sealed>;

impl Vault<'_> {
    /// Seals what is to be: nothing without a key.
    pub(super) fn seal<'a>(
        &self,
        member: &'static str,
        metadata: Option<&'a Metadata>,
    ) -> Result<Seals<'a>, StoreError> {
        let mut seals = Seals::new();
        let Some(metadata) = metadata else { return Ok(seals) };
        for (property, value) in metadata.properties.iter().filter(|(name, _)| metadata.sensitive.contains(*name)) {
            let slot = Slot { place: self.place, member, property: property.as_str() };
            seals.extend(self.keys.seal(value, &slot)?.map(|sealed| (property, sealed)));
        }
        Ok(seals)
    }
}

/// A writer for values of which these are sealed. Where none is, the bytes are those of versions that know no seals.
pub(super) fn writer_for(seals: &[&Seals<'_>]) -> Writer {
    if seals.iter().all(|seals| seals.is_empty()) { Writer::new() } else { Writer::sealed() }
}

pub(super) fn write_metadata(w: &mut Writer, metadata: &Metadata, seals: &Seals<'_>) {
    w.list(metadata.tags.iter(), |w, (path, tags)| {
        w.text(path.as_str());
        w.list(tags.iter(), |w, tag| w.text(tag.as_str()));
    });
    w.list(metadata.properties.iter(), |w, (name, value)| {
        w.text(name.as_str());
        if let Some(sealed) = seals.get(name) {
            w.byte(AES_256_GCM);
            w.text(&sealed.key);
            return w.bytes(&sealed.bytes);
        }
        if w.is_sealed() {
            w.byte(CLEAR);
        }
        w.text(value);
    });
    w.list(metadata.sensitive.iter(), |w, name| w.text(name.as_str()));
}

pub(super) fn read_metadata(
    r: &mut Reader<'_>,
    vault: &Vault<'_>,
    member: &'static str,
) -> Result<Metadata, StoreError> {
    Ok(Metadata {
        tags: r.list(|r| Ok((r.java()?, r.list(Reader::java)?)))?,
        properties: r.list(|r| {
            let name = r.java()?;
            let value = read_value(r, vault, member, name.as_str())?;
            Ok((name, value))
        })?,
        sensitive: r.list(Reader::java)?,
    })
}

fn read_value(
    r: &mut Reader<'_>,
    vault: &Vault<'_>,
    member: &'static str,
    property: &str,
) -> Result<String, StoreError> {
    match if r.is_sealed() { r.byte()? } else { CLEAR } {
        CLEAR => r.text(),
        AES_256_GCM => {
            let sealed = Sealed { key: r.text()?, bytes: r.bytes()?.to_vec() };
            vault.keys.open(&sealed, &Slot { place: vault.place, member, property })
        }
        other => {
            Err(StoreError::Broken(format!("a stored value is sealed by method {other}, unknown to this version")))
        }
    }
}
