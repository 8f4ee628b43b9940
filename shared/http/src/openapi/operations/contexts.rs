//! Contexts (rest-api.md §4.7). Creating and reading one are additions of ours.

use crate::ErrorCode::{ContextNotEmpty, InvalidSubject, NotFound, SchemaTooLarge};
use crate::openapi::operation::Operation;
use crate::openapi::parameters::{CONTEXT_PREFIX, LIMIT, OFFSET};
use crate::openapi::shape::Shape::{List, Object, Text};
use crate::openapi::types::server::{CONTEXT, CONTEXT_REQUEST};

const GROUP: &str = "Contexts";

pub(super) static LIST: Operation =
    Operation::new("listContexts", GROUP, "List contexts", "Their names with a dot in front.", List(&Text))
        .details("The default context `.` comes first, the others in order.")
        .query(&[&CONTEXT_PREFIX, &OFFSET, &LIMIT]);

pub(super) static CREATE: Operation =
    Operation::new("createContext", GROUP, "Create or describe a context", "The context.", Object(&CONTEXT))
        .details("Not needed before a registration, which creates its context. An addition to Confluent's calls.")
        .body(&CONTEXT_REQUEST, r#"{"name":"orders","description":"The team of orders"}"#)
        .errors(&[InvalidSubject, SchemaTooLarge]);

pub(super) static GET: Operation = Operation::new(
    "getContext",
    GROUP,
    "Read a context",
    "The context.",
    Object(&CONTEXT),
)
.details(
    "An addition to Confluent's calls. The default context has no path of its own: `.` is the root, with its answer.",
)
.errors(&[NotFound]);

pub(super) static DELETE: Operation = Operation::new("deleteContext", GROUP, "Delete a context", "It is gone.", Text)
    .answers_nothing()
    .details("Only where it has no version, not even a soft-deleted one. One that is not there counts as deleted.")
    .errors(&[ContextNotEmpty]);
