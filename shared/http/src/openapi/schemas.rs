//! Shapes and types as JSON Schema.

use super::shape::{Member, Presence, Shape, Type};
use serde_json::{Map, Value, json};

/// The named types that the document needs.
#[derive(Default)]
pub(super) struct Schemas(Map<String, Value>);

impl Schemas {
    /// The schema of a shape; types that it names are added.
    pub(super) fn of(&mut self, shape: &Shape) -> Value {
        self.add_types_of(shape);
        schema(shape)
    }

    /// Adds a type, and those that it names.
    pub(super) fn add(&mut self, of: &Type) {
        if self.0.contains_key(of.name) {
            return;
        }
        self.0.insert(of.name.to_owned(), object(of));
        for member in of.members {
            self.add_types_of(&member.shape);
        }
    }

    fn add_types_of(&mut self, shape: &Shape) {
        match shape {
            Shape::Object(of) => self.add(of),
            Shape::List(item) | Shape::Map(item) => self.add_types_of(item),
            _ => {}
        }
    }

    pub(super) fn into_json(self) -> Value {
        Value::Object(self.0)
    }
}

impl Shape {
    /// Whether text that is no number is refused.
    pub(super) fn is_number(&self) -> bool {
        matches!(self, Self::Integer(_))
    }
}

/// The schema of a shape, types by reference.
pub(super) fn schema(shape: &Shape) -> Value {
    match shape {
        Shape::Text => json!({ "type": "string" }),
        Shape::Choice(names) => json!({ "type": "string", "enum": names() }),
        Shape::Integer(i32::MIN) => json!({ "type": "integer", "format": "int32" }),
        Shape::Integer(least) => json!({ "type": "integer", "format": "int32", "minimum": least, "maximum": i32::MAX }),
        Shape::Time => json!({ "type": "integer", "format": "int64", "minimum": 0 }),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::List(item) => json!({ "type": "array", "items": schema(item) }),
        Shape::Map(value) => json!({ "type": "object", "additionalProperties": schema(value) }),
        Shape::Any => json!({}),
        Shape::Object(of) => json!({ "$ref": format!("#/components/schemas/{}", of.name) }),
    }
}

fn object(of: &Type) -> Value {
    let properties: Map<String, Value> =
        of.members.iter().map(|member| (member.name.to_owned(), property(member))).collect();
    let required: Vec<&str> =
        of.members.iter().filter(|member| member.presence == Presence::Always).map(|member| member.name).collect();
    let mut object = json!({ "type": "object", "description": of.meaning, "properties": properties });
    if !required.is_empty() {
        object["required"] = required.into();
    }
    object
}

fn property(member: &Member) -> Value {
    let mut property = schema(&member.shape);
    if member.presence == Presence::Nullable {
        property = or_null(property);
    }
    property["description"] = member.meaning.into();
    property
}

fn or_null(mut schema: Value) -> Value {
    if let Some(Value::String(name)) = schema.get("type") {
        schema["type"] = json!([name, "null"]);
        if let Some(Value::Array(choices)) = schema.get_mut("enum") {
            choices.push(Value::Null);
        }
        return schema;
    }
    json!({ "anyOf": [schema, { "type": "null" }] })
}
