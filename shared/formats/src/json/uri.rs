//! URIs as `java.net.URI` reads and resolves them, with its habits: `..` that has nothing to remove stays, and a base
//! without a path is only extended.

use std::fmt::Write as _;

/// How many bytes a URI has at most.
pub(super) const MAX_LENGTH: usize = 2_000;

/// A URI reference cut into its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

/// Whether `text` can be a URI reference; if not, what is wrong with it.
pub(super) fn check(text: &str) -> Result<(), String> {
    let parts = cut(text);
    if text.len() > MAX_LENGTH {
        return Err(format!("a URI of more than {MAX_LENGTH} bytes"));
    }
    if let Some((index, _)) = text.char_indices().find(|(_, c)| !is_legal(*c)) {
        return Err(format!("Illegal character in a URI at index {index}: {text}"));
    }
    if text.matches('#').count() > 1 {
        return Err(format!("More than one fragment in a URI: {text}"));
    }
    if has_bad_escape(text) {
        return Err(format!("Malformed escape pair in a URI: {text}"));
    }
    let authority = parts.authority.unwrap_or_default();
    let (open, close) = (authority.matches('[').count(), authority.matches(']').count());
    if open != close || open > 1 {
        return Err(format!("Expected a closing bracket for an IPv6 address: {text}"));
    }
    let brackets_elsewhere = [Some(parts.path), parts.scheme].iter().flatten().any(|part| part.contains(['[', ']']));
    if brackets_elsewhere {
        return Err(format!("Illegal character in a URI: {text}"));
    }
    if parts.scheme.is_none() && text.starts_with(':') {
        return Err(format!("Expected a scheme name at index 0: {text}"));
    }
    if parts.scheme.is_some_and(|scheme| text.len() == scheme.len() + 1) {
        return Err(format!("Expected a scheme-specific part: {text}"));
    }
    Ok(())
}

/// What comes before `#`, and what comes after it.
pub(super) fn split_fragment(text: &str) -> (&str, Option<&str>) {
    text.split_once('#').map_or((text, None), |(document, fragment)| (document, Some(fragment)))
}

/// The scheme of an absolute URI.
pub(super) fn scheme(text: &str) -> Option<&str> {
    cut(text).scheme
}

/// `given` seen from `base`; an empty base leaves it as it is.
pub(super) fn resolve(base: &str, given: &str) -> String {
    let (from, to) = (cut(base), cut(given));
    let opaque =
        |parts: &Parts<'_>| parts.scheme.is_some() && parts.authority.is_none() && !parts.path.starts_with('/');
    if base.is_empty() || to.scheme.is_some() || opaque(&from) {
        return given.to_owned();
    }
    if to.authority.is_some() {
        return join(&Parts { scheme: from.scheme, ..to }, to.path);
    }
    if to.path.is_empty() && to.query.is_none() && to.fragment.is_some() {
        return join(&Parts { fragment: to.fragment, ..from }, from.path);
    }
    let parts = Parts { query: to.query, fragment: to.fragment, ..from };
    if to.path.starts_with('/') {
        return join(&parts, to.path);
    }
    let folder = from.path.rfind('/').map_or("", |slash| &from.path[..=slash]);
    join(&parts, &without_dots(&format!("{folder}{}", to.path)))
}

fn cut(text: &str) -> Parts<'_> {
    let (rest, fragment) = split_fragment(text);
    let (rest, query) = rest.split_once('?').map_or((rest, None), |(rest, query)| (rest, Some(query)));
    let (scheme, rest) = match rest.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
        _ => (None, rest),
    };
    let Some(rest) = rest.strip_prefix("//") else {
        return Parts { scheme, authority: None, path: rest, query, fragment };
    };
    let slash = rest.find('/').unwrap_or(rest.len());
    Parts { scheme, authority: Some(&rest[..slash]), path: &rest[slash..], query, fragment }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

/// Java also allows characters outside ASCII, as long as they are no spaces or controls.
fn is_legal(c: char) -> bool {
    match c {
        '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' => false,
        _ if c.is_ascii() => c.is_ascii_graphic(),
        _ => !c.is_control() && !c.is_whitespace(),
    }
}

fn has_bad_escape(text: &str) -> bool {
    let bytes = text.as_bytes();
    let hex = |index: usize| bytes.get(index).is_some_and(u8::is_ascii_hexdigit);
    (0..bytes.len()).any(|index| bytes[index] == b'%' && !(hex(index + 1) && hex(index + 2)))
}

fn join(parts: &Parts<'_>, path: &str) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    if let Some(scheme) = parts.scheme {
        let _ = write!(out, "{scheme}:");
    }
    if let Some(authority) = parts.authority {
        let _ = write!(out, "//{authority}");
    }
    out.push_str(path);
    if let Some(query) = parts.query {
        let _ = write!(out, "?{query}");
    }
    if let Some(fragment) = parts.fragment {
        let _ = write!(out, "#{fragment}");
    }
    out
}

/// The path without `.` and, where there is something to remove, without `..`.
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "." => {}
            ".." if kept.last().is_some_and(|last| !last.is_empty() && *last != "..") => {
                kept.pop();
            }
            _ => kept.push(segment),
        }
    }
    let ends_in_folder = matches!(path.rsplit('/').next(), Some("." | ".."));
    let joined = kept.join("/");
    if ends_in_folder && !joined.is_empty() && !joined.ends_with('/') { joined + "/" } else { joined }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolved() {
        for (base, given, expected) in [
            ("", "ref.json", "ref.json"),
            ("", "./ref.json", "./ref.json"),
            ("referrer.json", "ref.json#/a", "ref.json#/a"),
            ("referrer.json", "./ref.json", "ref.json"),
            ("referrer.json", "/ref.json", "/ref.json"),
            ("https://acme.com/referrer.json", "ref.json", "https://acme.com/ref.json"),
            ("https://acme.com/a/b/referrer.json", "../ref.json", "https://acme.com/a/ref.json"),
            ("https://acme.com/a/referrer.json", "/ref.json", "https://acme.com/ref.json"),
            ("https://acme.com/referrer.json", "../../ref.json", "https://acme.com/../../ref.json"),
            ("https://acme.com/a?q#f", "#g", "https://acme.com/a?q#g"),
            ("https://acme.com/a", "http://x.test/b", "http://x.test/b"),
            ("https://acme.com/a", "//x.test/b", "https://x.test/b"),
            ("https://acme.com", "b", "https://acme.comb"),
            ("urn:a:b", "c", "c"),
            ("dir/a.json", "b.json", "dir/b.json"),
            ("dir/a.json", "", "dir/"),
        ] {
            assert_eq!(resolve(base, given), expected, "{base} {given}");
        }
    }

    #[test]
    fn checked() {
        for good in ["", "a.json", "http://x.test/a?b#c", "urn:a:b", "#/a%20b", "http://[::1]/a", "é"] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in ["http://[bad", "a b", "a%2", "a|b", "#a#b", "http:", ":a", "a[b"] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }
}
