//! What holds for every answer, whatever was asked (rest-api.md §1).

use crate::Result;
use crate::exchange::{Reply, Request};
use crate::ordered::Ordered;

const TYPES: [&str; 3] =
    ["application/vnd.schemaregistry.v1+json", "application/vnd.schemaregistry+json", "application/json"];

/// The first rule that `reply` breaks.
pub(crate) fn check(request: &Request, reply: &Reply) -> Result<()> {
    request_id(request, reply)?;
    media_type(request, reply)?;
    encoding(request, reply)?;
    length(request, reply)?;
    if request.method == "HEAD" {
        return if reply.body.is_empty() { Ok(()) } else { Err("an answer to HEAD has a body".to_owned()) };
    }
    if reply.status >= 400 { error_body(reply) } else { Ok(()) }
}

fn request_id(request: &Request, reply: &Reply) -> Result<()> {
    match (&*reply.header("x-request-id"), request.request_id()) {
        ([id], Some(sent)) if *id != sent => Err(format!("X-Request-ID should be {sent:?}")),
        ([id], None) if !is_random_uuid(id) => Err("X-Request-ID should be a random UUID".to_owned()),
        ([_], _) => Ok(()),
        (ids, _) => Err(format!("there should be one X-Request-ID, not {}", ids.len())),
    }
}

/// Whether `text` is a UUID of version 4.
pub(crate) fn is_random_uuid(text: &str) -> bool {
    let groups: Vec<_> = text.split('-').collect();
    let lower_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups.concat().bytes().all(lower_hex)
        && groups[2].starts_with('4')
        && groups[3].starts_with(['8', '9', 'a', 'b'])
}

fn media_type(request: &Request, reply: &Reply) -> Result<()> {
    match &*reply.header("content-type") {
        [one] if TYPES.contains(one) => Ok(()),
        [] if reply.body.is_empty() && (request.method == "OPTIONS" || reply.status == 204) => Ok(()),
        other => Err(format!("Content-Type should be one of the three, not {other:?}")),
    }
}

fn encoding(request: &Request, reply: &Reply) -> Result<()> {
    let asked = request.headers.iter().any(|(name, value)| name == "accept-encoding" && value.contains("gzip"));
    match &*reply.header("content-encoding") {
        [] => Ok(()),
        ["gzip"] if asked => Ok(()),
        other => Err(format!("Content-Encoding {other:?} was not asked for")),
    }
}

fn length(request: &Request, reply: &Reply) -> Result<()> {
    let told = reply.header("content-length");
    let right = told.is_empty() || request.method == "HEAD" || told == [&*reply.length.to_string()];
    if right { Ok(()) } else { Err(format!("Content-Length {told:?} of {} bytes", reply.length)) }
}

/// `{"error_code":…,"message":…}`, the code beginning with the HTTP status.
fn error_body(reply: &Reply) -> Result<()> {
    let Ordered::Object(members) = reply.json()? else { return Err("an error is no object".to_owned()) };
    let names: Vec<_> = members.iter().map(|(name, _)| &**name).collect();
    if names != ["error_code", "message"] {
        return Err(format!("an error should have error_code and message, not {names:?}"));
    }
    let code = members[0].1.integer().ok_or("error_code should be a number")?;
    if members[1].1.text().is_none_or(str::is_empty) {
        return Err("message should be a text".to_owned());
    }
    let status = if code > 999 { code / 100 } else { code };
    if status == i64::from(reply.status) {
        return Ok(());
    }
    Err(format!("error_code {code} does not go with status {}", reply.status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_uuids() {
        assert!(is_random_uuid("1b4e28ba-2fa1-41d2-a83f-0016d3cca427"));
        for other in ["", "1b4e28ba-2fa1-11d2-a83f-0016d3cca427", "1B4E28BA-2fa1-41d2-a83f-0016d3cca427", "one"] {
            assert!(!is_random_uuid(other), "{other}");
        }
    }
}
