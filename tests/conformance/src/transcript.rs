//! Replies brought into a form in which two runs of one case are equal.

use crate::exchange::{Reply, Request};
use crate::invariants::is_random_uuid;
use crate::ordered::Ordered;

/// Headers that belong to the transport, not to the answer.
const TRANSPORT: [&str; 4] = ["date", "connection", "transfer-encoding", "keep-alive"];

/// A reply without times and random ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

impl Line {
    /// The line of one exchange.
    pub(crate) fn of(request: &Request, reply: &Reply) -> Self {
        // HTTP/1.1 adds a length where the service gives none, and that of a compressed body follows from the time in it.
        let is_length_kept = request.method == "HEAD" && !reply.is_compressed();
        let is_kept = |name: &str| !TRANSPORT.contains(&name) && (name != "content-length" || is_length_kept);
        let mask = |(name, value): &(String, String)| {
            let random = name == "x-request-id" && request.request_id().is_none();
            (name.clone(), if random { "(random)".to_owned() } else { value.clone() })
        };
        Self {
            status: reply.status,
            headers: reply.headers.iter().filter(|(name, _)| is_kept(name)).map(mask).collect(),
            body: without_times(&reply.text()),
        }
    }

    /// Code and message, if it is an error with a body.
    pub(crate) fn error(&self) -> Option<(i64, String)> {
        if self.status < 400 {
            return None;
        }
        let body = Ordered::parse(self.body.as_bytes()).ok()?;
        Some((body.get("error_code")?.integer()?, body.get("message")?.text()?.to_owned()))
    }

    pub(crate) fn status(&self) -> u16 {
        self.status
    }

    pub(crate) fn content_type(&self) -> &str {
        self.headers.iter().find(|(name, _)| name == "content-type").map_or("", |(_, value)| value)
    }

    pub(crate) fn body(&self) -> &str {
        &self.body
    }

    /// What differs, in words.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        if self == other {
            return None;
        }
        let mut parts = Vec::new();
        if self.status != other.status {
            parts.push(format!("status {} against {}", self.status, other.status));
        }
        if self.headers != other.headers {
            parts.push(format!("headers {:?} against {:?}", self.headers, other.headers));
        }
        if self.body != other.body {
            parts.push(format!("body {} against {}", self.body, other.body));
        }
        Some(parts.join("; "))
    }
}

/// The text with each time as 0, and no random guids.
fn without_times(text: &str) -> String {
    let times = ["\"ts\":", "\"createTs\":", "\"updateTs\":"];
    let masked = times.into_iter().fold(text.to_owned(), |text, name| {
        masked(&text, name, |rest| {
            let after = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
            (after, if after.len() < rest.len() { "0" } else { "" })
        })
    });
    masked_guids(&masked)
}

/// The text with what follows each `name` cut and replaced as `cut` says.
fn masked<'a>(text: &'a str, name: &str, cut: impl Fn(&'a str) -> (&'a str, &'static str)) -> String {
    let mut parts = text.split(name);
    let mut masked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (rest, instead) = cut(part);
        masked.extend([name, instead, rest]);
    }
    masked
}

/// Guids of contents stay: they are the same everywhere.
fn masked_guids(text: &str) -> String {
    masked(text, "\"guid\":\"", |rest| match rest.split_at_checked(36) {
        Some((guid, rest)) if is_random_uuid(guid) => (rest, "(random)"),
        _ => (rest, ""),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_masked() {
        assert_eq!(without_times(r#"[{"ts":17,"a":1},{"ts":2}]"#), r#"[{"ts":0,"a":1},{"ts":0}]"#);
        assert_eq!(without_times(r#"{"createTs":17,"updateTs":18}"#), r#"{"createTs":0,"updateTs":0}"#);
        let random = r#"{"guid":"1b4e28ba-2fa1-41d2-a83f-0016d3cca427","a":1}"#;
        assert_eq!(without_times(random), r#"{"guid":"(random)","a":1}"#);
        let of_content = r#"{"guid":"095d71cf-1255-6b9d-5e33-0ad575b3df5d"}"#;
        assert_eq!(without_times(of_content), of_content);
        assert_eq!(without_times("ts"), "ts");
        assert_eq!(without_times(r#"{"ts": {"ts":true}}"#), r#"{"ts": {"ts":true}}"#);
    }
}
