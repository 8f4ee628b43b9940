//! What stands behind a backslash.

use super::ast::{Assert, Node};
use super::class::{Named, Set};
use super::parser::Parser;
use super::property;

/// What an escape stands for.
pub(super) enum Escaped {
    Char(char),
    Set(Set),
    /// Something that is no set, outside of classes only
    Node(Node),
}

impl Parser {
    /// Reads an escape of which the backslash has been read.
    pub(super) fn escape(&mut self, in_class: bool) -> Result<Escaped, String> {
        let Some(c) = self.take() else {
            return Err(self.error("Unexpected internal error"));
        };
        let set = |named| Ok(Escaped::Set(Set::Named(named)));
        let no_set = |named| Ok(Escaped::Set(Set::Named(named).not()));
        match c {
            'd' => set(Named::Digit),
            'D' => no_set(Named::Digit),
            's' => set(Named::Space),
            'S' => no_set(Named::Space),
            'w' => set(Named::Word),
            'W' => no_set(Named::Word),
            'h' => set(Named::HorizontalSpace),
            'H' => no_set(Named::HorizontalSpace),
            'v' => set(Named::VerticalSpace),
            'V' => no_set(Named::VerticalSpace),
            'p' => self.property().map(Escaped::Set),
            'P' => self.property().map(|set| Escaped::Set(set.not())),
            'a' => Ok(Escaped::Char('\u{7}')),
            'e' => Ok(Escaped::Char('\u{1b}')),
            'f' => Ok(Escaped::Char('\u{c}')),
            'n' => Ok(Escaped::Char('\n')),
            'r' => Ok(Escaped::Char('\r')),
            't' => Ok(Escaped::Char('\t')),
            'c' => self.control(),
            '0' => self.octal(),
            'x' => self.hexadecimal(),
            'u' => self.unicode(),
            'N' => self.name(),
            _ if c.is_ascii_alphanumeric() && in_class => Err(self.unsupported()),
            '1'..='9' => Ok(Escaped::Node(self.back_reference(c))),
            _ if c.is_ascii_alphabetic() => self.outside_of_classes(c).map(Escaped::Node),
            _ => Ok(Escaped::Char(c)),
        }
    }

    fn outside_of_classes(&mut self, c: char) -> Result<Node, String> {
        match c {
            'A' | 'G' => Ok(Node::Assert(Assert::Start)),
            'Z' => Ok(Node::Assert(Assert::LastLineEnd)),
            'z' => Ok(Node::Assert(Assert::End)),
            'b' => {
                if self.peek() == Some('{') && !self.skip_text("{g}") {
                    return Err(self.unsupported());
                }
                Ok(Node::Assert(Assert::WordBoundary))
            }
            'B' => Ok(Node::Assert(Assert::NoWordBoundary)),
            'R' => {
                let pair = Node::Sequence(vec![self.literal('\r'), self.literal('\n')]);
                Ok(Node::Either(vec![pair, Node::Set(Set::Named(Named::VerticalSpace))]))
            }
            'X' => Ok(Node::Set(Set::Named(Named::Everything))),
            'k' => self.named_reference(),
            _ => Err(self.unsupported()),
        }
    }

    fn unsupported(&self) -> String {
        self.error("Illegal/unsupported escape sequence")
    }

    fn property(&mut self) -> Result<Set, String> {
        let first = self.take().ok_or_else(|| self.error("Illegal/unsupported escape sequence"))?;
        if first != '{' {
            return property::find(&first.to_string()).map_err(|what| self.error(&what));
        }
        let name = self.until('}').ok_or_else(|| self.error("Unclosed character family"))?;
        if name.is_empty() {
            return Err(self.error("Empty character family"));
        }
        property::find(&name).map_err(|what| self.error(&what))
    }

    fn control(&mut self) -> Result<Escaped, String> {
        let c = self.take().ok_or_else(|| self.error("Illegal control escape sequence"))?;
        Ok(Escaped::Char(char::from_u32(u32::from(c) ^ 64).unwrap_or(c)))
    }

    fn octal(&mut self) -> Result<Escaped, String> {
        let mut value = 0;
        let mut count = 0;
        while let Some(digit) = self.peek_plain().and_then(|c| c.to_digit(8)) {
            // Three digits only if the first is at most 3.
            if count == 3 || (count == 2 && value > 0o37) {
                break;
            }
            value = value * 8 + digit;
            count += 1;
            self.advance();
        }
        match char::from_u32(value) {
            Some(c) if count > 0 => Ok(Escaped::Char(c)),
            _ => Err(self.error("Illegal octal escape sequence")),
        }
    }

    fn hexadecimal(&mut self) -> Result<Escaped, String> {
        if self.peek_plain() != Some('{') {
            let code = self.hex_digits(2).ok_or_else(|| self.error("Illegal hexadecimal escape sequence"))?;
            return Ok(Escaped::Char(char::from_u32(code).unwrap_or('\0')));
        }
        self.advance();
        let digits = self.until('}').ok_or_else(|| self.error("Unclosed hexadecimal escape sequence"))?;
        let code = u32::from_str_radix(&digits, 16).ok().filter(|code| *code <= 0x10_FFFF);
        let code = code.ok_or_else(|| self.error("Illegal hexadecimal escape sequence"))?;
        Ok(char::from_u32(code).map_or(Escaped::Set(Set::Nothing), Escaped::Char))
    }

    fn unicode(&mut self) -> Result<Escaped, String> {
        let illegal = "Illegal Unicode escape sequence";
        let code = self.hex_digits(4).ok_or_else(|| self.error(illegal))?;
        let mark = self.position;
        if (0xD800..0xDC00).contains(&code) && self.skip_text("\\u") {
            match self.hex_digits(4) {
                Some(low) if (0xDC00..0xE000).contains(&low) => {
                    let full = 0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                    return Ok(char::from_u32(full).map_or(Escaped::Set(Set::Nothing), Escaped::Char));
                }
                _ => self.position = mark,
            }
        }
        // A lone surrogate is never found in a name.
        Ok(char::from_u32(code).map_or(Escaped::Set(Set::Nothing), Escaped::Char))
    }

    /// `\N{name}`. Names are not known here.
    fn name(&mut self) -> Result<Escaped, String> {
        if self.peek_plain() != Some('{') {
            return Err(self.error("Illegal character name escape sequence"));
        }
        self.advance();
        match self.until('}') {
            Some(name) if !name.is_empty() => Ok(Escaped::Set(Set::Nothing)),
            _ => Err(self.error("Unclosed character name escape sequence")),
        }
    }

    fn back_reference(&mut self, first: char) -> Node {
        let mut number = first.to_digit(10).unwrap_or(0) as usize;
        // Further digits belong to the number as long as there is such a group.
        while let Some(digit) = self.peek_plain().and_then(|c| c.to_digit(10)) {
            let longer = number * 10 + digit as usize;
            if longer > self.groups {
                break;
            }
            number = longer;
            self.advance();
        }
        Node::Back(number, self.fold())
    }

    fn named_reference(&mut self) -> Result<Node, String> {
        if self.take() != Some('<') {
            return Err(self.error("\\k is not followed by '<' for named capturing group"));
        }
        let name = self.group_name()?;
        match self.names.get(&name) {
            Some(number) => Ok(Node::Back(*number, self.fold())),
            None => Err(self.error(&format!("named capturing group <{name}> does not exist"))),
        }
    }
}
