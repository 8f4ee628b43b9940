//! Import paths as Wire keeps them.

/// A path without `.` and empty parts and with `/` between the others; `..` stays where it is not at the root.
pub(super) fn import_path(written: &str) -> String {
    let rooted = written.starts_with(['/', '\\']);
    let mut parts: Vec<&str> = Vec::new();
    for part in written.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if rooted && parts.is_empty() => {}
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    match (rooted, path.is_empty()) {
        (true, _) => format!("/{path}"),
        (false, true) => ".".to_owned(),
        (false, false) => path,
    }
}
