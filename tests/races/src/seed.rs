//! The name of one schedule.

use std::fmt;
use std::str::FromStr;

use registrar_store::Safeguard;

use crate::explore::{Explored, Violation, explore};
use crate::scenario::Topic;

/// `Topic:seed:schedule`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed {
    /// What the scenario is about.
    pub topic: Topic,
    /// Which of the topic's scenarios.
    pub scenario: u64,
    /// Which of the scenario's schedules.
    pub schedule: u64,
}

impl Seed {
    /// Runs it.
    pub fn run(self, dropped: Option<Safeguard>) -> (Explored, Option<Violation>) {
        explore(self.topic, self.scenario, self.schedule..self.schedule + 1, dropped)
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}:{}:{}", self.topic, self.scenario, self.schedule)
    }
}

impl FromStr for Seed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("{text:?} is no seed: Topic:seed:schedule");
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let topic = Topic::ALL.into_iter().find(|topic| format!("{topic:?}") == name).ok_or_else(bad)?;
        let mut number = || parts.next().and_then(|part| part.parse().ok()).ok_or_else(bad);
        let (scenario, schedule) = (number()?, number()?);
        if parts.next().is_some() { Err(bad()) } else { Ok(Self { topic, scenario, schedule }) }
    }
}
