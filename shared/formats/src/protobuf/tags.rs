//! Tags within the schema: in the options that `confluent/meta.proto` defines for messages and fields.
//!
//! A path is the names of messages around a field or message, without the package, as the reference has it; one with the
//! package is understood too. A field of a oneof can also be named with the oneof before it. No import is added.

use std::collections::{HashMap, HashSet};

use super::model::{File, Message, Type};
use super::option::{NoKeys, Opt, Value, merge};
use crate::tags::{Collected, TagList};
use crate::{EntityKind, SchemaError, TagEdit, TaggedEntity};

/// The key of tags in an option.
const TAGS: &str = "tags";

/// The option that has the tags of such an entity.
fn option_of(kind: EntityKind) -> &'static str {
    match kind {
        EntityKind::Field => "confluent.field_meta",
        EntityKind::Record => "confluent.message_meta",
    }
}

/// Every tag of the file, its messages, fields and enums, each once.
pub(super) fn inline(file: &File) -> Vec<String> {
    let mut found = TagList::default();
    let mut add = |options: &[Opt], name: &str| found.extend(tags(options, name));
    add(&file.options, "confluent.file_meta");
    let mut below: Vec<&Type> = file.types.iter().rev().collect();
    while let Some(one) = below.pop() {
        match one {
            Type::Message(message) => {
                add(&message.options, option_of(EntityKind::Record));
                let in_oneofs = message.oneofs.items.iter().flat_map(|oneof| &oneof.fields);
                message
                    .fields
                    .iter()
                    .chain(in_oneofs)
                    .for_each(|field| add(&field.options, option_of(EntityKind::Field)));
                below.extend(message.types.iter().rev());
            }
            Type::Enum(one) => {
                add(&one.options.items, "confluent.enum_meta");
                one.constants.iter().for_each(|constant| add(&constant.options, "confluent.enum_value_meta"));
            }
        }
    }
    found.into_vec()
}

/// Every message and field that has tags. Paths begin with a dot.
pub(super) fn entities(file: &File) -> Result<Vec<TaggedEntity>, SchemaError> {
    let mut found = Collected::default();
    let mut outcome = Ok(());
    let mut below = of_types(&file.types, "");
    while let Some((path, message)) = below.pop() {
        below.extend(of_types(&message.types, &path));
        let mut add = |path: String, kind: EntityKind, options: &[Opt]| {
            if outcome.is_ok() && !options.is_empty() {
                outcome = found.add(path, kind, tags(options, option_of(kind)));
            }
        };
        let in_oneofs = message.oneofs.items.iter().flat_map(|oneof| &oneof.fields);
        for field in message.fields.iter().chain(in_oneofs) {
            add(format!("{path}.{}", field.name), EntityKind::Field, &field.options);
        }
        add(path, EntityKind::Record, &message.options);
    }
    outcome.map(|()| found.into_vec())
}

/// The messages among `types` with their paths, the last one first.
fn of_types<'f>(types: &'f [Type], around: &str) -> Vec<(String, &'f Message)> {
    let messages = types.iter().rev().filter_map(Type::message);
    messages.map(|message| (format!("{around}.{}", message.name), message)).collect()
}

/// The tags in the option of this name.
fn tags(options: &[Opt], name: &str) -> Vec<String> {
    let own: Vec<Opt> = options.iter().filter(|option| is_named(option, name)).cloned().collect();
    literal(&own).into_iter().find(|(key, _)| key == TAGS).map(|(_, value)| texts(value)).unwrap_or_default()
}

fn texts(value: Value) -> Vec<String> {
    let items = match value {
        Value::List(items) => items,
        one => vec![one],
    };
    let mut seen = HashSet::new();
    items.iter().map(Value::plain).filter(|tag| seen.insert(tag.clone())).collect()
}

fn is_named(option: &Opt, name: &str) -> bool {
    option.name.strip_prefix('.').unwrap_or(&option.name) == name
}

/// The file with changed tags.
pub(super) fn edit(file: &File, edits: &[TagEdit]) -> Result<File, SchemaError> {
    let package = file.package.as_ref().map(|package| format!("{package}.")).unwrap_or_default();
    let without_package = |edit: &TagEdit| edit.plain_path().strip_prefix(&package).map(str::to_owned);
    let mut places = Places::default();
    for edit in edits {
        places.wanted.insert((edit.kind, edit.plain_path().to_owned()));
        places.wanted.extend(without_package(edit).map(|path| (edit.kind, path)));
    }
    let mut file = file.clone();
    places.search(&mut file, &mut |_, _, _| {});
    let mut changes: HashMap<usize, Vec<&TagEdit>> = HashMap::new();
    for edit in edits {
        let known = |path: String| places.known.get(&(edit.kind, path));
        let place = known(edit.plain_path().to_owned()).or_else(|| known(without_package(edit)?));
        let Some(place) = place else { return Err(no_match(&file, edit)) };
        changes.entry(*place).or_default().push(edit);
    }
    let mut again = Places::default();
    again.search(&mut file, &mut |place, kind, options| {
        changes.remove(&place).into_iter().flatten().for_each(|edit| change(options, option_of(kind), edit));
    });
    Ok(file)
}

/// What the search does with an entity: its number, its kind and its options.
type Visit<'v> = dyn FnMut(usize, EntityKind, &mut Vec<Opt>) + 'v;

/// A search through a file, which numbers its messages and fields.
#[derive(Default)]
struct Places {
    wanted: HashSet<(EntityKind, String)>,
    known: HashMap<(EntityKind, String), usize>,
    count: usize,
    /// The path to where the search is.
    path: String,
}

impl Places {
    fn search(&mut self, file: &mut File, visit: &mut Visit<'_>) {
        self.types(&mut file.types, visit);
    }

    /// Messages do not nest deeper than [`MAX_DEPTH`](super::MAX_DEPTH).
    fn types(&mut self, types: &mut [Type], visit: &mut Visit<'_>) {
        for one in types {
            if let Type::Message(message) = one {
                self.within(&message.name.clone(), |places| places.message(message, visit));
            }
        }
    }

    fn message(&mut self, message: &mut Message, visit: &mut Visit<'_>) {
        visit(self.note(EntityKind::Record), EntityKind::Record, &mut message.options);
        let mut in_oneofs = Vec::new();
        for field in &mut message.fields {
            let place = self.within(&field.name, |places| places.note(EntityKind::Field));
            visit(place, EntityKind::Field, &mut field.options);
        }
        for oneof in &mut message.oneofs.items {
            for field in &mut oneof.fields {
                let place = self.within(&field.name, |places| places.note(EntityKind::Field));
                visit(place, EntityKind::Field, &mut field.options);
                in_oneofs.push((format!("{}.{}", oneof.name, field.name), place));
            }
        }
        self.types(&mut message.types, visit);
        for (name, place) in in_oneofs {
            self.within(&name, |places| places.known(EntityKind::Field, place));
        }
    }

    /// Goes on with a longer path.
    fn within<T>(&mut self, name: &str, go_on: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        if length > 0 {
            self.path.push('.');
        }
        self.path.push_str(name);
        let outcome = go_on(self);
        self.path.truncate(length);
        outcome
    }

    /// Numbers what is at the path.
    fn note(&mut self, kind: EntityKind) -> usize {
        self.count += 1;
        self.known(kind, self.count);
        self.count
    }

    fn known(&mut self, kind: EntityKind, place: usize) {
        let key = (kind, self.path.clone());
        if self.wanted.contains(&key) {
            self.known.entry(key).or_insert(place);
        }
    }
}

/// Changes the tags in the option of this name, which comes to be one literal; other options stay as they are.
fn change(options: &mut Vec<Opt>, name: &str, edit: &TagEdit) {
    let place = options.iter().position(|option| is_named(option, name));
    let (own, mut others): (Vec<Opt>, Vec<Opt>) =
        std::mem::take(options).into_iter().partition(|option| is_named(option, name));
    let mut entries = literal(&own);
    let before = entries.iter().position(|(key, _)| key == TAGS);
    let mut tags = TagList::new(before.map(|at| texts(entries[at].1.clone())).unwrap_or_default());
    tags.change(edit);
    let tags: Vec<Value> = tags.into_vec().into_iter().map(Value::Text).collect();
    match before {
        Some(at) if tags.is_empty() => drop(entries.remove(at)),
        Some(at) => entries[at].1 = Value::List(tags),
        None if tags.is_empty() => {}
        None => entries.push((TAGS.to_owned(), Value::List(tags))),
    }
    if !entries.is_empty() {
        let option = Opt { name: name.to_owned(), custom: true, value: Value::Map(entries) };
        others.insert(place.unwrap_or(others.len()), option);
    }
    *options = others;
}

/// The entries of the literal that options of one name make together; none of what is no literal.
fn literal(options: &[Opt]) -> Vec<(String, Value)> {
    let values: Vec<Value> = options.iter().map(|option| option.clone().with_literal().value).collect();
    if values.is_empty() {
        return Vec::new();
    }
    match merge(values, &NoKeys) {
        Value::Map(entries) => entries,
        _ => Vec::new(),
    }
}

/// Why an edit cannot be done, in the words of the reference.
fn no_match(file: &File, edit: &TagEdit) -> SchemaError {
    let names: Vec<&str> = edit.plain_path().split('.').collect();
    let around = if edit.kind == EntityKind::Field { names.len() - 1 } else { names.len() };
    let mut types: &[Type] = &file.types;
    for (index, name) in names[..around].iter().enumerate() {
        match types.iter().filter_map(Type::message).find(|message| message.name == **name) {
            Some(message) => types = &message.types,
            // It could have been a oneof.
            None if index + 1 == around && edit.kind == EntityKind::Field => break,
            None => return SchemaError::new(format!("No matching Message with name '{name}' found in the schema")),
        }
    }
    let name = names.last().copied().unwrap_or_default();
    SchemaError::new(format!("No matching Field with name '{name}' found in the schema"))
}
