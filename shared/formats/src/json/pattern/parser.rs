//! The parser, after the grammar that `java.util.regex.Pattern` implements.

use std::collections::HashMap;

use super::MAX_NESTING;
use super::ast::{Assert, Fold, Look, Node, Repeat};
use super::class::{Named, Set};
use super::escape::Escaped;

/// Reads a regular expression; if Java could not, says why.
pub(super) fn parse(text: &str) -> Result<Node, String> {
    let mut parser = Parser {
        text: unquote(text),
        position: 0,
        depth: 0,
        flags: Flags::default(),
        groups: 0,
        names: HashMap::new(),
    };
    let node = parser.either()?;
    match parser.peek() {
        None => Ok(node),
        Some(')') => Err(parser.error("Unmatched closing ')'")),
        Some(_) => Err(parser.error("Unexpected internal error")),
    }
}

/// The flags that hold at a place.
#[derive(Clone, Copy, Debug, Default)]
struct Flags(u8);

impl Flags {
    const ANY_CASE: u8 = 1;
    const UNIX_LINES: u8 = 2;
    const MANY_LINES: u8 = 4;
    const DOT_ALL: u8 = 8;
    const UNICODE_CASE: u8 = 16;
    const COMMENTS: u8 = 32;

    fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }
}

/// A character of the text, and whether it stood within `\Q…\E` and so means only itself.
#[derive(Clone, Copy)]
struct Letter {
    c: char,
    quoted: bool,
}

pub(super) struct Parser {
    text: Vec<Letter>,
    pub(super) position: usize,
    depth: usize,
    flags: Flags,
    /// How many groups have been opened.
    pub(super) groups: usize,
    pub(super) names: HashMap<String, usize>,
}

/// Takes `\Q…\E` out; without `\E` everything up to the end is quoted.
fn unquote(text: &str) -> Vec<Letter> {
    let mut letters = Vec::with_capacity(text.len());
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            letters.push(Letter { c, quoted });
            continue;
        }
        match (quoted, chars.peek()) {
            (false, Some('Q')) | (true, Some('E')) => {
                chars.next();
                quoted = !quoted;
            }
            (true, _) => letters.push(Letter { c, quoted }),
            (false, next) => {
                letters.push(Letter { c, quoted });
                let next = next.copied();
                letters.extend(next.map(|c| Letter { c, quoted }));
                chars.next();
            }
        }
    }
    letters
}

/// Moving through the text.
impl Parser {
    /// The next character, unless it is quoted; white space and comments are skipped where the flag says so.
    pub(super) fn peek(&mut self) -> Option<char> {
        while self.flags.has(Flags::COMMENTS) {
            match self.letter() {
                Some(Letter { c, quoted: false }) if c.is_ascii_whitespace() || c == '\u{b}' => self.position += 1,
                Some(Letter { c: '#', quoted: false }) => {
                    while self.letter().is_some_and(|letter| !matches!(letter.c, '\n' | '\r' | '\u{85}')) {
                        self.position += 1;
                    }
                }
                _ => break,
            }
        }
        self.peek_plain()
    }

    fn letter(&self) -> Option<Letter> {
        self.text.get(self.position).copied()
    }

    /// The next character, unless it is quoted.
    pub(super) fn peek_plain(&self) -> Option<char> {
        self.letter().filter(|letter| !letter.quoted).map(|letter| letter.c)
    }

    pub(super) fn advance(&mut self) {
        self.position += 1;
    }

    /// Takes whatever is next.
    pub(super) fn take(&mut self) -> Option<char> {
        let letter = self.letter()?;
        self.position += 1;
        Some(letter.c)
    }

    pub(super) fn skip(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.position += usize::from(found);
        found
    }

    pub(super) fn skip_text(&mut self, text: &str) -> bool {
        let found = text.chars().enumerate().all(|(index, c)| {
            self.text.get(self.position + index).is_some_and(|letter| letter.c == c && !letter.quoted)
        });
        self.position += if found { text.chars().count() } else { 0 };
        found
    }

    /// What stands up to `end`, which is taken too; none if it never comes.
    pub(super) fn until(&mut self, end: char) -> Option<String> {
        let rest = self.text.get(self.position..)?;
        let length = rest.iter().position(|letter| letter.c == end)?;
        let found = rest[..length].iter().map(|letter| letter.c).collect();
        self.position += length + 1;
        Some(found)
    }

    pub(super) fn hex_digits(&mut self, count: usize) -> Option<u32> {
        let digits = self.text.get(self.position..self.position + count)?;
        let code = digits.iter().try_fold(0, |code, letter| Some(code * 16 + letter.c.to_digit(16)?))?;
        self.position += count;
        Some(code)
    }

    pub(super) fn error(&self, what: &str) -> String {
        format!("{what} near index {} in the pattern", self.position.saturating_sub(1))
    }
}

/// The grammar.
impl Parser {
    pub(super) fn fold(&self) -> Fold {
        match (self.flags.has(Flags::ANY_CASE), self.flags.has(Flags::UNICODE_CASE)) {
            (false, _) => Fold::No,
            (true, false) => Fold::Ascii,
            (true, true) => Fold::Unicode,
        }
    }

    pub(super) fn literal(&self, c: char) -> Node {
        Node::Char(c, self.fold())
    }

    fn set(&self, set: Set) -> Node {
        match self.fold() {
            Fold::No => Node::Set(set),
            fold => Node::Set(Set::Folded(Box::new(set), fold)),
        }
    }

    fn either(&mut self) -> Result<Node, String> {
        let mut branches = vec![self.sequence()?];
        while self.skip('|') {
            branches.push(self.sequence()?);
        }
        Ok(if branches.len() == 1 { branches.remove(0) } else { Node::Either(branches) })
    }

    fn sequence(&mut self) -> Result<Node, String> {
        let mut parts = Vec::new();
        loop {
            let next = self.peek();
            if self.letter().is_none() || matches!(next, Some('|' | ')')) {
                return Ok(Node::Sequence(parts));
            }
            let part = match next {
                Some(c @ ('*' | '+' | '?')) => {
                    self.advance();
                    return Err(self.error(&format!("Dangling meta character '{c}'")));
                }
                // A count without anything before it repeats nothing.
                Some('{') => Node::Nothing,
                _ => self.atom(next)?,
            };
            parts.push(self.repeated(part)?);
        }
    }

    fn atom(&mut self, next: Option<char>) -> Result<Node, String> {
        let Some(c) = next else {
            let c = self.take().unwrap_or_default();
            return Ok(self.literal(c));
        };
        self.advance();
        match c {
            '(' => self.group(),
            '[' => {
                let set = self.nested(Self::class)?;
                Ok(self.set(set))
            }
            '\\' => Ok(match self.escape(false)? {
                Escaped::Char(c) => self.literal(c),
                Escaped::Set(set) => self.set(set),
                Escaped::Node(node) => node,
            }),
            '^' if self.flags.has(Flags::MANY_LINES) => Ok(Node::Assert(Assert::LineStart)),
            '^' => Ok(Node::Assert(Assert::Start)),
            '$' if self.flags.has(Flags::MANY_LINES) => Ok(Node::Assert(Assert::LineEnd)),
            '$' => Ok(Node::Assert(Assert::LastLineEnd)),
            '.' if self.flags.has(Flags::DOT_ALL) => Ok(Node::Set(Set::Named(Named::Everything))),
            '.' if self.flags.has(Flags::UNIX_LINES) => Ok(Node::Set(Set::Range('\n', '\n').not())),
            '.' => Ok(Node::Set(Set::Named(Named::Terminator).not())),
            _ => Ok(self.literal(c)),
        }
    }

    /// Goes one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        if self.depth >= MAX_NESTING {
            return Err(self.error(&format!("nested more than {MAX_NESTING} levels deep")));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Reads what says how often a part is repeated.
    fn repeated(&mut self, node: Node) -> Result<Node, String> {
        let (min, max) = match self.peek() {
            Some('?') => (0, Some(1)),
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('{') => return self.counted(node),
            _ => return Ok(node),
        };
        self.advance();
        Ok(self.with_manner(node, min, max))
    }

    fn counted(&mut self, node: Node) -> Result<Node, String> {
        self.advance();
        if !self.peek_plain().is_some_and(|c| c.is_ascii_digit()) {
            return Err(self.error("Illegal repetition"));
        }
        let min = self.count()?;
        let mut max = Some(min);
        if self.skip(',') {
            let digit = self.peek_plain().is_some_and(|c| c.is_ascii_digit());
            max = if digit { Some(self.count()?) } else { None };
        }
        if !self.skip('}') {
            return Err(self.error("Unclosed counted closure"));
        }
        if max.is_some_and(|max| max < min) {
            return Err(self.error("Illegal repetition range"));
        }
        Ok(self.with_manner(node, min, max))
    }

    fn count(&mut self) -> Result<u32, String> {
        let mut count: u32 = 0;
        while let Some(digit) = self.peek_plain().and_then(|c| c.to_digit(10)) {
            let next = count.checked_mul(10).and_then(|count| count.checked_add(digit));
            let next = next.filter(|count| i32::try_from(*count).is_ok());
            count = next.ok_or_else(|| self.error("Illegal repetition range"))?;
            self.advance();
        }
        Ok(count)
    }

    /// Lazily, possessively, or neither.
    fn with_manner(&mut self, node: Node, min: u32, max: Option<u32>) -> Node {
        let lazy = self.skip('?');
        let repeat = Node::Repeat(Box::new(Repeat { node, min, max, greedy: !lazy }));
        if !lazy && self.skip('+') { Node::Atomic(Box::new(repeat)) } else { repeat }
    }

    /// A group of which the bracket has been read.
    fn group(&mut self) -> Result<Node, String> {
        let flags = self.flags;
        if !self.skip_text("?") {
            self.groups += 1;
            let number = self.groups;
            let node = self.rest_of_group(flags)?;
            return Ok(Node::Group(Box::new(node), number));
        }
        if self.skip_text("<=") || self.skip_text("<!") {
            let negative = self.text[self.position - 1].c == '!';
            let node = self.rest_of_group(flags)?;
            let behind = node.lengths();
            if behind.is_none() {
                return Err(self.error("Look-behind group does not have an obvious maximum length"));
            }
            return Ok(Node::Look(Box::new(Look { node, negative, behind })));
        }
        match self.take() {
            Some(':') => self.rest_of_group(flags),
            Some(c @ ('=' | '!')) => {
                let node = self.rest_of_group(flags)?;
                Ok(Node::Look(Box::new(Look { node, negative: c == '!', behind: None })))
            }
            Some('>') => Ok(Node::Atomic(Box::new(self.rest_of_group(flags)?))),
            Some('<') => self.named_group(flags),
            Some(_) => {
                self.position -= 1;
                self.flag_group(flags)
            }
            None => Err(self.error("Unknown inline modifier")),
        }
    }

    fn named_group(&mut self, flags: Flags) -> Result<Node, String> {
        let name = self.group_name()?;
        self.groups += 1;
        let number = self.groups;
        if self.names.insert(name.clone(), number).is_some() {
            return Err(self.error(&format!("Named capturing group <{name}> is already defined")));
        }
        let node = self.rest_of_group(flags)?;
        Ok(Node::Group(Box::new(node), number))
    }

    /// The name of a group up to `>`.
    pub(super) fn group_name(&mut self) -> Result<String, String> {
        let name = self.until('>').unwrap_or_default();
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
        if !starts {
            return Err(self.error("capturing group name does not start with a Latin letter"));
        }
        if !name.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Err(self.error("named capturing group is missing trailing '>'"));
        }
        Ok(name)
    }

    fn rest_of_group(&mut self, flags: Flags) -> Result<Node, String> {
        let node = self.nested(Self::either)?;
        if !self.skip(')') {
            return Err(self.error("Unclosed group"));
        }
        self.flags = flags;
        Ok(node)
    }

    /// `(?i)`, which holds up to the end of the group around it, or `(?i:…)`.
    fn flag_group(&mut self, before: Flags) -> Result<Node, String> {
        let mut on = true;
        while let Some(c) = self.take() {
            let flag = match c {
                'i' => Flags::ANY_CASE,
                'd' => Flags::UNIX_LINES,
                'm' => Flags::MANY_LINES,
                's' => Flags::DOT_ALL,
                'u' | 'U' => Flags::UNICODE_CASE,
                'x' => Flags::COMMENTS,
                // The flag for canonical equivalence cannot be told from its absence here.
                'c' => continue,
                '-' if on => {
                    on = false;
                    continue;
                }
                ')' => return Ok(Node::Nothing),
                ':' => return self.rest_of_group(before),
                _ => break,
            };
            self.flags.0 = if on { self.flags.0 | flag } else { self.flags.0 & !flag };
        }
        Err(self.error("Unknown inline modifier"))
    }
}

/// Classes.
impl Parser {
    /// A class of which the bracket has been read.
    fn class(&mut self) -> Result<Set, String> {
        let negative = self.skip('^');
        let mut left: Option<Set> = None;
        let mut parts: Vec<Set> = Vec::new();
        loop {
            let next = self.peek();
            match next {
                Some(']') if left.is_some() || !parts.is_empty() => {
                    self.advance();
                    let set = both(left, parts);
                    return Ok(if negative { set.not() } else { set });
                }
                Some('[') => {
                    self.advance();
                    parts.push(self.nested(Self::class)?);
                }
                Some('&') if self.skip_text("&&") => {
                    while self.skip('&') {}
                    if matches!(self.peek(), Some(']')) {
                        // Nothing on the right changes nothing, but nothing at all is an error.
                        if left.is_none() && parts.is_empty() {
                            return Err(self.error("Bad class syntax"));
                        }
                        continue;
                    }
                    if left.is_some() || !parts.is_empty() {
                        left = Some(both(left, std::mem::take(&mut parts)));
                    }
                }
                _ if self.letter().is_none() => return Err(self.error("Unclosed character class")),
                _ => parts.push(self.range()?),
            }
        }
    }

    /// One character, a range, or a set within a class.
    fn range(&mut self) -> Result<Set, String> {
        let first = match self.class_letter()? {
            Escaped::Char(c) => c,
            Escaped::Set(set) => return Ok(set),
            Escaped::Node(_) => return Err(self.error("Illegal/unsupported escape sequence")),
        };
        if self.peek() != Some('-') {
            return Ok(Set::Range(first, first));
        }
        let after = self.text.get(self.position + 1);
        if after.is_none_or(|letter| !letter.quoted && matches!(letter.c, '[' | ']')) {
            return Ok(Set::Range(first, first));
        }
        self.advance();
        match self.class_letter()? {
            Escaped::Char(last) if last >= first => Ok(Set::Range(first, last)),
            _ => Err(self.error("Illegal character range")),
        }
    }

    fn class_letter(&mut self) -> Result<Escaped, String> {
        if self.peek() == Some('\\') {
            self.advance();
            return self.escape(true);
        }
        match self.take() {
            Some(c) => Ok(Escaped::Char(c)),
            None => Err(self.error("Unclosed character class")),
        }
    }
}

/// What is in any of `parts` and, if there is a left side, in that too.
fn both(left: Option<Set>, parts: Vec<Set>) -> Set {
    match left {
        None => Set::Any(parts),
        Some(left) if parts.is_empty() => left,
        Some(left) => Set::Both(Box::new(left), Box::new(Set::Any(parts))),
    }
}
