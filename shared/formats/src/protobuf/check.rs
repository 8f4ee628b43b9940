//! Strict validation: whether Java's runtime would build the descriptors of a schema, and if not, what it says.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::default_value;
use super::descriptor::{EnumDescriptor, FieldDescriptor, FileDescriptor, MessageDescriptor};
use super::from_descriptor::TYPES;
use super::symbols::{Symbol, Symbols, View, join, problem};
use super::to_descriptor::{TYPE_ENUM, TYPE_MESSAGE};
use crate::SchemaError;

/// Checks the first of some files, the others being all those that it needs; imports are found by name.
///
/// # Errors
/// The first problem that Java's runtime would find.
pub(super) fn check(files: &[FileDescriptor]) -> Result<(), SchemaError> {
    let index: HashMap<&str, usize> =
        files.iter().enumerate().map(|(index, file)| (file.name.as_str(), index)).collect();
    let imports: Vec<Vec<usize>> = files
        .iter()
        .map(|file| file.dependencies.iter().filter_map(|path| index.get(path.as_str()).copied()).collect())
        .collect();
    let order = imports_first(files, &imports)?;
    let visible: Vec<Vec<usize>> = (0..files.len()).map(|file| visible(files, &imports, file)).collect();
    let mut symbols: Vec<Option<Symbols<'_>>> = files.iter().map(|_| None).collect();
    for file in order {
        let packages = visible[file].iter().map(|import| files[*import].package.as_deref().unwrap_or_default());
        let own = Symbols::of_file(&files[file], packages)?;
        let imports = visible[file].iter().filter_map(|import| symbols.get(*import)?.as_ref()).collect();
        link(&files[file], &View { own: &own, imports })?;
        if let Some(place) = symbols.get_mut(file) {
            *place = Some(own);
        }
    }
    let mut types = HashSet::new();
    let all = symbols.iter().flatten().flat_map(Symbols::types);
    match all.filter(|name| !types.insert(*name)).min() {
        Some(twice) => Err(SchemaError::new(format!("duplicate name: {twice}"))),
        None => Ok(()),
    }
}

/// The files that the first one needs, each behind those that it imports.
fn imports_first(files: &[FileDescriptor], imports: &[Vec<usize>]) -> Result<Vec<usize>, SchemaError> {
    let mut order = Vec::new();
    let mut done = vec![false; files.len()];
    let mut open = vec![false; files.len()];
    let mut stack = vec![(0, 0)];
    while let Some((file, next)) = stack.last_mut() {
        let file = *file;
        open[file] = true;
        match imports[file].get(*next).copied() {
            Some(import) if open[import] => {
                return Err(SchemaError::new(format!("{} imports itself by way of others", files[import].name)));
            }
            Some(import) => {
                *next += 1;
                if !done[import] {
                    stack.push((import, 0));
                }
            }
            None => {
                open[file] = false;
                done[file] = true;
                order.push(file);
                stack.pop();
            }
        }
    }
    Ok(order)
}

/// The files whose names can be used in one: its imports, and what they import publicly.
fn visible(files: &[FileDescriptor], imports: &[Vec<usize>], file: usize) -> Vec<usize> {
    let mut seen = HashSet::from([file]);
    let mut visible: Vec<usize> = imports[file].iter().copied().filter(|import| seen.insert(*import)).collect();
    let mut next = 0;
    while let Some(import) = visible.get(next).copied() {
        next += 1;
        let paths = files[import].public.iter().filter_map(|index| files[import].dependencies.get(*index));
        let public: HashSet<&str> = paths.map(String::as_str).collect();
        let more = imports[import].iter().copied().filter(|other| public.contains(files[*other].name.as_str()));
        let more: Vec<usize> = more.filter(|other| seen.insert(*other)).collect();
        visible.extend(more);
    }
    visible
}

fn link(file: &FileDescriptor, view: &View<'_, '_>) -> Result<(), SchemaError> {
    let package = file.package.as_deref().unwrap_or_default();
    for message in &file.messages {
        link_message(package, message, view)?;
    }
    for service in &file.services {
        let service_name = join(package, &service.name);
        for method in &service.methods {
            let full_name = join(&service_name, &method.name);
            for name in [&method.input, &method.output] {
                message_of(name, &full_name, view)?;
            }
        }
    }
    file.extensions.iter().try_for_each(|field| link_field(package, field, view))
}

fn message_of<'d>(name: &str, from: &str, view: &View<'_, 'd>) -> Result<(String, &'d MessageDescriptor), SchemaError> {
    match view.type_of(name, from)? {
        (full_name, Symbol::Message(message)) => Ok((full_name, message)),
        _ => Err(problem(from, format!("\"{name}\" is not a message type."))),
    }
}

fn link_message(around: &str, message: &MessageDescriptor, view: &View<'_, '_>) -> Result<(), SchemaError> {
    let full_name = join(around, &message.name);
    for nested in &message.nested {
        link_message(&full_name, nested, view)?;
    }
    for field in &message.fields {
        link_field(&full_name, field, view)?;
    }
    no_number_twice(&full_name, &message.fields)?;
    message.extensions.iter().try_for_each(|field| link_field(&full_name, field, view))
}

fn no_number_twice(message: &str, fields: &[FieldDescriptor]) -> Result<(), SchemaError> {
    let mut by_number: BTreeMap<i32, Vec<&FieldDescriptor>> = BTreeMap::new();
    for field in fields {
        by_number.entry(field.number).or_default().push(field);
    }
    match by_number.into_iter().find(|(_, fields)| fields.len() > 1) {
        Some((number, fields)) => Err(problem(
            &join(message, &fields[1].name),
            format!("Field number {number} has already been used in \"{message}\" by field \"{}\".", fields[0].name),
        )),
        None => Ok(()),
    }
}

/// The type of a field once its name is known.
enum FieldType<'d> {
    Message,
    Enum(&'d EnumDescriptor),
    Scalar(&'static str),
}

fn link_field(around: &str, field: &FieldDescriptor, view: &View<'_, '_>) -> Result<(), SchemaError> {
    let full_name = join(around, &field.name);
    let wrong = |message: String| Err(problem(&full_name, message));
    if let Some(extendee) = &field.extendee {
        let (name, message) = message_of(extendee, &full_name, view)?;
        let declared = message.extension_ranges.iter().any(|range| (range.0..range.1).contains(&field.number));
        if !declared {
            return wrong(format!("\"{name}\" does not declare {} as an extension number.", field.number));
        }
    }
    let kind = field_type(&full_name, field, view)?;
    let repeated = field.label == Some(3);
    let packable = repeated && !matches!(kind, FieldType::Message | FieldType::Scalar("string" | "bytes"));
    if matches!(kind, FieldType::Message) && field.default.is_some() {
        return wrong("Messages can't have default values.".to_owned());
    }
    if field.packed && !packable {
        return wrong("[packed = true] can only be specified for repeated primitive fields.".to_owned());
    }
    let Some(default) = &field.default else { return Ok(()) };
    if repeated {
        return wrong("Repeated fields cannot have default values.".to_owned());
    }
    match kind {
        FieldType::Enum(one) if one.values.iter().all(|(name, ..)| name != default) => {
            wrong(format!("Unknown enum default value: \"{default}\""))
        }
        FieldType::Scalar(scalar) => match default_value::check(scalar, default) {
            Ok(()) => Ok(()),
            Err(message) => wrong(message),
        },
        FieldType::Enum(_) | FieldType::Message => Ok(()),
    }
}

fn field_type<'d>(full_name: &str, field: &FieldDescriptor, view: &View<'_, 'd>) -> Result<FieldType<'d>, SchemaError> {
    let wrong = |message: String| Err(problem(full_name, message));
    let Some(name) = &field.type_name else {
        let index = field.kind.and_then(|kind| usize::try_from(kind - 1).ok());
        let scalar = index.and_then(|index| TYPES.get(index)).copied();
        return Ok(FieldType::Scalar(scalar.unwrap_or(TYPES[0])));
    };
    match (view.type_of(name, full_name)?.1, field.kind) {
        (Symbol::Message(_), None | Some(TYPE_MESSAGE)) => Ok(FieldType::Message),
        (Symbol::Enum(one), None | Some(TYPE_ENUM)) => Ok(FieldType::Enum(one)),
        (_, Some(TYPE_MESSAGE)) => wrong(format!("\"{name}\" is not a message type.")),
        (_, Some(TYPE_ENUM)) => wrong(format!("\"{name}\" is not an enum type.")),
        _ => wrong(format!("\"{name}\" is not a type.")),
    }
}
