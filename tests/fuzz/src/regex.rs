//! Regular expressions, which only JSON Schema has.

use super::json::json_pairs;
use super::{SEPARATOR, texts};

/// A regular expression, and names of properties in which it is looked for.
pub fn regex(data: &[u8]) {
    let texts = texts(data);
    let Some((pattern, names)) = texts.split_first() else { return };
    let pattern = quoted(pattern);
    let properties: Vec<String> =
        names.iter().map(|name| format!("{}:{{\"type\":\"string\"}}", quoted(name))).collect();
    let patterned = format!(
        "{{\"type\":\"object\",\"patternProperties\":{{{pattern}:{{\"type\":\"integer\",\"pattern\":{pattern}}}}},\
         \"additionalProperties\":false}}"
    );
    let named =
        format!("{{\"type\":\"object\",\"properties\":{{{}}},\"additionalProperties\":false}}", properties.join(","));
    json_pairs(format!("{patterned}{SEPARATOR}{named}").as_bytes());
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\0'..=' ' => quoted.extend(["\\u00", &format!("{:02x}", u32::from(character))]),
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
