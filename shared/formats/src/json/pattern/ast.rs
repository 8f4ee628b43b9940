//! What a regular expression says.

use super::class::Set;

/// A part of a regular expression.
#[derive(Debug)]
pub(super) enum Node {
    Nothing,
    /// A character; with its other cases if `fold` says so
    Char(char, Fold),
    Set(Set),
    Assert(Assert),
    Sequence(Vec<Self>),
    Either(Vec<Self>),
    Group(Box<Self>, usize),
    Repeat(Box<Repeat>),
    Look(Box<Look>),
    /// Once matched, never tried another way
    Atomic(Box<Self>),
    Back(usize, Fold),
}

#[derive(Debug)]
pub(super) struct Repeat {
    pub(super) node: Node,
    pub(super) min: u32,
    /// None is without limit
    pub(super) max: Option<u32>,
    pub(super) greedy: bool,
}

#[derive(Debug)]
pub(super) struct Look {
    pub(super) node: Node,
    pub(super) negative: bool,
    /// The lengths in which to look back; none looks ahead.
    pub(super) behind: Option<(usize, usize)>,
}

/// How cases are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    No,
    Ascii,
    Unicode,
}

/// A condition on a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assert {
    Start,
    LineStart,
    /// The end, or before the line terminator at the end
    LastLineEnd,
    LineEnd,
    End,
    WordBoundary,
    NoWordBoundary,
}

impl Node {
    /// The least and the greatest length of a match; none if the greatest cannot be told.
    pub(super) fn lengths(&self) -> Option<(usize, usize)> {
        let none = Some((0, 0));
        match self {
            Self::Nothing | Self::Assert(_) | Self::Look(_) => none,
            Self::Char(..) | Self::Set(_) => Some((1, 1)),
            Self::Sequence(parts) => parts.iter().try_fold((0_usize, 0_usize), |(min, max), part| {
                let (least, greatest) = part.lengths()?;
                Some((min.saturating_add(least), max.saturating_add(greatest)))
            }),
            Self::Either(parts) => {
                let lengths: Option<Vec<(usize, usize)>> = parts.iter().map(Self::lengths).collect();
                let lengths = lengths?;
                let min = lengths.iter().map(|(min, _)| *min).min().unwrap_or(0);
                Some((min, lengths.iter().map(|(_, max)| *max).max().unwrap_or(0)))
            }
            Self::Group(inner, _) | Self::Atomic(inner) => inner.lengths(),
            Self::Repeat(repeat) => {
                let (min, max) = repeat.node.lengths()?;
                let times = usize::try_from(repeat.max?).ok()?;
                let least = min.saturating_mul(usize::try_from(repeat.min).ok()?);
                Some((least, max.saturating_mul(times)))
            }
            Self::Back(..) => None,
        }
    }
}
