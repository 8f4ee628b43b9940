//! Paths: split while still encoded, each segment decoded exactly once.

/// The bytes after `%` and their value.
const ESCAPE: usize = 3;

/// Decodes percent escapes once; in a query `+` stands for a space, too. `None` if an escape is broken or the bytes
/// are not UTF-8.
pub(crate) fn decode(text: &str, plus_is_space: bool) -> Option<String> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'%' => {
                decoded.push(hex_byte(bytes.get(at + 1..at + ESCAPE)?)?);
                at += ESCAPE;
                continue;
            }
            b'+' if plus_is_space => decoded.push(b' '),
            other => decoded.push(other),
        }
        at += 1;
    }
    String::from_utf8(decoded).ok()
}

fn hex_byte(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| digits.get(at).and_then(|&digit| char::from(digit).to_digit(16));
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

/// The decoded segments of a raw path. Slashes in front count once, one at the end does not count (rest-api.md §1.6);
/// `..` and empty segments in between are what they are. The error is the segment that does not decode.
pub(crate) fn segments(path: &str) -> Result<Vec<String>, String> {
    let path = path.trim_start_matches('/');
    let path = path.strip_suffix('/').unwrap_or(path);
    if path.is_empty() {
        return Ok(Vec::new());
    }
    path.split('/').map(|segment| decode(segment, false).ok_or_else(|| segment.to_owned())).collect()
}

/// The path without the prefix the server is mounted under, which is empty or has a slash in front and none at the
/// end; `None` outside it. Both are compared as they are encoded.
pub fn strip_base<'a>(path: &'a str, base: &str) -> Option<&'a str> {
    path.strip_prefix(base).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_decoded_once() {
        for (path, expected) in [
            ("/", vec![]),
            ("", vec![]),
            ("/subjects", vec!["subjects"]),
            ("/subjects/", vec!["subjects"]),
            ("//subjects", vec!["subjects"]),
            ("/subjects/a%2Fb%3Av%20x%2B/versions", vec!["subjects", "a/b:v x+", "versions"]),
            ("/subjects/a+b", vec!["subjects", "a+b"]),
            ("/subjects/a%252Fb", vec!["subjects", "a%2Fb"]),
            ("/subjects/100%25", vec!["subjects", "100%"]),
            ("/subjects/%C3%A9/é", vec!["subjects", "é", "é"]),
            ("/subjects/../x/%2E%2E", vec!["subjects", "..", "x", ".."]),
            ("/subjects//versions", vec!["subjects", "", "versions"]),
            ("/subjects/a%3Fb%23c", vec!["subjects", "a?b#c"]),
            ("/%73ubjects", vec!["subjects"]),
        ] {
            assert_eq!(segments(path).unwrap(), expected, "{path}");
        }
    }

    #[test]
    fn broken_escapes_are_named() {
        for (path, bad) in [("/a/100%/b", "100%"), ("/%zz", "%zz"), ("/%C3", "%C3"), ("/a%F", "a%F"), ("/%ff", "%ff")] {
            assert_eq!(segments(path), Err(bad.to_owned()), "{path}");
        }
    }

    #[test]
    fn base_paths() {
        for (path, base, expected) in [
            ("/registry/subjects", "/registry", Some("/subjects")),
            ("/registry", "/registry", Some("")),
            ("/registryx/subjects", "/registry", None),
            ("/subjects", "/registry", None),
            ("/a/b/subjects/a%2Fb", "/a/b", Some("/subjects/a%2Fb")),
            ("/subjects", "", Some("/subjects")),
        ] {
            assert_eq!(strip_base(path, base), expected, "{path} under {base}");
        }
    }
}
