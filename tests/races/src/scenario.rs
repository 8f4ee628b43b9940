//! What is raced: a first part without races, then clients at once.

use registrar_model::{Level, Lifecycle, Mode};

use crate::operation::{Content, Operation};
use crate::random::Random;

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

/// What a scenario is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Versions and settings of one subject.
    Subject,
    /// Settings of the registry while others write and look.
    Settings,
    /// Contents that subjects share.
    Contents,
    /// Schemas that refer to others.
    References,
    /// Ids given from outside.
    Imports,
    /// Permanent deletes and what comes after.
    Sweeps,
    /// Contexts, and the search of them.
    Contexts,
    /// Topics and what their subjects then forbid.
    Associations,
}

impl Topic {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Subject,
        Self::Settings,
        Self::Contents,
        Self::References,
        Self::Imports,
        Self::Sweeps,
        Self::Contexts,
        Self::Associations,
    ];
}

impl Scenario {
    /// The scenario of a seed.
    pub fn new(topic: Topic, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let maker = Maker { topic };
        let before = random.below(7);
        let mut setup = maker.beginning(&mut random);
        setup.extend((0..before).map(|_| maker.write(&mut random)));
        let clients = 2 + random.below(2);
        let mut left = 4;
        let mut programs = Vec::new();
        for client in 0..clients {
            let most = (left - (clients - 1 - client)).min(3);
            let count = 1 + random.below(most);
            left -= count;
            programs.push((0..count).map(|_| maker.any(&mut random)).collect());
        }
        Self { subjects: maker.subjects(), setup, clients: programs }
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
}

const LEVELS: [Option<Level>; 4] = [Some(Level::None), Some(Level::Full), Some(Level::BackwardTransitive), None];
const MODES: [Option<Mode>; 3] = [Some(Mode::ReadOnly), Some(Mode::ReadWrite), None];

/// A topic, and the subject that is its own by name.
const RESOURCE: &str = "x";
const OWN: &str = ":.n:x-value";

struct Maker {
    topic: Topic,
}

impl Maker {
    fn subjects(&self) -> Vec<&'static str> {
        match self.topic {
            Topic::Subject | Topic::Settings => vec!["s"],
            Topic::Contents | Topic::Imports | Topic::Sweeps => vec!["s", "t"],
            Topic::References => vec!["t", "h", "i"],
            Topic::Contexts => vec![":.c:s", ":.c:t", "s"],
            Topic::Associations => vec![OWN, "s", "h"],
        }
    }

    fn subject(&self, random: &mut Random) -> &'static str {
        let subjects = self.subjects();
        subjects[random.below(subjects.len())]
    }

    fn content(&self, random: &mut Random) -> Content {
        let typed = [Content::Typed("int"), Content::Typed("bytes")];
        match self.topic {
            Topic::Settings => *random.pick(&typed),
            Topic::Subject if random.chance(40) => *random.pick(&typed),
            Topic::Subject | Topic::Imports => Content::Record(random.below(3)),
            _ => Content::Record(random.below(2)),
        }
    }

    /// What makes the rest likely to mean something.
    fn beginning(&self, random: &mut Random) -> Vec<Operation> {
        let register = |subject| Operation::Register { subject, content: Content::Record(0) };
        match self.topic {
            Topic::Settings => vec![
                Operation::SetLevel { target: None, level: Some(Level::None) },
                Operation::Register { subject: "s", content: Content::Typed("int") },
            ],
            Topic::Imports => vec![Operation::SetMode { target: Some("t"), mode: Some(Mode::Import), force: false }],
            Topic::References => vec![register("t")],
            Topic::Associations => vec![register(OWN), register("s")],
            Topic::Sweeps => {
                let subject = self.subject(random);
                vec![register("s"), register("t"), Operation::DeleteSubject { subject, permanent: false }]
            }
            Topic::Subject | Topic::Contents | Topic::Contexts => Vec::new(),
        }
    }

    fn any(&self, random: &mut Random) -> Operation {
        let reads = if self.topic == Topic::Settings { 35 } else { 20 };
        if random.chance(reads) { self.read(random) } else { self.write(random) }
    }

    fn read(&self, random: &mut Random) -> Operation {
        let subject = self.subject(random);
        let deleted = random.chance(50);
        if self.topic == Topic::Associations && random.chance(60) {
            let of_subject = random.chance(50);
            return if of_subject {
                Operation::AssociationsOf { subject }
            } else {
                Operation::AssociationsOfResource { resource: RESOURCE }
            };
        }
        match random.below(4) {
            0 => Operation::Latest { subject },
            1 => Operation::Versions { subject, deleted },
            2 => Operation::Version { subject, version: 1 + i64::from(random.chance(50)), deleted },
            _ => Operation::Lookup { subject, content: self.content(random), deleted },
        }
    }

    fn write(&self, random: &mut Random) -> Operation {
        match self.topic {
            Topic::References => return self.with_references(random),
            Topic::Imports if random.chance(50) => return self.import(random),
            Topic::Associations if random.chance(60) => return Self::associate(random),
            Topic::Contexts if random.chance(25) => return Operation::DeleteContext { context: ":.c:" },
            _ => {}
        }
        let settings = match self.topic {
            Topic::Settings => 50,
            Topic::Subject => 25,
            _ => 5,
        };
        if random.chance(settings) {
            return self.set(random);
        }
        let deletes = if self.topic == Topic::Sweeps { 60 } else { 40 };
        if random.chance(deletes) {
            return self.delete(self.subject(random), random);
        }
        Operation::Register { subject: self.subject(random), content: self.content(random) }
    }

    fn set(&self, random: &mut Random) -> Operation {
        let own = if self.topic == Topic::Settings { 0 } else { 50 };
        let target = random.chance(own).then(|| self.subject(random));
        if random.chance(70) {
            return Operation::SetLevel { target, level: *random.pick(&LEVELS) };
        }
        Operation::SetMode { target, mode: *random.pick(&MODES), force: false }
    }

    fn delete(&self, subject: &'static str, random: &mut Random) -> Operation {
        let permanent = random.chance(if self.topic == Topic::Sweeps { 70 } else { 40 });
        if random.chance(50) {
            return Operation::DeleteSubject { subject, permanent };
        }
        Operation::DeleteVersion { subject, version: i64::try_from(random.below(3)).unwrap_or(0), permanent }
    }

    fn with_references(&self, random: &mut Random) -> Operation {
        if random.chance(45) {
            return self.delete(self.subject(random), random);
        }
        let holder = random.pick(&["h", "i"]);
        if random.chance(60) {
            let version = *random.pick(&[1, 1, 2, -1]);
            return Operation::Register { subject: holder, content: Content::Holder("t", version) };
        }
        Operation::Register { subject: "t", content: self.content(random) }
    }

    fn associate(random: &mut Random) -> Operation {
        let resource = *random.pick(&[RESOURCE, RESOURCE, "y"]);
        match random.below(10) {
            0..4 => {
                Operation::Associate { resource: RESOURCE, of: "value", subject: None, lifecycle: Lifecycle::Strong }
            }
            4..6 => {
                let (of, subject) = (*random.pick(&["key", "value"]), *random.pick(&[OWN, "s"]));
                Operation::Associate { resource, of, subject: Some(subject), lifecycle: Lifecycle::Weak }
            }
            6..8 => Operation::Dissociate { resource, cascade: random.chance(70) },
            _ => Operation::Register { subject: "h", content: Content::Holder(OWN, 1) },
        }
    }

    fn import(&self, random: &mut Random) -> Operation {
        let (id, version) = (1 + random.below(3), 1 + random.below(2));
        let (id, version) = (i64::try_from(id).unwrap_or(1), i32::try_from(version).unwrap_or(1));
        Operation::Import { subject: "t", content: self.content(random), id, version }
    }
}
