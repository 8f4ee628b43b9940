//! Values against the part of JSON Schema that the OpenAPI document uses. Stricter than that in one respect: an object
//! may have no member that its type does not name.

use crate::Result;
use serde_json::Value;
use std::collections::BTreeSet;

/// The schemas of a document.
pub(crate) struct Schemas<'a>(&'a Value);

impl<'a> Schemas<'a> {
    pub(crate) fn new(document: &'a Value) -> Self {
        Self(document)
    }

    /// What a reference points to; anything else is itself.
    pub(crate) fn resolved(&self, value: &'a Value) -> &'a Value {
        let target = value.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#'));
        target.map_or(value, |target| self.0.pointer(target).unwrap_or(&Value::Null))
    }

    /// The members, as `Type.member`, that a value shows; the error is what does not fit.
    pub(crate) fn check(&self, schema: &'a Value, value: &Value) -> Result<BTreeSet<String>> {
        let mut shown = BTreeSet::new();
        self.fits(schema, value, "body", &mut shown).map(|()| shown)
    }

    fn fits(&self, schema: &'a Value, value: &Value, at: &str, shown: &mut BTreeSet<String>) -> Result<()> {
        let name = schema["$ref"].as_str().and_then(|target| target.rsplit('/').next());
        let schema = self.resolved(schema);
        for part in schema["allOf"].as_array().into_iter().flatten() {
            self.fits(part, value, at, shown)?;
        }
        if let Some(choices) = schema["anyOf"].as_array() {
            let fits = |choice| self.fits(choice, value, at, &mut BTreeSet::new()).is_ok();
            let choice = choices.iter().find(|choice| fits(choice)).ok_or_else(|| format!("{at} fits no choice"))?;
            self.fits(choice, value, at, shown)?;
        }
        of_type(schema, value, at)?;
        in_range(schema, value, at)?;
        match value {
            Value::Object(members) => {
                for required in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                    value.get(required).ok_or_else(|| format!("{at} lacks {required}"))?;
                }
                for (key, value) in members {
                    let at = format!("{at}.{key}");
                    let known = schema["properties"].get(key);
                    shown.extend(known.and(name).map(|name| format!("{name}.{key}")));
                    match known.or_else(|| schema.get("additionalProperties")) {
                        Some(schema) => self.fits(schema, value, &at, shown)?,
                        None if schema["type"] == "object" => return Err(format!("{at} is not documented")),
                        None => {}
                    }
                }
                Ok(())
            }
            Value::Array(items) => {
                items.iter().try_for_each(|item| self.fits(&schema["items"], item, &format!("{at}[]"), shown))
            }
            _ => Ok(()),
        }
    }

    /// All members of the types that answers may hold, as `Type.member`.
    pub(crate) fn answered(&self) -> BTreeSet<String> {
        let mut types = BTreeSet::new();
        let methods = self.0["paths"].as_object().into_iter().flatten().filter_map(|(_, path)| path.as_object());
        for operation in methods.flatten().map(|(_, operation)| operation) {
            self.types(&operation["responses"], &mut types);
        }
        let members = |name: &String| {
            let properties = self.0["components"]["schemas"][name]["properties"].as_object();
            properties.into_iter().flatten().map(|(member, _)| format!("{name}.{member}")).collect::<Vec<_>>()
        };
        types.iter().flat_map(members).collect()
    }

    fn types(&self, value: &'a Value, types: &mut BTreeSet<String>) {
        match value {
            Value::Object(members) => {
                let target = value["$ref"].as_str();
                let name = target.and_then(|target| target.strip_prefix("#/components/schemas/"));
                if target.is_some() && name.is_none_or(|name| types.insert(name.to_owned())) {
                    self.types(self.resolved(value), types);
                }
                members.values().for_each(|member| self.types(member, types));
            }
            Value::Array(items) => items.iter().for_each(|item| self.types(item, types)),
            _ => {}
        }
    }
}

fn of_type(schema: &Value, value: &Value, at: &str) -> Result<()> {
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => return Ok(()),
    };
    let is = |name: &&str| match *name {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => false,
    };
    if types.iter().any(is) { Ok(()) } else { Err(format!("{at} is no {}", types.join(" and no "))) }
}

fn in_range(schema: &Value, value: &Value, at: &str) -> Result<()> {
    if let Some(choices) = schema["enum"].as_array()
        && !choices.contains(value)
    {
        return Err(format!("{at} is {value}, not one of {}", schema["enum"]));
    }
    let number = value.as_i64();
    let is_within = number.is_none_or(|number| {
        schema["minimum"].as_i64().is_none_or(|least| number >= least)
            && schema["maximum"].as_i64().is_none_or(|most| number <= most)
    });
    if is_within { Ok(()) } else { Err(format!("{at} is {value}, out of range")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_fit_or_not() {
        let document = json!({"components": {"schemas": {"T": {
            "type": "object",
            "required": ["a"],
            "properties": {
                "a": {"type": "integer", "minimum": 1, "maximum": 9},
                "b": {"type": ["string", "null"], "enum": ["x", null]},
                "c": {"type": "array", "items": {"$ref": "#/components/schemas/T"}},
                "d": {"type": "object", "additionalProperties": {"type": "boolean"}},
                "e": {"anyOf": [{"$ref": "#/components/schemas/T"}, {"type": "null"}]},
            },
        }}}});
        let schema = json!({"allOf": [{"$ref": "#/components/schemas/T"}, {"properties": {"a": {"enum": [1, 2]}}}]});
        let check = |value: Value| Schemas::new(&document).check(&schema, &value);
        let shown = check(json!({"a": 1, "b": null, "c": [{"a": 9}], "d": {"k": true}, "e": null})).unwrap();
        assert_eq!(shown.into_iter().collect::<Vec<_>>(), ["T.a", "T.b", "T.c", "T.d", "T.e"]);
        for (value, expected) in [
            (json!([]), "body is no object"),
            (json!({}), "body lacks a"),
            (json!({"a": 3}), "body.a is 3, not one of [1,2]"),
            (json!({"a": 1, "b": "y"}), "body.b is \"y\", not one of"),
            (json!({"a": 1, "c": [{"a": 10}]}), "body.c[].a is 10, out of range"),
            (json!({"a": 1, "c": [{"a": "1"}]}), "body.c[].a is no integer"),
            (json!({"a": 1, "d": {"k": 1}}), "body.d.k is no boolean"),
            (json!({"a": 1, "e": 1}), "body.e fits no choice"),
            (json!({"a": 1, "f": 1}), "body.f is not documented"),
        ] {
            let what = check(value).unwrap_err();
            assert!(what.starts_with(expected), "{what}");
        }
    }
}
