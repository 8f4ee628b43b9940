//! Schemas of any number of fields, one field a line. A schema with one field more is a compatible next version.

use registrar_model::SchemaType;

/// How many fields the measured schema has.
pub(crate) const FIELDS: usize = 300;

/// One language.
pub(crate) struct Sample {
    pub(crate) name: &'static str,
    pub(crate) schema_type: SchemaType,
    /// The schema with so many fields.
    pub(crate) text: fn(usize) -> String,
}

/// A language that is added here is measured.
pub(crate) const SAMPLES: &[Sample] = &[
    Sample { name: "Avro", schema_type: SchemaType::Avro, text: avro },
    Sample { name: "JSON Schema", schema_type: SchemaType::Json, text: json },
    Sample { name: "Protobuf", schema_type: SchemaType::Protobuf, text: protobuf },
];

/// The lines of the fields, whose types take turns.
fn lines(fields: usize, shapes: &[&str], between: &str) -> String {
    let shapes = shapes.iter().cycle();
    let lines = (1..=fields).zip(shapes).map(|(number, shape)| shape.replace('#', &number.to_string()));
    lines.collect::<Vec<_>>().join(between)
}

fn avro(fields: usize) -> String {
    let shapes = [
        r#"    {"name": "text_#", "type": "string", "doc": "what # is", "default": ""}"#,
        r#"    {"name": "number_#", "type": ["null", "long"], "default": null}"#,
        r#"    {"name": "amount_#", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}, "default": ""}"#,
        r#"    {"name": "list_#", "type": {"type": "array", "items": "double"}, "default": []}"#,
        r#"    {"name": "kind_#", "type": {"type": "enum", "name": "Kind#", "symbols": ["A", "B", "C"]}, "default": "A"}"#,
        r#"    {"name": "part_#", "type": {"type": "record", "name": "Part#", "fields": [{"name": "id", "type": "int"}]}, "default": {"id": 0}}"#,
    ];
    let fields = lines(fields, &shapes, ",\n");
    format!(
        "{{\"type\": \"record\", \"name\": \"Order\", \"namespace\": \"com.example\", \"fields\": [\n{fields}\n]}}\n"
    )
}

fn protobuf(fields: usize) -> String {
    let shapes = [
        "  string text_# = #; // what # is",
        "  optional int64 number_# = #;",
        "  repeated double list_# = # [packed = true];",
        "  map<string, Part> parts_# = #;",
        "  Kind kind_# = # [deprecated = true];",
        "  google.protobuf.Timestamp at_# = # [json_name = \"at#\"];",
    ];
    let fields = lines(fields, &shapes, "\n");
    format!(
        "syntax = \"proto3\";\npackage com.example;\nimport \"google/protobuf/timestamp.proto\";\n\nmessage Order {{\n{fields}\n\n  \
         message Part {{ int32 id = 1; }}\n  enum Kind {{ UNKNOWN = 0; A = 1; B = 2; }}\n}}\n"
    )
}

fn json(fields: usize) -> String {
    let shapes = [
        r#"    "text_#": {"type": "string", "description": "what # is", "maxLength": 80}"#,
        r#"    "number_#": {"type": ["integer", "null"], "minimum": 0}"#,
        r#"    "list_#": {"type": "array", "items": {"type": "number"}, "maxItems": 9}"#,
        r#"    "kind_#": {"enum": ["A", "B", "C"]}"#,
        r#"    "part_#": {"$ref": "~/definitions/Part"}"#,
        r#"    "choice_#": {"oneOf": [{"type": "string"}, {"type": "boolean"}]}"#,
    ];
    // The mark of the number is that of a fragment, too.
    let fields = lines(fields, &shapes, ",\n").replace('~', "#");
    format!(
        "{{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"type\": \"object\", \"additionalProperties\": false, \
         \"properties\": {{\n{fields}\n}},\n\"definitions\": {{\"Part\": {{\"type\": \"object\", \"properties\": {{\"id\": \
         {{\"type\": \"integer\"}}}}}}}}}}\n"
    )
}
