//! Whether a reader can read what a writer wrote (avro-canonical.md, Avro compatibility).
//!
//! Pairs of types are compared once and remembered, as Avro for Java 1.12 does it: a pair met again while it is being
//! compared counts as compatible, and one met again later brings its differences with the paths of the first meeting.
//! The remembered lists are shared, not copied, so that types used in many places do not multiply the work; the list
//! handed out ends at [`MAX_DIFFERENCES`] entries or [`MAX_PATH_BYTES`] of paths.

use std::collections::{BTreeSet, HashMap};

use super::model::{Field, Graph, Kind, NodeId, Primitive, Record};
use super::text;
use crate::difference::{Difference, UNEXPECTED_EXCEPTION};
use crate::json_text::utf16_order;

/// How many differences are reported at most; the verdict does not depend on it.
pub const MAX_DIFFERENCES: usize = 10_000;

/// How many bytes the paths and infos of the reported differences have at most, give or take one.
pub const MAX_PATH_BYTES: usize = 8 << 20;

/// A type with the graph it lives in.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) graph: &'a Graph,
    pub(super) root: NodeId,
}

/// The differences that keep `reader` from reading `writer`.
pub(super) fn compare(reader: Side<'_>, writer: Side<'_>) -> Vec<Difference> {
    let mut checker = Checker {
        reader: reader.graph,
        writer: writer.graph,
        memo: HashMap::new(),
        lists: Vec::new(),
        locations: vec![Location { parent: ROOT, step: Step::Word("") }],
        found: Vec::new(),
    };
    match checker.run((reader.root, writer.root)) {
        Ok(list) => checker.flatten(list),
        Err(info) => vec![Difference { kind: UNEXPECTED_EXCEPTION, path: "/".to_owned(), info }],
    }
}

type Pair = (NodeId, NodeId);
/// A place in [`Checker::locations`].
type Place = usize;
/// A place in [`Checker::lists`]; none stands for "compatible".
type List = Option<usize>;

const ROOT: Place = 0;

/// One step of a path, with the place it starts from.
struct Location {
    parent: Place,
    step: Step,
}

#[derive(Clone, Copy)]
enum Step {
    Word(&'static str),
    Index(usize),
}

struct Found {
    kind: &'static str,
    place: Place,
    info: String,
}

/// An entry of the differences of a pair: one of its own, or all those of another pair.
#[derive(Clone, Copy)]
enum Entry {
    Found(usize),
    List(usize),
}

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
    lists: Vec<Vec<Entry>>,
    locations: Vec<Location>,
    found: Vec<Found>,
}

impl Checker<'_> {
    fn run(&mut self, root: Pair) -> Result<List, String> {
        let mut stack: Vec<Open> = Vec::new();
        let mut next = (root, ROOT);
        loop {
            let mut decided = match self.memo.get(&next.0) {
                Some(Memo::InProgress) => Some(None),
                Some(Memo::Done(list)) => Some(*list),
                None => match self.begin(next.0, next.1) {
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
                    return Ok(decided.flatten());
                };
                let finished = match decided.take() {
                    Some(list) => self.take(open, list),
                    None => false,
                };
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
        let list = (!entries.is_empty()).then_some(self.lists.len());
        if list.is_some() {
            self.lists.push(entries);
        }
        self.memo.insert(pair, Memo::Done(list));
        list
    }

    fn begin(&mut self, pair: Pair, place: Place) -> Begun {
        let (reader, writer) = (self.reader, self.writer);
        let opened = |place, shape| Begun::Opened(Open { pair, place, entries: Vec::new(), next: 0, shape });
        match (reader.kind(pair.0), writer.kind(pair.1)) {
            (Kind::Primitive(reader), Kind::Primitive(writer)) if promotes(*writer, *reader) => {
                Begun::Decided(Vec::new())
            }
            (Kind::Array(_), Kind::Array(_)) => opened(place, Shape::Element("items")),
            (Kind::Map(_), Kind::Map(_)) => opened(place, Shape::Element("values")),
            (Kind::Fixed(left), Kind::Fixed(right)) => {
                let mut entries = self.check_names(pair, place);
                if left.size != right.size {
                    let info = format!("expected: {}, found: {}", right.size, left.size);
                    entries.push(self.difference("FIXED_SIZE_MISMATCH", place, &[Step::Word("size")], info));
                }
                Begun::Decided(entries)
            }
            (Kind::Enum(left), Kind::Enum(right)) => {
                let mut entries = self.check_names(pair, place);
                if left.default.is_none() {
                    let missing = missing_symbols(&left.symbols, &right.symbols);
                    if let Some(info) = missing {
                        entries.push(self.difference("MISSING_ENUM_SYMBOLS", place, &[Step::Word("symbols")], info));
                    }
                }
                Begun::Decided(entries)
            }
            (Kind::Record(_), Kind::Record(_)) => {
                let entries = self.check_names(pair, place);
                let fields = self.locate(place, Step::Word("fields"));
                Begun::Opened(Open { pair, place, entries, next: 0, shape: Shape::Records { fields } })
            }
            (Kind::Union(_), Kind::Union(_)) => opened(place, Shape::Unions),
            (_, Kind::Union(_)) => opened(place, Shape::WriterUnion),
            (Kind::Union(_), _) => opened(place, Shape::ReaderUnion),
            (left, right) => {
                let info =
                    format!("reader type: {} not compatible with writer type: {}", upper_type(left), upper_type(right));
                Begun::Decided(vec![self.difference("TYPE_MISMATCH", place, &[], info)])
            }
        }
    }

    /// The next pair below `open` with its place; none if there is no other. Errors are what Java throws.
    fn next_child(&mut self, open: &mut Open) -> Result<Option<(Pair, Place)>, String> {
        let (reader, writer) = open.pair;
        let index = open.next;
        open.next += 1;
        match open.shape {
            Shape::Element(word) => {
                let children = self.reader.child(reader, index).zip(self.writer.child(writer, index));
                Ok(children.map(|pair| (pair, self.locate(open.place, Step::Word(word)))))
            }
            Shape::Unions => Ok(self.writer.child(writer, index).map(|branch| ((reader, branch), ROOT))),
            Shape::WriterUnion => {
                let branch = self.writer.child(writer, index);
                Ok(branch.map(|branch| ((reader, branch), self.locate(open.place, Step::Index(index)))))
            }
            Shape::ReaderUnion => match self.reader.child(reader, index) {
                Some(branch) => Ok(Some(((branch, writer), ROOT))),
                None => {
                    let info = self.lacking(writer);
                    open.entries = vec![self.difference("MISSING_UNION_BRANCH", open.place, &[], info)];
                    Ok(None)
                }
            },
            Shape::Records { fields } => {
                open.next -= 1;
                self.next_field(open, fields)
            }
        }
    }

    /// The next field that both records have; fields without a partner are dealt with on the way.
    fn next_field(&mut self, open: &mut Open, fields: Place) -> Result<Option<(Pair, Place)>, String> {
        let (reader_graph, writer_graph) = (self.reader, self.writer);
        let (Kind::Record(reader), Kind::Record(writer)) =
            (reader_graph.kind(open.pair.0), writer_graph.kind(open.pair.1))
        else {
            return Ok(None);
        };
        while let Some(field) = reader.fields.get(open.next) {
            let index = open.next;
            open.next += 1;
            let partner = self.partner(field, index, writer, open.pair.1)?;
            let child = match partner {
                Some(partner) => partner.schema,
                None if field.default.is_some() => continue,
                // An enum with a default of its own is compared with the record: Java's slip.
                None if has_enum_default(reader_graph.kind(field.schema)) => open.pair.1,
                None => {
                    let kind = "READER_FIELD_MISSING_DEFAULT_VALUE";
                    let entry = self.difference(kind, fields, &[Step::Index(index)], field.name.clone());
                    open.entries.push(entry);
                    continue;
                }
            };
            let place = self.locate(fields, Step::Index(index));
            let place = self.locate(place, Step::Word("type"));
            return Ok(Some(((field.schema, child), place)));
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
    ) -> Result<Option<&'w Field>, String> {
        let names = std::iter::once(&field.name).chain(&field.aliases);
        let mut partners = names.filter_map(|name| writer.places.get(name)).filter_map(|at| writer.fields.get(*at));
        let partner = partners.next();
        if partners.next().is_some() {
            return Err(format!(
                "Reader record field {} type:{} pos:{index} matches multiple fields in writer record schema {}",
                field.name,
                upper_type(self.reader.kind(field.schema)),
                text::print(self.writer, writer_id, [])
            ));
        }
        Ok(partner)
    }

    /// Takes in what comparing a child gave; true if that decides the whole.
    fn take(&mut self, open: &mut Open, list: List) -> bool {
        match open.shape {
            Shape::ReaderUnion => list.is_none(),
            Shape::Unions => {
                if list.is_some() {
                    let index = open.next - 1;
                    let branch = self.writer.child(open.pair.1, index).unwrap_or(open.pair.1);
                    let info = self.lacking(branch);
                    let entry = self.difference("MISSING_UNION_BRANCH", open.place, &[Step::Index(index)], info);
                    open.entries.push(entry);
                }
                false
            }
            Shape::Element(_) | Shape::WriterUnion | Shape::Records { .. } => {
                open.entries.extend(list.map(Entry::List));
                false
            }
        }
    }

    fn lacking(&self, writer: NodeId) -> String {
        format!("reader union lacking writer type: {}", upper_type(self.writer.kind(writer)))
    }

    /// Named types match by their name without namespace, or by an alias of the reader.
    fn check_names(&mut self, pair: Pair, place: Place) -> Vec<Entry> {
        let (Some(reader), Some(writer)) = (self.reader.named(pair.0), self.writer.named(pair.1)) else {
            return Vec::new();
        };
        let matches = reader.name.simple() == writer.name.simple()
            || reader.aliases.iter().any(|alias| alias.as_alias_of(&reader.name) == writer.name.full());
        if matches {
            return Vec::new();
        }
        let info = format!("expected: {}", writer.name.full());
        vec![self.difference("NAME_MISMATCH", place, &[Step::Word("name")], info)]
    }

    fn difference(&mut self, kind: &'static str, place: Place, steps: &[Step], info: String) -> Entry {
        let place = steps.iter().fold(place, |place, step| self.locate(place, *step));
        self.found.push(Found { kind, place, info });
        Entry::Found(self.found.len() - 1)
    }

    fn locate(&mut self, parent: Place, step: Step) -> Place {
        self.locations.push(Location { parent, step });
        self.locations.len() - 1
    }

    fn path(&self, mut place: Place) -> String {
        let mut steps = Vec::new();
        while place != ROOT {
            steps.push(self.locations[place].step);
            place = self.locations[place].parent;
        }
        if steps.is_empty() {
            return "/".to_owned();
        }
        steps.iter().rev().fold(String::new(), |path, step| match step {
            Step::Word(word) => path + "/" + word,
            Step::Index(index) => path + "/" + &index.to_string(),
        })
    }

    /// All differences of a list in order, up to the limits.
    fn flatten(&self, list: List) -> Vec<Difference> {
        let mut differences = Vec::new();
        let mut bytes = 0;
        let mut stack: Vec<(usize, usize)> = list.into_iter().map(|list| (list, 0)).collect();
        while let Some((list, next)) = stack.last_mut() {
            let Some(entry) = self.lists[*list].get(*next) else {
                stack.pop();
                continue;
            };
            *next += 1;
            match entry {
                Entry::List(below) => stack.push((*below, 0)),
                Entry::Found(index) => {
                    let found = &self.found[*index];
                    let path = self.path(found.place);
                    bytes += path.len() + found.info.len();
                    differences.push(Difference { kind: found.kind, path, info: found.info.clone() });
                }
            }
            if differences.len() >= MAX_DIFFERENCES || bytes >= MAX_PATH_BYTES {
                break;
            }
        }
        differences
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

/// The writer's symbols that the reader lacks, as Java prints a sorted set; none if there are none.
fn missing_symbols(reader: &[String], writer: &[String]) -> Option<String> {
    let known: BTreeSet<&String> = reader.iter().collect();
    let mut missing: Vec<&str> = writer.iter().filter(|symbol| !known.contains(symbol)).map(String::as_str).collect();
    missing.sort_by(|left, right| utf16_order(left, right));
    (!missing.is_empty()).then(|| format!("[{}]", missing.join(", ")))
}

fn has_enum_default(kind: &Kind) -> bool {
    matches!(kind, Kind::Enum(enumeration) if enumeration.default.is_some())
}

fn upper_type(kind: &Kind) -> String {
    kind.type_name().to_ascii_uppercase()
}
