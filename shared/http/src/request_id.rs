//! The id of a request (rest-api.md §1.2), returned with every answer.

use http::{HeaderMap, HeaderName, HeaderValue};

/// The header that carries it.
pub(crate) const NAME: HeaderName = HeaderName::from_static("x-request-id");

/// The client's own, if it sent exactly one that is not blank; otherwise a random UUID of version 4.
pub(crate) fn of(headers: &HeaderMap) -> HeaderValue {
    let mut values = headers.get_all(NAME).iter();
    match (values.next(), values.next()) {
        (Some(value), None) if !value.as_bytes().trim_ascii().is_empty() => value.clone(),
        _ => random(),
    }
}

fn random() -> HeaderValue {
    let bits = fastrand::u128(..);
    // RFC 9562 §5.4: version 4 in bits 48 to 51, variant 10 in bits 64 and 65.
    let bits = bits & !(0xF << 76) | (0x4 << 76);
    let bits = bits & !(0x3 << 62) | (0x2 << 62);
    let hex = format!("{bits:032x}");
    let uuid = format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]);
    // Hex digits and dashes are always a header value.
    HeaderValue::try_from(uuid).unwrap_or(HeaderValue::from_static("none"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_is_not_blank_is_kept() {
        for (values, kept) in
            [(vec!["abc"], true), (vec!["a b"], true), (vec![], false), (vec![" "], false), (vec!["a", "b"], false)]
        {
            let headers: HeaderMap = values.iter().map(|v| (NAME, HeaderValue::from_str(v).unwrap())).collect();
            let id = of(&headers);
            assert_eq!(Some(id.to_str().unwrap()) == values.first().copied(), kept, "{values:?}");
        }
    }

    #[test]
    fn random_ids_are_uuids_of_version_4() {
        let id = random();
        let id = id.to_str().unwrap();
        assert_eq!(id.len(), 36);
        assert_eq!(&id[14..15], "4");
        assert!("89ab".contains(&id[19..20]), "{id}");
        assert_ne!(random().to_str().unwrap(), id);
    }
}
