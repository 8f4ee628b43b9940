//! Two schemas by the rules of a configuration, and what is said about their differences (rest-api.md §6.8).

use registrar_formats::{Budget, Difference, Exceeded, ProtobufRules, Schema, compatibility_within};
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
    /// backward, failed. Errors if that takes more than is left of the budget.
    pub(crate) fn compare(
        self,
        budget: &mut Budget,
        new: &Schema,
        (old, version, old_text): (&Schema, Version, &str),
    ) -> Result<Conflict, Exceeded> {
        let (checks_forward, checks_backward) = (self.level.checks_forward(), self.level.checks_backward());
        let forward = if checks_forward { self.differences(budget, old, new)? } else { Vec::new() };
        let backward = if checks_backward { self.differences(budget, new, old)? } else { Vec::new() };
        let deciding = if checks_backward { &backward } else { &forward };
        let trailers = if deciding.is_empty() { Vec::new() } else { trailers(version, old_text) };
        let forward_messages = forward.iter().map(|difference| difference.message("old", "new"));
        let backward_messages = backward.iter().map(|difference| difference.message("new", "old"));
        let messages = forward_messages.chain(backward_messages).chain(trailers).collect();
        let advice = self.advice.then(|| self.advice(new, old, &forward, &backward)).flatten();
        Ok(Conflict { messages, advice })
    }

    fn differences(self, budget: &mut Budget, reader: &Schema, writer: &Schema) -> Result<Vec<Difference>, Exceeded> {
        compatibility_within(budget, self.policy, self.protobuf, reader, writer)
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
