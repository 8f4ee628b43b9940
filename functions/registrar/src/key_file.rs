//! The file with the keys for sensitive metadata.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use registrar_store::{DataKey, KeyError, Keyring};
use std::path::Path;

/// Reads a key file; the error is one line, and never shows a key.
pub(crate) fn read(file: &Path) -> Result<Keyring, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("key file {}: {error}", file.display()))?;
    parse(&text).map_err(|error| format!("key file {}: {error}", file.display()))
}

/// A key on a line: its name, blanks, 32 bytes in base64. The first encrypts, all decrypt. Empty lines and lines that
/// start with `#` are left out.
pub(crate) fn parse(text: &str) -> Result<Keyring, String> {
    let lines = text.lines().map(str::trim).enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let keys = lines.map(|(at, line)| key(line).map_err(|error| format!("line {}: {error}", at + 1)));
    let keys: Vec<DataKey> = keys.collect::<Result<_, _>>()?;
    Keyring::new(keys).map_err(|error| match error {
        KeyError::None => "there is no key in it".to_owned(),
        error => error.to_string(),
    })
}

fn key(line: &str) -> Result<DataKey, String> {
    let mut words = line.split_whitespace();
    let (Some(name), Some(secret), None) = (words.next(), words.next(), words.next()) else {
        return Err("not a name and a key".to_owned());
    };
    let secret = STANDARD.decode(secret).map_err(|_| "what follows the name is not base64".to_owned())?;
    DataKey::new(name, &secret).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const OTHER: &str = "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=";

    #[test]
    fn keys_are_read_in_order() {
        let text = format!("# made by hand\n\n  2026-02\t{KEY}\r\n2026-01 {OTHER}");
        let keys = format!("{:?}", parse(&text).unwrap());
        assert_eq!(keys, "Keyring(Some(Keys { seals: DataKey(2026-02), older: [DataKey(2026-01)] }))");
    }

    #[test]
    fn what_is_wrong_is_said_and_no_key_shown() {
        for (text, message) in [
            (String::new(), "there is no key in it"),
            ("# nothing\n".to_owned(), "there is no key in it"),
            (KEY.to_owned(), "line 1: not a name and a key"),
            (format!("# one\na {KEY}\nb {KEY} c"), "line 3: not a name and a key"),
            (format!("a {}", &KEY[1..]), "line 1: what follows the name is not base64"),
            ("a AAECAwQFBgcICQoLDA0ODw==".to_owned(), "line 1: key 'a' has 16 bytes, not 32"),
            (format!("a/b {KEY}"), "line 1: \"a/b\" is no name for a key: 1 to 64 letters, digits, '.', '_' or '-'"),
            (format!("a {KEY}\na {OTHER}"), "there are two keys named 'a'"),
        ] {
            assert_eq!(parse(&text).unwrap_err(), message, "{text}");
        }
        let missing = read(Path::new("no/such/file")).unwrap_err();
        assert!(missing.starts_with("key file no/such/file: "), "{missing}");
    }
}
