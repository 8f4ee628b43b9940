//! A reply against what a step expects.

use crate::Result;
use crate::case::Expect;
use crate::exchange::Reply;
use crate::invariants::is_random_uuid;
use crate::ordered::Ordered;

/// The first thing that is not as expected.
pub(crate) fn check(expect: &Expect, reply: &Reply) -> Result<()> {
    need(expect.status.allows(i64::from(reply.status)), || format!("status should be {:?}", expect.status))?;
    headers(expect, reply)?;
    text(expect, reply)?;
    if asks_for_json(expect) { json(expect, &reply.json()?) } else { Ok(()) }
}

fn need(holds: bool, what: impl FnOnce() -> String) -> Result<()> {
    if holds { Ok(()) } else { Err(what()) }
}

fn headers(expect: &Expect, reply: &Reply) -> Result<()> {
    for (name, want) in &expect.headers_exact {
        let got = reply.header(name);
        let right = if want == "@uuid4" { got.len() == 1 && is_random_uuid(got[0]) } else { got == [want] };
        need(right, || format!("header {name} should be {want:?}, not {got:?}"))?;
    }
    for name in &expect.absent_headers {
        need(reply.header(name).is_empty(), || format!("header {name} should not be there"))?;
    }
    if let Some(want) = &expect.allow {
        let got = reply.header("allow").join(",");
        let mut got: Vec<_> = got.split(',').map(str::trim).collect();
        let mut want: Vec<_> = want.iter().map(String::as_str).collect();
        got.sort_unstable();
        want.sort_unstable();
        need(got == want, || format!("Allow should be {want:?}, not {got:?}"))?;
    }
    let compressed = reply.is_compressed();
    need(expect.gzip.is_none_or(|gzip| gzip == compressed), || format!("compressed: {compressed}"))
}

fn text(expect: &Expect, reply: &Reply) -> Result<()> {
    let body = reply.text();
    if let Some(want) = &expect.text {
        need(body == *want, || format!("the body should be {want:?}"))?;
    }
    if let Some(want) = expect.text_gen.map(crate::body::Generated::schema) {
        need(body == want, || format!("the body should be a text of {} bytes that was posted", want.len()))?;
    }
    contains_all(&body, &expect.body_contains, "the body")
}

fn contains_all(text: &str, parts: &[String], what: &str) -> Result<()> {
    match parts.iter().find(|part| !text.contains(&***part)) {
        Some(part) => Err(format!("{what} should contain {part:?}")),
        None => Ok(()),
    }
}

fn asks_for_json(expect: &Expect) -> bool {
    expect.error_code.is_some()
        || expect.json.is_some()
        || expect.json_ordered.is_some()
        || expect.json_subset.is_some()
        || expect.json_set.is_some()
        || !expect.json_has.is_empty()
        || expect.len.is_some()
        || expect.order.is_some()
        || expect.keys_only.is_some()
        || expect.messages_len.is_some()
        || !(expect.absent.is_empty() && expect.messages_contain.is_empty() && expect.message_contains.is_empty())
}

fn json(expect: &Expect, got: &Ordered) -> Result<()> {
    if let Some(want) = &expect.json {
        need(want.same(got), || format!("the body should be {want}"))?;
    }
    if let Some(want) = &expect.json_ordered {
        need(want.same_in_order(got), || format!("the body, members in order, should be {want}"))?;
    }
    if let Some(want) = &expect.json_subset {
        need(want.within(got), || format!("the body should have {want}"))?;
    }
    if let Some(want) = &expect.json_set {
        need(same_set(want, got), || format!("the body should be, in any order, {}", Ordered::Array(want.clone())))?;
    }
    if !expect.json_has.is_empty() {
        need(has(&expect.json_has, got), || {
            format!("there should be {} among distinct items", Ordered::Array(expect.json_has.clone()))
        })?;
    }
    if let Some(want) = expect.len {
        need(got.items().is_some_and(|items| items.len() == want), || format!("there should be {want} items"))?;
    }
    error(expect, got)?;
    members(expect, got)?;
    messages(expect, got)
}

fn same_set(want: &[Ordered], got: &Ordered) -> bool {
    let Some(mut left) = got.items().map(<[Ordered]>::to_vec) else { return false };
    let mut take = |want: &Ordered| left.iter().position(|got| want.same(got)).map(|at| left.swap_remove(at));
    want.iter().all(|want| take(want).is_some()) && left.is_empty()
}

fn has(want: &[Ordered], got: &Ordered) -> bool {
    let Some(items) = got.items() else { return false };
    let repeats = |at: usize| items[..at].iter().any(|item| item.same(&items[at]));
    want.iter().all(|want| items.iter().any(|item| want.same(item))) && !(0..items.len()).any(repeats)
}

fn error(expect: &Expect, got: &Ordered) -> Result<()> {
    if let Some(want) = &expect.error_code {
        let code = got.get("error_code").and_then(Ordered::integer);
        need(code.is_some_and(|code| want.allows(code)), || format!("error_code should be {want:?}"))?;
    }
    let message = got.get("message").and_then(Ordered::text).unwrap_or_default();
    if let Some(want) = &expect.message {
        need(message == want, || format!("message should be {want:?}"))?;
    }
    if let Some(want) = &expect.message_ends {
        need(message.ends_with(&**want), || format!("message should end in {want:?}"))?;
    }
    contains_all(message, &expect.message_contains, "message")
}

fn members(expect: &Expect, got: &Ordered) -> Result<()> {
    let names: Vec<_> = got.members().iter().map(|(name, _)| name).collect();
    if let Some(name) = expect.absent.iter().find(|absent| names.contains(absent)) {
        return Err(format!("there should be no {name}"));
    }
    if let Some(allowed) = &expect.keys_only {
        need(names.iter().all(|name| allowed.contains(name)), || format!("there should be only {allowed:?}"))?;
    }
    let Some(order) = &expect.order else { return Ok(()) };
    let wanted: Vec<_> = order.iter().filter(|name| names.contains(name)).collect();
    need(names == wanted, || format!("members should be of {order:?}, in this order"))
}

fn messages(expect: &Expect, got: &Ordered) -> Result<()> {
    if expect.messages_len.is_none() && expect.messages_contain.is_empty() {
        return Ok(());
    }
    let items = got.get("messages").and_then(Ordered::items).ok_or("there should be messages")?;
    let texts: Vec<_> = items.iter().filter_map(Ordered::text).collect();
    need(expect.messages_len.is_none_or(|want| want == items.len()), || format!("not {} messages", items.len()))?;
    contains_all(&texts.join("\n"), &expect.messages_contain, "messages")
}
