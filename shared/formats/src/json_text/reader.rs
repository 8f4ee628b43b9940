//! The reader: JSON text to a tree, with its own stack.

use std::fmt;

use super::tree::{Json, Node, merge_duplicates};

/// How deeply arrays and objects may nest. Jackson's limit, which Confluent keeps.
pub const MAX_DEPTH: usize = 1000;

/// How many characters a number may have. Jackson's limit, which Confluent keeps.
pub const MAX_NUMBER_LENGTH: usize = 1000;

/// What is read beyond standard JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// `/* */` and `//` comments wherever white space may stand
    pub comments: bool,
    /// The tokens `NaN`, `Infinity` and `-Infinity` as numbers
    pub non_finite: bool,
}

/// Why a text is not JSON, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    what: String,
    line: usize,
    column: usize,
}

impl JsonError {
    /// What is wrong, without the place.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The line, counted from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column in characters, counted from 1.
    pub fn column(&self) -> usize {
        self.column
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at line {}, column {}", self.what, self.line, self.column)
    }
}

impl std::error::Error for JsonError {}

pub(super) fn read_all(text: &str, dialect: Dialect) -> Result<Json, JsonError> {
    let mut reader = Reader::new(text, dialect);
    let json = reader.value()?;
    reader.skip_space()?;
    match reader.peek() {
        None => Ok(json),
        Some(_) => Err(reader.unexpected("expected the end of the text")),
    }
}

pub(super) fn read_prefix(text: &str, dialect: Dialect) -> Result<(Json, usize), JsonError> {
    let mut reader = Reader::new(text, dialect);
    let json = reader.value()?;
    Ok((json, reader.position))
}

struct Reader<'a> {
    text: &'a str,
    position: usize,
    dialect: Dialect,
    json: Json,
}

/// A container that has been opened and not yet closed.
enum Open {
    Array(Vec<u32>),
    Object { members: Vec<(Box<str>, u32)>, key: Box<str> },
}

/// What stands at the place of a value.
enum Start {
    Done(u32),
    Opened(Open),
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, dialect: Dialect) -> Self {
        Self { text, position: 0, dialect, json: Json::new() }
    }

    fn value(&mut self) -> Result<Json, JsonError> {
        if u32::try_from(self.text.len()).is_err() {
            return Err(self.error("the text is longer than 4 GiB"));
        }
        let mut stack: Vec<Open> = Vec::new();
        loop {
            let mut done = match self.start(stack.len())? {
                Start::Done(id) => id,
                Start::Opened(open) => {
                    stack.push(open);
                    continue;
                }
            };
            loop {
                let Some(top) = stack.last_mut() else {
                    self.json.set_root(done);
                    return Ok(std::mem::replace(&mut self.json, Json::new()));
                };
                match top {
                    Open::Array(items) => items.push(done),
                    Open::Object { members, key } => members.push((std::mem::take(key), done)),
                }
                if self.another(top)? {
                    break;
                }
                let closed = match stack.pop() {
                    Some(Open::Array(items)) => Node::Array(items),
                    Some(Open::Object { members, .. }) => Node::Object(merge_duplicates(members)),
                    None => Node::Null,
                };
                done = self.json.push(closed);
            }
        }
    }

    /// Reads up to the first value of what stands here, in `depth` containers; an empty container is a value.
    fn start(&mut self, depth: usize) -> Result<Start, JsonError> {
        self.skip_space()?;
        let node = match self.peek() {
            None => return Err(self.error("unexpected end of the text, expected a value")),
            Some(b'{' | b'[') if depth >= MAX_DEPTH => {
                return Err(self.error(&format!("nested more than {MAX_DEPTH} levels deep")));
            }
            Some(b'{') => return self.start_object(),
            Some(b'[') => return self.start_array(),
            Some(b'"') => Node::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Node::Number(self.number()?),
            Some(_) => self.word()?,
        };
        Ok(Start::Done(self.json.push(node)))
    }

    fn start_array(&mut self) -> Result<Start, JsonError> {
        self.position += 1;
        self.skip_space()?;
        if self.peek() == Some(b']') {
            self.position += 1;
            return Ok(Start::Done(self.json.push(Node::Array(Vec::new()))));
        }
        Ok(Start::Opened(Open::Array(Vec::new())))
    }

    fn start_object(&mut self) -> Result<Start, JsonError> {
        self.position += 1;
        self.skip_space()?;
        if self.peek() == Some(b'}') {
            self.position += 1;
            return Ok(Start::Done(self.json.push(Node::Object(Vec::new()))));
        }
        let key = self.key()?;
        Ok(Start::Opened(Open::Object { members: Vec::new(), key }))
    }

    /// After a value within `open`: true if another follows, false if the container closes.
    fn another(&mut self, open: &mut Open) -> Result<bool, JsonError> {
        self.skip_space()?;
        match (self.peek(), open) {
            (Some(b','), Open::Array(_)) => {
                self.position += 1;
                Ok(true)
            }
            (Some(b','), Open::Object { key, .. }) => {
                self.position += 1;
                self.skip_space()?;
                *key = self.key()?;
                Ok(true)
            }
            (Some(b']'), Open::Array(_)) | (Some(b'}'), Open::Object { .. }) => {
                self.position += 1;
                Ok(false)
            }
            (_, Open::Array(_)) => Err(self.unexpected("expected ',' or ']'")),
            (_, Open::Object { .. }) => Err(self.unexpected("expected ',' or '}'")),
        }
    }

    fn key(&mut self) -> Result<Box<str>, JsonError> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("expected a member name in double quotes"));
        }
        let key = self.string()?;
        self.skip_space()?;
        if self.peek() != Some(b':') {
            return Err(self.unexpected("expected ':'"));
        }
        self.position += 1;
        Ok(key)
    }

    fn string(&mut self) -> Result<Box<str>, JsonError> {
        self.position += 1;
        let mut plain = self.position;
        let mut decoded = String::new();
        loop {
            match self.peek() {
                None => return Err(self.error("unexpected end of the text in a string")),
                Some(b'"') => {
                    let last = &self.text[plain..self.position];
                    self.position += 1;
                    if decoded.is_empty() {
                        return Ok(last.into());
                    }
                    decoded.push_str(last);
                    return Ok(decoded.into());
                }
                Some(b'\\') => {
                    decoded.push_str(&self.text[plain..self.position]);
                    self.position += 1;
                    decoded.push(self.escape()?);
                    plain = self.position;
                }
                Some(control @ 0..0x20) => {
                    return Err(self.error(&format!("unescaped control character U+{control:04X} in a string")));
                }
                Some(_) => self.position += 1,
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let Some(letter) = self.peek() else {
            return Err(self.error("unexpected end of the text in a string"));
        };
        let decoded = match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\u{8}',
            b't' => '\t',
            b'n' => '\n',
            b'f' => '\u{c}',
            b'r' => '\r',
            b'u' => {
                self.position += 1;
                return self.unicode_escape();
            }
            _ => return Err(self.unexpected("unknown escape in a string")),
        };
        self.position += 1;
        Ok(decoded)
    }

    fn unicode_escape(&mut self) -> Result<char, JsonError> {
        let first = self.hex4()?;
        if !(0xD800..0xE000).contains(&first) {
            return char::from_u32(first).ok_or_else(|| self.error("unpaired surrogate in a string"));
        }
        if first >= 0xDC00 || !self.text[self.position..].starts_with("\\u") {
            return Err(self.error("unpaired surrogate in a string"));
        }
        self.position += 2;
        let second = self.hex4()?;
        if !(0xDC00..0xE000).contains(&second) {
            return Err(self.error("unpaired surrogate in a string"));
        }
        let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        char::from_u32(code).ok_or_else(|| self.error("unpaired surrogate in a string"))
    }

    fn hex4(&mut self) -> Result<u32, JsonError> {
        let digits = self.text.as_bytes().get(self.position..self.position + 4);
        let digits = digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let Some(digits) = digits else {
            return Err(self.error("expected four hexadecimal digits after \\u"));
        };
        self.position += 4;
        Ok(digits.iter().fold(0, |code, digit| code * 16 + char::from(*digit).to_digit(16).unwrap_or(0)))
    }

    fn number(&mut self) -> Result<Box<str>, JsonError> {
        let begin = self.position;
        if self.peek() == Some(b'-') {
            self.position += 1;
            if self.peek() == Some(b'I') {
                self.word()?;
                return Ok("-Infinity".into());
            }
        }
        let integer = self.digits();
        if integer == 0 {
            return Err(self.unexpected("expected a digit"));
        }
        if integer > 1 && self.text.as_bytes()[self.position - integer] == b'0' {
            return Err(self.error("leading zeros are not allowed in a number"));
        }
        if self.peek() == Some(b'.') {
            self.position += 1;
            if self.digits() == 0 {
                return Err(self.unexpected("expected a digit after the decimal point"));
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.position += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.position += 1;
            }
            if self.digits() == 0 {
                return Err(self.unexpected("expected a digit in the exponent"));
            }
        }
        if self.position - begin > MAX_NUMBER_LENGTH {
            return Err(self.error(&format!("a number of more than {MAX_NUMBER_LENGTH} characters")));
        }
        if self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.' || byte >= 0x80)
        {
            return Err(self.unexpected("expected white space, ',' or a closing bracket after a number"));
        }
        Ok(self.text[begin..self.position].into())
    }

    fn digits(&mut self) -> usize {
        let begin = self.position;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.position += 1;
        }
        self.position - begin
    }

    /// A bare word; only the keywords of the dialect are values.
    fn word(&mut self) -> Result<Node, JsonError> {
        let rest = &self.text[self.position..];
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(rest.len());
        let word = &rest[..length];
        let node = match word {
            "null" => Node::Null,
            "true" => Node::Bool(true),
            "false" => Node::Bool(false),
            "NaN" | "Infinity" if self.dialect.non_finite => Node::Number(word.into()),
            "" => return Err(self.unexpected("expected a value")),
            _ => {
                let shown: String = word.chars().take(40).collect();
                return Err(self.error(&format!("unrecognized token '{shown}', expected a value")));
            }
        };
        self.position += length;
        Ok(node)
    }

    fn skip_space(&mut self) -> Result<(), JsonError> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.position += 1,
                Some(b'/') if self.dialect.comments => self.skip_comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn skip_comment(&mut self) -> Result<(), JsonError> {
        let rest = &self.text[self.position..];
        if rest.starts_with("//") {
            let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
            self.position += end;
            return Ok(());
        }
        if !rest.starts_with("/*") {
            return Err(self.unexpected("expected a comment"));
        }
        let Some(end) = rest[2..].find("*/") else {
            return Err(self.error("unexpected end of the text in a comment"));
        };
        self.position += end + 4;
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn unexpected(&self, wanted: &str) -> JsonError {
        match self.text.get(self.position..).and_then(|rest| rest.chars().next()) {
            Some(found) => self.error(&format!("unexpected character {found:?}, {wanted}")),
            None => self.error(&format!("unexpected end of the text, {wanted}")),
        }
    }

    fn error(&self, what: &str) -> JsonError {
        let before = self.text.get(..self.position).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        JsonError {
            what: what.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}
