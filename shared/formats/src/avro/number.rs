//! Numbers as Java prints and reads them.

use std::fmt::Write as _;

/// The text a number of a schema is stored with: an integer keeps its digits, any other goes through a double.
pub(super) fn stored(text: &str) -> Box<str> {
    if text == "-0" {
        return "0".into();
    }
    if is_integer(text) {
        return text.into();
    }
    java_double(text.parse().unwrap_or(f64::NAN)).into()
}

/// Whether the number was written without fraction and exponent.
pub(super) fn is_integer(text: &str) -> bool {
    text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit())
}

/// The integer, if it was written as one and fits 32 bits.
pub(super) fn as_int(text: &str) -> Option<i32> {
    is_integer(text).then(|| text.parse().ok()).flatten()
}

/// The integer, if it was written as one and fits 64 bits.
pub(super) fn as_long(text: &str) -> Option<i64> {
    is_integer(text).then(|| text.parse().ok()).flatten()
}

/// `Double.toString`.
pub(super) fn java_double(value: f64) -> String {
    if let Some(text) = non_finite(value.is_nan(), value.is_infinite(), value.is_sign_negative()) {
        return text.to_owned();
    }
    let shortest = format!("{value:e}");
    // One digit is not enough for Java: of the texts of two digits it takes the one nearest to the value.
    let longer = format!("{value:.1e}");
    let one_digit = !shortest.contains('.');
    layout(if one_digit && longer.parse() == Ok(value) { &longer } else { &shortest })
}

/// `Float.toString`.
pub(super) fn java_float(value: f32) -> String {
    if let Some(text) = non_finite(value.is_nan(), value.is_infinite(), value.is_sign_negative()) {
        return text.to_owned();
    }
    let shortest = format!("{value:e}");
    let longer = format!("{value:.1e}");
    let one_digit = !shortest.contains('.');
    layout(if one_digit && longer.parse() == Ok(value) { &longer } else { &shortest })
}

fn non_finite(nan: bool, infinite: bool, negative: bool) -> Option<&'static str> {
    match (nan, infinite, negative) {
        (true, ..) => Some("NaN"),
        (_, true, true) => Some("-Infinity"),
        (_, true, false) => Some("Infinity"),
        _ => None,
    }
}

/// Lays `d.ddde±n` out: plain from 10⁻³ up to below 10⁷, with an exponent otherwise, always with a fraction.
fn layout(scientific: &str) -> String {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    let digits = digits.trim_end_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    let mut out = String::from(sign);
    match exponent {
        0..7 => {
            let whole = usize::try_from(exponent).unwrap_or(0) + 1;
            let padded = format!("{digits:0<whole$}");
            let (integer, fraction) = padded.split_at(whole);
            let fraction = if fraction.is_empty() { "0" } else { fraction };
            // Writing to a string cannot fail.
            let _ = write!(out, "{integer}.{fraction}");
        }
        -3..0 => {
            let zeros = usize::try_from(-exponent - 1).unwrap_or(0);
            let _ = write!(out, "0.{:0<zeros$}{digits}", "");
        }
        _ => {
            let (first, rest) = digits.split_at(1);
            let rest = if rest.is_empty() { "0" } else { rest };
            let _ = write!(out, "{first}.{rest}E{exponent}");
        }
    }
    out
}

/// `Double.parseDouble`: white space around, a type suffix, `NaN`, `Infinity` and hexadecimal floats are read.
pub(super) fn parse_java_double(text: &str) -> Option<f64> {
    let text = text.trim_matches(|c: char| c <= ' ');
    let (negative, magnitude) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let value = match magnitude {
        "NaN" => f64::NAN,
        "Infinity" => f64::INFINITY,
        _ => parse_magnitude(magnitude)?,
    };
    Some(if negative { -value } else { value })
}

fn parse_magnitude(text: &str) -> Option<f64> {
    let text = text.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(text);
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return parse_hex(hex);
    }
    let decimal = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-'));
    let starts = text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    (decimal && starts).then(|| text.parse().ok()).flatten()
}

/// `h.hhhp±n`; digits beyond 60 bits only decide the rounding.
fn parse_hex(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once(['p', 'P'])?;
    let mut exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut bits: u64 = 0;
    for (index, digit) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = u64::from(digit.to_digit(16)?);
        let in_fraction = index >= whole.len();
        if bits >> 60 == 0 {
            bits = bits << 4 | digit;
            exponent = exponent.saturating_sub(if in_fraction { 4 } else { 0 });
        } else {
            bits |= u64::from(digit != 0);
            exponent = exponent.saturating_add(if in_fraction { 0 } else { 4 });
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "rounding to the nearest double is what is wanted")]
    let value = bits as f64;
    // Two steps, so that neither power leaves the range of a double before the product does.
    Some(value * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_as_java_prints_them() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (100.0, "100.0"),
            (123.456, "123.456"),
            (0.001, "0.001"),
            (0.00123, "0.00123"),
            (0.000_999, "9.99E-4"),
            (9_999_999.0, "9999999.0"),
            (1e7, "1.0E7"),
            (-1.25e-9, "-1.25E-9"),
            (f64::MAX, "1.7976931348623157E308"),
            (f64::MIN_POSITIVE, "2.2250738585072014E-308"),
            (4.9e-324, "4.9E-324"),
            (2e23, "2.0E23"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(java_double(value), text);
        }
    }

    #[test]
    fn floats_as_java_prints_them() {
        for (value, text) in [
            (0.1, "0.1"),
            (16_777_216.0, "1.6777216E7"),
            (f32::MAX, "3.4028235E38"),
            (1e-45, "1.4E-45"),
            (-3.5, "-3.5"),
        ] {
            assert_eq!(java_float(value), text);
        }
    }

    #[test]
    fn doubles_as_java_reads_them() {
        for (text, value) in [
            ("1", 1.0),
            (" \t+1.5e2\n", 150.0),
            ("-.5", -0.5),
            ("5.", 5.0),
            ("1e3d", 1000.0),
            ("2F", 2.0),
            ("Infinity", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
            ("1e999", f64::INFINITY),
            ("0x10p0", 16.0),
            ("-0X.8p1f", -1.0),
            ("0x1.fffffffffffff8p0", 2.0),
            ("0x1p-1074", 4.9e-324),
            ("0x1p99999", f64::INFINITY),
        ] {
            assert_eq!(parse_java_double(text), Some(value), "{text}");
        }
        assert!(parse_java_double("NaN").is_some_and(f64::is_nan));
        for text in [
            "", " ", "one", "inf", "nan", "infinity", "1,5", "--1", "+-1", "1 2", "e5", ".", "0x1", "0xp1", "0xgp1",
            "1ff",
        ] {
            assert_eq!(parse_java_double(text), None, "{text}");
        }
    }
}
