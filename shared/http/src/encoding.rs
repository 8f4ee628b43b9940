//! gzip of answers (rest-api.md §1.1): only if the client asks, and only where it pays.

use crate::media_type::quality;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::HeaderMap;
use http::header::ACCEPT_ENCODING;
use std::io::Write;

/// Answers shorter than this stay plain: they fit one packet either way.
pub(crate) const MIN_BYTES: usize = 1024;

/// Whether the client takes gzip; without a word from it, it does not.
pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
    let mut wildcard = false;
    for entry in values.flat_map(|value| value.split(',')) {
        let mut parts = entry.split(';').map(str::trim);
        let coding = parts.next().unwrap_or_default();
        let wanted = parts.find_map(quality).unwrap_or(1000) > 0;
        if coding.eq_ignore_ascii_case("gzip") || coding.eq_ignore_ascii_case("x-gzip") {
            return wanted;
        }
        wildcard |= coding == "*" && wanted;
    }
    wildcard
}

/// The body compressed; `None` if that failed or did not make it shorter.
pub(crate) fn gzip(body: &Bytes) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 2), Compression::fast());
    encoder.write_all(body).ok()?;
    let compressed = encoder.finish().ok()?;
    (compressed.len() < body.len()).then(|| Bytes::from(compressed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;
    use std::io::Read;

    #[test]
    fn clients_that_take_gzip() {
        for (value, expected) in [
            ("", false),
            ("identity", false),
            ("gzip", true),
            ("gzip, deflate", true),
            ("deflate, GZIP;q=0.5", true),
            ("br, x-gzip", true),
            ("gzip;q=0", false),
            ("gzip;q=0, *", false),
            ("*", true),
            ("*;q=0", false),
            ("deflate, br", false),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_str(value).unwrap())]);
            assert_eq!(accepts_gzip(&headers), expected, "{value}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }

    #[test]
    fn compressed_bodies_come_back() {
        let body = Bytes::from("größe € 🚀 ".repeat(200));
        let compressed = gzip(&body).unwrap();
        let mut plain = Vec::new();
        flate2::read::GzDecoder::new(&compressed[..]).read_to_end(&mut plain).unwrap();
        assert_eq!(plain, body);
        assert_eq!(gzip(&Bytes::from_static(b"x")), None);
    }
}
