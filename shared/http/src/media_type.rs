//! Media types (rest-api.md §1.1): what the client may send, and what it gets.

use http::HeaderMap;
use http::header::{ACCEPT, CONTENT_TYPE};

/// The type of an answer where the client does not choose.
pub(crate) const PREFERRED: &str = "application/vnd.schemaregistry.v1+json";

/// Answers on offer, best first.
pub(crate) const OFFERED: [&str; 3] = [PREFERRED, "application/vnd.schemaregistry+json", "application/json"];

/// Bodies that are read, all of them as JSON.
const READ: [&str; 4] =
    [PREFERRED, "application/vnd.schemaregistry+json", "application/json", "application/octet-stream"];

/// The type of the answer; `None` if the client takes none on offer (406).
pub(crate) fn negotiate(headers: &HeaderMap) -> Option<&'static str> {
    let accept = accept_values(headers);
    if accept.iter().all(|value| value.trim().is_empty()) {
        return Some(PREFERRED);
    }
    let ranges: Vec<Range> = accept.iter().filter_map(|value| Range::parse(value)).collect();
    // Ties go to the first, that is, to the one the server likes best.
    let mut best: Option<(u16, &'static str)> = None;
    for offered in OFFERED {
        let quality = quality_of(offered, &ranges);
        if quality > best.map_or(0, |(quality, _)| quality) {
            best = Some((quality, offered));
        }
    }
    best.map(|(_, offered)| offered)
}

/// The type of a 415, which skips negotiation: the first entry of `Accept` that is exactly one on offer.
pub(crate) fn of_unsupported(headers: &HeaderMap) -> &'static str {
    let accept = accept_values(headers);
    let exact = |value: &String| OFFERED.into_iter().find(|offered| *offered == value.trim());
    accept.iter().find_map(exact).unwrap_or(PREFERRED)
}

/// Whether a body of the type named in the request is read; without a type it is.
pub(crate) fn is_read(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(CONTENT_TYPE) else { return true };
    let Ok(value) = value.to_str() else { return false };
    let essence = value.split(';').next().unwrap_or_default().trim();
    READ.iter().any(|read| read.eq_ignore_ascii_case(essence))
}

fn accept_values(headers: &HeaderMap) -> Vec<String> {
    let values = headers.get_all(ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::to_owned).collect()
}

/// One entry of `Accept`.
struct Range {
    kind: String,
    subtype: String,
    /// In thousandths.
    quality: u16,
}

impl Range {
    /// `None` for what is no media range. A lone `*` is one: Java's own HTTP client sends it.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let range = parts.next()?.to_ascii_lowercase();
        let (kind, subtype) = if range == "*" { ("*", "*") } else { range.split_once('/')? };
        let quality = parts.find_map(quality).unwrap_or(1000);
        Some(Self { kind: kind.to_owned(), subtype: subtype.to_owned(), quality })
    }

    /// How closely this names `media_type`; `None` if it does not.
    fn specificity(&self, media_type: &str) -> Option<u8> {
        let (kind, subtype) = media_type.split_once('/')?;
        match (self.kind.as_str(), self.subtype.as_str()) {
            ("*", "*") => Some(0),
            (own, "*") if own == kind => Some(1),
            (own, own_subtype) if own == kind && own_subtype == subtype => Some(2),
            _ => None,
        }
    }
}

fn quality_of(media_type: &str, ranges: &[Range]) -> u16 {
    let matching = ranges.iter().filter_map(|range| Some((range.specificity(media_type)?, range.quality)));
    matching.max().map_or(0, |(_, quality)| quality)
}

/// The value of a `q` parameter in thousandths; `None` for another parameter. What is no number counts as 0.
pub(crate) fn quality(parameter: &str) -> Option<u16> {
    let (name, value) = parameter.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    let (whole, fraction) = value.trim().split_once('.').unwrap_or((value.trim(), ""));
    if whole == "1" {
        return Some(1000);
    }
    let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
    Some(thousandths.parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    const V1: &str = OFFERED[0];
    const VENDOR: &str = OFFERED[1];
    const JSON: &str = OFFERED[2];

    fn headers(name: &http::header::HeaderName, values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (name.clone(), HeaderValue::from_str(value).unwrap())).collect()
    }

    #[test]
    fn answers() {
        let three = format!("{V1}, {VENDOR}, {JSON}");
        let three_reversed = format!("{JSON}, {VENDOR}, {V1}");
        let lowered = format!("{V1};q=0.4, {JSON}");
        for (accept, expected) in [
            (vec![], Some(V1)),
            (vec![""], Some(V1)),
            (vec!["*/*"], Some(V1)),
            (vec!["*"], Some(V1)),
            (vec!["application/*"], Some(V1)),
            (vec![V1], Some(V1)),
            (vec![VENDOR], Some(VENDOR)),
            (vec![JSON], Some(JSON)),
            (vec!["Application/JSON; charset=utf-8"], Some(JSON)),
            (vec![&three], Some(V1)),
            (vec![&three_reversed], Some(V1)),
            (vec![JSON, VENDOR], Some(VENDOR)),
            (vec![&lowered], Some(JSON)),
            (vec!["application/json, text/plain, */*"], Some(V1)),
            (vec!["application/json, */*;q=0.5"], Some(JSON)),
            (vec!["application/json;q=0.5, application/*;q=0.1"], Some(JSON)),
            (vec!["application/vnd.schemaregistry.v1+json;q=0, */*"], Some(VENDOR)),
            (vec!["text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"], Some(V1)),
            (vec!["text/html"], None),
            (vec!["*/*;q=0"], None),
            (vec!["rubbish"], None),
            (vec!["application/vnd.schemaregistry.v2+json"], None),
        ] {
            assert_eq!(negotiate(&headers(&ACCEPT, &accept)), expected, "{accept:?}");
        }
    }

    #[test]
    fn answers_to_an_unsupported_type() {
        for (accept, expected) in [
            (vec![], V1),
            (vec!["text/html, application/json, application/vnd.schemaregistry.v1+json"], JSON),
            (vec!["application/json;q=0.9"], V1),
            (vec!["*/*"], V1),
        ] {
            assert_eq!(of_unsupported(&headers(&ACCEPT, &accept)), expected, "{accept:?}");
        }
    }

    #[test]
    fn bodies() {
        for (content_type, expected) in [
            (vec![], true),
            (vec![V1], true),
            (vec![VENDOR], true),
            (vec!["application/json; charset=utf-8"], true),
            (vec!["APPLICATION/JSON"], true),
            (vec!["application/octet-stream"], true),
            (vec!["application/x-www-form-urlencoded"], false),
            (vec!["text/json"], false),
            (vec![""], false),
        ] {
            assert_eq!(is_read(&headers(&CONTENT_TYPE, &content_type)), expected, "{content_type:?}");
        }
    }
}
