//! What scenarios are about: of each topic its subjects, its contents, and how likely each kind of operation is.

use registrar_model::{Level, Lifecycle, Mode};

use crate::operation::{Content, OWN, Operation, RESOURCE};
use crate::random::Random;

/// What a scenario is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Versions and settings of one subject.
    Subject,
    /// Settings of the registry while others write and look.
    Settings,
    /// Settings at every level around a subject.
    Scopes,
    /// Contents that subjects share.
    Contents,
    /// Schemas that refer to others, and those to others.
    References,
    /// Ids given from outside.
    Imports,
    /// The switch of everything to IMPORT.
    Switches,
    /// Permanent deletes and what comes after.
    Sweeps,
    /// One permanent delete of a subject after the other.
    Marks,
    /// Contexts, and the search of them.
    Contexts,
    /// Topics and what their subjects then forbid.
    Associations,
    /// Subjects that stand for others.
    Aliases,
    /// Copies of versions with other metadata.
    Copies,
    /// Contents that take several items.
    Chunks,
    /// Lists of what others are writing.
    Lists,
    /// All of it.
    Everything,
    /// What each safeguard is for.
    Made,
}

impl Topic {
    /// All of them.
    pub const ALL: [Self; 17] = [
        Self::Subject,
        Self::Settings,
        Self::Scopes,
        Self::Contents,
        Self::References,
        Self::Imports,
        Self::Switches,
        Self::Sweeps,
        Self::Marks,
        Self::Contexts,
        Self::Associations,
        Self::Aliases,
        Self::Copies,
        Self::Chunks,
        Self::Lists,
        Self::Everything,
        Self::Made,
    ];
}

/// A kind of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Register,
    Refer,
    Import,
    Copy,
    DeleteVersion,
    DeleteSubject,
    Purge,
    Level,
    Mode,
    Alias,
    Unset,
    DeleteContext,
    Associate,
}

/// What a topic is made of.
pub(crate) struct Theme {
    /// Every subject that occurs.
    pub(crate) subjects: &'static [&'static str],
    /// At most so many operations come first.
    pub(crate) most_before: usize,
    contents: &'static [Content],
    /// Where registrations go; anywhere if that is empty.
    registers: &'static [&'static str],
    /// Where settings change; the subjects themselves do not count.
    scopes: &'static [Option<&'static str>],
    modes: &'static [Option<Mode>],
    writes: &'static [(Kind, usize)],
    /// Of a hundred operations of clients.
    reads: usize,
    lists: usize,
    beginning: Vec<Operation>,
}

const LEVELS: [Option<Level>; 4] = [Some(Level::None), Some(Level::Full), Some(Level::BackwardTransitive), None];
const MODES: &[Option<Mode>] = &[Some(Mode::ReadOnly), Some(Mode::ReadWrite), None];
const ALL_MODES: &[Option<Mode>] = &[Some(Mode::ReadOnly), Some(Mode::ReadWrite), Some(Mode::Import), None];
const IMPORT_MODES: &[Option<Mode>] = &[Some(Mode::Import), Some(Mode::Import), None];

const RECORDS: &[Content] = &[Content::Record(0), Content::Record(1)];
const TYPED: &[Content] = &[Content::Typed("int"), Content::Typed("bytes")];
const MIXED: &[Content] =
    &[Content::Record(0), Content::Record(1), Content::Record(2), Content::Typed("int"), Content::Typed("bytes")];

const fn register(subject: &'static str) -> Operation {
    Operation::Register { subject, content: Content::Record(0), normalize: false }
}

const fn import_mode(target: &'static str) -> Operation {
    Operation::SetMode { target: Some(target), mode: Some(Mode::Import), force: false }
}

const NO_LEVEL: Operation = Operation::SetLevel { target: None, level: Some(Level::None) };

/// What most topics have.
const PLAIN: Theme = Theme {
    subjects: &["s", "t"],
    most_before: 6,
    contents: RECORDS,
    registers: &[],
    scopes: &[None],
    modes: MODES,
    writes: &[
        (Kind::Register, 52),
        (Kind::DeleteVersion, 20),
        (Kind::DeleteSubject, 20),
        (Kind::Level, 4),
        (Kind::Mode, 2),
    ],
    reads: 20,
    lists: 0,
    beginning: Vec::new(),
};

impl Theme {
    #[expect(clippy::too_many_lines, reason = "a table")]
    pub(crate) fn of(topic: Topic) -> Self {
        match topic {
            Topic::Subject => Self {
                subjects: &["s"],
                contents: MIXED,
                writes: &[
                    (Kind::Register, 45),
                    (Kind::DeleteVersion, 18),
                    (Kind::DeleteSubject, 18),
                    (Kind::Level, 12),
                    (Kind::Mode, 6),
                    (Kind::Unset, 4),
                ],
                ..PLAIN
            },
            Topic::Settings => Self {
                subjects: &["s"],
                contents: TYPED,
                writes: &[(Kind::Register, 30), (Kind::Level, 35), (Kind::Mode, 15), (Kind::DeleteVersion, 20)],
                reads: 30,
                beginning: vec![
                    NO_LEVEL,
                    Operation::Register { subject: "s", content: Content::Typed("int"), normalize: false },
                ],
                ..PLAIN
            },
            Topic::Scopes => Self {
                subjects: &[":.c:s"],
                contents: TYPED,
                scopes: &[None, Some(":.c:"), Some(":.c:"), Some(":.__GLOBAL:")],
                writes: &[
                    (Kind::Register, 25),
                    (Kind::Level, 25),
                    (Kind::Mode, 25),
                    (Kind::Unset, 15),
                    (Kind::DeleteSubject, 10),
                ],
                reads: 30,
                ..PLAIN
            },
            Topic::Contents | Topic::Made => PLAIN,
            Topic::References => Self {
                subjects: &["t", "h", "i"],
                writes: &[
                    (Kind::Refer, 40),
                    (Kind::Register, 15),
                    (Kind::DeleteVersion, 22),
                    (Kind::DeleteSubject, 23),
                ],
                reads: 30,
                beginning: vec![NO_LEVEL, register("t")],
                ..PLAIN
            },
            Topic::Imports => Self {
                subjects: &["t", "s", "h"],
                registers: &["s", "s", "s", "t"],
                modes: IMPORT_MODES,
                writes: &[
                    (Kind::Import, 42),
                    (Kind::Register, 25),
                    (Kind::DeleteVersion, 14),
                    (Kind::DeleteSubject, 13),
                    (Kind::Mode, 6),
                ],
                scopes: &[],
                beginning: vec![import_mode("t"), import_mode("h")],
                ..PLAIN
            },
            Topic::Switches => Self {
                subjects: &["s", "t", ":.c:s"],
                scopes: &[None, Some(":.c:"), Some(":.__GLOBAL:")],
                modes: IMPORT_MODES,
                writes: &[(Kind::Mode, 30), (Kind::Register, 30), (Kind::DeleteVersion, 20), (Kind::DeleteSubject, 20)],
                ..PLAIN
            },
            Topic::Sweeps => Self {
                writes: &[
                    (Kind::Register, 35),
                    (Kind::Purge, 40),
                    (Kind::DeleteSubject, 12),
                    (Kind::DeleteVersion, 13),
                ],
                beginning: vec![
                    register("s"),
                    register("t"),
                    Operation::DeleteSubject { subject: "s", permanent: false },
                ],
                ..PLAIN
            },
            Topic::Marks => Self {
                subjects: &["s"],
                most_before: 1,
                writes: &[(Kind::Register, 30), (Kind::DeleteSubject, 70)],
                reads: 0,
                beginning: vec![register("s"), Operation::DeleteSubject { subject: "s", permanent: false }],
                ..PLAIN
            },
            Topic::Contexts => Self {
                subjects: &[":.c:s", ":.c:t", "s"],
                writes: &[
                    (Kind::Register, 40),
                    (Kind::DeleteContext, 22),
                    (Kind::DeleteVersion, 15),
                    (Kind::DeleteSubject, 18),
                    (Kind::Level, 5),
                ],
                scopes: &[None, Some(":.c:")],
                ..PLAIN
            },
            Topic::Associations => Self {
                subjects: &[OWN, "s", "h"],
                writes: &[
                    (Kind::Associate, 50),
                    (Kind::Refer, 10),
                    (Kind::Register, 10),
                    (Kind::DeleteVersion, 12),
                    (Kind::DeleteSubject, 12),
                    (Kind::Mode, 6),
                ],
                reads: 30,
                beginning: vec![register("s")],
                ..PLAIN
            },
            Topic::Aliases => Self {
                subjects: &["s", "t", ":.c:t"],
                writes: &[
                    (Kind::Alias, 35),
                    (Kind::Register, 35),
                    (Kind::DeleteVersion, 15),
                    (Kind::DeleteSubject, 15),
                ],
                reads: 30,
                ..PLAIN
            },
            Topic::Copies => Self {
                subjects: &["s"],
                contents: MIXED,
                writes: &[(Kind::Copy, 40), (Kind::Register, 25), (Kind::DeleteVersion, 17), (Kind::DeleteSubject, 18)],
                beginning: vec![NO_LEVEL, register("s")],
                ..PLAIN
            },
            Topic::Chunks => Self {
                most_before: 2,
                contents: &[Content::Large(0), Content::Large(0), Content::Large(1), Content::Record(0)],
                writes: &[(Kind::Register, 50), (Kind::DeleteVersion, 20), (Kind::Purge, 30)],
                reads: 30,
                ..PLAIN
            },
            Topic::Lists => {
                Self { subjects: &["s", "t", ":.c:s"], reads: 15, lists: 30, beginning: vec![register("s")], ..PLAIN }
            }
            Topic::Everything => Self {
                subjects: &["s", "t", "h", ":.c:t", OWN],
                contents: MIXED,
                scopes: &[None, Some(":.c:"), Some(":.__GLOBAL:")],
                modes: ALL_MODES,
                writes: &[
                    (Kind::Register, 24),
                    (Kind::Refer, 10),
                    (Kind::Import, 8),
                    (Kind::Copy, 6),
                    (Kind::DeleteVersion, 12),
                    (Kind::DeleteSubject, 12),
                    (Kind::Level, 6),
                    (Kind::Mode, 6),
                    (Kind::Alias, 4),
                    (Kind::Unset, 4),
                    (Kind::DeleteContext, 3),
                    (Kind::Associate, 8),
                ],
                lists: 6,
                beginning: vec![register("s")],
                ..PLAIN
            },
        }
    }

    pub(crate) fn beginning(&self, random: &mut Random) -> Vec<Operation> {
        // Now and then without: then the rest means something else.
        if random.chance(90) { self.beginning.clone() } else { Vec::new() }
    }

    /// What a client does.
    pub(crate) fn any(&self, random: &mut Random) -> Operation {
        let drawn = random.below(100);
        match drawn {
            _ if drawn < self.lists => Self::list(random),
            _ if drawn < self.lists + self.reads => self.read(random),
            _ => self.write(random),
        }
    }

    pub(crate) fn write(&self, random: &mut Random) -> Operation {
        let mut drawn = random.below(self.writes.iter().map(|(_, weight)| weight).sum());
        for (kind, weight) in self.writes {
            if drawn < *weight {
                return self.operation(*kind, random);
            }
            drawn -= weight;
        }
        self.operation(Kind::Register, random)
    }

    fn subject(&self, random: &mut Random) -> &'static str {
        self.subjects[random.below(self.subjects.len())]
    }

    fn content(&self, random: &mut Random) -> Content {
        *random.pick(self.contents)
    }

    /// A scope as often as a subject.
    fn target(&self, random: &mut Random) -> Option<&'static str> {
        let of_subject = self.scopes.is_empty() || (self.scopes.len() > 1 && random.chance(40)) || random.chance(30);
        if of_subject { Some(self.subject(random)) } else { *random.pick(self.scopes) }
    }

    fn operation(&self, kind: Kind, random: &mut Random) -> Operation {
        match kind {
            Kind::Register => {
                let subjects = if self.registers.is_empty() { self.subjects } else { self.registers };
                let (subject, content) = (subjects[random.below(subjects.len())], self.content(random));
                Operation::Register { subject, content, normalize: random.chance(10) }
            }
            Kind::Refer => self.refer(random),
            Kind::Import => self.import(random),
            Kind::Copy => Operation::Copy { subject: self.subject(random), version: small(random, 3) },
            Kind::DeleteVersion => {
                let subject = self.subject(random);
                Operation::DeleteVersion { subject, version: small(random, 3), permanent: random.chance(40) }
            }
            Kind::DeleteSubject => {
                Operation::DeleteSubject { subject: self.subject(random), permanent: random.chance(45) }
            }
            Kind::Purge => Operation::DeleteSubject { subject: self.subject(random), permanent: true },
            Kind::Level => Operation::SetLevel { target: self.target(random), level: *random.pick(&LEVELS) },
            Kind::Mode => Operation::SetMode {
                target: self.target(random),
                mode: *random.pick(self.modes),
                force: random.chance(30),
            },
            Kind::Alias => {
                let alias = random.chance(70).then(|| self.subject(random));
                Operation::SetAlias { subject: self.subject(random), alias }
            }
            Kind::Unset if random.chance(50) => Operation::DeleteMode { target: self.target(random) },
            Kind::Unset => Operation::DeleteConfig { target: self.target(random) },
            Kind::DeleteContext => Operation::DeleteContext { context: ":.c:" },
            Kind::Associate => self.associate(random),
        }
    }

    fn read(&self, random: &mut Random) -> Operation {
        let subject = self.subject(random);
        let deleted = random.chance(50);
        let associates = self.writes.iter().any(|(kind, _)| *kind == Kind::Associate);
        if associates && random.chance(40) {
            return if random.chance(50) {
                Operation::AssociationsOf { subject }
            } else {
                Operation::AssociationsOfResource { resource: RESOURCE }
            };
        }
        let refers = self.writes.iter().any(|(kind, _)| *kind == Kind::Refer);
        if refers && random.chance(20) {
            return Operation::ReferrersOf { subject: self.subjects[0], version: small(random, 3), deleted };
        }
        match random.below(17) {
            0..=2 => Operation::Latest { subject },
            3..=5 => Operation::Versions { subject, deleted },
            6..=7 => Operation::Version { subject, version: 1 + small(random, 2), deleted },
            8..=9 => Operation::Lookup { subject, content: self.content(random), deleted },
            10 if !self.beginning.is_empty() => {
                Operation::ById { id: 1, subject: random.chance(50).then_some(subject) }
            }
            11 => Operation::ByGuid { content: self.content(random) },
            12..=13 => Operation::InForce { target: self.target(random), mode: random.chance(50) },
            14..=15 => {
                let version = random.chance(50).then(|| small(random, 3));
                Operation::Check { subject, version, content: self.content(random) }
            }
            _ => Operation::SettingsOf { target: self.target(random), mode: random.chance(50) },
        }
    }

    fn list(random: &mut Random) -> Operation {
        let deleted = random.chance(50);
        match random.below(3) {
            0 => Operation::Subjects { deleted },
            1 => Operation::Schemas { deleted },
            _ => Operation::UsersOf { id: 1, deleted },
        }
    }

    /// A schema with a reference: to the first subject, to itself, or to one that refers to the first.
    fn refer(&self, random: &mut Random) -> Operation {
        let first = self.subjects[0];
        let last = self.subjects[self.subjects.len() - 1];
        let holder = if self.subjects.contains(&"h") { "h" } else { last };
        let (subject, content) = match random.below(10) {
            0 => (first, Content::Holder(first, 1)),
            1..=2 => (last, Content::Outer(holder, 1)),
            _ => {
                let version = *random.pick(&[1, 1, 2, -1]);
                (*random.pick(&[holder, last]), Content::Holder(first, version))
            }
        };
        Operation::Register { subject, content, normalize: false }
    }

    fn import(&self, random: &mut Random) -> Operation {
        let (id, version) = (1 + small(random, 3), i32::try_from(1 + small(random, 2)).unwrap_or(1));
        if self.subjects.contains(&"h") && random.chance(35) {
            let target = self.subjects[0];
            return Operation::Import { subject: "h", content: Content::Holder(target, 1), id: id + 3, version };
        }
        Operation::Import { subject: self.subjects[0], content: self.content(random), id, version }
    }

    fn associate(&self, random: &mut Random) -> Operation {
        let resource = *random.pick(&[RESOURCE, RESOURCE, "y"]);
        match random.below(10) {
            0..3 => Operation::AssociateWith { content: self.content(random) },
            3..4 => {
                Operation::Associate { resource: RESOURCE, of: "value", subject: None, lifecycle: Lifecycle::Strong }
            }
            4..7 => {
                let (of, subject) = (*random.pick(&["key", "value"]), *random.pick(&[OWN, "s"]));
                Operation::Associate { resource, of, subject: Some(subject), lifecycle: Lifecycle::Weak }
            }
            _ => Operation::Dissociate { resource, cascade: random.chance(70) },
        }
    }
}

/// A number below `end`.
fn small(random: &mut Random, end: usize) -> i64 {
    i64::try_from(random.below(end)).unwrap_or(0)
}
