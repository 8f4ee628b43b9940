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
