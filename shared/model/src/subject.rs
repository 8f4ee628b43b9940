//! Contexts and subjects.

use std::fmt;

/// Longest subject name and longest context name, in bytes of their escaped key form. `DynamoDB` allows 1,024 bytes of
/// sort key; longer names are refused as invalid (42208) before they could fail there.
pub const MAX_NAME_BYTES: usize = 960;

const GLOBAL: &str = ".__GLOBAL";

/// A namespace of ids and subjects: a dot, then anything but a colon. `.` alone is the default context.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContextName(String);

impl ContextName {
    /// The context of subjects that name none.
    pub fn default_context() -> Self {
        Self(".".to_owned())
    }

    /// The scope of settings shared by all contexts; it holds no subjects.
    pub fn global() -> Self {
        Self(GLOBAL.to_owned())
    }

    /// `None` unless the name starts with a dot and holds no colon.
    pub fn parse(name: &str) -> Option<Self> {
        (name.starts_with('.') && !name.contains(':')).then(|| Self(name.to_owned()))
    }

    /// Reads a context as paths name it (rest-api.md §2.4): `ctx`, `.ctx` or `:.ctx:`. `None` if a colon is left.
    pub fn parse_lenient(text: &str) -> Option<Self> {
        let name = text.strip_prefix(':').unwrap_or(text);
        let name = name.strip_suffix(':').unwrap_or(name);
        if name.starts_with('.') { Self::parse(name) } else { Self::parse(&format!(".{name}")) }
    }

    /// The name with its dot.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the default context.
    pub fn is_default(&self) -> bool {
        self.0 == "."
    }

    /// Whether this is `.__GLOBAL`.
    pub fn is_global(&self) -> bool {
        self.0 == GLOBAL
    }

    /// As error messages show it (rest-api.md §5): `:.ctx:`, and nothing for the default context.
    pub fn qualified(&self) -> String {
        if self.is_default() { String::new() } else { format!(":{}:", self.0) }
    }
}

/// A subject in its context (rest-api.md §2.1). Every text names one; which may be written to is a matter of
/// [`Subject::check`]. Its text form is the normal form: bare in the default context, `:.ctx:name` elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subject {
    context: ContextName,
    name: String,
}

/// A subject nothing may be stored under (42208).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubjectError;

impl Subject {
    /// A subject of a known context.
    pub fn new(context: ContextName, name: impl Into<String>) -> Self {
        Self { context, name: name.into() }
    }

    /// Reads `[:.<context>:]<subject>`. Where the default context is named, what follows is read as if it stood alone, since
    /// it will be printed alone.
    pub fn parse(text: &str) -> Self {
        let text = text.trim_start_matches(":.:");
        let Some(rest) = text.strip_prefix(':').filter(|rest| rest.starts_with('.')) else {
            return Self::new(ContextName::default_context(), text);
        };
        let (context, name) = rest.split_once(':').unwrap_or((rest, ""));
        Self::new(ContextName(context.to_owned()), name)
    }

    /// Its context.
    pub fn context(&self) -> &ContextName {
        &self.context
    }

    /// Its name without the context.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it denotes its context itself, as the target of a setting.
    pub fn is_context(&self) -> bool {
        self.name.is_empty()
    }

    /// Whether schemas may be registered under it, and settings kept for it (rest-api.md §7.1). The names come from
    /// the server's own bookkeeping; the length from the table.
    pub fn check(&self) -> Result<(), SubjectError> {
        if self.context.is_global() {
            return Err(SubjectError);
        }
        self.check_for_settings()
    }

    /// As [`Subject::check`], but `.__GLOBAL` is allowed: settings live there.
    pub fn check_for_settings(&self) -> Result<(), SubjectError> {
        let reserved = self.name == "__GLOBAL" || self.name == "__EMPTY";
        let control = self.name.chars().chain(self.context.0.chars()).any(char::is_control);
        let long = escaped_len(&self.name) > MAX_NAME_BYTES || escaped_len(&self.context.0) > MAX_NAME_BYTES;
        if reserved || control || long { Err(SubjectError) } else { Ok(()) }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.context.qualified(), self.name)
    }
}

/// Length of the key form, in which `%`, `/` and `#` take three bytes each.
pub(crate) fn escaped_len(text: &str) -> usize {
    text.len() + 2 * text.bytes().filter(|b| matches!(b, b'%' | b'/' | b'#')).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qualified_names() {
        for (text, context, name, normal) in [
            ("foo", ".", "foo", "foo"),
            (":.ctx:foo", ".ctx", "foo", ":.ctx:foo"),
            (":.ctx:", ".ctx", "", ":.ctx:"),
            (":.ctx", ".ctx", "", ":.ctx:"),
            (":.:foo", ".", "foo", "foo"),
            (":.:", ".", "", ""),
            (":.::.ctx:foo", ".ctx", "foo", ":.ctx:foo"),
            (":.::.:foo", ".", "foo", "foo"),
            (":.ctx::.:foo", ".ctx", ":.:foo", ":.ctx::.:foo"),
            (":foo:bar", ".", ":foo:bar", ":foo:bar"),
            (":.ctx:a:b", ".ctx", "a:b", ":.ctx:a:b"),
            (":.__GLOBAL:", ".__GLOBAL", "", ":.__GLOBAL:"),
            ("", ".", "", ""),
        ] {
            let subject = Subject::parse(text);
            assert_eq!((subject.context().as_str(), subject.name()), (context, name), "{text}");
            assert_eq!(subject.to_string(), normal, "{text}");
        }
    }

    #[test]
    fn contexts_as_paths_name_them() {
        for (text, expected) in [
            ("ctx", Some(".ctx")),
            (".ctx", Some(".ctx")),
            (":.ctx:", Some(".ctx")),
            (":.ctx", Some(".ctx")),
            ("ctx:", Some(".ctx")),
            ("..ctx", Some("..ctx")),
            (".", Some(".")),
            (":.:", Some(".")),
            (":", Some(".")),
            ("", Some(".")),
            ("a:b", None),
            ("::ctx::", None),
            (":.ctx:subject", None),
        ] {
            let context = ContextName::parse_lenient(text);
            assert_eq!(context.as_ref().map(ContextName::as_str), expected, "{text}");
        }
    }

    #[test]
    fn names_that_hold_nothing() {
        let long = "x".repeat(MAX_NAME_BYTES + 1);
        let slashes = "/".repeat(MAX_NAME_BYTES / 3 + 1);
        for bad in
            ["__GLOBAL", "__EMPTY", "a\u{0}b", "a\u{7f}", "a\u{85}", ":.__GLOBAL:x", ":.c:__EMPTY", &long, &slashes]
        {
            assert_eq!(Subject::parse(bad).check(), Err(SubjectError), "{bad}");
        }
        for good in ["a", "", "*", "a/b", "größe", ":.c:x", "__global", &"x".repeat(MAX_NAME_BYTES)] {
            assert_eq!(Subject::parse(good).check(), Ok(()), "{good}");
        }
        assert_eq!(Subject::parse(":.__GLOBAL:").check_for_settings(), Ok(()));
    }
}
