//! Two schemas by the rules of a configuration, and what is said about their differences (rest-api.md §6.8).

use registrar_formats::{Difference, ProtobufRules, Schema, compatibility_with};
use registrar_model::{Level, Policy, Version};

/// Longest old schema that a message shows in full, in UTF-16 units.
const SHOWN_SCHEMA: usize = 10_240;

/// What two schemas are compared by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) level: Level,
    pub(crate) policy: Policy,
    pub(crate) protobuf: ProtobufRules,
    /// Whether to say what would be accepted instead.
    pub(crate) advice: bool,
}

/// Why a schema may not follow others; without messages if it may.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conflict {
    pub(crate) messages: Vec<String>,
    /// One sentence on what would be accepted instead.
    pub(crate) advice: Option<String>,
}

impl Rules {
    /// Both directions, then what tells which version it was about. FULL says that only if the second direction,
    /// backward, failed.
    pub(crate) fn compare(self, new: &Schema, old: &Schema, version: Version, old_text: &str) -> Conflict {
        let forward = if self.level.checks_forward() { self.differences(old, new) } else { Vec::new() };
        let backward = if self.level.checks_backward() { self.differences(new, old) } else { Vec::new() };
        let deciding = if self.level.checks_backward() { &backward } else { &forward };
        let trailers = if deciding.is_empty() { Vec::new() } else { trailers(version, old_text) };
        let forward_messages = forward.iter().map(|difference| difference.message("old", "new"));
        let backward_messages = backward.iter().map(|difference| difference.message("new", "old"));
        let messages = forward_messages.chain(backward_messages).chain(trailers).collect();
        let advice = self.advice.then(|| self.advice(new, old, &forward, &backward)).flatten();
        Conflict { messages, advice }
    }

    fn differences(self, reader: &Schema, writer: &Schema) -> Vec<Difference> {
        compatibility_with(self.policy, self.protobuf, reader, writer)
    }

    fn advice(self, new: &Schema, old: &Schema, forward: &[Difference], backward: &[Difference]) -> Option<String> {
        new.advice_as_reader(old, self.policy, backward).or_else(|| new.advice_as_writer(old, self.policy, forward))
    }
}

fn trailers(version: Version, text: &str) -> Vec<String> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let schema = if units.len() > SHOWN_SCHEMA {
        let shown = String::from_utf16_lossy(&units[..SHOWN_SCHEMA]);
        format!("{{oldSchema: <truncated> '{shown}...'}}")
    } else {
        format!("{{oldSchema: '{text}'}}")
    };
    vec![format!("{{oldSchemaVersion: {version}}}"), schema]
}
