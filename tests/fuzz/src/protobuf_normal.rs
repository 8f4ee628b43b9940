//! What the vectors say of normalized Protobuf that is not the same when it is read back (`docs/FUZZING.md`).

/// The text without the lines that are left of blocks without fields, which normalizing drops.
pub(super) fn without_places(text: &str) -> String {
    let mut kept: Vec<String> = Vec::new();
    for line in text.lines() {
        let (is_blank, ends) = (line.trim().is_empty(), line.trim() == "}");
        if is_blank || ends {
            kept.pop_if(|last| last.trim().is_empty());
        }
        match kept.last_mut() {
            Some(head) if ends && is_head(head) => head.push('}'),
            Some(head) if is_blank && head.ends_with('{') => {}
            _ => kept.push(line.to_owned()),
        }
    }
    kept.pop_if(|last| last.trim().is_empty());
    kept.iter().flat_map(|line| [line, "\n"]).collect()
}

/// Whether a line begins a body that may have lost all of its blocks; an empty literal ends on another line.
fn is_head(line: &str) -> bool {
    line.ends_with('{') && ["message ", "enum "].iter().any(|word| line.trim_start().starts_with(word))
}

/// Whether two texts differ only in where `default` and `json_name` stand among the options of a field: in a normalized
/// text by their names, in a text that was read behind the others.
pub(super) fn differ_in_properties(one: &str, other: &str) -> bool {
    let is_property =
        |line: &str| ["default = ", "json_name = "].iter().any(|name| line.trim_start().starts_with(name));
    let (kept, moved): (Vec<&str>, Vec<&str>) = lines(one).partition(|line| !is_property(line));
    let (kept_too, moved_too): (Vec<&str>, Vec<&str>) = lines(other).partition(|line| !is_property(line));
    kept == kept_too && moved == moved_too
}

/// Lines without the comma that all options but the last one have.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.strip_suffix(',').unwrap_or(line))
}

/// The text with every `-0` a `0`: what a fraction is rounded to, and what that becomes as an integer.
pub(super) fn without_sign_of_zero(text: &str) -> String {
    let without = |line: &str| {
        let value = line.trim_end_matches([',', ';', ']']);
        match value.strip_suffix(" -0") {
            Some(before) => format!("{before} 0{}\n", &line[value.len()..]),
            None => format!("{line}\n"),
        }
    };
    text.lines().map(without).collect()
}
