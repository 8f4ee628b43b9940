//! What a comparison found: lists that are shared by all places that lead to a pair, with paths made only for what is
//! reported.

use super::model::{Combined, Graph, NodeId};
use crate::Difference;
use crate::avro::{MAX_DIFFERENCE_BYTES, MAX_DIFFERENCES};

/// Two nodes that are compared; neither is a reference, unless to a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pair {
    pub(super) original: NodeId,
    pub(super) update: NodeId,
    /// Within `not` the schemas change sides: the original is then of the new schema.
    pub(super) swapped: bool,
}

/// What comparing a pair gave.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub(super) list: List,
    pub(super) compatible: bool,
}

/// The differences of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct List(Option<usize>);

/// One step of a path: words, and a name or a number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'a> {
    Here,
    Word(&'static str),
    Name(&'static str, &'a str),
    Index(&'static str, usize),
}

/// How many entries are remembered; beyond them one of each list, which says that there is something.
const MAX_REMEMBERED: usize = 500_000;

/// An entry of a list: a difference of its own, or all those of another pair.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry<'a> {
    Found(&'static str, Step<'a>),
    Below(List, Step<'a>),
}

#[derive(Default)]
pub(super) struct Findings<'a> {
    lists: Vec<Vec<Entry<'a>>>,
    /// How many there are in all lists.
    entries: usize,
}

impl List {
    pub(super) const NONE: Self = Self(None);
}

impl<'a> Findings<'a> {
    pub(super) fn keep(&mut self, mut entries: Vec<Entry<'a>>) -> List {
        if entries.is_empty() {
            return List::NONE;
        }
        if self.entries > MAX_REMEMBERED {
            entries.truncate(1);
            entries.shrink_to_fit();
        }
        self.entries += entries.len();
        self.lists.push(entries);
        List(Some(self.lists.len() - 1))
    }

    /// All differences of a list in order, up to the limits.
    pub(super) fn flatten(&self, list: List) -> Vec<Difference> {
        let mut differences = Vec::new();
        let mut bytes = 0;
        let mut path = Path::default();
        let mut stack: Vec<(usize, usize, usize)> = list.0.into_iter().map(|list| (list, 0, 0)).collect();
        while let Some((list, next, start)) = stack.last_mut() {
            let Some(entry) = self.lists[*list].get(*next) else {
                path.cut(*start);
                stack.pop();
                continue;
            };
            *next += 1;
            match entry {
                Entry::Below(List(None), _) => {}
                Entry::Below(List(Some(below)), step) => {
                    let start = path.push(*step);
                    stack.push((*below, 0, start));
                }
                Entry::Found(kind, step) => {
                    let start = path.push(*step);
                    bytes += path.text.len();
                    differences.push(Difference { kind, path: path.print(), info: String::new() });
                    path.cut(start);
                }
            }
            if differences.len() >= MAX_DIFFERENCES || bytes >= MAX_DIFFERENCE_BYTES {
                break;
            }
        }
        differences
    }
}

/// A path under construction.
#[derive(Default)]
struct Path {
    text: String,
}

impl Path {
    /// Adds a step and returns where to [`cut`](Self::cut) it off again.
    fn push(&mut self, step: Step<'_>) -> usize {
        let start = self.text.len();
        match step {
            Step::Here => {}
            Step::Word(word) => self.text.extend(["/", word]),
            Step::Name(word, name) => self.text.extend(["/", word, "/", name]),
            Step::Index(word, index) => self.text.extend(["/", word, "/", &index.to_string()]),
        }
        start
    }

    fn cut(&mut self, start: usize) {
        self.text.truncate(start);
    }

    fn print(&self) -> String {
        if self.text.is_empty() { "#/".to_owned() } else { format!("#{}", self.text) }
    }
}

/// What a branch is called in a path.
pub(super) fn branch_step(combined: &Combined, index: usize) -> Step<'static> {
    Step::Index(combined.criterion.word(), index)
}

/// The graph a side of a pair is of.
pub(super) struct Graphs<'a> {
    pub(super) original: &'a Graph,
    pub(super) update: &'a Graph,
}

impl<'a> Graphs<'a> {
    /// The graphs of the two sides of a pair.
    pub(super) fn sides(&self, swapped: bool) -> (&'a Graph, &'a Graph) {
        if swapped { (self.update, self.original) } else { (self.original, self.update) }
    }
}
