//! Whether a new schema reads what an old one wrote (protobuf-diff-rules.md).
//!
//! A message that a field refers to across references is compared again at each field that leads to it, as in the
//! reference, and a message that is being compared is not compared within itself. Graphs in which that would take too
//! long or go too deep are compared once more in another way: each pair of messages once, which gives the same
//! verdict with fewer repetitions in the list.

use std::collections::{BTreeMap, HashSet, VecDeque};

use super::difference_kind::DifferenceKind as Kind;
use super::findings::{Findings, Report};
use super::link::{Linker, Origin, Scope, TypeInfo};
use super::model::{Enum, Field, File, Label, Message, Type};
use super::oneofs::{self, Rules};
use super::parse::MAX_DEPTH;
use super::type_kind::{Group, TypeKind};
use crate::Difference;
use crate::budget::{Budget, Exceeded};

/// How many fields, constants and types are compared across references before each pair of messages is compared only
/// once.
pub const MAX_WORK: usize = 100_000;

/// How many messages deep a comparison goes, across references and into nested ones, before each pair of messages is
/// compared only once.
pub const MAX_OPEN: usize = 120;

/// What a field costs, or anything else that is compared: its types are looked for by their names.
const FIELD_STEPS: usize = 4;

/// What a reference points to; none where that is not known.
pub(super) type Target<'a> = Option<(&'a str, i32)>;

/// One of the two schemas.
pub(super) struct Side<'a> {
    pub(super) file: &'a File,
    pub(super) linker: Linker<'a>,
    /// By the index of the reference.
    pub(super) targets: Vec<Target<'a>>,
}

impl<'a> Side<'a> {
    /// Where a type is from, as far as it can be compared with that of the other side.
    fn source(&self, origin: Origin) -> Source<'a> {
        match origin {
            Origin::Local => Source::Local,
            Origin::Known(index) => Source::Known(index),
            Origin::Reference(index) => {
                self.targets.get(index).copied().flatten().map_or(Source::Unknown, Source::Reference)
            }
        }
    }
}

#[derive(PartialEq, Eq)]
enum Source<'a> {
    Local,
    Known(usize),
    Reference((&'a str, i32)),
    Unknown,
}

/// The differences between two schemas.
///
/// # Errors
/// [`Exceeded`] if that takes too much.
pub(super) fn compare(
    new: &Side<'_>,
    old: &Side<'_>,
    rules: Rules,
    report: Report,
    budget: &mut Budget,
) -> Result<Vec<Difference>, Exceeded> {
    let mut comparison = Comparison::new((new, old), rules, report, Way::EachField, *budget);
    comparison.files();
    *budget = comparison.budget;
    match comparison.gave_up {
        None => return Ok(comparison.findings.into_differences()),
        Some(GaveUp::Exceeded(what)) => return Err(what),
        Some(GaveUp::TooFar) => {}
    }
    let mut comparison = Comparison::new((new, old), rules, report, Way::EachPair, *budget);
    comparison.files();
    comparison.queued();
    *budget = comparison.budget;
    match comparison.gave_up {
        Some(GaveUp::Exceeded(what)) => Err(what),
        _ => Ok(comparison.findings.into_differences()),
    }
}

/// Why a comparison ended early.
#[derive(Clone, Copy)]
enum GaveUp {
    /// In this way it would go on too long or too deep.
    TooFar,
    /// In any way it would take too much.
    Exceeded(Exceeded),
}

/// How messages that fields refer to are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// At each field.
    EachField,
    /// Once, later.
    EachPair,
}

/// A pair of messages that a field refers to, and their name without the package.
struct Pair<'a> {
    old: TypeInfo<'a>,
    new: TypeInfo<'a>,
    local_name: String,
}

pub(super) struct Comparison<'c, 'a> {
    new: &'c Side<'a>,
    old: &'c Side<'a>,
    rules: Rules,
    findings: Findings,
    place: Place,
    /// The old messages that are being compared.
    open: HashSet<*const Message>,
    /// The maps that are being compared: the entry of a map may be written as a message, and have itself as its value.
    open_maps: Vec<(String, String)>,
    way: Way,
    /// How many fields, constants and types were compared across references.
    work: usize,
    /// How many messages are being compared.
    depth: usize,
    /// How many references were followed to get here.
    steps: usize,
    gave_up: Option<GaveUp>,
    budget: Budget,
    pairs: HashSet<(*const Type, *const Type)>,
    queue: VecDeque<Pair<'a>>,
}

/// Where the comparison is.
struct Place {
    /// The names of the messages, which are a part of the names around in both schemas.
    path: Vec<String>,
    old_scope: Scope,
    new_scope: Scope,
}

impl Place {
    fn new(old_package: &str, new_package: &str, local_name: &str) -> Self {
        let mut place = Self {
            path: Vec::new(),
            old_scope: Scope::of_package(old_package),
            new_scope: Scope::of_package(new_package),
        };
        local_name.split('.').filter(|name| !name.is_empty()).for_each(|name| place.enter(name));
        place
    }

    fn enter(&mut self, name: &str) {
        self.path.push(name.to_owned());
        self.old_scope.enter(name);
        self.new_scope.enter(name);
    }

    fn leave(&mut self) {
        self.path.pop();
        self.old_scope.leave();
        self.new_scope.leave();
    }
}

impl<'c, 'a> Comparison<'c, 'a> {
    fn new((new, old): (&'c Side<'a>, &'c Side<'a>), rules: Rules, report: Report, way: Way, budget: Budget) -> Self {
        let package = |side: &Side<'a>| side.file.package.clone().unwrap_or_default();
        Self {
            new,
            old,
            rules,
            findings: Findings::new(report),
            place: Place::new(&package(old), &package(new), ""),
            open: HashSet::new(),
            open_maps: Vec::new(),
            way,
            work: 0,
            depth: 0,
            steps: 0,
            gave_up: None,
            budget,
            pairs: HashSet::new(),
            queue: VecDeque::new(),
        }
    }

    pub(super) fn rules(&self) -> Rules {
        self.rules
    }

    /// Adds a difference at the message being compared and the steps from it.
    pub(super) fn add_at(&mut self, steps: &[&str], kind: Kind) {
        let path = &self.place.path;
        self.findings.add(kind, || {
            let all: Vec<&str> = path.iter().map(String::as_str).chain(steps.iter().copied()).collect();
            format!("#/{}", all.join("/"))
        });
    }

    fn files(&mut self) {
        if self.old.file.package != self.new.file.package {
            self.add_at(&[], Kind::PackageChanged);
        }
        let (old, new) = (self.old, self.new);
        self.types(&old.file.types, &new.file.types);
    }

    fn types(&mut self, old: &'a [Type], new: &'a [Type]) {
        if !self.goes_on(old.len() + new.len()) {
            return;
        }
        let (old_messages, new_messages) = (messages(old), messages(new));
        for (name, (index, old_message)) in &old_messages {
            self.place.enter(name);
            match new_messages.get(name) {
                None => {
                    let found = self.old.linker.resolve_type(&self.place.old_scope, name);
                    if found.is_some_and(|(_, info)| !info.is_map) {
                        self.add_at(&[], Kind::MessageRemoved);
                    }
                }
                Some((new_index, new_message)) => {
                    self.messages(old_message, new_message);
                    if index != new_index {
                        self.add_at(&[], Kind::MessageMoved);
                    }
                }
            }
            self.place.leave();
        }
        for name in new_messages.keys().filter(|name| !old_messages.contains_key(*name)) {
            self.place.enter(name);
            let found = self.new.linker.resolve_type(&self.place.new_scope, name);
            if found.is_some_and(|(_, info)| !info.is_map) {
                self.add_at(&[], Kind::MessageAdded);
            }
            self.place.leave();
        }
        self.enums(&enums(old), &enums(new));
    }

    fn enums(&mut self, old: &BTreeMap<&str, &Enum>, new: &BTreeMap<&str, &Enum>) {
        for (name, old) in old {
            match new.get(name) {
                None => self.add_at(&[name], Kind::EnumRemoved),
                Some(new) => self.constants(name, old, new),
            }
        }
        for name in new.keys().filter(|name| !old.contains_key(*name)) {
            self.add_at(&[name], Kind::EnumAdded);
        }
    }

    fn constants(&mut self, name: &str, old: &Enum, new: &Enum) {
        if !self.goes_on(old.constants.len() + new.constants.len()) {
            return;
        }
        let by_number = |one: &Enum| -> BTreeMap<i32, String> {
            one.constants.iter().map(|constant| (constant.number, constant.name.clone())).collect()
        };
        let (old, new) = (by_number(old), by_number(new));
        for (number, constant) in &old {
            let kind = match new.get(number) {
                None => Kind::EnumConstRemoved,
                Some(same) if same == constant => continue,
                Some(_) => Kind::EnumConstChanged,
            };
            self.add_at(&[name, &number.to_string()], kind);
        }
        for number in new.keys().filter(|number| !old.contains_key(number)) {
            self.add_at(&[name, &number.to_string()], Kind::EnumConstAdded);
        }
    }

    /// Whether to go on with so much more work.
    fn goes_on(&mut self, work: usize) -> bool {
        self.spend(FIELD_STEPS * work);
        // What is at the top is compared once in either way.
        if self.steps > 0 {
            self.work += work;
            if self.way == Way::EachField && (self.work > MAX_WORK || self.depth > MAX_OPEN) {
                self.gave_up.get_or_insert(GaveUp::TooFar);
            }
        }
        self.gave_up.is_none()
    }

    fn spend(&mut self, steps: usize) {
        if let Err(what) = self.budget.spend(steps) {
            self.gave_up.get_or_insert(GaveUp::Exceeded(what));
        }
    }

    fn messages(&mut self, old: &'a Message, new: &'a Message) {
        self.spend(size(old) + size(new));
        if !self.goes_on(1) {
            return;
        }
        self.depth += 1;
        let entered = self.open.insert(std::ptr::from_ref(old));
        if entered {
            oneofs::compare(self, old, new);
        }
        self.types(&old.types, &new.types);
        if entered {
            self.open.remove(&std::ptr::from_ref(old));
        }
        self.depth -= 1;
    }

    /// Compares two fields of one tag; `oneof` is where the new one is.
    pub(super) fn fields(&mut self, oneof: Option<&str>, old: &'a Field, new: &'a Field) {
        if !self.goes_on(1) {
            return;
        }
        let tag = new.tag.to_string();
        let steps: Vec<&str> = oneof.into_iter().chain([tag.as_str()]).collect();
        if old.name != new.name {
            self.add_at(&steps, Kind::FieldNameChanged);
        }
        self.field_types(&steps, (old.label, new.label), &old.type_name, &new.type_name);
    }

    fn field_types(&mut self, steps: &[&str], labels: (Option<Label>, Option<Label>), old_type: &str, new_type: &str) {
        let old_info = self.old.linker.resolve_type(&self.place.old_scope, old_type);
        let new_info = self.new.linker.resolve_type(&self.place.new_scope, new_type);
        let old_map = map_of(old_info.as_ref());
        let new_map = map_of(new_info.as_ref());
        let old_type = old_map.as_deref().unwrap_or(old_type);
        let new_type = new_map.as_deref().unwrap_or(new_type);
        let old_kind = TypeKind::of(old_type, old_info.as_ref());
        let new_kind = TypeKind::of(new_type, new_info.as_ref());
        match (old_kind, new_kind) {
            (TypeKind::Scalar(old), TypeKind::Scalar(new)) => self.scalars(steps, labels, old, new),
            (TypeKind::Map(old), TypeKind::Map(new)) => {
                let pair = (old_type.to_owned(), new_type.to_owned());
                self.maps(steps, pair, old, new);
            }
            (TypeKind::Message, TypeKind::Message) => {
                self.named_types(steps, (old_type, old_info), (new_type, new_info));
            }
            _ => self.add_at(steps, Kind::FieldKindChanged),
        }
    }

    fn maps(&mut self, steps: &[&str], pair: (String, String), old: (&str, &str), new: (&str, &str)) {
        self.spend(FIELD_STEPS);
        if self.open_maps.len() == MAX_DEPTH {
            self.gave_up.get_or_insert(GaveUp::Exceeded(Exceeded::Pairs(MAX_DEPTH)));
        }
        if self.gave_up.is_some() || self.open_maps.contains(&pair) {
            return;
        }
        self.open_maps.push(pair);
        self.field_types(steps, (None, None), old.0, new.0);
        self.field_types(steps, (None, None), old.1, new.1);
        self.open_maps.pop();
    }

    fn scalars(&mut self, steps: &[&str], labels: (Option<Label>, Option<Label>), old: Group, new: Group) {
        if old != new {
            self.add_at(steps, Kind::FieldScalarKindChanged);
            return;
        }
        // A change counts only where both are written.
        let (Some(old_label), Some(new_label)) = labels else { return };
        if old_label != new_label {
            let text = old == Group::Text;
            let kind = if text { Kind::FieldStringOrBytesLabelChanged } else { Kind::FieldNumericLabelChanged };
            self.add_at(steps, kind);
        }
    }

    fn named_types(
        &mut self,
        steps: &[&str],
        (old_type, old): (&str, Option<(String, TypeInfo<'a>)>),
        (new_type, new): (&str, Option<(String, TypeInfo<'a>)>),
    ) {
        let (Some((old_name, old)), Some((new_name, new))) = (old, new) else {
            if old_type != new_type {
                self.add_at(steps, Kind::FieldNamedTypeChanged);
            }
            return;
        };
        let local_name = local_name(&old_name, old.package);
        if local_name != self::local_name(&new_name, new.package) {
            self.add_at(steps, Kind::FieldNamedTypeChanged);
            return;
        }
        let sources = (self.old.source(old.origin), self.new.source(new.origin));
        if sources.0 == sources.1 && sources.0 != Source::Unknown {
            return;
        }
        let pair = Pair { old, new, local_name: local_name.to_owned() };
        match self.way {
            Way::EachPair => self.enqueue(pair),
            Way::EachField => {
                let before = self.findings.incompatible();
                self.pair(&pair);
                if self.findings.incompatible() > before {
                    self.add_at(steps, Kind::FieldNamedTypeChanged);
                }
            }
        }
    }

    /// Compares two messages at a place of their own.
    fn pair(&mut self, pair: &Pair<'a>) {
        let (Some(old), Some(new)) = (pair.old.message(), pair.new.message()) else { return };
        let place = Place::new(pair.old.package, pair.new.package, &pair.local_name);
        let before = std::mem::replace(&mut self.place, place);
        self.steps += 1;
        self.messages(old, new);
        self.steps -= 1;
        self.place = before;
    }

    fn enqueue(&mut self, pair: Pair<'a>) {
        let key = (std::ptr::from_ref(pair.old.definition), std::ptr::from_ref(pair.new.definition));
        if self.goes_on(1) && self.pairs.insert(key) {
            self.queue.push_back(pair);
        }
    }

    fn queued(&mut self) {
        while let Some(pair) = self.queue.pop_front() {
            self.pair(&pair);
        }
    }
}

/// How many fields there are to be put side by side.
fn size(message: &Message) -> usize {
    message.fields.len() + message.oneofs.items.iter().map(|oneof| 1 + oneof.fields.len()).sum::<usize>()
}

/// The messages of a body by name, each with its place among them.
fn messages(types: &[Type]) -> BTreeMap<&str, (usize, &Message)> {
    let messages = types.iter().filter_map(Type::message).enumerate();
    messages.map(|(index, message)| (message.name.as_str(), (index, message))).collect()
}

fn enums(types: &[Type]) -> BTreeMap<&str, &Enum> {
    types.iter().filter_map(Type::as_enum).map(|one| (one.name.as_str(), one)).collect()
}

/// The map that the entry of a map stands for.
fn map_of(info: Option<&(String, TypeInfo<'_>)>) -> Option<String> {
    info.filter(|(_, info)| info.is_map).and_then(|(_, info)| info.map_type().ok())
}

fn local_name<'n>(full_name: &'n str, package: &str) -> &'n str {
    full_name.strip_prefix(package).and_then(|rest| rest.strip_prefix('.')).unwrap_or(full_name)
}
