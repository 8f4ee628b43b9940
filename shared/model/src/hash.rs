//! Content hashes.

use std::fmt;

/// The name of a content everywhere: 16 bytes of MD5, printed as a UUID (rest-api.md §6.0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Guid(pub [u8; 16]);

impl Guid {
    /// Reads UUID text or 32 hex digits, in any case; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let dashed = bytes.len() == 36 && [8, 13, 18, 23].iter().all(|&at| bytes[at] == b'-');
        if bytes.len() != 32 && !dashed {
            return None;
        }
        let digits: Vec<u8> =
            if dashed { bytes.iter().copied().filter(|&b| b != b'-').collect() } else { bytes.to_vec() };
        parse_hex(&digits).map(Self)
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, byte) in self.0.iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

/// A SHA-256 digest: what the table indexes contents by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sha256Hash(pub [u8; 32]);

impl Sha256Hash {
    /// Reads 64 hex digits; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        parse_hex(text.as_bytes()).map(Self)
    }
}

impl fmt::Display for Sha256Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Sha256Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn parse_hex<const N: usize>(digits: &[u8]) -> Option<[u8; N]> {
    if digits.len() != 2 * N {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let high = char::from(pair[0]).to_digit(16)?;
        let low = char::from(pair[1]).to_digit(16)?;
        *byte = u8::try_from(high * 16 + low).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guid_texts() {
        let text = "095d71cf-1255-6b9d-5e33-0ad575b3df5d";
        let guid = Guid::parse(text).unwrap();
        assert_eq!(guid.to_string(), text);
        assert_eq!(Guid::parse("095D71CF12556B9D5E330AD575B3DF5D"), Some(guid));
        for bad in [
            "",
            "095d71cf",
            "095d71cf-1255-6b9d-5e33-0ad575b3df5g",
            "095d71cf-12556b9d-5e33-0ad575b3df5d-",
            "ßßßßßßßßßßßßßßßß",
        ] {
            assert_eq!(Guid::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn sha_texts() {
        let text = "00".repeat(31) + "ff";
        assert_eq!(Sha256Hash::parse(&text).map(|h| h.to_string()), Some(text));
        assert_eq!(Sha256Hash::parse("00"), None);
    }
}
