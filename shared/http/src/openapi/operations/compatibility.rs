//! Compatibility (rest-api.md §4.4).

use super::SCHEMA_EXAMPLE;
use crate::ErrorCode::{InvalidSchema, InvalidVersion, SchemaTooLarge, VersionNotFound};
use crate::openapi::operation::Operation;
use crate::openapi::parameters::{NORMALIZE, VERBOSE};
use crate::openapi::shape::Shape::Object;
use crate::openapi::types::schema::SCHEMA_REQUEST;
use crate::openapi::types::server::VERDICT;

const GROUP: &str = "Compatibility";
const MEANING: &str = "The verdict.";

pub(super) static ALL: Operation =
    Operation::new("checkCompatibility", GROUP, "Check a schema as registration would", MEANING, Object(&VERDICT))
        .details(
            "Against the live versions that the compatibility level of the subject names. With `verbose`, an invalid \
             schema is a verdict and no error. An unknown subject has nothing to be incompatible with.",
        )
        .query(&[&NORMALIZE, &VERBOSE])
        .body(&SCHEMA_REQUEST, SCHEMA_EXAMPLE)
        .errors(&[InvalidSchema, SchemaTooLarge]);

pub(super) static ONE: Operation = Operation::new(
    "checkCompatibilityWithVersion",
    GROUP,
    "Check a schema against one version",
    MEANING,
    Object(&VERDICT),
)
.details("With `verbose`, an invalid schema is a verdict and no error. `latest` of an unknown subject is compatible.")
.query(&[&NORMALIZE, &VERBOSE])
.body(&SCHEMA_REQUEST, SCHEMA_EXAMPLE)
.errors(&[VersionNotFound, InvalidSchema, InvalidVersion, SchemaTooLarge]);
