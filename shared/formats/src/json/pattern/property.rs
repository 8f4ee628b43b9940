//! What stands in `\p{…}`.

use regex_syntax::hir::{Class, ClassUnicode, HirKind};

use super::class::{Named, Set};

/// The general categories by the only names Java has for them here.
const CATEGORIES: &str = " Cn Lu Ll Lt Lm Lo Mn Me Mc Nd Nl No Zs Zl Zp Cc Cf Co Cs Pd Ps Pe Pc Po Sm Sc Sk So Pi Pf L M \
    N Z C P S ";

/// Properties behind `Is`, as Java and Unicode call them.
const BINARY: [(&str, &str); 20] = [
    ("ALPHABETIC", "Alphabetic"),
    ("LETTER", "L"),
    ("IDEOGRAPHIC", "Ideographic"),
    ("LOWERCASE", "Lowercase"),
    ("UPPERCASE", "Uppercase"),
    ("TITLECASE", "Lt"),
    ("WHITE_SPACE", "White_Space"),
    ("WHITESPACE", "White_Space"),
    ("CONTROL", "Cc"),
    ("PUNCTUATION", "P"),
    ("HEX_DIGIT", "Hex_Digit"),
    ("HEXDIGIT", "Hex_Digit"),
    ("ASSIGNED", "Assigned"),
    ("NONCHARACTER_CODE_POINT", "Noncharacter_Code_Point"),
    ("NONCHARACTERCODEPOINT", "Noncharacter_Code_Point"),
    ("DIGIT", "Nd"),
    ("JOIN_CONTROL", "Join_Control"),
    ("JOINCONTROL", "Join_Control"),
    ("EMOJI", "Emoji"),
    ("EMOJI_PRESENTATION", "Emoji_Presentation"),
];

/// The set a property names.
pub(super) fn find(name: &str) -> Result<Set, String> {
    if let Some((key, value)) = name.split_once('=') {
        let found = match key.to_ascii_lowercase().as_str() {
            "sc" | "script" => script(value),
            "gc" | "general_category" => category(value),
            "blk" | "block" => Some(Set::Nothing),
            _ => None,
        };
        return found.ok_or_else(|| format!("Unknown Unicode property {{name=<{key}>, value=<{value}>}}"));
    }
    if name.strip_prefix("In").is_some_and(|block| !block.is_empty()) {
        return Ok(Set::Nothing);
    }
    let unknown = || format!("Unknown character property name {{{name}}}");
    if let Some(property) = name.strip_prefix("Is") {
        return behind_is(property).ok_or_else(unknown);
    }
    category(name).or_else(|| posix(name)).or_else(|| java(name)).ok_or_else(unknown)
}

fn behind_is(name: &str) -> Option<Set> {
    let upper = name.to_ascii_uppercase();
    if let Some((_, unicode_name)) = BINARY.iter().find(|(java_name, _)| *java_name == upper) {
        return Some(unicode(unicode_name));
    }
    match upper.as_str() {
        "ALNUM" => Some(any(&["Alphabetic", "Nd"])),
        "BLANK" => Some(Set::Any(vec![unicode("Zs"), Set::Range('\t', '\t')])),
        "GRAPH" => Some(any(&["White_Space", "Cc", "Cn"]).not()),
        "PRINT" => Some(any(&["Cc", "Cn"]).not()),
        "WORD" => Some(any(&["Alphabetic", "M", "Nd", "Pc", "Join_Control"])),
        _ => category(name).or_else(|| script(name)),
    }
}

fn category(name: &str) -> Option<Set> {
    match name {
        "LC" => Some(any(&["Lu", "Ll", "Lt"])),
        "LD" => Some(any(&["L", "Nd"])),
        "L1" => Some(Set::Range('\0', '\u{ff}')),
        "all" => Some(Set::Named(Named::Everything)),
        // There are no lone surrogates in Rust's strings.
        "Cs" => Some(Set::Nothing),
        _ if !name.contains(' ') && CATEGORIES.contains(&format!(" {name} ")) => Some(unicode(name)),
        _ => None,
    }
}

/// The classes of POSIX, which are of ASCII.
fn posix(name: &str) -> Option<Set> {
    let either = |ranges: &[(char, char)]| Set::Any(ranges.iter().map(|(a, b)| Set::Range(*a, *b)).collect());
    Some(match name {
        "ASCII" => Set::Range('\0', '\u{7f}'),
        "Alnum" => either(&[('a', 'z'), ('A', 'Z'), ('0', '9')]),
        "Alpha" => either(&[('a', 'z'), ('A', 'Z')]),
        "Blank" => either(&[(' ', ' '), ('\t', '\t')]),
        "Cntrl" => either(&[('\0', '\u{1f}'), ('\u{7f}', '\u{7f}')]),
        "Digit" => Set::Range('0', '9'),
        "Graph" => Set::Range('!', '~'),
        "Lower" => Set::Range('a', 'z'),
        "Print" => Set::Range(' ', '~'),
        "Punct" => Set::Named(Named::Punctuation),
        "Space" => Set::Named(Named::Space),
        "Upper" => Set::Range('A', 'Z'),
        "XDigit" => either(&[('0', '9'), ('a', 'f'), ('A', 'F')]),
        _ => return None,
    })
}

/// The classes that go by the methods of `java.lang.Character`.
fn java(name: &str) -> Option<Set> {
    let set = match name.strip_prefix("java")? {
        "LowerCase" => Set::Named(Named::Lowercase),
        "UpperCase" => Set::Named(Named::Uppercase),
        "Alphabetic" => Set::Named(Named::Alphabetic),
        "Ideographic" => any(&["Ideographic"]),
        "TitleCase" => any(&["Lt"]),
        "Digit" => any(&["Nd"]),
        "Defined" => any(&["Cn"]).not(),
        "Letter" => any(&["L"]),
        "LetterOrDigit" => any(&["L", "Nd"]),
        "JavaIdentifierStart" => any(&["L", "Nl", "Sc", "Pc"]),
        "JavaIdentifierPart" => any(&["L", "Nl", "Sc", "Pc", "Nd", "Mc", "Mn", "Cf"]),
        "UnicodeIdentifierStart" => any(&["L", "Nl"]),
        "UnicodeIdentifierPart" => any(&["L", "Nl", "Pc", "Nd", "Mc", "Mn", "Cf"]),
        "IdentifierIgnorable" => any(&["Cf"]),
        "SpaceChar" => any(&["Z"]),
        "Whitespace" => {
            let breaking = Set::Any(vec![
                Set::Range('\u{a0}', '\u{a0}'),
                Set::Range('\u{2007}', '\u{2007}'),
                Set::Range('\u{202f}', '\u{202f}'),
            ]);
            let spaces = Set::Both(Box::new(any(&["Z"])), Box::new(breaking.not()));
            Set::Any(vec![spaces, Set::Range('\t', '\r'), Set::Range('\u{1c}', '\u{1f}')])
        }
        "ISOControl" => any(&["Cc"]),
        "Mirrored" => any(&["Ps", "Pe", "Pi", "Pf"]),
        _ => return None,
    };
    Some(set)
}

/// What is in any of some sets of Unicode.
fn any(names: &[&str]) -> Set {
    Set::Any(names.iter().map(|name| unicode(name)).collect())
}

/// A set by a name in Unicode that is known to be one.
fn unicode(name: &str) -> Set {
    Set::Unicode(name.into())
}

/// The characters of a script.
fn script(name: &str) -> Option<Set> {
    let name = format!("Script={name}");
    class(&name).map(|_| unicode(&name))
}

/// The ranges of a property by its name in Unicode.
pub(super) fn ranges(name: &str) -> Vec<(char, char)> {
    let class = class(name);
    class.iter().flat_map(ClassUnicode::ranges).map(|range| (range.start(), range.end())).collect()
}

fn class(name: &str) -> Option<ClassUnicode> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '=' | ' ' | '-');
    if !name.chars().all(plain) {
        return None;
    }
    let hir = regex_syntax::parse(&format!("\\p{{{name}}}")).ok()?;
    match hir.into_kind() {
        HirKind::Class(Class::Unicode(class)) => Some(class),
        _ => None,
    }
}
