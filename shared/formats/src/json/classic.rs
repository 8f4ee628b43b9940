//! Draft-04, 06 and 07, and whatever has no `$schema` that is known: one object gives one node for each kind of rule
//! in it, and several of them are all to hold (json-diff-rules.md §0, old model).

use std::collections::HashSet;

use super::dialect::Dialect;
use super::model::{
    ArrayRules, Conditional, Criterion, DefaultValue, Kind, Node, Notes, NumberRules, ObjectRules, StringRules,
};
use super::number;
use super::parse::{Loader, Place, check_pattern};
use super::read::{Fields, sorted};
use crate::SchemaError;
use crate::json_text::{Kind as JsonKind, Value};

const STRING_KEYWORDS: [&str; 4] = ["minLength", "maxLength", "pattern", "format"];
const NUMBER_KEYWORDS: [&str; 5] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
/// The first came with draft-06.
const ARRAY_KEYWORDS: [&str; 6] = ["contains", "items", "additionalItems", "minItems", "maxItems", "uniqueItems"];
/// The first came with draft-06.
const OBJECT_KEYWORDS: [&str; 8] = [
    "propertyNames",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "dependencies",
    "patternProperties",
    "additionalProperties",
];
const CONDITIONAL_KEYWORDS: [&str; 3] = ["if", "then", "else"];

/// The node of an object.
pub(super) fn build(loader: &mut Loader<'_>, place: &Place) -> Result<Node, SchemaError> {
    let fields = place.fields();
    let mut notes = read_notes(fields, loader.dialect)?;
    if let Some(reference) = fields.get("$ref") {
        // What stands beside a reference is not seen, not even a default.
        notes = Notes::default();
        let kind = loader.reference(place, reference, false)?;
        return Ok(Node::noted(kind, notes));
    }
    let mut builder = Builder { loader, place, fields, used: HashSet::new() };
    let mut parts = builder.parts()?;
    let kind = match parts.len() {
        0 => Kind::Empty,
        1 => alone(parts.remove(0), fields),
        _ => {
            let branches = parts.into_iter().map(|part| builder.loader.push(part)).collect();
            Kind::combined(Criterion::All, true, branches)
        }
    };
    Ok(Node::noted(kind, notes))
}

fn read_notes(fields: Fields<'_>, dialect: Dialect) -> Result<Notes, SchemaError> {
    if dialect == Dialect::Draft7 {
        fields.boolean("readOnly")?;
        fields.boolean("writeOnly")?;
    }
    Ok(Notes {
        id: fields.text(dialect.id_keyword())?,
        title: fields.text("title")?,
        description: fields.text("description")?,
        default: fields.get("default").map(DefaultValue::read),
    })
}

/// The rules of an object that has no others. Only then are limits of `contains` seen, and they need no `contains`.
fn alone(mut kind: Kind, fields: Fields<'_>) -> Kind {
    if let Kind::Array(rules) = &mut kind {
        let limit = |key| fields.get(key).and_then(Value::as_number).map(str::to_owned);
        rules.min_contains = limit("minContains");
        rules.max_contains = limit("maxContains");
    }
    kind
}

/// What rules are about.
#[derive(Clone, Copy)]
enum Group {
    String,
    Number,
    Array,
    Object,
}

struct Builder<'b, 'l> {
    loader: &'b mut Loader<'l>,
    place: &'b Place,
    fields: Fields<'b>,
    /// The keywords that a part has been made of.
    used: HashSet<&'static str>,
}

impl Builder<'_, '_> {
    fn parts(&mut self) -> Result<Vec<Kind>, SchemaError> {
        let mut parts = Vec::new();
        if let Some(values) = self.fields.array("enum")? {
            parts.push(Kind::Enum(values.into_iter().map(sorted).collect()));
        }
        for criterion in [Criterion::All, Criterion::Any, Criterion::One] {
            if let Some(branches) = self.loader.schemas(self.place, criterion.word())? {
                parts.push(Kind::combined(criterion, false, branches));
            }
        }
        parts.extend(self.loader.schema(self.place, "not")?.map(Kind::Not));
        let constant = self.fields.get("const").filter(|_| self.loader.dialect != Dialect::Draft4);
        parts.extend(constant.map(|value| Kind::Const(sorted(value))));
        parts.extend(self.typed()?);
        for group in [Group::Array, Group::Object, Group::Number, Group::String] {
            if self.has_unused(self.keywords(group)) {
                let kind = self.rules(group, false, false)?;
                parts.push(kind);
            }
        }
        if self.loader.dialect == Dialect::Draft7 && self.has_unused(&CONDITIONAL_KEYWORDS) {
            parts.push(Kind::Conditional(Conditional {
                condition: self.loader.schema(self.place, "if")?,
                then: self.loader.schema(self.place, "then")?,
                otherwise: self.loader.schema(self.place, "else")?,
            }));
        }
        Ok(parts)
    }

    /// What the keyword `type` gives.
    fn typed(&mut self) -> Result<Option<Kind>, SchemaError> {
        let reader = self.fields.reader;
        let Some(value) = self.fields.get("type") else {
            return Ok(None);
        };
        if let Some(name) = value.as_str() {
            return self.of_type(value, name).map(Some);
        }
        if value.kind() != JsonKind::Array {
            return Err(reader.expected(value, "a string or an array"));
        }
        let mut branches = Vec::new();
        for item in value.items() {
            let kind = self.of_type(item, reader.string(item)?)?;
            branches.push(self.loader.push(kind));
        }
        Ok(Some(Kind::combined(Criterion::Any, false, branches)))
    }

    fn of_type(&mut self, value: Value<'_>, name: &str) -> Result<Kind, SchemaError> {
        match name {
            "string" => self.rules(Group::String, true, false),
            "integer" => self.rules(Group::Number, true, true),
            "number" => self.rules(Group::Number, true, false),
            "boolean" => Ok(Kind::Boolean),
            "null" => Ok(Kind::Null),
            "array" => self.rules(Group::Array, true, false),
            "object" => self.rules(Group::Object, true, false),
            _ => Err(self.fields.reader.error(value, &format!("unknown type: [{name}]"))),
        }
    }

    fn keywords(&self, group: Group) -> &'static [&'static str] {
        let newer = usize::from(self.loader.dialect == Dialect::Draft4);
        match group {
            Group::String => &STRING_KEYWORDS,
            Group::Number => &NUMBER_KEYWORDS,
            Group::Array => &ARRAY_KEYWORDS[newer..],
            Group::Object => &OBJECT_KEYWORDS[newer..],
        }
    }

    fn has_unused(&self, keywords: &[&str]) -> bool {
        keywords.iter().any(|key| !self.used.contains(key) && self.fields.get(key).is_some())
    }

    fn rules(&mut self, group: Group, typed: bool, integer: bool) -> Result<Kind, SchemaError> {
        self.used.extend(self.keywords(group));
        match group {
            Group::String => self.string_rules(typed).map(|rules| Kind::String(Box::new(rules))),
            Group::Number => self.number_rules(typed, integer).map(|rules| Kind::Number(Box::new(rules))),
            Group::Array => self.array_rules(typed).map(|rules| Kind::Array(Box::new(rules))),
            Group::Object => self.object_rules(typed).map(|rules| Kind::Object(Box::new(rules))),
        }
    }

    fn string_rules(&self, typed: bool) -> Result<StringRules, SchemaError> {
        let pattern = self.fields.text("pattern")?;
        if let (Some(text), Some(value)) = (&pattern, self.fields.get("pattern")) {
            check_pattern(self.place, value, text)?;
        }
        Ok(StringRules {
            typed,
            min_length: self.fields.int("minLength")?,
            max_length: self.fields.int("maxLength")?,
            pattern,
            format: self.fields.text("format")?,
        })
    }

    fn number_rules(&self, typed: bool, integer: bool) -> Result<NumberRules, SchemaError> {
        let fields = self.fields;
        let multiple_of = fields.number("multipleOf")?;
        if let (Some(text), Some(value)) = (&multiple_of, fields.get("multipleOf"))
            && number::as_double(text) == 0.0
        {
            return Err(fields.reader.error(value, "multipleOf should not be 0"));
        }
        let (minimum, maximum) = (fields.number("minimum")?, fields.number("maximum")?);
        let mut rules = NumberRules { typed, integer, minimum, maximum, multiple_of, ..NumberRules::default() };
        if self.loader.dialect == Dialect::Draft4 {
            // They only say how the limits are meant, and are not compared.
            fields.boolean("exclusiveMinimum")?;
            fields.boolean("exclusiveMaximum")?;
            return Ok(rules);
        }
        rules.exclusive_minimum = fields.number("exclusiveMinimum")?;
        rules.exclusive_maximum = fields.number("exclusiveMaximum")?;
        Ok(rules)
    }

    fn array_rules(&mut self, typed: bool) -> Result<ArrayRules, SchemaError> {
        let fields = self.fields;
        let mut rules = ArrayRules {
            typed,
            min_items: fields.int("minItems")?,
            max_items: fields.int("maxItems")?,
            unique: fields.boolean("uniqueItems")?.unwrap_or(false),
            additional: self.loader.rest(self.place, "additionalItems")?,
            ..ArrayRules::default()
        };
        let oldest = self.loader.dialect == Dialect::Draft4;
        match fields.get("items") {
            Some(items) if items.kind() == JsonKind::Array => {
                rules.tuple = self.loader.schemas(self.place, "items")?.unwrap_or_default();
            }
            Some(items) if oldest && items.kind() == JsonKind::Bool => {
                return Err(fields.reader.expected(items, "an array or an object"));
            }
            _ => rules.items = self.loader.schema(self.place, "items")?,
        }
        if !oldest {
            rules.contains = self.loader.schema(self.place, "contains")?;
        }
        Ok(rules)
    }

    fn object_rules(&mut self, typed: bool) -> Result<ObjectRules, SchemaError> {
        let fields = self.fields;
        let required = fields.get("required").map(|list| fields.reader.strings(list)).transpose()?;
        let mut rules = ObjectRules {
            typed,
            required: required.unwrap_or_default().into_iter().map(str::to_owned).collect(),
            min_properties: fields.int("minProperties")?,
            max_properties: fields.int("maxProperties")?,
            additional: self.loader.rest(self.place, "additionalProperties")?,
            ..ObjectRules::default()
        };
        for (name, value) in fields.members("properties")? {
            rules.properties.insert(name, self.loader.child(self.place, value)?);
        }
        let patterns = fields.members("patternProperties")?;
        for (name, value) in self.place.in_order(self.loader.dialect, patterns) {
            check_pattern(self.place, value, name)?;
            rules.patterns.push((name.to_owned(), self.loader.child(self.place, value)?));
        }
        for (name, value) in fields.members("dependencies")? {
            if value.kind() != JsonKind::Array {
                rules.needs_schema.insert(name, self.loader.child(self.place, value)?);
                continue;
            }
            let names = fields.reader.strings(value)?;
            if !names.is_empty() {
                rules.needs.insert(name.to_owned(), names.into_iter().map(str::to_owned).collect());
            }
        }
        if self.loader.dialect != Dialect::Draft4 {
            rules.property_names = self.loader.schema(self.place, "propertyNames")?;
        }
        Ok(rules)
    }
}
