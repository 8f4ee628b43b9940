//! Numbers of any size, as Java's `BigDecimal` prints and divides them (json-canonical.md, stored text).

use std::cmp::Ordering;

/// Ten to the power nine: the base of the limbs of long numbers.
const BASE: u64 = 1_000_000_000;

/// More trailing zeros than this add no divisor to a number of at most 1,000 digits that is not there already.
const ENOUGH_ZEROS: u64 = 4_000;

/// The text a number is stored with: an integer keeps its digits, any other becomes a decimal in Java's spelling.
pub(super) fn stored(text: &str) -> Box<str> {
    if text == "-0" {
        return "0".into();
    }
    if is_integer(text) || !text.ends_with(|last: char| last.is_ascii_digit()) {
        return text.into();
    }
    match Decimal::parse(text) {
        Some(decimal) => decimal.to_java().into(),
        None => text.into(),
    }
}

/// Whether the number was written without fraction and exponent.
pub(super) fn is_integer(text: &str) -> bool {
    !text.is_empty() && text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit())
}

/// The integer, if it was written as one and fits 32 bits.
pub(super) fn as_int(text: &str) -> Option<i64> {
    is_integer(text).then(|| text.parse::<i32>().ok()).flatten().map(i64::from)
}

/// What Java's `Number.intValue` makes of the number: the fraction is cut off, and what does not fit wraps around.
pub(super) fn int_value(text: &str) -> i64 {
    let Some(decimal) = Decimal::parse(text) else {
        return 0;
    };
    let digits = match usize::try_from(decimal.scale) {
        Ok(cut) => decimal.digits.get(..decimal.digits.len().saturating_sub(cut)).unwrap_or_default().to_owned(),
        // 32 zeros make a multiple of 2^32, and so does any greater number of them.
        Err(_) => {
            decimal.digits.clone() + &"0".repeat(usize::try_from(-decimal.scale).map_or(32, |zeros| zeros.min(32)))
        }
    };
    let bits = digits.bytes().fold(0_u32, |bits, digit| bits.wrapping_mul(10).wrapping_add(u32::from(digit - b'0')));
    let value = i64::from(bits.cast_signed());
    let wrapped = if decimal.negative { value.wrapping_neg() } else { value };
    // The negation of the smallest 32-bit number is that number.
    if wrapped == 1 << 31 { -wrapped } else { wrapped }
}

/// The number as a double; too large ones are infinite.
pub(super) fn as_double(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

/// How one `multipleOf` relates to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Multiple {
    Same,
    /// The new one is a multiple of the old one.
    Expanded,
    /// The old one is a multiple of the new one.
    Reduced,
    Other,
}

/// Compares two values of `multipleOf` exactly.
pub(super) fn compare_multiples(old: &str, new: &str) -> Multiple {
    let (Some(old), Some(new)) = (Decimal::parse(old), Decimal::parse(new)) else {
        return if old == new { Multiple::Same } else { Multiple::Other };
    };
    let (old, new) = (old.trimmed(), new.trimmed());
    if old == new {
        return Multiple::Same;
    }
    if new.is_multiple_of(&old) {
        return Multiple::Expanded;
    }
    if old.is_multiple_of(&new) { Multiple::Reduced } else { Multiple::Other }
}

/// `digits` × 10^−`scale`, without leading zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Decimal {
    negative: bool,
    digits: String,
    scale: i64,
}

impl Decimal {
    fn parse(text: &str) -> Option<Self> {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all: String = [whole, fraction].concat();
        if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        // Java keeps the scale in 32 bits.
        let exponent = i64::from(exponent.parse::<i32>().ok()?);
        let digits = all.trim_start_matches('0');
        let digits = if digits.is_empty() { "0" } else { digits };
        let scale = i64::try_from(fraction.len()).ok()? - exponent;
        Some(Self { negative: negative && digits != "0", digits: digits.to_owned(), scale })
    }

    /// `BigDecimal.toString`.
    fn to_java(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        let digits = &self.digits;
        let count = i64::try_from(digits.len()).unwrap_or(i64::MAX);
        if self.scale == 0 {
            return format!("{sign}{digits}");
        }
        let exponent = count - 1 - self.scale;
        if self.scale < 0 || exponent < -6 {
            let (first, rest) = digits.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            return format!("{sign}{first}{point}{rest}E{exponent:+}");
        }
        let scale = usize::try_from(self.scale).unwrap_or(0);
        let padded = format!("{digits:0>width$}", width = scale + 1);
        let (whole, fraction) = padded.split_at(padded.len() - scale);
        format!("{sign}{whole}.{fraction}")
    }

    /// The same number without trailing zeros.
    fn trimmed(&self) -> Self {
        if self.digits == "0" {
            return Self { negative: false, digits: "0".to_owned(), scale: 0 };
        }
        let digits = self.digits.trim_end_matches('0');
        let zeros = i64::try_from(self.digits.len() - digits.len()).unwrap_or(0);
        Self { negative: self.negative, digits: digits.to_owned(), scale: self.scale - zeros }
    }

    /// Whether this is a multiple of `divisor`; both are trimmed. Nothing is a multiple of zero.
    fn is_multiple_of(&self, divisor: &Self) -> bool {
        if divisor.digits == "0" {
            return false;
        }
        if self.digits == "0" {
            return true;
        }
        // The divisor would end in zeros that this one does not have.
        let Ok(zeros) = u64::try_from(divisor.scale - self.scale) else {
            return false;
        };
        let divisor = limbs(&divisor.digits);
        let zeros = usize::try_from(zeros.min(ENOUGH_ZEROS)).unwrap_or(0);
        let digits = self.digits.bytes().chain(std::iter::repeat_n(b'0', zeros));
        let rest = digits.fold(Vec::new(), |rest, digit| next_rest(rest, u64::from(digit - b'0'), &divisor));
        rest.iter().all(|limb| *limb == 0)
    }
}

/// The limbs of a number, the least first.
fn limbs(digits: &str) -> Vec<u64> {
    digits.bytes().fold(Vec::new(), |limbs, digit| times_ten_plus(limbs, u64::from(digit - b'0')))
}

fn times_ten_plus(mut limbs: Vec<u64>, digit: u64) -> Vec<u64> {
    let mut carry = digit;
    for limb in &mut limbs {
        let value = *limb * 10 + carry;
        *limb = value % BASE;
        carry = value / BASE;
    }
    if carry > 0 {
        limbs.push(carry);
    }
    limbs
}

/// The remainder after one more digit of a long division.
fn next_rest(rest: Vec<u64>, digit: u64, divisor: &[u64]) -> Vec<u64> {
    let mut rest = times_ten_plus(rest, digit);
    while compare(&rest, divisor) != Ordering::Less {
        subtract(&mut rest, divisor);
    }
    rest
}

fn compare(left: &[u64], right: &[u64]) -> Ordering {
    left.len().cmp(&right.len()).then_with(|| left.iter().rev().cmp(right.iter().rev()))
}

/// Subtracts what is not greater.
fn subtract(from: &mut Vec<u64>, what: &[u64]) {
    let mut borrow = 0;
    for (index, limb) in from.iter_mut().enumerate() {
        let minus = what.get(index).copied().unwrap_or(0) + borrow;
        borrow = u64::from(*limb < minus);
        *limb = *limb + borrow * BASE - minus;
    }
    while from.last() == Some(&0) {
        from.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_texts() {
        for (text, expected) in [
            ("10", "10"),
            ("-0", "0"),
            ("-7", "-7"),
            ("10.0", "10.0"),
            ("100.00", "100.00"),
            ("1e5", "1E+5"),
            ("1.5e3", "1.5E+3"),
            ("1.0e2", "1.0E+2"),
            ("-12.5e-1", "-1.25"),
            ("1e-5", "0.00001"),
            ("0.000001", "0.000001"),
            ("0.0000001", "1E-7"),
            ("123e-9", "1.23E-7"),
            ("5e0", "5"),
            ("0e10", "0E+10"),
            ("-0.0", "0.0"),
            ("0.00", "0.00"),
            ("00.5", "0.5"),
            ("1e99999999999", "1e99999999999"),
            ("NaN", "NaN"),
        ] {
            assert_eq!(&*stored(text), expected, "{text}");
        }
    }

    #[test]
    fn integers_in_java() {
        for (text, value) in [
            ("7", 7),
            ("-7", -7),
            ("1.9", 1),
            ("0.5", 0),
            ("1e3", 1000),
            ("3000000000", -1_294_967_296),
            ("-2147483648", -2_147_483_648),
            ("2147483648", -2_147_483_648),
            ("4294967296", 0),
            ("1e2000000000", 0),
        ] {
            assert_eq!(int_value(text), value, "{text}");
        }
        assert_eq!(as_int("2147483647"), Some(2_147_483_647));
        assert_eq!([as_int("2147483648"), as_int("1.0"), as_int("")], [None, None, None]);
    }

    #[test]
    fn multiples() {
        for (old, new, expected) in [
            ("1", "1.00", Multiple::Same),
            ("0.10", "1e-1", Multiple::Same),
            ("0", "0.0", Multiple::Same),
            ("0.5", "10", Multiple::Expanded),
            ("10", "0.5", Multiple::Reduced),
            ("3", "7", Multiple::Other),
            ("-2", "4", Multiple::Expanded),
            ("0.7", "2.1", Multiple::Expanded),
            ("0.3", "1", Multiple::Other),
            ("0", "5", Multiple::Reduced),
            ("5", "0", Multiple::Expanded),
            ("7", "1e999999999", Multiple::Other),
            ("1024", "1e999999999", Multiple::Expanded),
            ("1e999999999", "7", Multiple::Other),
            ("123456789012345678901", "246913578024691357802", Multiple::Expanded),
            ("999999999999999999999", "1999999999999999999998", Multiple::Expanded),
            ("999999999999999999998", "1999999999999999999998", Multiple::Other),
        ] {
            assert_eq!(compare_multiples(old, new), expected, "{old} {new}");
        }
    }
}
