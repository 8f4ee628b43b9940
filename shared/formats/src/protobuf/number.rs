//! Numbers of normalized options: read as Commons Lang's `NumberUtils`, printed as Java's `DecimalFormat` prints them.
//!
//! At most three digits after the point, half to even; no exponent. A number that is the same as a float and as a
//! double goes through the float, with the digits that brings.

/// How far an exponent may stretch a number; beyond it the number stays as written.
const MAX_EXPONENT: i64 = 400;

/// How long a number may be that is computed digit by digit; a longer one stays as written.
const MAX_DIGITS: usize = 1000;

/// The normalized text of a number token, or none if it stays as it is: `-inf`, `10x`.
pub(super) fn normalized(token: &str) -> Option<String> {
    if token.len() > MAX_DIGITS {
        return None;
    }
    let (negative, digits) = token.strip_prefix('-').map_or((false, token), |rest| (true, rest));
    if let Some(digits) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return in_radix(negative, digits, 16);
    }
    match digits.chars().last()? {
        'l' | 'L' => {
            let digits = &digits[..digits.len() - 1];
            all_digits(digits).then(|| signed(negative, trim_zeros(digits)))
        }
        'f' | 'F' => {
            let plain = Decimal::read(&token[..token.len() - 1])?;
            let float: f32 = plain.text.parse().ok()?;
            if float.is_finite() && (float != 0.0 || plain.is_zero()) {
                return Some(from_double(f64::from(float)));
            }
            double_or_decimal(&plain)
        }
        'd' | 'D' => double_or_decimal(&Decimal::read(&token[..token.len() - 1])?),
        _ if all_digits(digits) => integer(negative, digits),
        _ => fraction(&Decimal::read(token)?),
    }
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn trim_zeros(digits: &str) -> &str {
    let trimmed = digits.trim_start_matches('0');
    if trimmed.is_empty() { "0" } else { trimmed }
}

/// An integer has no negative zero.
fn signed(negative: bool, digits: &str) -> String {
    if negative && digits != "0" { format!("-{digits}") } else { digits.to_owned() }
}

/// A leading zero means octal, as in Java.
fn integer(negative: bool, digits: &str) -> Option<String> {
    match digits.strip_prefix('0') {
        Some(octal) if !octal.is_empty() => in_radix(negative, octal, 8),
        _ => Some(signed(negative, trim_zeros(digits))),
    }
}

/// Turns digits of another radix into decimal ones, of any length.
fn in_radix(negative: bool, digits: &str, radix: u32) -> Option<String> {
    if digits.is_empty() {
        return None;
    }
    // Least significant first.
    let mut decimal = vec![0_u8];
    for digit in digits.chars() {
        let mut carry = digit.to_digit(radix)?;
        for place in &mut decimal {
            let value = u32::from(*place) * radix + carry;
            *place = u8::try_from(value % 10).unwrap_or(0);
            carry = value / 10;
        }
        while carry > 0 {
            decimal.push(u8::try_from(carry % 10).unwrap_or(0));
            carry /= 10;
        }
    }
    let text: String = decimal.iter().rev().map(|digit| char::from(b'0' + digit)).collect();
    Some(signed(negative, trim_zeros(&text)))
}

/// A number with a point or an exponent, without a suffix.
struct Decimal<'a> {
    text: &'a str,
    negative: bool,
    /// All digits without the point.
    digits: String,
    /// How many of them stand before the point; it may be outside of them.
    point: i64,
}

impl<'a> Decimal<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = match rest.find(['e', 'E']) {
            Some(at) => (&rest[..at], rest[at + 1..].parse::<i64>().ok()?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        if !all_digits(&digits) || exponent.abs() > MAX_EXPONENT {
            return None;
        }
        let point = i64::try_from(whole.len()).ok()? + exponent;
        Some(Self { text, negative, digits, point })
    }

    fn is_zero(&self) -> bool {
        self.digits.bytes().all(|digit| digit == b'0')
    }

    /// Prints exactly what is written, rounded.
    fn rounded(&self) -> String {
        let mut digits: Vec<u8> = self.digits.bytes().map(|digit| digit - b'0').collect();
        let mut point = self.point;
        while point < 0 {
            digits.insert(0, 0);
            point += 1;
        }
        let point = usize::try_from(point).unwrap_or(0);
        digits.resize(digits.len().max(point), 0);
        let kept = point + 3;
        if digits.len() > kept {
            let (first, more) = (digits[kept], digits[kept + 1..].iter().any(|digit| *digit != 0));
            let odd = kept.checked_sub(1).is_some_and(|last| digits[last] % 2 == 1);
            digits.truncate(kept);
            if first > 5 || first == 5 && (more || odd) {
                return print(self.negative, &incremented(&digits), point + 1);
            }
        }
        print(self.negative, &digits, point)
    }
}

/// One more, with one more digit in front.
fn incremented(digits: &[u8]) -> Vec<u8> {
    let mut sum = vec![0];
    sum.extend_from_slice(digits);
    for digit in sum.iter_mut().rev() {
        if *digit < 9 {
            *digit += 1;
            break;
        }
        *digit = 0;
    }
    sum
}

fn print(negative: bool, digits: &[u8], point: usize) -> String {
    let text = |digits: &[u8]| digits.iter().map(|digit| char::from(b'0' + digit)).collect::<String>();
    let (whole, fraction) = (text(&digits[..point]), text(&digits[point..]));
    let (whole, fraction) = (trim_zeros(&whole), fraction.trim_end_matches('0'));
    let sign = if negative { "-" } else { "" };
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

fn fraction(decimal: &Decimal<'_>) -> Option<String> {
    let float: f32 = decimal.text.parse().ok()?;
    let double: f64 = decimal.text.parse().ok()?;
    let float_holds = float.is_finite() && (float != 0.0 || decimal.is_zero());
    // Java compares their shortest texts.
    if float_holds && format!("{float:e}") == format!("{double:e}") {
        return Some(from_double(f64::from(float)));
    }
    double_or_decimal(decimal)
}

fn double_or_decimal(decimal: &Decimal<'_>) -> Option<String> {
    let double: f64 = decimal.text.parse().ok()?;
    let double_holds = double.is_finite() && (double != 0.0 || decimal.is_zero());
    let shortest = format!("{double:e}");
    let same = |other: &Decimal<'_>| {
        let significant = |one: &Decimal<'_>| {
            let leading = one.digits.len() - one.digits.trim_start_matches('0').len();
            let digits = one.digits.trim_matches('0').to_owned();
            (digits, one.point - i64::try_from(leading).unwrap_or(0))
        };
        significant(decimal) == significant(other)
    };
    if double_holds && (decimal.is_zero() || Decimal::read(&shortest).is_some_and(|read| same(&read))) {
        return Some(from_double(double));
    }
    Some(decimal.rounded())
}

/// Prints a double by its shortest digits, rounded as its exact value is.
fn from_double(double: f64) -> String {
    let shortest = format!("{double:e}");
    let Some(decimal) = Decimal::read(&shortest) else { return shortest };
    let fraction_digits = i64::try_from(decimal.digits.len()).unwrap_or(i64::MAX) - decimal.point;
    if fraction_digits <= 3 {
        return decimal.rounded();
    }
    let rounded = format!("{double:.3}");
    Decimal::read(&rounded).map_or(rounded.clone(), |decimal| decimal.rounded())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (token, expected) in [
            ("0xFF", "255"),
            ("0XfF", "255"),
            ("-0x10", "-16"),
            ("0xFFFFFFFFFFFFFFFFFF", "4722366482869645213695"),
            ("010", "8"),
            ("0", "0"),
            ("-0", "0"),
            ("00", "0"),
            ("12345678901234567890123", "12345678901234567890123"),
            ("1.50", "1.5"),
            ("-1.50", "-1.5"),
            ("1.0e3", "1000"),
            ("1e20", "100000002004087730000"),
            ("1.23456", "1.235"),
            ("-0.00001", "-0"),
            ("0.0625", "0.062"),
            ("0.1875", "0.188"),
            ("0.0005", "0.001"),
            ("-0.0", "-0"),
            ("1.", "1"),
            ("-.5", "-0.5"),
            ("10f", "10"),
            ("1.23f", "1.23"),
            ("10d", "10"),
            ("10L", "10"),
            ("999.9999", "1000"),
            ("12345.67890123456789012345", "12345.679"),
            ("2.5e-3", "0.002"),
            ("1e-400", "0"),
        ] {
            assert_eq!(normalized(token).as_deref(), Some(expected), "{token}");
        }
    }

    #[test]
    fn tokens_that_stay() {
        for token in ["-inf", "-nan", "1x", "0x", "08", "1e", "1e1e1", "1.2.3", "-", "1e999999", "1.5L", "0x1.8p3"] {
            assert_eq!(normalized(token), None, "{token}");
        }
        assert_eq!(normalized(&"9".repeat(MAX_DIGITS + 1)), None);
    }
}
