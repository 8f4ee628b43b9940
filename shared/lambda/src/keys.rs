//! The keys for sensitive metadata that a function is given: data keys, encrypted by AWS KMS.

use crate::kms::{Kms, KmsError};
use registrar_store::{DataKey, Keyring, Race};

/// `NAME:CIPHERTEXT`, separated by commas or blanks; the first encrypts, all decrypt.
pub(crate) const VARIABLE: &str = "REGISTRAR_KMS_DATA_KEYS";

/// Asks KMS once for each key, one after the other: there are more than one only while they are being changed. The
/// error is one line, and never shows a key. Without any value there are no keys, and KMS is not asked.
pub(crate) async fn read(
    value: Option<&str>,
    kms: impl Fn() -> Result<Kms, String>,
    race: impl Fn() -> Race,
) -> Result<Keyring, String> {
    let parts = value.unwrap_or_default().split([',', ' ', '\t', '\n', '\r']).filter(|part| !part.is_empty());
    let mut keys = Vec::new();
    for part in parts {
        let (name, ciphertext) = part.split_once(':').ok_or("not NAME:CIPHERTEXT")?;
        let secret = decrypt(&kms()?, ciphertext, race()).await.map_err(|error| format!("key '{name}': {error}"))?;
        keys.push(DataKey::new(name, &secret).map_err(|error| error.to_string())?);
    }
    if keys.is_empty() {
        return Ok(Keyring::default());
    }
    Keyring::new(keys).map_err(|error| error.to_string())
}

async fn decrypt(kms: &Kms, ciphertext: &str, mut race: Race) -> Result<Vec<u8>, String> {
    loop {
        match kms.decrypt(ciphertext).await {
            Ok(secret) => return Ok(secret),
            Err(KmsError::Final(why)) => return Err(why),
            Err(KmsError::Passing(why)) => {
                // Said now: whoever waits for all of this may give up before the last attempt.
                tracing::warn!(%why, "KMS is asked again");
                race.lost(&why).await.map_err(|error| error.to_string())?;
            }
        }
    }
}
