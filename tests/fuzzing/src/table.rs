//! The table: contents that are written and read, items that are damaged, keys of items, and what is read from files.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use aws_smithy_types::Blob;
use bytes::Bytes;
use http::{Request, StatusCode, Uri};
use registrar_harness::InMemory;
use registrar_http::{HttpOptions, ServerSettings, service};
use registrar_model::{
    ContextName, JavaString, Metadata, Reference, Rule, RuleSet, SchemaContent, SchemaId, SchemaType, Sha256Hash,
    Subject, SubjectPrefix, Version, VersionMark, VersionSpec,
};
use registrar_registry::{Registry, Settings};
use registrar_store::{ContentKeys, DataKey, Head, Key, Keyring, NewVersion, Outcome, Scope, Seen, Store, new_version};

use crate::bodies::{empty_table, give_back};
use crate::key_file;
use crate::{block_on, parts};

/// What the first byte says the rest is.
pub fn table(data: &[u8]) {
    let Some((kind, rest)) = data.split_first() else { return };
    match kind {
        b'c' => content(rest),
        b'd' => damage(rest),
        b'k' => keys(rest),
        b'm' => merges(rest),
        b'f' => files(rest),
        _ => {}
    }
}

/// Texts of an input, one after the other, and no more when they are used up.
struct Texts<'a>(Box<dyn Iterator<Item = &'a [u8]> + 'a>);

impl<'a> Texts<'a> {
    fn of(data: &'a [u8]) -> Self {
        Self(Box::new(parts(data)))
    }

    fn text(&mut self) -> String {
        self.optional().unwrap_or_default()
    }

    fn optional(&mut self) -> Option<String> {
        self.0.next().map(|part| String::from_utf8_lossy(part).into_owned())
    }

    /// As many as the next part has bytes, which say no more.
    fn several<T>(&mut self, read: impl Fn(&mut Self) -> T) -> Vec<T> {
        let count = self.0.next().unwrap_or_default().len().min(4);
        (0..count).map(|_| read(self)).collect()
    }

    /// `None` where the next part is empty.
    fn maybe<T>(&mut self, read: impl Fn(&mut Self) -> T) -> Option<T> {
        (!self.0.next().unwrap_or_default().is_empty()).then(|| read(self))
    }

    fn content(&mut self) -> SchemaContent {
        let kind = self.text();
        let types = [SchemaType::Avro, SchemaType::Json, SchemaType::Protobuf];
        SchemaContent {
            schema_type: types[usize::from(kind.bytes().next().unwrap_or_default()) % types.len()],
            // A text that does not fit beside its version, now and then, and one that takes chunks.
            text: self.text().repeat([1, 1, 300][kind.len() % 3]),
            references: self.several(|texts| Reference {
                name: texts.text(),
                subject: texts.text(),
                version: texts.text().parse().unwrap_or(1),
            }),
            metadata: self.maybe(Self::metadata),
            rule_set: self.maybe(Self::rule_set),
        }
    }

    fn java(&mut self) -> JavaString {
        JavaString::from(self.text())
    }

    fn metadata(&mut self) -> Metadata {
        let properties: BTreeMap<JavaString, String> =
            self.several(|texts| (texts.java(), texts.text())).into_iter().collect();
        let tags = self.several(|texts| (texts.java(), texts.several(Self::java).into_iter().collect()));
        let sensitive = properties.keys().take(self.several(Self::text).len()).cloned().collect();
        Metadata { tags: tags.into_iter().collect(), properties, sensitive }
    }

    fn rule(&mut self) -> Rule {
        Rule {
            name: self.optional(),
            doc: self.maybe(Self::text),
            rule_type: self.maybe(Self::text),
            tags: self.maybe(|texts| texts.several(Self::java).into_iter().collect()),
            params: self.maybe(|texts| texts.several(|texts| (texts.java(), texts.text())).into_iter().collect()),
            expr: self.maybe(Self::text),
            on_success: self.maybe(Self::text),
            on_failure: self.maybe(Self::text),
            disabled: self.maybe(|_| ()).is_some(),
            ..Rule::default()
        }
    }

    fn rule_set(&mut self) -> RuleSet {
        RuleSet {
            migration_rules: self.several(Self::rule),
            domain_rules: self.several(Self::rule),
            encoding_rules: self.several(Self::rule),
            ..RuleSet::default()
        }
    }
}

fn ring(byte: u8) -> Keyring {
    match DataKey::new("k", &[byte; 32]).and_then(|key| Keyring::new([key])) {
        Ok(keys) => keys,
        Err(error) => panic!("{error}"),
    }
}

/// A content comes back as it was written, with a key and without, beside its version and by its id.
fn content(data: &[u8]) {
    let content = Texts::of(data).content();
    for keys in [Keyring::default(), ring(1)] {
        let table = empty_table();
        let store = table.store.clone().with_keys(keys);
        block_on(written_and_read(&store, &content));
        give_back(table);
    }
}

async fn written_and_read(store: &Store, content: &SchemaContent) {
    let subject = Subject::parse("s");
    let (version, Some(id)) = (Version::FIRST, SchemaId::new(1)) else { return };
    let hash = registrar_formats::content_hash(content);
    let keys = ContentKeys {
        hash,
        equality: hash,
        mark: VersionMark::of(content.metadata.as_ref()),
        inlined: None,
        guid: registrar_formats::guid(content),
    };
    let plan = new_version(&NewVersion {
        seen: Seen { subject: &subject, head: &Head::default(), settings: &[] },
        version,
        id,
        content,
        keys: &keys,
        written: 1,
        fingerprint: None,
        other: None,
        lookup: None,
        replaced: &[],
        overwritten: None,
        targets: &[],
        data_keys: store.keys(),
    });
    let Ok(Some(plan)) = plan else { panic!("{plan:?}") };
    let outcome = store.commit(plan).await;
    assert!(matches!(outcome, Ok(Outcome::Committed)), "{outcome:?}");
    let found = store.schema(subject.context(), id).await;
    assert_eq!(found.map(|found| found.map(|found| found.content)), Ok(Some(content.clone())));
    let Ok(fetched) = store.fetch([Key::Version(subject.clone(), version), Key::Lookup(subject.clone(), hash)]).await
    else {
        panic!("cannot be fetched")
    };
    let Ok(Some(mut row)) = fetched.version(&subject, version) else { panic!("no version") };
    assert_eq!((row.hash, row.guid, &row.mark), (hash, keys.guid, &keys.mark));
    if row.is_whole() {
        assert_eq!(store.expand(&mut row), Ok(true));
        assert_eq!(row.content.as_ref(), Some(content));
    }
    let lookup = fetched.lookup(&subject, hash);
    assert_eq!(lookup.map(|lookup| lookup.map(|lookup| lookup.mark)), Ok(Some(keys.mark)));
}

/// What a table begins with that is then damaged: a subject with two versions, metadata, a configuration and a mode.
const BEGINNING: [(&str, &str, &str); 4] = [
    ("PUT", "/config/s", r#"{"compatibility":"NONE","defaultMetadata":{"properties":{"p":"q"},"sensitive":["p"]}}"#),
    ("POST", "/subjects/s/versions", r#"{"schema":"\"string\"","metadata":{"properties":{"a":"b"}}}"#),
    ("POST", "/subjects/s/versions", r#"{"schema":"\"int\"","ruleSet":{"domainRules":[]}}"#),
    ("PUT", "/mode", r#"{"mode":"READWRITE"}"#),
];

/// What is asked of a damaged table.
const QUESTIONS: [(&str, &str, &str); 12] = [
    ("GET", "/subjects", ""),
    ("GET", "/subjects/s/versions", ""),
    ("GET", "/subjects/s/versions/latest", ""),
    ("GET", "/subjects/s/versions/1/referencedby", ""),
    ("GET", "/schemas", ""),
    ("GET", "/schemas/ids/1?subject=s", ""),
    ("GET", "/schemas/ids/1/versions", ""),
    ("GET", "/config/s?defaultToGlobal=true", ""),
    ("GET", "/mode/s", ""),
    ("POST", "/subjects/s", r#"{"schema":"\"string\""}"#),
    ("POST", "/compatibility/subjects/s/versions", r#"{"schema":"\"long\""}"#),
    ("POST", "/subjects/s/versions", r#"{"schema":"\"long\""}"#),
];

/// Items of which attributes are something else are an error that says so, or do not count; nothing panics.
fn damage(data: &[u8]) {
    let table = empty_table();
    let registry = Registry::new(table.store.clone().with_keys(ring(1)), Settings::default());
    let server = service(registry, HttpOptions::default());
    let ask = |(method, target, body): &(&str, &str, &'static str)| {
        let mut request = Request::new(Bytes::from_static(body.as_bytes()));
        let (Ok(method), Ok(uri)) = (method.parse(), Uri::try_from(*target)) else { panic!("{method} {target}") };
        (*request.method_mut(), *request.uri_mut()) = (method, uri);
        block_on(server.answer(request))
    };
    for request in &BEGINNING {
        assert_eq!(ask(request).status(), StatusCode::OK, "{request:?}");
    }
    block_on(damaged(&table, data));
    for question in &QUESTIONS {
        // A panic is told by whoever runs this; what cannot be read is an error of the server.
        let _ = ask(question);
    }
}

/// Each part: which item, which attribute and what kind of value, a byte each, then the value.
async fn damaged(table: &InMemory, data: &[u8]) {
    let scanned = table.client.scan().table_name("registrar").send().await;
    let mut items = scanned.map(|found| found.items.unwrap_or_default()).unwrap_or_default();
    let key = |item: &HashMap<String, AttributeValue>| format!("{:?} {:?}", item.get("pk"), item.get("sk"));
    items.sort_by_key(key);
    for part in parts(data).take(4) {
        let [which, attribute, kind, value @ ..] = part else { continue };
        let count = items.len().max(1);
        let Some(item) = items.get_mut(usize::from(*which) % count) else { return };
        let mut names: Vec<String> =
            item.keys().filter(|name| !matches!(name.as_str(), "pk" | "sk")).cloned().collect();
        names.sort();
        if names.is_empty() {
            continue;
        }
        let name = names[usize::from(*attribute) % names.len()].clone();
        let changed = damaged_value(*kind, value, item.get(&name));
        match changed {
            Some(changed) => drop(item.insert(name, changed)),
            None => drop(item.remove(&name)),
        }
        // What the database does not take was no damage.
        let _ = table.client.put_item().table_name("registrar").set_item(Some(item.clone())).send().await;
    }
}

fn damaged_value(kind: u8, value: &[u8], old: Option<&AttributeValue>) -> Option<AttributeValue> {
    let text = String::from_utf8_lossy(value).into_owned();
    match (kind % 6, old) {
        (0, _) => None,
        (1, _) => Some(AttributeValue::S(text)),
        (2, _) => Some(AttributeValue::N(text)),
        (3, _) => Some(AttributeValue::Bool(value.len().is_multiple_of(2))),
        (4, Some(AttributeValue::B(bytes))) => {
            let mut bytes = bytes.clone().into_inner();
            let (place, new) = value.split_at(value.len().min(2));
            let at = place.iter().fold(0, |at, byte| at * 256 + usize::from(*byte)) % bytes.len().max(1);
            bytes.truncate(if new.is_empty() { at } else { bytes.len() });
            bytes.iter_mut().skip(at).zip(new).for_each(|(old, new)| *old ^= new);
            Some(AttributeValue::B(Blob::new(bytes)))
        }
        _ => Some(AttributeValue::B(Blob::new(value))),
    }
}

/// Different names have different keys, and the order of keys is that of versions. Names print as what they are read from.
fn keys(data: &[u8]) {
    let mut texts = Texts::of(data);
    let [one, two] = [texts.text(), texts.text()];
    for text in [&one, &two] {
        let subject = Subject::parse(text);
        assert_eq!(Subject::parse(&subject.to_string()), subject, "{text:?}");
        if let Some(context) = ContextName::parse_lenient(text) {
            assert_eq!(ContextName::parse_lenient(&context.qualified()), Some(context.clone()), "{text:?}");
            assert_eq!(ContextName::parse(context.as_str()), Some(context));
        }
        let _ = SubjectPrefix::parse(text);
        let _ = VersionSpec::parse(text);
        let _ = (Sha256Hash::parse(text), registrar_model::Guid::parse(text));
    }
    let subjects = [Subject::parse(&one), Subject::parse(&two)];
    let numbers = [texts.text(), texts.text()].map(|text| text.parse().unwrap_or(1));
    let (Some(first), Some(second)) = (Version::new(numbers[0]), Version::new(numbers[1])) else { return };
    let versions = [first, second].map(|version| Key::Version(subjects[0].clone(), version).sk());
    assert_eq!(versions[0].cmp(&versions[1]), first.cmp(&second));
    let of = |subject: &Subject, version: Version| {
        let id = SchemaId::new(i64::from(version.get())).unwrap_or(SchemaId::MAX);
        let context = subject.context();
        [
            Key::Head(subject.clone()),
            Key::Version(subject.clone(), version),
            Key::Usage(subject.clone(), id, version),
            Key::Schema(context.clone(), id),
            Key::Directory(subject.clone()),
            Key::Settings(Scope::of(context), 0),
            Key::Context(context.clone()),
            Key::Counter(context.clone(), id),
            Key::Resource(subject.name().to_owned()),
            Key::Namespace(subject.name().to_owned()),
        ]
    };
    let all = of(&subjects[0], first).into_iter().chain(of(&subjects[1], second));
    let mut known: HashMap<(String, String), Key> = HashMap::new();
    for key in all {
        // Where a subject is listed does not depend on anything but it.
        let at = (key.pk(), key.sk());
        let other = known.insert(at, key.clone());
        assert!(other.is_none_or(|other| other == key), "{one:?} {two:?}: {key:?}");
    }
}

/// What is merged twice is merged once.
fn merges(data: &[u8]) {
    let mut texts = Texts::of(data);
    let [left, right] = [texts.metadata(), texts.metadata()];
    let merged = left.merged(&right);
    assert_eq!(merged.clone().merged(&right), merged);
    assert_eq!(merged.clone().merged(&merged), merged);
    let filed = Metadata::filed(Some(&merged));
    assert_eq!(Metadata::filed(filed.as_ref()), filed);
    let [left, right] = [texts.rule_set(), texts.rule_set()];
    for rules in [&left, &right] {
        let _ = rules.validate();
    }
    let merged = left.merged(&right);
    let _ = merged.validate();
    let names: Vec<String> = merged.rules().filter_map(|rule| rule.name.clone()).collect();
    let rest = merged.clone().without(&names);
    assert!(rest.rules().all(|rule| rule.name.is_none()), "{rest:?}");
    assert_eq!(merged.clone().merged(&right), merged);
}

/// Files and variables that a process begins with.
fn files(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Err(error) = key_file::parse(&text) {
        assert!(!error.is_empty() && !error.contains('\n'), "{error:?}");
    }
    let mut settings = ServerSettings::default();
    for (name, value) in text.lines().filter_map(|line| line.split_once('=')) {
        if let Err(error) = settings.set(name, value) {
            assert!(error.to_string().starts_with(name), "{error}");
        }
    }
}

/// Every subject that has a head, and for every context that has anything a subject in it.
pub(crate) async fn subjects(table: &InMemory) -> Vec<Subject> {
    let mut pages = table.client.scan().table_name("registrar").into_paginator().send();
    let mut found = BTreeSet::from([Subject::parse("s")]);
    while let Some(Ok(page)) = pages.next().await {
        found.extend(page.items.unwrap_or_default().iter().filter_map(subject_of));
    }
    found.into_iter().collect()
}

fn subject_of(item: &HashMap<String, AttributeValue>) -> Option<Subject> {
    let (pk, sk) = (item.get("pk")?.as_s().ok()?, item.get("sk")?.as_s().ok()?);
    let name_of = |text: &str| text.replace("%2F", "/").replace("%23", "#").replace("%25", "%");
    let parts: Vec<String> = pk.split('/').map(name_of).collect();
    let (context, name) = match parts.as_slice() {
        [context, kind, name] if kind == "S" && sk == "!" => (context.as_str(), name.as_str()),
        [context, kind] if kind == "N" => (context.as_str(), ""),
        [kind, context, _] if kind == "CFG" && !context.is_empty() => (context.as_str(), ""),
        [kind] if kind == "CTX" => (sk.as_str(), ""),
        _ => return None,
    };
    Some(Subject::new(ContextName::parse(context)?, name))
}
