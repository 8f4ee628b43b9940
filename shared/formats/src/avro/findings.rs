//! What a comparison found, kept small: paths and texts are made only for what is reported.

use std::collections::HashSet;

use super::compat::Pair;
use super::model::{Graph, Kind};
use crate::difference::Difference;
use crate::json_text::utf16_order;

/// How many differences are reported at most; the verdict does not depend on it.
pub const MAX_DIFFERENCES: usize = 10_000;

/// How many bytes the paths and infos of the reported differences have at most, give or take one.
pub const MAX_DIFFERENCE_BYTES: usize = 2 << 20;

/// Everything found so far.
pub(super) struct Findings {
    found: Vec<Found>,
    lists: Vec<Vec<Entry>>,
    /// How many there are in all lists.
    entries: usize,
    locations: Vec<(Place, Step)>,
}

/// A path into the reader.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Place(usize);

#[derive(Clone, Copy)]
pub(super) enum Step {
    Word(&'static str),
    Index(usize),
}

/// The differences of a pair; [`List::NONE`] for a compatible one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct List(Option<usize>);

/// An entry of a list: one of its own, or all those of another pair.
#[derive(Clone, Copy)]
pub(super) enum Entry {
    Found(usize),
    List(usize),
}

pub(super) struct Found {
    pub(super) cause: Cause,
    pub(super) pair: Pair,
    pub(super) place: Place,
}

#[derive(Clone, Copy)]
pub(super) enum Cause {
    Type,
    Name,
    FixedSize,
    Symbols,
    Branch,
    /// The place of the reader's field.
    MissingDefault(usize),
}

impl Place {
    pub(super) const ROOT: Self = Self(0);
}

impl List {
    pub(super) const NONE: Self = Self(None);

    pub(super) fn entry(self) -> Option<Entry> {
        self.0.map(Entry::List)
    }
}

impl Findings {
    pub(super) fn new() -> Self {
        Self { found: Vec::new(), lists: Vec::new(), entries: 0, locations: vec![(Place::ROOT, Step::Word(""))] }
    }

    /// How many differences and entries are remembered.
    pub(super) fn size(&self) -> usize {
        self.found.len() + self.entries
    }

    pub(super) fn add(&mut self, found: Found) -> Entry {
        self.found.push(found);
        Entry::Found(self.found.len() - 1)
    }

    pub(super) fn locate(&mut self, parent: Place, step: Step) -> Place {
        self.locations.push((parent, step));
        Place(self.locations.len() - 1)
    }

    pub(super) fn keep(&mut self, entries: Vec<Entry>) -> List {
        if entries.is_empty() {
            return List::NONE;
        }
        self.entries += entries.len();
        self.lists.push(entries);
        List(Some(self.lists.len() - 1))
    }

    /// All differences of a list in order, up to the limits.
    pub(super) fn flatten(&self, list: List, reader: &Graph, writer: &Graph) -> Vec<Difference> {
        let mut differences = Vec::new();
        let mut bytes = 0;
        let mut stack: Vec<(usize, usize)> = list.0.into_iter().map(|list| (list, 0)).collect();
        while let Some((list, next)) = stack.last_mut() {
            let Some(entry) = self.lists[*list].get(*next) else {
                stack.pop();
                continue;
            };
            *next += 1;
            match entry {
                Entry::List(below) => stack.push((*below, 0)),
                Entry::Found(index) => {
                    let difference = self.difference(&self.found[*index], reader, writer);
                    bytes += difference.path.len() + difference.info.len();
                    differences.push(difference);
                }
            }
            if differences.len() >= MAX_DIFFERENCES || bytes >= MAX_DIFFERENCE_BYTES {
                break;
            }
        }
        differences
    }

    fn difference(&self, found: &Found, reader: &Graph, writer: &Graph) -> Difference {
        let (left, right) = (reader.kind(found.pair.0), writer.kind(found.pair.1));
        let (left_type, right_type) = (left.upper_type_name(), right.upper_type_name());
        let (kind, info) = match found.cause {
            Cause::Type => {
                ("TYPE_MISMATCH", format!("reader type: {left_type} not compatible with writer type: {right_type}"))
            }
            Cause::Name => {
                let name = right.named().map(|named| named.name.full()).unwrap_or_default();
                ("NAME_MISMATCH", format!("expected: {name}"))
            }
            Cause::FixedSize => ("FIXED_SIZE_MISMATCH", sizes(left, right)),
            Cause::Symbols => ("MISSING_ENUM_SYMBOLS", missing_symbols(left, right)),
            Cause::Branch => ("MISSING_UNION_BRANCH", format!("reader union lacking writer type: {right_type}")),
            Cause::MissingDefault(index) => ("READER_FIELD_MISSING_DEFAULT_VALUE", field_name(left, index)),
        };
        Difference { kind, path: self.path(found.place), info }
    }

    fn path(&self, place: Place) -> String {
        if place == Place::ROOT {
            return "/".to_owned();
        }
        let mut steps = Vec::new();
        let mut at = place;
        while at != Place::ROOT {
            let (parent, step) = self.locations[at.0];
            steps.push(step);
            at = parent;
        }
        steps.iter().rev().fold(String::new(), |path, step| match step {
            Step::Word(word) => path + "/" + word,
            Step::Index(index) => path + "/" + &index.to_string(),
        })
    }
}

fn sizes(reader: &Kind, writer: &Kind) -> String {
    match (reader, writer) {
        (Kind::Fixed(reader), Kind::Fixed(writer)) => format!("expected: {}, found: {}", writer.size, reader.size),
        _ => String::new(),
    }
}

/// The writer's symbols that the reader lacks, as Java prints a sorted set.
fn missing_symbols(reader: &Kind, writer: &Kind) -> String {
    let (Kind::Enum(reader), Kind::Enum(writer)) = (reader, writer) else {
        return String::new();
    };
    let known: HashSet<&String> = reader.symbols.iter().collect();
    let mut missing: Vec<&str> =
        writer.symbols.iter().filter(|symbol| !known.contains(symbol)).map(String::as_str).collect();
    missing.sort_by(|left, right| utf16_order(left, right));
    format!("[{}]", missing.join(", "))
}

fn field_name(reader: &Kind, index: usize) -> String {
    match reader {
        Kind::Record(record) => record.fields.get(index).map(|field| field.name.clone()).unwrap_or_default(),
        _ => String::new(),
    }
}
