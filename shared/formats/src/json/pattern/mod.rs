//! Regular expressions as `java.util.regex` reads them: which are refused, and whether a name contains a match.
//!
//! What Java reads and other engines do not (`a++`, `(?i)`, `\Z`, `]`) is accepted, and the other way round. A match is
//! looked for in at most [`MAX_STEPS`] steps; a name that needs more counts as one that does not match. Names of
//! Unicode blocks (`\p{InGreek}`) are not checked and match nothing, and neither does `\N{name}`.

mod ast;
mod class;
mod escape;
mod matcher;
mod parser;
mod program;
mod property;

pub(super) use program::Pattern;

/// How many steps looking for one match takes at most.
const MAX_STEPS: usize = 50_000;

/// How deeply groups and classes may nest.
const MAX_NESTING: usize = 100;

/// Checks that Java could read a regular expression; if not, says why.
pub(super) fn check(text: &str) -> Result<(), String> {
    parser::parse(text).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted() {
        for text in [
            "",
            "a++b*?c{2}+d{2,}e{2,3}?",
            "{2}a{2}{3}",
            "]}-,",
            "[]a]",
            "[^]a]",
            "[a-z&&[^aeiou]]",
            "[a-z&&]",
            "[a-]",
            "[-a]",
            "[a-[b]]",
            "[&a&&b&]",
            "[\\d\\-\\]\\p{L}]",
            "\\Q[\\E\\Q*",
            "(?i)a(?-i)b(?x: a # c\n)(?dmsuxU-i)",
            "(?<name>a)\\k<name>",
            "(a)\\1\\12",
            "\\1",
            "(?=a)(?!b)(?<=a|bc)(?<!a{1,3})(?>a)",
            "^*\\b*(?=a)*",
            "\\07\\012\\0377\\x41\\x{1F600}\\u0041\\ud83d\\ude00\\cA\\e\\a\\f\\/\\_\\é",
            "\\A\\B\\G\\Z\\z\\R\\X\\h\\H\\v\\V\\b{g}",
            "\\p{Lu}\\PL\\p{Alpha}\\p{IsLatin}\\p{IsAlphabetic}\\p{InGreek}\\p{javaLowerCase}\\p{L1}\\p{sc=Han}",
            "\\p{gc=Lu}\\p{IsLu}\\p{all}\\p{blk=x}",
            "\\N{x}",
            "a|",
            "|",
            "()",
            "$^",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn refused() {
        for (text, expected) in [
            ("[", "Unclosed character class near index 0"),
            ("[]", "Unclosed character class"),
            ("[^]", "Unclosed character class"),
            ("[a", "Unclosed character class"),
            ("[&&]", "Bad class syntax"),
            ("[b-a]", "Illegal character range"),
            ("[a-\\d]", "Illegal character range"),
            ("[\\b]", "Illegal/unsupported escape sequence"),
            ("[\\1]", "Illegal/unsupported escape sequence"),
            ("(a", "Unclosed group"),
            ("a)", "Unmatched closing ')'"),
            ("*a", "Dangling meta character '*' near index 0"),
            ("a**", "Dangling meta character '*'"),
            ("a+++", "Dangling meta character '+'"),
            ("a|?", "Dangling meta character '?'"),
            ("{", "Illegal repetition"),
            ("a{b", "Illegal repetition"),
            ("a{,2}", "Illegal repetition"),
            ("a{2", "Unclosed counted closure"),
            ("a{3,2}", "Illegal repetition range"),
            ("a{99999999999}", "Illegal repetition range"),
            ("\\", "Unexpected internal error"),
            ("\\y", "Illegal/unsupported escape sequence near index 1"),
            ("\\E", "Illegal/unsupported escape sequence"),
            ("\\b{2}", "Illegal/unsupported escape sequence"),
            ("\\p{Letter}", "Unknown character property name {Letter}"),
            ("\\p{IsFoo}", "Unknown character property name {IsFoo}"),
            ("\\p{sc=Foo}", "Unknown Unicode property {name=<sc>, value=<Foo>}"),
            ("\\p{x=y}", "Unknown Unicode property"),
            ("\\p{}", "Empty character family"),
            ("\\p{L", "Unclosed character family"),
            ("\\pX", "Unknown character property name {X}"),
            ("\\0", "Illegal octal escape sequence"),
            ("\\08", "Illegal octal escape sequence"),
            ("\\x4", "Illegal hexadecimal escape sequence"),
            ("\\x{110000}", "Illegal hexadecimal escape sequence"),
            ("\\x{41", "Unclosed hexadecimal escape sequence"),
            ("\\u004", "Illegal Unicode escape sequence"),
            ("\\c", "Illegal control escape sequence"),
            ("\\k<a>", "named capturing group <a> does not exist"),
            ("\\ka", "\\k is not followed by '<'"),
            ("(?<1>a)", "capturing group name does not start with a Latin letter"),
            ("(?<a b>a)", "named capturing group is missing trailing '>'"),
            ("(?<a>a)(?<a>b)", "Named capturing group <a> is already defined"),
            ("(?P<a>a)", "Unknown inline modifier"),
            ("(?", "Unknown inline modifier"),
            ("(?<=a*)", "Look-behind group does not have an obvious maximum length"),
            ("(?<!(a)\\1)", "Look-behind group does not have an obvious maximum length"),
            ("\\N", "Illegal character name escape sequence"),
        ] {
            let what = check(text).err().unwrap_or_else(|| panic!("{text} is accepted"));
            assert!(what.starts_with(expected), "{text}: {what}");
        }
    }

    #[test]
    fn found() {
        for (text, yes, no) in [
            ("", "", "\u{0}none"),
            ("b", "abc", "ac"),
            ("^a.c$", "abc", "xabc"),
            ("^a.c$", "abc\n", "a\nc"),
            ("^(?s)a.c$", "a\nc", "ac"),
            ("(?m)^b$", "a\nb\nc", "ab"),
            ("a\\z", "ba", "a\n"),
            ("^a*b+c?$", "bb", "ac"),
            ("^a{2,3}$", "aaa", "aaaa"),
            ("^(ab){2}$", "abab", "ab"),
            ("^(?:a|b)*?c$", "ababc", "abab"),
            ("^(a|ab)(c|bcd)(d*)$", "abcd", "abc d"),
            ("^a++b", "aab", "aac"),
            ("^a*+ab", "\u{0}none", "aab"),
            ("^(?>a|ab)c", "ac", "abc"),
            ("^(a+)\\1$", "aaaa", "aaa"),
            ("(?i)^(É)\\1$", "ÉÉ", "éÉ"),
            ("(?iu)^(É)\\1$", "éÉ", "éE"),
            ("(?i)^straSSe$", "STRAsse", "straße"),
            ("^(?<n>ab)\\k<n>$", "abab", "abba"),
            ("^(?=.*\\d)[a-z\\d]+$", "a1", "ab"),
            ("^(?!x)", "a", "xa"),
            ("(?<=a|bc)d", "bcd", "bd"),
            ("(?<!a)b", "cb", "ab"),
            ("(?<=^a{1,2})b", "aab", "aaab"),
            ("^[a-z&&[^aeiou]]+$", "xyz", "xaz"),
            ("^[^a-c\\d]$", "d", "1"),
            ("^\\p{L}+$", "éß中", "a1"),
            ("^\\P{Lu}$", "a", "A"),
            ("^\\p{IsHan}\\p{IsGreek}\\p{Alpha}$", "中αa", "中aa"),
            ("^\\p{javaWhitespace}\\p{Punct}\\p{XDigit}$", "\t!F", "\u{a0}!F"),
            ("^\\w\\W\\s\\S\\h\\v$", "a- b\t\n", "--abcd"),
            ("\\bcat\\b", "a cat!", "concat"),
            ("\\Bcat", "concat", "cat"),
            ("^\\Q.*\\E$", ".*", "ab"),
            ("^(?x) a b # c\n c$", "abc", "a b"),
            ("^\\x41\\u0042\\0103\\cA$", "ABC\u{1}", "ABC"),
            ("^.$", "😀", "ab"),
            ("^\\ud83d\\ude00$", "😀", "x"),
            ("a\\Rb", "a\r\nb", "ab"),
            ("^(a*)*$", "aaa", "ab"),
            ("^(a?){3}$", "aa", "aaaa"),
            ("^(?:(a)|b)*\\1$", "aba", "b"),
            ("^(?:a|(?:b|c){2})+?d$", "abcad", "abad"),
        ] {
            let pattern = Pattern::compile(text).unwrap_or_else(|what| panic!("{text}: {what}"));
            assert!(yes == "\u{0}none" || pattern.finds(yes).0, "{text} is not found in {yes}");
            assert!(no == "\u{0}none" || !pattern.finds(no).0, "{text} is found in {no}");
        }
    }

    #[test]
    fn what_takes_too_long_is_not_found() {
        let long = "a".repeat(100);
        for text in ["^(a+)+$", "^(a|aa)+$", "^(.*)(.*)(.*)(.*)(.*)(.*)b$", "^((a?){50}){50}{50}b"] {
            let (found, steps) = Pattern::compile(text).map_or((true, 0), |pattern| pattern.finds(&format!("{long}c")));
            assert!(!found && steps < 2 * MAX_STEPS, "{text}: {steps}");
        }
    }

    #[test]
    fn as_deep_as_allowed() {
        for (open, close) in [("(", ")"), ("[a", "]"), ("(?=", ")"), ("(?<=", ")"), ("(?:a|", ")*")] {
            let nested = |levels: usize| format!("{}b{}", open.repeat(levels), close.repeat(levels));
            let pattern = Pattern::compile(&nested(MAX_NESTING)).unwrap_or_else(|what| panic!("{what}"));
            assert!(pattern.finds("aab").1 <= MAX_STEPS * 2);
            let what = check(&nested(MAX_NESTING + 1)).err();
            assert!(what.is_some_and(|what| what.starts_with("nested more than 100 levels deep")));
            assert!(check(&open.repeat(100_000)).is_err());
        }
    }
}
