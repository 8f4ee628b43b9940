//! The sentences of the document that belong to no single operation.

/// What holds for all of it.
pub(super) const ABOUT: &str = "\
A schema registry for Avro, JSON Schema and Protobuf that answers as Confluent Schema Registry 8.5 does.

Bodies are JSON in UTF-8. Requests are read as any of the three media types, as `application/octet-stream`, or without a \
type; answers have the type that `Accept` asks for, the versioned one where it leaves the choice. Members of a request that \
are not described here are ignored, and so are query parameters. `null` is the same as a missing member, unless said \
otherwise. HEAD is answered where GET is, OPTIONS everywhere. Long answers are compressed for clients that take gzip.

Each path can be put below `/contexts/{context}`: then subjects are those of that context.

Every error is an object with `error_code` and `message`. Boolean parameters are false unless their value is `true`.";

/// The variable of the second server.
pub(super) const CONTEXT: &str = "A context, with or without its dot; `.` is the default one.";

pub(super) const SCHEMA_TEXT: &str =
    "The text itself, not as a JSON string: JSON for Avro and JSON Schema, and something else for Protobuf.";
pub(super) const REQUEST_ID: &str = "A name for the request, which the answer repeats.";
pub(super) const ANSWERED_ID: &str = "The one that the request has, or a random UUID.";
pub(super) const VARY: &str = "`accept-encoding`, on answers that are long enough to be compressed.";
pub(super) const ALLOW: &str = "The methods that there are.";

const ERRORS: &str = include_str!("../../../../docs/ERRORS.md");

/// When an error occurs, as docs/ERRORS.md says it. Nothing for a number that it lacks, which no code has.
pub(super) fn meaning(code: u16) -> &'static str {
    let of = |line: &'static str| {
        let mut cells = line.strip_prefix('|')?.split('|').map(str::trim);
        (cells.next()?.parse() == Ok(code)).then(|| cells.nth(1)).flatten()
    };
    ERRORS.lines().find_map(of).unwrap_or_default()
}
