//! The first stage: characters to words, numbers, quoted strings and places in the text.
//!
//! What a comment, a word and a string are depends on where they stand, as in the parser of Square's Wire, whose rules
//! these are: a word may hold dots and hyphens, and after a field only a comment that ends its line may follow.

use super::parse::MAX_DEPTH;
use crate::SchemaError;

/// A place in the text; both count from 1, the column in UTF-16 units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    line: usize,
    /// Byte offset of the start of the line.
    line_start: usize,
    /// Byte offset of the place.
    offset: usize,
}

/// Reads a text from its start to its end.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    text: &'a str,
    /// Byte offset of the next character.
    at: usize,
    /// Line ends so far.
    line: usize,
    line_start: usize,
}

/// How long a message may be that quotes the text, in characters: a word can be as long as the text.
const MAX_MESSAGE: usize = 1000;

fn shortened(message: &str) -> String {
    match message.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}...", &message[..end]),
        None => message.to_owned(),
    }
}

/// Whether a character belongs to a word.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 0, line_start: 0 }
    }

    pub(super) fn exhausted(&self) -> bool {
        self.at == self.text.len()
    }

    pub(super) fn place(&self) -> Place {
        Place { line: self.line, line_start: self.line_start, offset: self.at }
    }

    /// A place as messages show it: `:LINE:COLUMN`.
    pub(super) fn show(&self, place: Place) -> String {
        // A quoted line end may put the start of the line behind a place that was taken before.
        let before = self.text.get(place.line_start..place.offset).unwrap_or_default();
        format!(":{}:{}", place.line + 1, before.encode_utf16().count() + 1)
    }

    pub(super) fn error(&self, message: impl AsRef<str>) -> SchemaError {
        self.error_at(self.place(), message)
    }

    pub(super) fn error_at(&self, place: Place, message: impl AsRef<str>) -> SchemaError {
        SchemaError::new(format!("Syntax error in {}: {}", self.show(place), shortened(message.as_ref())))
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next character after blanks and comments.
    pub(super) fn peek(&mut self) -> Result<char, SchemaError> {
        self.skip_blanks_and_comments()?;
        self.text[self.at..].chars().next().ok_or_else(|| self.error("unexpected end of file"))
    }

    /// Consumes the next character if it is `expected`.
    pub(super) fn take(&mut self, expected: char) -> Result<bool, SchemaError> {
        if self.peek()? != expected {
            return Ok(false);
        }
        self.at += expected.len_utf8();
        Ok(true)
    }

    pub(super) fn read_char(&mut self) -> Result<char, SchemaError> {
        let read = self.peek()?;
        self.at += read.len_utf8();
        Ok(read)
    }

    /// Goes back before an ASCII character that was just read.
    pub(super) fn push_back(&mut self) {
        self.at -= 1;
    }

    pub(super) fn require(&mut self, expected: char) -> Result<(), SchemaError> {
        let read = self.read_char()?;
        if read == expected {
            return Ok(());
        }
        Err(self.error(format!("expected '{expected}' but was '{read}'")))
    }

    /// Reads the one word that may stand here.
    pub(super) fn word(&mut self) -> Result<&'a str, SchemaError> {
        self.skip_blanks_and_comments()?;
        let length = self.text.as_bytes()[self.at..].iter().take_while(|byte| is_word(**byte)).count();
        if length == 0 {
            return Err(self.error("expected a word"));
        }
        let word = &self.text[self.at..self.at + length];
        self.at += length;
        Ok(word)
    }

    /// Whether the next character begins this word.
    pub(super) fn word_is(&self, word: &str) -> bool {
        let length = self.text.as_bytes()[self.at..].iter().take_while(|byte| is_word(**byte)).count();
        &self.text[self.at..self.at + length] == word
    }

    /// Reads the name of a field or a constant.
    pub(super) fn word_without_leading_digit(&mut self) -> Result<&'a str, SchemaError> {
        self.skip_blanks_and_comments()?;
        let place = self.place();
        let word = self.word()?;
        if word.starts_with(|first: char| first.is_ascii_digit()) {
            // Here alone, Wire counts columns from 0.
            let column = self.text.get(place.line_start..place.offset).unwrap_or_default().encode_utf16().count();
            let message = "field and constant names cannot start with a digit";
            return Err(SchemaError::new(format!("Syntax error in :{}:{column}: {message}", place.line + 1)));
        }
        Ok(word)
    }

    /// Reads a name, which may stand in parentheses or brackets.
    pub(super) fn name(&mut self, leading_digit: bool) -> Result<&'a str, SchemaError> {
        let close = match self.peek()? {
            '(' => Some(')'),
            '[' => Some(']'),
            _ => None,
        };
        if close.is_some() {
            self.at += 1;
        }
        let word = if leading_digit { self.word()? } else { self.word_without_leading_digit()? };
        if let Some(close) = close
            && self.read_char()? != close
        {
            return Err(self.error(format!("expected '{close}'")));
        }
        Ok(word)
    }

    /// Reads a number as Wire does: decimal, also with a leading zero, or hexadecimal.
    pub(super) fn int(&mut self) -> Result<i32, SchemaError> {
        let word = self.word()?;
        let hexadecimal = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
        let (digits, radix) = hexadecimal.map_or((word, 10), |digits| (digits, 16));
        i32::from_str_radix(digits, radix).map_err(|_| self.error(format!("expected an integer but was {digits}")))
    }

    /// Reads the end of a range of tags: a decimal number or `max`.
    pub(super) fn range_end(&mut self) -> Result<i32, SchemaError> {
        match self.word()? {
            "max" => Ok(super::model::MAX_TAG),
            word => word.parse().map_err(|_| SchemaError::new(format!("For input string: \"{word}\""))),
        }
    }

    /// Whether a quoted string follows.
    pub(super) fn at_quote(&mut self) -> Result<bool, SchemaError> {
        Ok(matches!(self.peek()?, '"' | '\''))
    }

    /// Reads quoted strings, of which adjacent ones are one, and decodes their escapes.
    pub(super) fn quoted(&mut self) -> Result<String, SchemaError> {
        let mut quote = self.read_char()?;
        if !matches!(quote, '"' | '\'') {
            return Err(SchemaError::new("Check failed."));
        }
        let mut read = String::new();
        loop {
            let Some(mut next) = self.text[self.at..].chars().next() else {
                return Err(self.error("unterminated string"));
            };
            self.at += next.len_utf8();
            if next == quote {
                if !self.at_quote()? {
                    return Ok(read);
                }
                quote = self.read_char()?;
                continue;
            }
            if next == '\\' {
                next = self.escaped()?;
            }
            read.push(next);
            if next == '\n' {
                self.new_line();
            }
        }
    }

    fn escaped(&mut self) -> Result<char, SchemaError> {
        let Some(escape) = self.text[self.at..].chars().next() else {
            return Err(self.error("unexpected end of file"));
        };
        self.at += escape.len_utf8();
        match escape {
            'a' => Ok('\u{7}'),
            'b' => Ok('\u{8}'),
            'f' => Ok('\u{c}'),
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            'v' => Ok('\u{b}'),
            'x' | 'X' => self.numeric_escape(16, 2),
            '0'..='7' => {
                self.at -= 1;
                self.numeric_escape(8, 3)
            }
            other => Ok(other),
        }
    }

    fn numeric_escape(&mut self, radix: u32, longest: usize) -> Result<char, SchemaError> {
        let digits = self.text.as_bytes()[self.at..]
            .iter()
            .take(longest)
            .map_while(|byte| char::from(*byte).to_digit(radix))
            .collect::<Vec<_>>();
        self.at += digits.len();
        let value = digits.iter().fold(0, |value, digit| value * radix + digit);
        match char::from_u32(value) {
            Some(decoded) if !digits.is_empty() => Ok(decoded),
            _ => Err(self.error("expected a digit after \\x or \\X")),
        }
    }

    /// Reads a scalar, a map or the name of a type; a map is written as `map<KEY, VALUE>`.
    pub(super) fn data_type(&mut self) -> Result<String, SchemaError> {
        let word = self.word()?;
        self.data_type_from(word)
    }

    /// Like [`data_type`](Self::data_type), the first word of which was read.
    pub(super) fn data_type_from(&mut self, word: &str) -> Result<String, SchemaError> {
        // Maps of maps are rare, and refused later; here they only have to end. Each open one waits for what follows
        // its key or its value.
        let mut text = String::new();
        let mut awaited = Vec::new();
        let mut word = word;
        loop {
            if word == "map" {
                self.demand('<')?;
                text.push_str("map<");
                awaited.push(',');
                if awaited.len() > MAX_DEPTH {
                    return Err(self.error(format!("maps nested more than {MAX_DEPTH} levels deep")));
                }
                word = self.word()?;
                continue;
            }
            text.push_str(word);
            // A name may go on after blanks, where it goes on with a dot.
            while self.peek()? == '.' {
                text.push_str(self.word()?);
            }
            loop {
                match awaited.pop() {
                    None => return Ok(text),
                    Some(',') => {
                        self.demand(',')?;
                        text.push_str(", ");
                        awaited.push('>');
                        break;
                    }
                    Some(_) => {
                        self.demand('>')?;
                        text.push('>');
                    }
                }
            }
            word = self.word()?;
        }
    }

    fn demand(&mut self, expected: char) -> Result<(), SchemaError> {
        if self.read_char()? == expected {
            return Ok(());
        }
        Err(self.error(format!("expected '{expected}'")))
    }

    /// Skips blanks and the comments before a declaration.
    pub(super) fn skip_documentation(&mut self) -> Result<(), SchemaError> {
        self.skip_blanks_and_comments()
    }

    fn skip_blanks_and_comments(&mut self) -> Result<(), SchemaError> {
        while let Some(byte) = self.byte() {
            match byte {
                b'\n' => {
                    self.at += 1;
                    self.new_line();
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'/' => self.skip_comment()?,
                _ => break,
            }
        }
        Ok(())
    }

    fn skip_comment(&mut self) -> Result<(), SchemaError> {
        self.at += 1;
        match self.byte() {
            Some(b'*') => {
                self.at += 1;
                self.skip_block_comment()
            }
            Some(b'/') => {
                self.skip_line();
                Ok(())
            }
            other => {
                self.at += usize::from(other.is_some_and(|byte| byte.is_ascii()));
                Err(self.error("unexpected '/'"))
            }
        }
    }

    fn skip_block_comment(&mut self) -> Result<(), SchemaError> {
        while let Some(byte) = self.byte() {
            self.at += 1;
            if byte == b'*' && self.byte() == Some(b'/') {
                self.at += 1;
                return Ok(());
            }
            if byte == b'\n' {
                self.new_line();
            }
        }
        Err(self.error("unterminated comment"))
    }

    /// Skips the rest of the line with its end.
    fn skip_line(&mut self) {
        match self.text[self.at..].find('\n') {
            Some(length) => {
                self.at += length + 1;
                self.new_line();
            }
            None => self.at = self.text.len(),
        }
    }

    /// Skips what may follow a statement on its line: blanks, and a comment that ends the line.
    pub(super) fn skip_trailing_documentation(&mut self) -> Result<(), SchemaError> {
        while matches!(self.byte(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        match self.byte() {
            Some(b'/') => self.at += 1,
            Some(_) => return Ok(()),
            None => {}
        }
        match self.byte() {
            Some(b'/') => {
                self.skip_line();
                Ok(())
            }
            Some(b'*') => self.skip_trailing_block(),
            _ => Err(self.error("expected '//' or '/*'")),
        }
    }

    fn skip_trailing_block(&mut self) -> Result<(), SchemaError> {
        self.at += 1;
        let Some(length) = self.text[self.at..].find("*/") else {
            self.at = self.text.len();
            return Err(self.error("trailing comment must be closed"));
        };
        self.at += length + 2;
        while let Some(next) = self.text[self.at..].chars().next() {
            self.at += next.len_utf8();
            match next {
                '\n' => {
                    self.new_line();
                    break;
                }
                ' ' | '\t' => {}
                _ => return Err(self.error("no syntax may follow trailing comment")),
            }
        }
        Ok(())
    }

    fn new_line(&mut self) {
        self.line += 1;
        self.line_start = self.at;
    }
}
