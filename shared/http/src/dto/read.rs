//! Reading request bodies as a Java mapper does (rest-api.md §1.4).

use registrar_formats::json_text::{Dialect, Json, Kind, Value};
use registrar_model::{JavaString, Update};
use std::collections::{BTreeMap, BTreeSet};

/// Why a body of well-formed JSON is not what it should be, in words for the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mismatch(pub(crate) String);

type Read<T> = Result<T, Mismatch>;

/// What a body is before anyone asks for its members.
#[derive(Debug)]
pub(crate) enum Body {
    /// Empty, blank or `null`.
    Missing,
    /// One JSON value.
    Present(Json),
}

/// Parses a body. The error is the parser's message without the place.
pub(crate) fn parse(bytes: &[u8]) -> Read<Body> {
    let text = std::str::from_utf8(bytes).map_err(|_| Mismatch("Invalid UTF-8 in the request body".to_owned()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Ok(Body::Missing);
    }
    let dialect = Dialect { non_finite: true, ..Dialect::default() };
    let json = Json::parse(text, dialect).map_err(|error| Mismatch(error.what().to_owned()))?;
    Ok(if json.root().kind() == Kind::Null { Body::Missing } else { Body::Present(json) })
}

/// The members of an object; those nobody asks for do not count.
#[derive(Clone, Copy)]
pub(crate) struct Members<'a>(Value<'a>);

impl<'a> Members<'a> {
    /// `what` names the type in the message.
    pub(crate) fn of(value: Value<'a>, what: &str) -> Read<Self> {
        if value.kind() == Kind::Object { Ok(Self(value)) } else { Err(mismatch(what, value)) }
    }

    /// A member, absent and null being one.
    pub(crate) fn get<T>(self, name: &str, read: impl FnOnce(Value<'a>) -> Read<Option<T>>) -> Read<Option<T>> {
        let Some(value) = self.0.get(name).filter(|value| value.kind() != Kind::Null) else { return Ok(None) };
        read(value).map_err(|Mismatch(message)| Mismatch(format!("{message} in member \"{name}\"")))
    }

    /// A member whose absence and whose null mean different things.
    pub(crate) fn update<T>(self, name: &str, read: impl FnOnce(Value<'a>) -> Read<Option<T>>) -> Read<Update<T>> {
        if self.0.get(name).is_none() {
            return Ok(Update::Keep);
        }
        Ok(self.get(name, read)?.map_or(Update::Clear, Update::Set))
    }
}

/// Text; numbers and booleans count as their JSON text.
pub(crate) fn string(value: Value<'_>) -> Read<Option<String>> {
    match value.kind() {
        Kind::Null => Ok(None),
        Kind::String => Ok(value.as_str().map(str::to_owned)),
        Kind::Number => Ok(value.as_number().map(str::to_owned)),
        Kind::Bool => Ok(value.as_bool().map(|value| value.to_string())),
        Kind::Array | Kind::Object => Err(mismatch("String", value)),
    }
}

/// A whole number of 32 bits; text that is one counts, blank text is null, fractions are cut off.
pub(crate) fn integer(value: Value<'_>) -> Read<Option<i32>> {
    match value.kind() {
        Kind::Null => Ok(None),
        Kind::Number => truncated(value.as_number().unwrap_or_default()).map(Some),
        Kind::String => match value.as_str().unwrap_or_default().trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| not_valid("Integer", text, "not a valid `Integer` value")),
        },
        Kind::Bool | Kind::Array | Kind::Object => Err(mismatch("Integer", value)),
    }
}

/// The number without its fraction.
fn truncated(text: &str) -> Read<i32> {
    if let Ok(number) = text.parse() {
        return Ok(number);
    }
    let out_of_range = || Mismatch(format!("Numeric value ({text}) out of range of int ({} - {})", i32::MIN, i32::MAX));
    let number = text.parse::<f64>().map_err(|_| out_of_range())?.trunc();
    if !(f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&number) {
        return Err(out_of_range());
    }
    // Within the range of i32 and whole, so its decimal text is one.
    format!("{number:.0}").parse().map_err(|_| out_of_range())
}

/// A boolean; whole numbers are true unless 0, and so is the text `true`, blank text is null.
pub(crate) fn boolean(value: Value<'_>) -> Read<Option<bool>> {
    match value.kind() {
        Kind::Null => Ok(None),
        Kind::Bool => Ok(value.as_bool()),
        Kind::Number => match value.as_number().unwrap_or_default().parse::<i64>() {
            Ok(number) => Ok(Some(number != 0)),
            Err(_) => Err(mismatch("Boolean", value)),
        },
        Kind::String => match value.as_str().unwrap_or_default().trim() {
            "" => Ok(None),
            "true" | "True" | "TRUE" => Ok(Some(true)),
            "false" | "False" | "FALSE" => Ok(Some(false)),
            text => Err(not_valid("Boolean", text, "only \"true\" or \"false\" recognized")),
        },
        Kind::Array | Kind::Object => Err(mismatch("Boolean", value)),
    }
}

/// A constant by its exact name, or by its place among `constants`.
pub(crate) fn constant<T: Copy>(value: Value<'_>, what: &str, constants: &[(&str, T)]) -> Read<Option<T>> {
    let names = || constants.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    match value.kind() {
        Kind::Null => Ok(None),
        Kind::String => {
            let text = value.as_str().unwrap_or_default();
            let found = constants.iter().find(|(name, _)| *name == text.trim()).map(|(_, constant)| *constant);
            let why =
                || not_valid(what, text, &format!("not one of the values accepted for Enum class: [{}]", names()));
            found.map(Some).ok_or_else(why)
        }
        Kind::Number => {
            let text = value.as_number().unwrap_or_default();
            let found =
                text.parse::<usize>().ok().and_then(|place| constants.get(place)).map(|(_, constant)| *constant);
            let why = || {
                Mismatch(format!(
                    "Cannot deserialize value of type `{what}` from number {text}: index value outside legal index \
                     range [0..{}]",
                    constants.len().saturating_sub(1)
                ))
            };
            found.map(Some).ok_or_else(why)
        }
        Kind::Bool | Kind::Array | Kind::Object => Err(mismatch(what, value)),
    }
}

/// The items of an array, nulls included as far as `read` knows them.
pub(crate) fn list<'a, T>(value: Value<'a>, read: impl Fn(Value<'a>) -> Read<Option<T>>) -> Read<Option<Vec<T>>> {
    if value.kind() != Kind::Array {
        return Err(mismatch("ArrayList", value));
    }
    let items: Vec<Option<T>> = value.items().map(read).collect::<Read<_>>()?;
    Ok(Some(items.into_iter().flatten().collect()))
}

/// A sorted set of texts; nulls are left out.
pub(crate) fn set(value: Value<'_>) -> Read<Option<BTreeSet<JavaString>>> {
    Ok(list(value, string)?.map(|items| items.into_iter().map(JavaString::from).collect()))
}

/// A sorted map; entries whose value is null are left out.
pub(crate) fn map<'a, T>(
    value: Value<'a>,
    read: impl Fn(Value<'a>) -> Read<Option<T>>,
) -> Read<Option<BTreeMap<JavaString, T>>> {
    if value.kind() != Kind::Object {
        return Err(mismatch("Map", value));
    }
    let mut entries = BTreeMap::new();
    for (key, value) in value.members().filter(|(_, value)| value.kind() != Kind::Null) {
        if let Some(value) = read(value)? {
            entries.insert(JavaString::from(key), value);
        }
    }
    Ok(Some(entries))
}

fn not_valid(what: &str, text: &str, why: &str) -> Mismatch {
    Mismatch(format!("Cannot deserialize value of type `{what}` from String \"{text}\": {why}"))
}

fn mismatch(what: &str, value: Value<'_>) -> Mismatch {
    let (shape, token) = match value.kind() {
        Kind::Null => ("Null", "VALUE_NULL"),
        Kind::Bool if value.as_bool() == Some(true) => ("Boolean", "VALUE_TRUE"),
        Kind::Bool => ("Boolean", "VALUE_FALSE"),
        Kind::Number if value.as_number().is_some_and(|text| text.parse::<i64>().is_ok()) => {
            ("Integer", "VALUE_NUMBER_INT")
        }
        Kind::Number => ("Floating-point", "VALUE_NUMBER_FLOAT"),
        Kind::String => ("String", "VALUE_STRING"),
        Kind::Array => ("Array", "START_ARRAY"),
        Kind::Object => ("Object", "START_OBJECT"),
    };
    Mismatch(format!("Cannot deserialize value of type `{what}` from {shape} value (token `JsonToken.{token}`)"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Debug;

    #[track_caller]
    fn check<T: Debug + PartialEq>(
        read: impl Fn(Value<'_>) -> Read<Option<T>>,
        cases: &[(&str, Result<Option<T>, &str>)],
    ) {
        for (text, expected) in cases {
            let body = parse(format!("{{\"v\":{text}}}").as_bytes()).unwrap();
            let Body::Present(json) = body else { panic!("no body") };
            let members = Members::of(json.root(), "Test").unwrap();
            match (members.get("v", &read), expected) {
                (Ok(value), Ok(expected)) => assert_eq!(&value, expected, "{text}"),
                (Err(Mismatch(message)), Err(part)) => assert!(message.contains(part), "{text}: {message}"),
                (outcome, expected) => panic!("{text}: {outcome:?} instead of {expected:?}"),
            }
        }
    }

    #[test]
    fn strings() {
        let some = |text: &str| Ok(Some(text.to_owned()));
        check(
            string,
            &[
                ("\"x\"", some("x")),
                ("\"\"", some("")),
                ("1.10", some("1.10")),
                ("123456789012345678901", some("123456789012345678901")),
                ("NaN", some("NaN")),
                ("true", some("true")),
                ("null", Ok(None)),
                ("{}", Err("type `String` from Object value (token `JsonToken.START_OBJECT`) in member \"v\"")),
                ("[\"x\"]", Err("from Array value")),
            ],
        );
    }

    #[test]
    fn integers() {
        check(
            integer,
            &[
                ("1", Ok(Some(1))),
                ("-1", Ok(Some(-1))),
                ("\"1\"", Ok(Some(1))),
                ("\" 7 \"", Ok(Some(7))),
                ("\"\"", Ok(None)),
                ("1.0", Ok(Some(1))),
                ("1.7", Ok(Some(1))),
                ("-1.7", Ok(Some(-1))),
                ("1e3", Ok(Some(1000))),
                ("-0.5", Ok(Some(0))),
                ("2147483647", Ok(Some(i32::MAX))),
                ("null", Ok(None)),
                ("2147483648", Err("out of range of int")),
                ("1e99", Err("out of range of int")),
                ("NaN", Err("out of range of int")),
                ("\"x\"", Err("from String \"x\": not a valid `Integer` value")),
                ("\"1.7\"", Err("not a valid")),
                ("true", Err("from Boolean value (token `JsonToken.VALUE_TRUE`)")),
                ("[]", Err("from Array value")),
            ],
        );
    }

    #[test]
    fn booleans() {
        check(
            boolean,
            &[
                ("true", Ok(Some(true))),
                ("\"True\"", Ok(Some(true))),
                ("\"false\"", Ok(Some(false))),
                ("0", Ok(Some(false))),
                ("2", Ok(Some(true))),
                ("\"\"", Ok(None)),
                ("null", Ok(None)),
                ("\"yes\"", Err("only \"true\" or \"false\" recognized")),
                ("1.5", Err("from Floating-point value")),
                ("{}", Err("from Object value")),
            ],
        );
    }

    #[test]
    fn constants() {
        let read = |value: Value<'_>| constant(value, "Kind", &[("A", 'a'), ("B", 'b')]);
        check(
            read,
            &[
                ("\"A\"", Ok(Some('a'))),
                ("1", Ok(Some('b'))),
                ("null", Ok(None)),
                ("\"a\"", Err("not one of the values accepted for Enum class: [A, B]")),
                ("\"\"", Err("not one of the values")),
                ("2", Err("outside legal index range [0..1]")),
                ("[]", Err("type `Kind` from Array value")),
            ],
        );
    }

    #[test]
    fn collections() {
        let texts = |items: &[&str]| Ok(Some(items.iter().map(|&item| JavaString::from(item)).collect()));
        check(
            set,
            &[
                ("[\"b\",\"a\",\"b\",null,1]", texts(&["1", "a", "b"])),
                ("null", Ok(None)),
                ("\"a\"", Err("type `ArrayList` from String value")),
                ("[[]]", Err("from Array value")),
            ],
        );
        check(
            |value| map(value, string),
            &[
                ("{\"a\":1,\"b\":null}", Ok(Some([("a".into(), "1".to_owned())].into()))),
                ("[]", Err("type `Map` from Array value")),
            ],
        );
    }

    #[test]
    fn updates_tell_absent_from_null() {
        let body = parse(b"{\"a\":null,\"b\":true,\"a2\":\"\"}").unwrap();
        let Body::Present(json) = body else { panic!("no body") };
        let members = Members::of(json.root(), "Test").unwrap();
        assert_eq!(members.update("none", boolean), Ok(Update::Keep));
        assert_eq!(members.update("a", boolean), Ok(Update::Clear));
        assert_eq!(members.update("a2", boolean), Ok(Update::Clear));
        assert_eq!(members.update("b", boolean), Ok(Update::Set(true)));
    }

    #[test]
    fn bodies_that_are_missing_or_malformed() {
        for missing in ["", " \n", "null", "\u{feff}"] {
            assert!(matches!(parse(missing.as_bytes()), Ok(Body::Missing)), "{missing:?}");
        }
        let deep = "[".repeat(1_000_000);
        for malformed in ["{", "{\"a\":}", "{'a':1}", "tru", "{} x", "{\"a\":\"\\ud800\"}", &deep] {
            assert!(parse(malformed.as_bytes()).is_err(), "{}", &malformed[..malformed.len().min(20)]);
        }
        assert!(parse(b"\"\xff\"").is_err());
        let last_wins = parse(b"{\"v\":1,\"v\":2}").unwrap();
        let Body::Present(json) = last_wins else { panic!("no body") };
        assert_eq!(Members::of(json.root(), "Test").unwrap().get("v", integer), Ok(Some(2)));
        assert_eq!(
            parse(b"[1]").map(|body| match body {
                Body::Present(json) => Members::of(json.root(), "SchemaRequest").err(),
                Body::Missing => None,
            }),
            Ok(Some(Mismatch(
                "Cannot deserialize value of type `SchemaRequest` from Array value (token `JsonToken.START_ARRAY`)"
                    .into()
            )))
        );
    }
}
