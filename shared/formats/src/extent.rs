//! How deep and how full a text is, before anything is made of it: one look at its bytes, without memory.

use registrar_model::SchemaType;

/// What reading a text would come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// How deeply brackets and braces nest.
    pub nesting: usize,
    /// Of JSON the objects, arrays and commas, of Protobuf the bodies, statements and commas: a little less than the
    /// number of values, and what memory grows with.
    pub values: usize,
}

/// The extent of a JSON text. Of a text that is none it is some number.
pub fn json_extent(text: &[u8]) -> Extent {
    scan(text, Language { strings: b"\"", counted: b",", comments: true, brackets: true })
}

/// The extent of a schema's text.
pub fn extent(schema_type: SchemaType, text: &str) -> Extent {
    match schema_type {
        SchemaType::Avro => json_extent(text.as_bytes()),
        SchemaType::Json => {
            scan(text.as_bytes(), Language { strings: b"\"", counted: b",", comments: false, brackets: true })
        }
        SchemaType::Protobuf => {
            scan(text.as_bytes(), Language { strings: b"\"'", counted: b",;", comments: true, brackets: false })
        }
    }
}

/// What means what in a text.
#[derive(Clone, Copy)]
struct Language {
    strings: &'static [u8],
    counted: &'static [u8],
    comments: bool,
    /// Whether `[` opens a container.
    brackets: bool,
}

fn scan(text: &[u8], language: Language) -> Extent {
    let (mut extent, mut depth, mut at) = (Extent::default(), 0_usize, 0);
    while let Some(&byte) = text.get(at) {
        at = match byte {
            _ if language.strings.contains(&byte) => after_string(text, at),
            b'/' if language.comments => after_comment(text, at),
            b'{' => {
                depth += 1;
                at + 1
            }
            b'[' if language.brackets => {
                depth += 1;
                at + 1
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                at + 1
            }
            b']' if language.brackets => {
                depth = depth.saturating_sub(1);
                at + 1
            }
            _ => at + 1,
        };
        let opens = byte == b'{' || (byte == b'[' && language.brackets);
        extent.values += usize::from(opens || language.counted.contains(&byte));
        extent.nesting = extent.nesting.max(depth);
    }
    extent
}

/// The place after the string that begins at `start`.
fn after_string(text: &[u8], start: usize) -> usize {
    let quote = text[start];
    let mut at = start + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// The place after the comment that begins at `start`, if one does.
fn after_comment(text: &[u8], start: usize) -> usize {
    let rest = &text[start + 1..];
    let end = match rest.first() {
        Some(b'/') => rest.iter().position(|byte| *byte == b'\n'),
        Some(b'*') => rest[1..].windows(2).position(|pair| pair == b"*/").map(|at| at + 2),
        _ => Some(0),
    };
    end.map_or(text.len(), |end| start + 1 + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        use SchemaType::{Avro, Json, Protobuf};
        for (schema_type, text, nesting, values) in [
            (Json, "", 0, 0),
            (Json, "1", 0, 0),
            (Json, r#"{"a":[1,2,{"b":"[{,\"[,"}]}"#, 3, 5),
            (Json, "[[[", 3, 3),
            (Json, "]]]}[", 1, 1),
            (Json, r#"["\\",[1]]"#, 2, 3),
            (Json, r#"["unfinished [,"#, 1, 1),
            (Json, r#"["\"#, 1, 1),
            (Avro, "{/* [[ */\"a\":1 // {{\n,\"b\":/1}", 1, 2),
            (Avro, "{/* [[", 1, 1),
            (Protobuf, "syntax = \"proto3\"; message A { int32 a = 1 [x = '{;']; message B {} /* ; */ } // {", 2, 4),
        ] {
            assert_eq!(extent(schema_type, text), Extent { nesting, values }, "{text}");
        }
    }
}
