//! Registrations and lookups of contents that differ in text and metadata, `confluent:version` above all, against the
//! rules of rest-api.md §6.1 and §6.2 applied to a plain list of versions: random sequences, the same ones every time.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use registrar_harness::schemas::{number, request, subject};
use registrar_harness::{in_memory_registry, instant_runtime};
use registrar_model::{ConfigUpdate, Level, Metadata, Update};
use registrar_registry::{InvalidSchema, LookupOptions, RegisterOptions, Registry, RegistryError, SchemaRequest};
use std::fmt::Write;

const SEQUENCES: u64 = 20;
const STEPS: usize = 40;

/// Of the first two, lookups make one.
const TEXTS: [&str; 3] = [
    r#"{"type":"record","name":"R","fields":[],"a":1,"b":2}"#,
    r#"{"type":"record","name":"R","fields":[],"b":2,"a":1}"#,
    r#"{"type":"record","name":"S","fields":[]}"#,
];

/// Metadata in short: whether there are any, and the values of two properties.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Short {
    other: bool,
    version: Option<String>,
}

type Meta = Option<Short>;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Content {
    text: usize,
    metadata: Meta,
}

#[derive(Clone, Debug)]
struct Row {
    version: i32,
    id: u32,
    content: Content,
    deleted: bool,
}

/// A subject that keeps a list.
#[derive(Default)]
struct Listed {
    rows: Vec<Row>,
    last_id: u32,
}

/// Version and id, or what is missing.
type Answer = Result<(i32, u32), &'static str>;

fn numeric(metadata: &Meta) -> Option<i32> {
    metadata.as_ref()?.version.as_ref()?.parse().ok()
}

/// Without the version; none counts as empty.
fn stripped(metadata: &Meta) -> Short {
    Short { version: None, ..or_empty(metadata) }
}

fn or_empty(metadata: &Meta) -> Short {
    metadata.clone().unwrap_or(Short { other: false, version: None })
}

/// "Equal ignoring version", as it stands there.
fn is_equal(new: &Content, row: &Row) -> bool {
    let text = |text: usize| if text == 1 { 0 } else { text };
    let prev = &row.content.metadata;
    let metadata = match (numeric(&new.metadata), numeric(prev)) {
        (None, Some(_)) => or_empty(&new.metadata) == stripped(prev),
        (Some(number), None) => number == row.version && stripped(&new.metadata) == or_empty(prev),
        _ => new.metadata == *prev,
    };
    text(new.text) == text(row.content.text) && metadata
}

impl Listed {
    fn live(&self) -> impl DoubleEndedIterator<Item = &Row> {
        self.rows.iter().filter(|row| !row.deleted)
    }

    fn pass(&self, content: &Content, deleted: bool) -> Option<(i32, u32)> {
        let counts = |row: &&Row| deleted || !row.deleted;
        let exact = self.rows.iter().rev().filter(counts).find(|row| row.content == *content);
        let equal = || self.rows.iter().rev().filter(counts).find(|row| is_equal(content, row));
        exact.or_else(equal).map(|row| (row.version, row.id))
    }

    fn lookup(&self, content: &Content, deleted: bool) -> Answer {
        let inherited = || {
            let metadata = content.metadata.clone().or(self.live().next_back()?.content.metadata.clone());
            self.pass(&Content { metadata, ..content.clone() }, deleted)
        };
        let known = self.rows.iter().any(|row| deleted || !row.deleted);
        self.pass(content, deleted).or_else(inherited).ok_or(if known { "no such schema" } else { "no such subject" })
    }

    fn register(&mut self, content: &Content, version: i32) -> Answer {
        let latest = self.live().next_back().cloned();
        match (version, &latest) {
            (-1, Some(row)) if is_equal(content, row) => return Ok((row.version, row.id)),
            (0, _) => {
                if let Some(found) = self.pass(content, false) {
                    return Ok(found);
                }
            }
            _ => {}
        }
        let next = self.rows.last().map_or(1, |row| row.version + 1);
        let mut metadata = content.metadata.clone().or(latest.and_then(|row| row.content.metadata));
        if version != 0 || metadata.as_ref().is_some_and(|short| short.version.is_some()) {
            metadata = Some(Short { version: Some(next.to_string()), ..or_empty(&metadata) });
        }
        let content = Content { metadata, ..content.clone() };
        let known = self.rows.iter().find(|row| row.content == content).map(|row| row.id);
        if version == 0 {
            let exact = self.live().find(|row| row.content == content);
            let of_id = |row: &&Row| known.is_none_or(|id| id == row.id) && is_equal(&content, row);
            if let Some(row) = exact.or_else(|| self.live().rev().find(of_id)) {
                return Ok((row.version, row.id));
            }
        }
        if version > 0 && version != next {
            return Err("wrong version");
        }
        let id = known.unwrap_or_else(|| {
            self.last_id += 1;
            self.last_id
        });
        self.rows.retain(|row| !(row.deleted && row.id == id));
        self.rows.push(Row { version: next, id, content, deleted: false });
        Ok((next, id))
    }
}

/// A step, drawn.
#[derive(Debug)]
enum Step {
    Register(Content, i32),
    Lookup(Content, bool),
    Delete(usize),
    DeleteForGood(usize),
    DeleteAll,
}

struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn content(&mut self, listed: &Listed) -> Content {
        let highest = listed.rows.last().map_or(1, |row| row.version);
        let near = i32::try_from(self.below(4)).unwrap();
        let version = match self.below(5) {
            0 => Some((highest + 1 - near).to_string()),
            1 => Some(format!("0{}", highest - near)),
            2 if near == 0 => Some("x".to_owned()),
            _ => None,
        };
        let metadata = match self.below(4) {
            0 | 1 if version.is_none() => None,
            chosen => Some(Short { other: chosen == 3, version }),
        };
        Content { text: self.below(TEXTS.len()), metadata }
    }

    fn step(&mut self, listed: &Listed) -> Step {
        let next = listed.rows.last().map_or(1, |row| row.version + 1);
        match self.below(20) {
            0..10 => {
                let version = match self.below(6) {
                    0 => -1,
                    1 | 2 => next,
                    3 if self.below(3) == 0 => next + 1,
                    _ => 0,
                };
                Step::Register(self.content(listed), version)
            }
            10..16 => Step::Lookup(self.content(listed), self.below(2) == 0),
            16 | 17 => Step::Delete(self.below(8)),
            18 => Step::DeleteForGood(self.below(8)),
            _ => Step::DeleteAll,
        }
    }
}

fn asked(content: &Content, version: i32) -> SchemaRequest {
    let metadata = content.metadata.as_ref().map(|short| {
        let other = short.other.then(|| ("other".into(), "y".to_owned()));
        let version = short.version.as_ref().map(|version| ("confluent:version".into(), version.clone()));
        Metadata { properties: other.into_iter().chain(version).collect(), ..Metadata::default() }
    });
    SchemaRequest { version, metadata, ..request(TEXTS[content.text]) }
}

async fn lookup(registry: &Registry, content: &Content, deleted: bool) -> Answer {
    let options = LookupOptions { deleted, ..LookupOptions::default() };
    match registry.lookup(&subject("s"), asked(content, 0), &options).await {
        Ok(found) => Ok((i32::try_from(found.version.get()).unwrap(), found.id.get())),
        Err(RegistryError::SchemaNotFound) => Err("no such schema"),
        Err(RegistryError::SubjectNotFound(_)) => Err("no such subject"),
        Err(error) => panic!("{error:?}"),
    }
}

async fn register(registry: &Registry, content: &Content, version: i32) -> Answer {
    match registry.register(&subject("s"), asked(content, version), &RegisterOptions::default()).await {
        Ok(made) => Ok((i32::try_from(made.version.get()).unwrap(), made.id.get())),
        Err(RegistryError::InvalidSchema(InvalidSchema::WrongVersion)) => Err("wrong version"),
        Err(error) => panic!("{error:?}"),
    }
}

/// Does a step on both; what they answered.
async fn take(registry: &Registry, listed: &mut Listed, step: &Step) -> (Answer, Answer) {
    match step {
        Step::Register(content, version) => {
            (register(registry, content, *version).await, listed.register(content, *version))
        }
        Step::Lookup(content, deleted) => (lookup(registry, content, *deleted).await, listed.lookup(content, *deleted)),
        Step::Delete(at) | Step::DeleteForGood(at) => {
            let permanent = matches!(step, Step::DeleteForGood(_));
            let at = listed.rows.iter().position(|row| row.deleted == permanent).map(|first| first + at);
            let Some(row) = at.and_then(|at| listed.rows.get(at)).filter(|row| row.deleted == permanent) else {
                return (Ok((0, 0)), Ok((0, 0)));
            };
            let version = row.version;
            registry.delete_version(&subject("s"), number(i64::from(version)), permanent).await.unwrap();
            if permanent {
                listed.rows.retain(|row| row.version != version);
            } else {
                listed.rows.iter_mut().filter(|row| row.version == version).for_each(|row| row.deleted = true);
            }
            (Ok((0, 0)), Ok((0, 0)))
        }
        Step::DeleteAll => {
            let deleted = registry.delete_subject(&subject("s"), false).await.is_ok();
            assert_eq!(deleted, listed.live().next().is_some());
            listed.rows.iter_mut().for_each(|row| row.deleted = true);
            (Ok((0, 0)), Ok((0, 0)))
        }
    }
}

#[tokio::test]
async fn answers_are_those_of_a_plain_list() {
    for seed in 0..SEQUENCES {
        let registry = in_memory_registry(instant_runtime(1)).await.registry;
        let config = ConfigUpdate { level: Update::Set(Level::None), ..ConfigUpdate::default() };
        registry.set_config(None, config).await.unwrap();
        let (mut listed, mut draw, mut story) = (Listed::default(), Draw(seed), String::new());
        for _ in 0..STEPS {
            let step = draw.step(&listed);
            let (answer, expected) = take(&registry, &mut listed, &step).await;
            writeln!(story, "{step:?} -> {answer:?}").unwrap();
            assert_eq!(answer, expected, "sequence {seed}:\n{story}{:#?}", listed.rows);
        }
    }
}
