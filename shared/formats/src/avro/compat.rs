//! Whether a reader can read what a writer wrote (avro-canonical.md, Avro compatibility).
//!
//! Pairs of types are compared once and remembered, as Avro for Java 1.12 does it: a pair met again while it is being
//! compared counts as compatible, and one met again later brings its differences with the paths of the first meeting.
//! The remembered lists are shared, not copied, so that types used in many places do not multiply the work.

use std::collections::{HashMap, HashSet};

use super::candidates::Candidates;
use super::findings::{Cause, Entry, Findings, Found, List, Place, Step};
use super::model::{Field, Graph, Kind, NodeId, Primitive, Record};
use super::text;
use crate::budget::{Budget, Exceeded};
use crate::difference::{Difference, UNEXPECTED_EXCEPTION};

/// How many pairs of types one comparison remembers at most: a bound on memory.
pub const MAX_PAIRS: usize = 250_000;

/// How many differences and places one comparison remembers at most; of what is found beyond them only that it is
/// there. Far above [`MAX_DIFFERENCES`](super::MAX_DIFFERENCES), which are reported.
const MAX_REMEMBERED: usize = 500_000;

/// What a pair costs that is compared and remembered.
const PAIR_STEPS: usize = 4;

/// A type with the graph it lives in.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) graph: &'a Graph,
    pub(super) root: NodeId,
}

/// The differences that keep `reader` from reading `writer`.
///
/// # Errors
/// [`Exceeded`] if that takes too much.
pub(super) fn compare(reader: Side<'_>, writer: Side<'_>, budget: &mut Budget) -> Result<Vec<Difference>, Exceeded> {
    let mut checker = Checker {
        reader: reader.graph,
        writer: writer.graph,
        memo: HashMap::new(),
        findings: Findings::new(),
        candidates: Candidates::new(reader.graph),
        budget,
    };
    match checker.run((reader.root, writer.root)) {
        Ok(list) => Ok(checker.findings.flatten(list, reader.graph, writer.graph)),
        Err(Stop::Exception(info)) => Ok(vec![Difference { kind: UNEXPECTED_EXCEPTION, path: "/".to_owned(), info }]),
        Err(Stop::Exceeded(what)) => Err(what),
    }
}

/// Why a comparison ends early.
enum Stop {
    /// Java throws, with these words.
    Exception(String),
    /// It would take too much.
    Exceeded(Exceeded),
}

impl From<Exceeded> for Stop {
    fn from(what: Exceeded) -> Self {
        Self::Exceeded(what)
    }
}

/// A type of the reader with one of the writer.
pub(super) type Pair = (NodeId, NodeId);

enum Memo {
    InProgress,
    Done(List),
}

/// A pair that is being compared.
struct Open {
    pair: Pair,
    place: Place,
    entries: Vec<Entry>,
    next: usize,
    shape: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// An array or a map: one child, at this word.
    Element(&'static str),
    /// Two unions: the reader is compared with each branch of the writer.
    Unions,
    /// Any other reader with each branch of the writer.
    WriterUnion,
    /// Each branch of the reader, until one fits.
    ReaderUnion,
    /// Two records; `fields` is the place of the word before the indexes.
    Records { fields: Place },
}

/// What comparing a pair begins with.
enum Begun {
    Decided(Vec<Entry>),
    Opened(Open),
}

struct Checker<'a> {
    reader: &'a Graph,
    writer: &'a Graph,
    memo: HashMap<Pair, Memo>,
    findings: Findings,
    candidates: Candidates<'a>,
    budget: &'a mut Budget,
}

impl Checker<'_> {
    fn run(&mut self, root: Pair) -> Result<List, Stop> {
        let mut stack: Vec<Open> = Vec::new();
        let mut next = (root, Place::ROOT);
        loop {
            let mut decided = match self.memo.get(&next.0) {
                Some(Memo::InProgress) => Some(List::NONE),
                Some(Memo::Done(list)) => Some(*list),
                None => match self.begin(next.0, next.1)? {
                    Begun::Decided(entries) => Some(self.remember(next.0, entries)),
                    Begun::Opened(open) => {
                        self.memo.insert(open.pair, Memo::InProgress);
                        stack.push(open);
                        None
                    }
                },
            };
            next = loop {
                let Some(open) = stack.last_mut() else {
                    return Ok(decided.unwrap_or(List::NONE));
                };
                let finished = decided.take().is_some_and(|list| self.take(open, list));
                let child = if finished { None } else { self.next_child(open)? };
                if let Some(child) = child {
                    break child;
                }
                if let Some(open) = stack.pop() {
                    decided = Some(self.remember(open.pair, open.entries));
                }
            };
        }
    }

    fn remember(&mut self, pair: Pair, entries: Vec<Entry>) -> List {
        let list = self.findings.keep(entries);
        self.memo.insert(pair, Memo::Done(list));
        list
    }

    fn begin(&mut self, pair: Pair, place: Place) -> Result<Begun, Stop> {
        if self.memo.len() >= MAX_PAIRS {
            return Err(Exceeded::Pairs(MAX_PAIRS).into());
        }
        self.budget.spend(PAIR_STEPS)?;
        let (reader, writer) = (self.reader.kind(pair.0), self.writer.kind(pair.1));
        let shape = match (reader, writer) {
            (Kind::Array(_), Kind::Array(_)) => Shape::Element("items"),
            (Kind::Map(_), Kind::Map(_)) => Shape::Element("values"),
            (Kind::Union(_), Kind::Union(_)) => Shape::Unions,
            (_, Kind::Union(_)) => Shape::WriterUnion,
            (Kind::Union(_), _) => Shape::ReaderUnion,
            (Kind::Record(_), Kind::Record(_)) => {
                let fields = self.findings.locate(place, Step::Word("fields"));
                let entries = self.check_names(pair, place);
                return Ok(Begun::Opened(Open { pair, place, entries, next: 0, shape: Shape::Records { fields } }));
            }
            _ => return Ok(Begun::Decided(self.compare_leaves(pair, place)?)),
        };
        Ok(Begun::Opened(Open { pair, place, entries: Vec::new(), next: 0, shape }))
    }

    /// Compares two types of which at least one has no children.
    fn compare_leaves(&mut self, pair: Pair, place: Place) -> Result<Vec<Entry>, Stop> {
        Ok(match (self.reader.kind(pair.0), self.writer.kind(pair.1)) {
            (Kind::Primitive(reader), Kind::Primitive(writer)) if promotes(*writer, *reader) => Vec::new(),
            (Kind::Fixed(reader), Kind::Fixed(writer)) => {
                let mut entries = self.check_names(pair, place);
                if reader.size != writer.size {
                    entries.push(self.difference(Cause::FixedSize, pair, place, Some(Step::Word("size"))));
                }
                entries
            }
            (Kind::Enum(reader), Kind::Enum(writer)) => {
                self.budget.spend(reader.symbols.len() + writer.symbols.len())?;
                let mut entries = self.check_names(pair, place);
                let known: HashSet<&String> = reader.symbols.iter().collect();
                let all_known = writer.symbols.iter().all(|symbol| known.contains(symbol));
                if reader.default.is_none() && !all_known {
                    entries.push(self.difference(Cause::Symbols, pair, place, Some(Step::Word("symbols"))));
                }
                entries
            }
            _ => vec![self.difference(Cause::Type, pair, place, None)],
        })
    }

    /// The next pair below `open` with its place; none if there is no other. Errors are what Java throws.
    fn next_child(&mut self, open: &mut Open) -> Result<Option<(Pair, Place)>, Stop> {
        self.budget.spend(1)?;
        if let Shape::Records { fields } = open.shape {
            return self.next_field(open, fields);
        }
        let (reader, writer) = open.pair;
        let index = open.next;
        open.next += 1;
        let child = match open.shape {
            Shape::Element(word) => {
                let children = self.reader.child(reader, index).zip(self.writer.child(writer, index));
                children.map(|pair| (pair, self.locate(pair, open.place, &[Step::Word(word)])))
            }
            Shape::WriterUnion => {
                let branch = self.writer.child(writer, index);
                branch
                    .map(|branch| (reader, branch))
                    .map(|pair| (pair, self.locate(pair, open.place, &[Step::Index(index)])))
            }
            Shape::Unions => self.writer.child(writer, index).map(|branch| ((reader, branch), Place::ROOT)),
            Shape::ReaderUnion => {
                let branch = self.candidates.branch(reader, index, self.writer, writer);
                branch.map(|branch| ((branch, writer), Place::ROOT))
            }
            Shape::Records { .. } => None,
        };
        if child.is_none() && open.shape == Shape::ReaderUnion {
            open.entries = vec![self.difference(Cause::Branch, open.pair, open.place, None)];
        }
        Ok(child)
    }

    /// The next field that both records have; fields without a partner are dealt with on the way.
    fn next_field(&mut self, open: &mut Open, fields: Place) -> Result<Option<(Pair, Place)>, Stop> {
        let (reader_graph, writer_graph) = (self.reader, self.writer);
        let (Kind::Record(reader), Kind::Record(writer)) =
            (reader_graph.kind(open.pair.0), writer_graph.kind(open.pair.1))
        else {
            return Ok(None);
        };
        while let Some(field) = reader.fields.get(open.next) {
            let index = open.next;
            open.next += 1;
            self.budget.spend(1 + field.aliases.len())?;
            let partner = self.partner(field, index, writer, open.pair.1)?;
            let child = match partner {
                Some(partner) => partner.schema,
                None if field.default.is_some() => continue,
                // An enum with a default of its own is compared with the record: Java's slip.
                None if has_enum_default(reader_graph.kind(field.schema)) => open.pair.1,
                None if !self.has_room(&open.entries) => continue,
                None => {
                    let step = Some(Step::Index(index));
                    open.entries.push(self.difference(Cause::MissingDefault(index), open.pair, fields, step));
                    continue;
                }
            };
            let pair = (field.schema, child);
            return Ok(Some((pair, self.locate(pair, fields, &[Step::Index(index), Step::Word("type")]))));
        }
        Ok(None)
    }

    /// The writer's field that `field` reads, by its name or an alias.
    fn partner<'w>(
        &self,
        field: &Field,
        index: usize,
        writer: &'w Record,
        writer_id: NodeId,
    ) -> Result<Option<&'w Field>, Stop> {
        let names = std::iter::once(&field.name).chain(&field.aliases);
        let mut partners = names.filter_map(|name| writer.places.get(name)).filter_map(|at| writer.fields.get(*at));
        let partner = partners.next();
        if partners.next().is_some() {
            return Err(Stop::Exception(format!(
                "Reader record field {} type:{} pos:{index} matches multiple fields in writer record schema {}",
                field.name,
                self.reader.kind(field.schema).upper_type_name(),
                text::print(self.writer, writer_id, [])
            )));
        }
        Ok(partner)
    }

    /// Takes in what comparing a child gave; true if that decides the whole.
    fn take(&mut self, open: &mut Open, list: List) -> bool {
        match open.shape {
            Shape::ReaderUnion => list == List::NONE,
            Shape::Unions => {
                if list != List::NONE && self.has_room(&open.entries) {
                    let index = open.next - 1;
                    let branch = self.writer.child(open.pair.1, index).unwrap_or(open.pair.1);
                    let pair = (open.pair.0, branch);
                    open.entries.push(self.difference(Cause::Branch, pair, open.place, Some(Step::Index(index))));
                }
                false
            }
            Shape::Element(_) | Shape::WriterUnion | Shape::Records { .. } => {
                if self.has_room(&open.entries) {
                    open.entries.extend(list.entry());
                }
                false
            }
        }
    }

    /// The place of a pair; one that was met before has its place already.
    fn locate(&mut self, pair: Pair, parent: Place, steps: &[Step]) -> Place {
        if self.memo.contains_key(&pair) {
            return parent;
        }
        steps.iter().fold(parent, |place, step| self.findings.locate(place, *step))
    }

    /// Whether an entry is kept; one of a list always is, to say no.
    fn has_room(&self, entries: &[Entry]) -> bool {
        entries.is_empty() || self.findings.size() <= MAX_REMEMBERED
    }

    fn check_names(&mut self, pair: Pair, place: Place) -> Vec<Entry> {
        if self.candidates.names_match(pair.0, self.writer, pair.1) {
            return Vec::new();
        }
        vec![self.difference(Cause::Name, pair, place, Some(Step::Word("name")))]
    }

    fn difference(&mut self, cause: Cause, pair: Pair, place: Place, step: Option<Step>) -> Entry {
        let place = step.map_or(place, |step| self.findings.locate(place, step));
        self.findings.add(Found { cause, pair, place })
    }
}

/// Whether values of the type `from` can be read as `to`.
fn promotes(from: Primitive, to: Primitive) -> bool {
    use Primitive::{Bytes, Double, Float, Int, Long, String};
    from == to
        || matches!(
            (from, to),
            (Int, Long | Float | Double) | (Long, Float | Double) | (Float, Double) | (String, Bytes) | (Bytes, String)
        )
}

fn has_enum_default(kind: &Kind) -> bool {
    matches!(kind, Kind::Enum(enumeration) if enumeration.default.is_some())
}
