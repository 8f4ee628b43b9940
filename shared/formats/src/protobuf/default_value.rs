//! Whether the default of a field is a value of its type, as Java's runtime reads it.

/// Checks a default of a scalar type.
///
/// # Errors
/// What the runtime says.
pub(super) fn check(scalar: &str, default: &str) -> Result<(), String> {
    let fits = match scalar {
        "int32" | "sint32" | "sfixed32" => integer(default, i128::from(i32::MIN), i128::from(i32::MAX)),
        "uint32" | "fixed32" => integer(default, 0, i128::from(u32::MAX)),
        "int64" | "sint64" | "sfixed64" => integer(default, i128::from(i64::MIN), i128::from(i64::MAX)),
        "uint64" | "fixed64" => integer(default, 0, i128::from(u64::MAX)),
        "float" | "double" => floating(default),
        "bytes" if has_bad_escape(default) => {
            return Err(format!("Couldn't parse default value: invalid escape in \"{default}\""));
        }
        _ => true,
    };
    if fits { Ok(()) } else { Err(format!("Could not parse default value: \"{default}\"")) }
}

/// Decimal, octal with a leading zero, or hexadecimal.
fn integer(text: &str, least: i128, most: i128) -> bool {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let (digits, radix) = match (digits.strip_prefix("0x"), digits.strip_prefix('0')) {
        (Some(digits), _) => (digits, 16),
        (None, Some(_)) => (digits, 8),
        (None, None) => (digits, 10),
    };
    let plain = !digits.starts_with(['+', '-']);
    let value = i128::from_str_radix(digits, radix).ok().filter(|_| plain);
    value.map(|value| if negative { -value } else { value }).is_some_and(|value| (least..=most).contains(&value))
}

fn floating(text: &str) -> bool {
    if matches!(text, "inf" | "-inf" | "nan") {
        return true;
    }
    let text = text.trim();
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, "NaN" | "Infinity") {
        return true;
    }
    let digits = unsigned.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(unsigned);
    digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') && digits.parse::<f64>().is_ok()
}

fn has_bad_escape(text: &str) -> bool {
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\\' {
            continue;
        }
        match characters.next() {
            Some('0'..='7' | 'a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | '\\' | '\'' | '"' | '?') => {}
            Some('x') if characters.peek().is_some_and(char::is_ascii_hexdigit) => {}
            _ => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults() {
        for (scalar, default, fits) in [
            ("int32", "5", true),
            ("int32", "-5", true),
            ("int32", "0x7fffffff", true),
            ("int32", "0x80000000", false),
            ("int32", "010", true),
            ("int32", "08", false),
            ("int32", "1.5", false),
            ("int32", "", false),
            ("int32", "--1", false),
            ("uint32", "-1", false),
            ("uint64", "18446744073709551615", true),
            ("uint64", "18446744073709551616", false),
            ("int64", "-9223372036854775808", true),
            ("float", "inf", true),
            ("double", "-inf", true),
            ("double", "1.5e3", true),
            ("double", "1.5f", true),
            ("double", "NaN", true),
            ("double", "x", false),
            ("bool", "anything", true),
            ("string", "anything", true),
            ("bytes", "\\001\\x1f\\n", true),
            ("bytes", "\\q", false),
            ("bytes", "\\", false),
        ] {
            assert_eq!(check(scalar, default).is_ok(), fits, "{scalar} {default}");
        }
    }
}
