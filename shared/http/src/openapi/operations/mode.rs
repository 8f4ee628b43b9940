//! Modes (rest-api.md §4.6).

use crate::ErrorCode::{Denied, InvalidMode, InvalidSubject, ModeNotSet, Referenced, SubjectNotFound};
use crate::openapi::operation::Operation;
use crate::openapi::parameters::{DEFAULT_TO_GLOBAL, FORCE_MODE, RECURSIVE};
use crate::openapi::shape::Shape::Object;
use crate::openapi::types::settings::{MODE, MODE_UPDATE};

const GROUP: &str = "Modes";
const CURRENT: &str = "The mode.";
const UPDATED: &str = "The request.";
const REMOVED: &str = "The mode that was set before.";
const EXAMPLE: &str = r#"{"mode":"READWRITE"}"#;
const TO_IMPORT: &str = "IMPORT is entered only where there is no live version; soft-deleted ones go for good.";

pub(super) static GET_TOP: Operation =
    Operation::new("getTopLevelMode", GROUP, "Read the top-level mode", CURRENT, Object(&MODE))
        .details("READWRITE where none is set.")
        .query(&[&DEFAULT_TO_GLOBAL]);

pub(super) static PUT_TOP: Operation =
    Operation::new("updateTopLevelMode", GROUP, "Set the top-level mode", UPDATED, Object(&MODE_UPDATE))
        .details(TO_IMPORT)
        .query(&[&FORCE_MODE])
        .body(&MODE_UPDATE, EXAMPLE)
        .errors(&[InvalidMode, Denied, Referenced]);

pub(super) static DELETE_TOP: Operation =
    Operation::new("deleteTopLevelMode", GROUP, "Reset the top-level mode", REMOVED, Object(&MODE))
        .query(&[&RECURSIVE])
        .errors(&[Denied]);

pub(super) static GET: Operation =
    Operation::new("getMode", GROUP, "Read the mode of a subject or context", CURRENT, Object(&MODE))
        .query(&[&DEFAULT_TO_GLOBAL])
        .errors(&[ModeNotSet]);

pub(super) static PUT: Operation =
    Operation::new("updateMode", GROUP, "Set the mode of a subject or context", UPDATED, Object(&MODE_UPDATE))
        .details(TO_IMPORT)
        .query(&[&FORCE_MODE])
        .body(&MODE_UPDATE, EXAMPLE)
        .errors(&[InvalidMode, Denied, Referenced, InvalidSubject]);

pub(super) static DELETE: Operation =
    Operation::new("deleteMode", GROUP, "Delete the mode of a subject or context", REMOVED, Object(&MODE))
        .query(&[&RECURSIVE])
        .errors(&[SubjectNotFound, Denied]);
