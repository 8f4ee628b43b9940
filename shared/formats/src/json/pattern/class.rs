//! Sets of characters.

use std::collections::HashMap;
use std::rc::Rc;

use super::ast::Fold;
use super::property;

/// Ascending ranges of characters.
pub(super) type Ranges = Rc<[(char, char)]>;

/// The ranges of properties of Unicode, by their names.
pub(super) type Properties = HashMap<Box<str>, Ranges>;

/// A set of characters.
#[derive(Clone, Debug)]
pub(super) enum Set {
    Range(char, char),
    /// A property of Unicode by its name; made into ranges only for matching
    Unicode(Box<str>),
    /// Ascending ranges that do not touch
    Ranges(Ranges),
    /// `\d`, `\s` and the like
    Named(Named),
    Not(Box<Self>),
    Any(Vec<Self>),
    Both(Box<Self>, Box<Self>),
    /// The characters of the set in any case
    Folded(Box<Self>, Fold),
    Nothing,
}

/// Sets with a name of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Digit,
    Space,
    Word,
    HorizontalSpace,
    VerticalSpace,
    /// Whatever ends a line
    Terminator,
    Punctuation,
    Alphabetic,
    Lowercase,
    Uppercase,
    Everything,
}

impl Set {
    pub(super) fn not(self) -> Self {
        Self::Not(Box::new(self))
    }

    /// The set with all properties as ranges, which `known` keeps, and how many sets it is made of.
    pub(super) fn resolved(self, known: &mut Properties) -> (Self, usize) {
        match self {
            Self::Unicode(name) => {
                let ranges = known.entry(name).or_insert_with_key(|name| property::ranges(name).into());
                (Self::Ranges(Rc::clone(ranges)), 1)
            }
            Self::Not(set) => {
                let (set, size) = set.resolved(known);
                (set.not(), size)
            }
            Self::Any(sets) => {
                let (sets, sizes): (Vec<Self>, Vec<usize>) = sets.into_iter().map(|set| set.resolved(known)).unzip();
                (Self::Any(sets), sizes.iter().sum())
            }
            Self::Both(left, right) => {
                let ((left, left_size), (right, right_size)) = (left.resolved(known), right.resolved(known));
                (Self::Both(Box::new(left), Box::new(right)), left_size + right_size)
            }
            Self::Folded(set, fold) => {
                let (set, size) = set.resolved(known);
                (Self::Folded(Box::new(set), fold), 3 * size)
            }
            set => (set, 1),
        }
    }

    pub(super) fn contains(&self, c: char) -> bool {
        match self {
            Self::Range(first, last) => (*first..=*last).contains(&c),
            Self::Ranges(ranges) => {
                let place = ranges.partition_point(|(_, last)| *last < c);
                ranges.get(place).is_some_and(|(first, _)| *first <= c)
            }
            Self::Named(named) => named.contains(c),
            Self::Not(set) => !set.contains(c),
            Self::Any(sets) => sets.iter().any(|set| set.contains(c)),
            Self::Both(left, right) => left.contains(c) && right.contains(c),
            Self::Folded(set, fold) => set.contains(c) || other_cases(c, *fold).iter().any(|c| set.contains(*c)),
            Self::Nothing | Self::Unicode(_) => false,
        }
    }
}

impl Named {
    fn contains(self, c: char) -> bool {
        match self {
            Self::Digit => c.is_ascii_digit(),
            Self::Space => matches!(c, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r'),
            Self::Word => c.is_ascii_alphanumeric() || c == '_',
            Self::HorizontalSpace => {
                matches!(
                    c,
                    ' ' | '\t' | '\u{a0}' | '\u{1680}' | '\u{180e}' | '\u{2000}'
                        ..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
                )
            }
            Self::VerticalSpace => matches!(c, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}'),
            Self::Terminator => matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}'),
            Self::Punctuation => c.is_ascii_punctuation(),
            Self::Alphabetic => c.is_alphabetic(),
            Self::Lowercase => c.is_lowercase(),
            Self::Uppercase => c.is_uppercase(),
            Self::Everything => true,
        }
    }
}

/// The other cases of a character.
pub(super) fn other_cases(c: char, fold: Fold) -> Vec<char> {
    let one = |mut cases: Box<dyn Iterator<Item = char>>| {
        let first = cases.next();
        first.filter(|_| cases.next().is_none())
    };
    match fold {
        Fold::No => Vec::new(),
        Fold::Ascii if !c.is_ascii_alphabetic() => Vec::new(),
        Fold::Ascii => vec![if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }],
        Fold::Unicode => {
            let upper = one(Box::new(c.to_uppercase()));
            let lower = one(Box::new(upper.unwrap_or(c).to_lowercase()));
            upper.into_iter().chain(lower).filter(|other| *other != c).collect()
        }
    }
}
