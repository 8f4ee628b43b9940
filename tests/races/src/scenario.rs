//! What is raced: a first part without races, then clients at once.

use std::collections::BTreeSet;

use registrar_harness::schemas::subject;
use registrar_model::ContextName;

use crate::made::made;
use crate::operation::Operation;
use crate::random::Random;
use crate::theme::Theme;
pub use crate::theme::Topic;

/// Most operations of all clients: every order of them may have to be tried.
const OPERATIONS: usize = 4;

/// What is raced.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Every subject that occurs.
    pub subjects: Vec<&'static str>,
    /// What happens before.
    pub setup: Vec<Operation>,
    /// What each client does.
    pub clients: Vec<Vec<Operation>>,
}

impl Scenario {
    /// The scenario of a seed.
    pub fn new(topic: Topic, seed: u64) -> Self {
        if topic == Topic::Made {
            return made_by_hand(seed);
        }
        let mut random = Random::new(seed);
        let theme = Theme::of(topic);
        let mut setup = theme.beginning(&mut random);
        let before = random.below(theme.most_before + 1);
        setup.extend((0..before).map(|_| theme.write(&mut random)));
        let clients = 2 + random.below(3);
        let mut left = OPERATIONS;
        let mut programs = Vec::new();
        for client in 0..clients {
            let most = (left - (clients - 1 - client)).min(3);
            let count = 1 + random.below(most);
            left -= count;
            programs.push((0..count).map(|_| theme.any(&mut random)).collect());
        }
        let mut scenario = Self { subjects: theme.subjects.to_vec(), setup, clients: programs };
        scenario.take_apart();
        scenario
    }

    /// Leaves out what would be put together from settings of several moments: what is in force, beside more than one
    /// change, and what is compatible, beside any. Such an answer need not be of one moment.
    fn take_apart(&mut self) {
        let changes = self.operations().iter().filter(|operation| operation.may_change_settings()).count();
        for operation in self.clients.iter_mut().flatten() {
            *operation = match *operation {
                Operation::InForce { target, mode } if changes > 1 => Operation::SettingsOf { target, mode },
                Operation::Check { subject, .. } if changes > 0 => Operation::Latest { subject },
                other => other,
            };
        }
    }

    /// All operations of the clients, each with the number by which others know it.
    pub fn operations(&self) -> Vec<Operation> {
        self.clients.iter().flatten().copied().collect()
    }

    /// The clients' programs, with those numbers.
    pub fn numbered(&self) -> Vec<Vec<(usize, Operation)>> {
        let mut numbers = 0..;
        self.clients.iter().map(|program| numbers.by_ref().zip(program.iter().copied()).collect()).collect()
    }

    /// Whether ids are given from outside.
    pub fn imports(&self) -> bool {
        self.setup.iter().chain(self.clients.iter().flatten()).any(|step| matches!(step, Operation::Import { .. }))
    }

    /// Whether some operation is not of one moment, so that only the table is judged.
    pub fn is_gradual(&self) -> bool {
        self.operations().iter().any(Operation::is_gradual)
    }

    /// The contexts that a registration may leave empty; an alias may lead it into any of them.
    pub fn noted_contexts(&self) -> BTreeSet<ContextName> {
        let mut noted: BTreeSet<ContextName> = self.operations().iter().filter_map(Operation::notes_context).collect();
        let all = || self.setup.iter().chain(self.clients.iter().flatten());
        if !noted.is_empty() && all().any(|step| matches!(step, Operation::SetAlias { .. })) {
            noted.extend(self.subjects.iter().map(|name| subject(name).context().clone()));
        }
        noted
    }

    /// Where settings are kept beside those of subjects; `None` is the top level.
    pub fn scopes(&self) -> Vec<Option<String>> {
        let contexts: BTreeSet<ContextName> =
            self.subjects.iter().map(|name| subject(name).context().clone()).collect();
        let others = contexts.into_iter().filter(|context| !context.is_default());
        let named = others.map(|context| Some(format!(":{}:", context.as_str())));
        [None, Some(":.__GLOBAL:".to_owned())].into_iter().chain(named).collect()
    }
}

/// Round and round: there are no more than so many.
fn made_by_hand(seed: u64) -> Scenario {
    let all = made();
    let place = usize::try_from(seed.max(1) - 1).unwrap_or(0) % all.len();
    all[place].scenario()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many scenarios of each topic as the test command runs.
    const SCENARIOS: u64 = 10;
    const KINDS: [&str; 29] = [
        "Register",
        "Import",
        "Copy",
        "DeleteVersion",
        "DeleteSubject",
        "SetLevel",
        "SetAlias",
        "DeleteConfig",
        "SetMode",
        "DeleteMode",
        "DeleteContext",
        "Associate",
        "AssociateWith",
        "Dissociate",
        "AssociationsOf",
        "AssociationsOfResource",
        "Lookup",
        "Latest",
        "Version",
        "Versions",
        "ById",
        "ByGuid",
        "SettingsOf",
        "InForce",
        "Check",
        "Subjects",
        "Schemas",
        "UsersOf",
        "ReferrersOf",
    ];

    #[test]
    fn every_kind_of_operation_is_raced() {
        let scenarios = Topic::ALL.into_iter().flat_map(|topic| (1..=SCENARIOS).map(move |seed| (topic, seed)));
        let operations = scenarios.flat_map(|(topic, seed)| Scenario::new(topic, seed).operations());
        let raced: BTreeSet<String> = operations
            .map(|operation| format!("{operation:?}").chars().take_while(char::is_ascii_alphabetic).collect())
            .collect();
        let expected: BTreeSet<String> = KINDS.into_iter().map(str::to_owned).collect();
        assert_eq!(raced, expected);
    }
}
