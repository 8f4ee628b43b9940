//! Putting the parts of a 2020-12 object together (json-diff-rules.md §0, new model).

use super::model::{ArrayRules, Criterion, Kind, NodeId, NumberRules, ObjectRules, Rest, StringRules};

/// What one keyword gives.
pub(super) enum Part {
    /// A keyword that says nothing that is compared, but counts as a part.
    Nothing,
    Kind(Kind),
    /// What a list of types gives
    Any(Vec<Kind>),
}

/// What several keywords give together.
pub(super) enum Product {
    Nothing,
    One(Part),
    /// All of these are to hold.
    All(Vec<Part>),
}

impl Product {
    /// Adds one more part.
    ///
    /// Parts of one kind become one part; a list of types takes the rules for its types in, but only while it and they
    /// are all there is. Anything else is to hold as well.
    pub(super) fn with(self, part: Part) -> Self {
        let before = match self {
            Self::Nothing if matches!(part, Part::Nothing) => return Self::All(Vec::new()),
            Self::Nothing => return Self::One(part),
            Self::All(parts) => return Self::All(put_in(parts, part)),
            Self::One(before) => before,
        };
        match (before, part) {
            (Part::Kind(before), Part::Kind(kind)) if is_mergeable(&before) && before.is_like(&kind) => {
                Self::One(Part::Kind(merge(before, kind)))
            }
            (Part::Any(types), Part::Kind(kind)) if types.iter().any(|one| one.is_like(&kind)) => {
                Self::One(Part::Any(take_in(types, kind)))
            }
            (Part::Kind(before), Part::Any(types)) if types.iter().any(|one| one.is_like(&before)) => {
                Self::One(Part::Any(take_in(types, before)))
            }
            (before, part) => Self::All(put_in(vec![before], part)),
        }
    }

    /// The rules of the whole; `add` makes nodes of its parts.
    pub(super) fn into_kind(self, mut add: impl FnMut(Kind) -> NodeId) -> Kind {
        match self {
            Self::Nothing => Kind::Empty,
            Self::One(part) => part.into_kind(&mut add),
            Self::All(mut parts) if parts.len() < 2 => match parts.pop() {
                Some(part) => part.into_kind(&mut add),
                None => Kind::Empty,
            },
            Self::All(parts) => {
                let kinds: Vec<Kind> = parts.into_iter().map(|part| part.into_kind(&mut add)).collect();
                Kind::combined(Criterion::All, true, kinds.into_iter().map(add).collect())
            }
        }
    }
}

impl Part {
    fn into_kind(self, add: &mut impl FnMut(Kind) -> NodeId) -> Kind {
        match self {
            Self::Nothing => Kind::Empty,
            Self::Kind(kind) => kind,
            // Written by nobody, but not taken apart within another list either.
            Self::Any(types) => Kind::combined(Criterion::Any, false, types.into_iter().map(add).collect()),
        }
    }
}

/// Adds a part to a list, into the first of its kind if there is one.
fn put_in(mut parts: Vec<Part>, part: Part) -> Vec<Part> {
    let kind = match part {
        Part::Nothing => return parts,
        Part::Any(_) => {
            parts.push(part);
            return parts;
        }
        Part::Kind(kind) => kind,
    };
    let like = parts.iter_mut().find_map(|part| match part {
        Part::Kind(before) if is_mergeable(before) && before.is_like(&kind) => Some(before),
        _ => None,
    });
    match like {
        Some(before) => *before = merge(std::mem::replace(before, Kind::Empty), kind),
        None => parts.push(Part::Kind(kind)),
    }
    parts
}

/// Adds the rules for one of a list of types.
fn take_in(mut types: Vec<Kind>, kind: Kind) -> Vec<Kind> {
    match types.iter_mut().find(|one| is_mergeable(one) && one.is_like(&kind)) {
        Some(one) => *one = merge(std::mem::replace(one, Kind::Empty), kind),
        None => types.push(kind),
    }
    types
}

fn is_mergeable(kind: &Kind) -> bool {
    matches!(kind, Kind::String(_) | Kind::Number(_) | Kind::Object(_) | Kind::Array(_))
}

/// Both sets of rules, which are of one kind; where both say something, the second holds.
fn merge(before: Kind, kind: Kind) -> Kind {
    match (before, kind) {
        (Kind::String(before), Kind::String(rules)) => Kind::String(Box::new(merge_strings(*before, *rules))),
        (Kind::Number(before), Kind::Number(rules)) => Kind::Number(Box::new(merge_numbers(*before, *rules))),
        (Kind::Object(before), Kind::Object(rules)) => Kind::Object(Box::new(merge_objects(*before, *rules))),
        (Kind::Array(before), Kind::Array(rules)) => Kind::Array(Box::new(merge_arrays(*before, *rules))),
        (_, kind) => kind,
    }
}

fn merge_strings(before: StringRules, rules: StringRules) -> StringRules {
    StringRules {
        typed: before.typed || rules.typed,
        min_length: rules.min_length.or(before.min_length),
        max_length: rules.max_length.or(before.max_length),
        pattern: rules.pattern.or(before.pattern),
        format: None,
    }
}

fn merge_numbers(before: NumberRules, rules: NumberRules) -> NumberRules {
    NumberRules {
        typed: before.typed || rules.typed,
        integer: before.integer || rules.integer,
        minimum: rules.minimum.or(before.minimum),
        maximum: rules.maximum.or(before.maximum),
        exclusive_minimum: rules.exclusive_minimum.or(before.exclusive_minimum),
        exclusive_maximum: rules.exclusive_maximum.or(before.exclusive_maximum),
        multiple_of: rules.multiple_of.or(before.multiple_of),
    }
}

fn merge_objects(mut before: ObjectRules, rules: ObjectRules) -> ObjectRules {
    for (name, id) in rules.properties.iter() {
        before.properties.insert(name, id);
    }
    for (name, id) in rules.needs_schema.iter() {
        before.needs_schema.insert(name, id);
    }
    before.required.extend(rules.required);
    before.patterns.extend(rules.patterns);
    before.needs.extend(rules.needs);
    ObjectRules {
        typed: before.typed || rules.typed,
        additional: merge_rest(before.additional, rules.additional),
        property_names: rules.property_names.or(before.property_names),
        min_properties: rules.min_properties.or(before.min_properties),
        max_properties: rules.max_properties.or(before.max_properties),
        unevaluated: rules.unevaluated.or(before.unevaluated),
        ..before
    }
}

fn merge_arrays(before: ArrayRules, rules: ArrayRules) -> ArrayRules {
    ArrayRules {
        typed: before.typed || rules.typed,
        items: rules.items.or(before.items),
        tuple: before.tuple.into_iter().chain(rules.tuple).collect(),
        additional: merge_rest(before.additional, rules.additional),
        contains: rules.contains.or(before.contains),
        min_items: rules.min_items.or(before.min_items),
        max_items: rules.max_items.or(before.max_items),
        unique: before.unique || rules.unique,
        min_contains: rules.min_contains.or(before.min_contains),
        max_contains: rules.max_contains.or(before.max_contains),
        unevaluated: rules.unevaluated.or(before.unevaluated),
    }
}

fn merge_rest(before: Rest, rest: Rest) -> Rest {
    if rest == Rest::Allowed { before } else { rest }
}
