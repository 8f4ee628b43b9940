//! Configuration (rest-api.md §4.5).

use crate::ErrorCode::{
    ConfigNotSet, Denied, InvalidLevel, InvalidRuleSet, InvalidSubject, SchemaTooLarge, SubjectNotFound,
};
use crate::openapi::operation::Operation;
use crate::openapi::parameters::DEFAULT_TO_GLOBAL;
use crate::openapi::shape::Shape::Object;
use crate::openapi::types::settings::{CONFIG, CONFIG_UPDATE};

const GROUP: &str = "Configuration";
const CURRENT: &str = "The configuration.";
const UPDATED: &str = "All that is set afterwards.";
const REMOVED: &str = "The configuration that was set before.";
const EXAMPLE: &str = r#"{"compatibility":"FULL"}"#;

pub(super) static GET_TOP: Operation =
    Operation::new("getTopLevelConfig", GROUP, "Read the top-level configuration", CURRENT, Object(&CONFIG))
        .details("What is not set there is the server's default.")
        .query(&[&DEFAULT_TO_GLOBAL]);

pub(super) static PUT_TOP: Operation = Operation::new(
    "updateTopLevelConfig",
    GROUP,
    "Change the top-level configuration",
    UPDATED,
    Object(&CONFIG_UPDATE),
)
.body(&CONFIG_UPDATE, EXAMPLE)
.errors(&[InvalidLevel, Denied, SchemaTooLarge, InvalidRuleSet]);

pub(super) static DELETE_TOP: Operation =
    Operation::new("deleteTopLevelConfig", GROUP, "Reset the top-level configuration", REMOVED, Object(&CONFIG))
        .errors(&[Denied]);

pub(super) static GET: Operation =
    Operation::new("getConfig", GROUP, "Read the configuration of a subject or context", CURRENT, Object(&CONFIG))
        .query(&[&DEFAULT_TO_GLOBAL])
        .errors(&[ConfigNotSet]);

pub(super) static PUT: Operation = Operation::new(
    "updateConfig",
    GROUP,
    "Change the configuration of a subject or context",
    UPDATED,
    Object(&CONFIG_UPDATE),
)
.details("The subject need not exist.")
.body(&CONFIG_UPDATE, EXAMPLE)
.errors(&[InvalidLevel, Denied, InvalidSubject, SchemaTooLarge, InvalidRuleSet]);

pub(super) static DELETE: Operation =
    Operation::new("deleteConfig", GROUP, "Delete the configuration of a subject or context", REMOVED, Object(&CONFIG))
        .errors(&[SubjectNotFound, Denied]);
