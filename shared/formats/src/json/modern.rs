//! Draft 2019-09 and 2020-12, both by the rules of the latter: every keyword is a small part, and parts about the same
//! thing are put together (json-diff-rules.md §0, new model).

use std::collections::HashSet;

use super::dialect::Dialect;
use super::model::{
    ArrayRules, Conditional, Criterion, DefaultValue, Kind, Node, NodeId, Notes, NumberRules, ObjectRules, Rest,
    StringRules,
};
use super::number;
use super::parse::{Loader, Place, check_pattern};
use super::product::{Part, Product};
use super::read::{Fields, sorted};
use crate::SchemaError;
use crate::json_text::{Kind as JsonKind, Value};

/// The node of an object, which gets the number `id`.
pub(super) fn build(loader: &mut Loader<'_>, id: NodeId, place: &Place) -> Result<Node, SchemaError> {
    let fields = place.fields();
    let notes = read_notes(fields)?;
    read_definitions(loader, id, place)?;
    let mut builder = Builder { loader, place, fields };
    let mut product = Product::Nothing;
    for (key, value) in place.in_order(Dialect::Modern, fields.source.members().collect()) {
        product = match builder.keyword(key, value)? {
            Some(part) => product.with(part),
            None => product,
        };
    }
    for part in builder.object_parts()? {
        product = product.with(part);
    }
    let kind = product.into_kind(|kind| builder.loader.push(kind));
    // A reference alone loses what is said beside it.
    let notes = if matches!(kind, Kind::Reference(_)) { Notes::default() } else { notes };
    Ok(Node::noted(kind, notes))
}

fn read_notes(fields: Fields<'_>) -> Result<Notes, SchemaError> {
    for key in ["readOnly", "writeOnly", "deprecated"] {
        fields.boolean(key)?;
    }
    let default = fields.get("default").filter(|value| value.kind() != JsonKind::Null).map(DefaultValue::read);
    Ok(Notes { id: None, title: fields.text("title")?, description: fields.text("description")?, default })
}

/// Definitions are read whether they are used or not; at the top, `definitions` are definitions too.
fn read_definitions(loader: &mut Loader<'_>, id: NodeId, place: &Place) -> Result<(), SchemaError> {
    let fields = place.fields();
    let definitions = fields.members("$defs")?;
    let older = fields.get("definitions").filter(|_| fields.source.id() == fields.reader.json.root().id());
    let known: HashSet<&str> = definitions.iter().map(|(name, _)| *name).collect();
    let older: Vec<_> = older.into_iter().flat_map(Value::members).filter(|(name, _)| !known.contains(name)).collect();
    let mut nodes = Vec::with_capacity(definitions.len() + older.len());
    for (keyword, list) in [("$defs", definitions), ("definitions", older)] {
        for (name, value) in list {
            nodes.push((keyword, name.to_owned(), loader.child(place, value)?));
        }
    }
    if !nodes.is_empty() {
        loader.graph.definitions.insert(id, nodes);
    }
    Ok(())
}

struct Builder<'b, 'l> {
    loader: &'b mut Loader<'l>,
    place: &'b Place,
    fields: Fields<'b>,
}

impl Builder<'_, '_> {
    /// The part that a keyword gives, except for members and what was not evaluated.
    fn keyword(&mut self, key: &str, value: Value<'_>) -> Result<Option<Part>, SchemaError> {
        let kind = match key {
            "type" => return self.typed(value).map(Some),
            "format" => {
                self.fields.text(key)?;
                return Ok(Some(Part::Nothing));
            }
            "readOnly" | "writeOnly" => return Ok(Some(Part::Nothing)),
            "$ref" => self.loader.reference(self.place, value, false)?,
            "$dynamicRef" => self.loader.reference(self.place, value, true)?,
            "enum" => Kind::Enum(self.fields.array(key)?.unwrap_or_default().into_iter().map(sorted).collect()),
            "const" => Kind::Const(sorted(value)),
            "allOf" => self.combined(Criterion::All)?,
            "anyOf" => self.combined(Criterion::Any)?,
            "oneOf" => self.combined(Criterion::One)?,
            "not" => Kind::Not(self.loader.child(self.place, value)?),
            "if" => Kind::Conditional(Conditional {
                condition: self.loader.schema(self.place, "if")?,
                then: self.loader.schema(self.place, "then")?,
                otherwise: self.loader.schema(self.place, "else")?,
            }),
            "minLength" | "maxLength" | "pattern" => Kind::String(Box::new(self.string_rules(key, value)?)),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
                Kind::Number(Box::new(self.number_rules(key)?))
            }
            "items" | "prefixItems" | "contains" | "minItems" | "maxItems" | "uniqueItems" => {
                Kind::Array(Box::new(self.array_rules(key, value)?))
            }
            "additionalProperties"
            | "required"
            | "minProperties"
            | "maxProperties"
            | "propertyNames"
            | "dependentRequired"
            | "dependentSchemas" => Kind::Object(Box::new(self.object_rules(key, value)?)),
            _ => return Ok(None),
        };
        Ok(Some(Part::Kind(kind)))
    }

    fn typed(&self, value: Value<'_>) -> Result<Part, SchemaError> {
        let reader = self.fields.reader;
        if let Some(name) = value.as_str() {
            return self.of_type(value, name).map(Part::Kind);
        }
        if value.kind() != JsonKind::Array {
            return Err(reader.expected(value, "a string or an array"));
        }
        let kinds: Result<Vec<Kind>, SchemaError> =
            value.items().map(|item| self.of_type(item, reader.string(item)?)).collect();
        kinds.map(Part::Any)
    }

    fn of_type(&self, value: Value<'_>, name: &str) -> Result<Kind, SchemaError> {
        let typed = true;
        match name {
            "string" => Ok(Kind::String(Box::new(StringRules { typed, ..StringRules::default() }))),
            "integer" => Ok(Kind::Number(Box::new(NumberRules { typed, integer: true, ..NumberRules::default() }))),
            "number" => Ok(Kind::Number(Box::new(NumberRules { typed, ..NumberRules::default() }))),
            "boolean" => Ok(Kind::Boolean),
            "null" => Ok(Kind::Null),
            "array" => Ok(Kind::Array(Box::new(ArrayRules { typed, ..ArrayRules::default() }))),
            "object" => Ok(Kind::Object(Box::new(ObjectRules { typed, ..ObjectRules::default() }))),
            _ => Err(self.fields.reader.error(value, &format!("unknown type: [{name}]"))),
        }
    }

    fn combined(&mut self, criterion: Criterion) -> Result<Kind, SchemaError> {
        let branches = self.loader.schemas(self.place, criterion.word())?.unwrap_or_default();
        Ok(Kind::combined(criterion, false, branches))
    }

    /// A limit is any number, of which the 32 bits that Java makes of it count.
    fn int(&self, key: &str) -> Result<Option<i64>, SchemaError> {
        Ok(self.fields.number(key)?.map(|text| number::int_value(&text)))
    }

    fn string_rules(&self, key: &str, value: Value<'_>) -> Result<StringRules, SchemaError> {
        let mut rules = StringRules::default();
        match key {
            "minLength" => rules.min_length = self.int(key)?,
            "maxLength" => rules.max_length = self.int(key)?,
            _ => {
                let text = self.fields.reader.string(value)?;
                check_pattern(self.place, value, text)?;
                rules.pattern = Some(text.to_owned());
            }
        }
        Ok(rules)
    }

    fn number_rules(&self, key: &str) -> Result<NumberRules, SchemaError> {
        let mut rules = NumberRules::default();
        let limit = self.fields.number(key)?;
        match key {
            "minimum" => rules.minimum = limit,
            "maximum" => rules.maximum = limit,
            "exclusiveMinimum" => rules.exclusive_minimum = limit,
            "exclusiveMaximum" => rules.exclusive_maximum = limit,
            _ => rules.multiple_of = limit,
        }
        Ok(rules)
    }

    fn array_rules(&mut self, key: &str, value: Value<'_>) -> Result<ArrayRules, SchemaError> {
        let mut rules = ArrayRules::default();
        match key {
            "minItems" => rules.min_items = self.int(key)?,
            "maxItems" => rules.max_items = self.int(key)?,
            "uniqueItems" => rules.unique = self.fields.boolean(key)?.unwrap_or(false),
            "prefixItems" => rules.tuple = self.loader.schemas(self.place, key)?.unwrap_or_default(),
            "contains" => {
                rules.contains = Some(self.loader.child(self.place, value)?);
                let limit = |key| self.fields.get(key).and_then(Value::as_number).map(str::to_owned);
                rules.min_contains = limit("minContains").or_else(|| Some("1".to_owned()));
                rules.max_contains = limit("maxContains");
            }
            _ => {
                let follows_tuple = self.fields.array("prefixItems")?.is_some_and(|tuple| !tuple.is_empty());
                match self.loader.rest(self.place, key)? {
                    Rest::Schema(items) if !follows_tuple => rules.items = Some(items),
                    rest => rules.additional = rest,
                }
            }
        }
        Ok(rules)
    }

    fn object_rules(&mut self, key: &str, value: Value<'_>) -> Result<ObjectRules, SchemaError> {
        let mut rules = ObjectRules::default();
        let reader = self.fields.reader;
        match key {
            "minProperties" => rules.min_properties = self.int(key)?,
            "maxProperties" => rules.max_properties = self.int(key)?,
            "additionalProperties" => rules.additional = self.loader.rest(self.place, key)?,
            "propertyNames" => rules.property_names = Some(self.loader.child(self.place, value)?),
            "required" => rules.required = reader.strings(value)?.into_iter().map(str::to_owned).collect(),
            "dependentRequired" => {
                for (name, list) in self.fields.members(key)? {
                    let names = reader.strings(list)?;
                    if !names.is_empty() {
                        rules.needs.insert(name.to_owned(), names.into_iter().map(str::to_owned).collect());
                    }
                }
            }
            _ => {
                for (name, schema) in self.fields.members(key)? {
                    rules.needs_schema.insert(name, self.loader.child(self.place, schema)?);
                }
            }
        }
        Ok(rules)
    }

    /// The parts that come last: members, members by pattern, what was not evaluated.
    fn object_parts(&mut self) -> Result<Vec<Part>, SchemaError> {
        let mut parts = Vec::new();
        let mut rules = ObjectRules::default();
        for (name, value) in self.fields.members("properties")? {
            rules.properties.insert(name, self.loader.child(self.place, value)?);
        }
        let patterns = self.fields.members("patternProperties")?;
        for (name, value) in self.place.in_order(Dialect::Modern, patterns) {
            check_pattern(self.place, value, name)?;
            rules.patterns.push((name.to_owned(), self.loader.child(self.place, value)?));
        }
        if rules.properties.len() + rules.patterns.len() > 0 {
            parts.push(Part::Kind(Kind::Object(Box::new(rules))));
        }
        if let Some(items) = self.loader.schema(self.place, "unevaluatedItems")? {
            let rules = ArrayRules { unevaluated: Some(items), ..ArrayRules::default() };
            parts.push(Part::Kind(Kind::Array(Box::new(rules))));
        }
        if let Some(members) = self.loader.schema(self.place, "unevaluatedProperties")? {
            let rules = ObjectRules { unevaluated: Some(members), ..ObjectRules::default() };
            parts.push(Part::Kind(Kind::Object(Box::new(rules))));
        }
        Ok(parts)
    }
}
