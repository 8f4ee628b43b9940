//! Whether a table is in a state that the registry may leave it in (design: `docs/STORAGE.md`).
//!
//! Everything is read twice: as the store reads it, and as a plain scan, which also sees what should not be there.

mod associations;
mod ids;

pub use ids::comes_of_imports;

use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::AttributeValue;
use registrar_model::{ContextName, Sha256Hash, Subject, Version};
use registrar_store::{COPIES, Head, Key, Scope, Store, StoreError, SubjectState, VersionRow};

/// A view on a table when nothing is going on in it.
#[derive(Clone, Debug)]
pub struct Audit {
    store: Store,
    client: Client,
    table: &'static str,
}

type Address = (String, String);
type Item = std::collections::HashMap<String, AttributeValue>;

/// One subject's items.
struct SubjectItems {
    subject: Subject,
    head: Head,
    rows: Vec<VersionRow>,
}

/// What was found, and what is wrong with it.
#[derive(Default)]
struct Report {
    expected: BTreeSet<Address>,
    violations: Vec<String>,
}

impl Report {
    fn require(&mut self, holds: bool, violation: impl FnOnce() -> String) {
        if !holds {
            self.violations.push(violation());
        }
    }

    fn expect(&mut self, key: &Key) {
        self.expected.insert(address(key));
    }
}

fn address(key: &Key) -> Address {
    (key.pk(), key.sk())
}

impl Audit {
    pub(crate) const fn new(store: Store, client: Client, table: &'static str) -> Self {
        Self { store, client, table }
    }

    /// The registry's own store on the same table, neither counted nor failing.
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// Every rule of the table's layout that is broken, in words; `subjects` are all that were ever written to.
    pub async fn violations(&self, subjects: &[Subject]) -> Vec<String> {
        match self.report(subjects).await {
            Ok(report) => report.violations,
            Err(error) => vec![format!("unreadable: {error}")],
        }
    }

    async fn report(&self, subjects: &[Subject]) -> Result<Report, StoreError> {
        let mut all = Vec::new();
        for subject in subjects {
            let head = self.store.fetch([Key::Head(subject.clone())]).await?.head(subject)?;
            let rows = self.store.versions(subject).await?;
            all.push(SubjectItems { subject: subject.clone(), head, rows });
        }
        let mut report = Report::default();
        for items in &all {
            items.check_head(&mut report);
            self.check_lookups(items, &mut report).await?;
        }
        check_references(&all, &mut report);
        self.check_associations(&all, &mut report).await?;
        let contexts: BTreeSet<&ContextName> = subjects.iter().map(Subject::context).collect();
        for context in contexts {
            let rows = all.iter().filter(|items| items.subject.context() == context).flat_map(|items| &items.rows);
            self.check_ids(context, rows, &mut report).await?;
            self.check_directory(context, &all, &mut report).await?;
        }
        self.check_presence(&all, &mut report).await;
        Ok(report)
    }

    /// What lists are made of says what the heads say.
    async fn check_directory(
        &self,
        context: &ContextName,
        all: &[SubjectItems],
        report: &mut Report,
    ) -> Result<(), StoreError> {
        for entry in self.store.directory(context, "").await? {
            let Some(SubjectItems { subject, head, .. }) = all.iter().find(|items| items.subject == entry.subject)
            else {
                continue;
            };
            let state = match (head.live, head.total) {
                (0, 0) => None,
                (0, _) => Some(SubjectState::OnlyDeleted),
                _ => Some(SubjectState::Live),
            };
            let says = (entry.state, entry.has_mode, entry.alias.as_deref());
            let is = (state, head.mode.is_some(), head.alias());
            report.require(says == is, || format!("{subject}: directory {says:?}, head {is:?} (state, mode, alias)"));
        }
        Ok(())
    }

    /// Each content of a subject has a lookup row that means one of its versions, a live one if there is one.
    async fn check_lookups(&self, items: &SubjectItems, report: &mut Report) -> Result<(), StoreError> {
        let subject = &items.subject;
        let contents: BTreeSet<Sha256Hash> = items.rows.iter().map(|row| row.equality).collect();
        let keys = contents.iter().map(|&content| Key::Lookup(subject.clone(), content));
        let fetched = self.store.fetch(keys).await?;
        for content in contents {
            report.expect(&Key::Lookup(subject.clone(), content));
            let Some(lookup) = fetched.lookup(subject, content)? else { continue };
            let means = items.rows.iter().find(|row| row.version == lookup.version && row.equality == content);
            report.require(means.is_some_and(|row| row.born == lookup.born && row.id == lookup.id), || {
                format!("{subject}: the lookup row of version {} means no row", lookup.version)
            });
            let live = items.rows.iter().any(|row| row.equality == content && row.is_live(&items.head));
            report.require(live == lookup.is_live(&items.head), || {
                format!("{subject}: the lookup row of version {} and its rows disagree on being live", lookup.version)
            });
        }
        Ok(())
    }

    /// What must be there is, and nothing else: no item is left behind by a delete or half a registration.
    async fn check_presence(&self, all: &[SubjectItems], report: &mut Report) {
        let found = self.items().await;
        for key in &report.expected {
            if !found.contains_key(key) {
                report.violations.push(format!("missing: {key:?}"));
            }
        }
        let contexts = all.iter().map(|items| items.subject.context());
        let mut allowed: BTreeSet<Address> = contexts
            .clone()
            .flat_map(|context| [Key::Context(context.clone()), Key::Layout])
            .chain(all.iter().map(|items| Key::Head(items.subject.clone())))
            .map(|key| address(&key))
            .collect();
        for scope in contexts.map(Scope::of).chain([Scope::Shared]) {
            allowed.extend(check_copies(&scope, &found, report));
        }
        for key in found.keys().filter(|key| !report.expected.contains(key) && !allowed.contains(*key)) {
            // Hints of referrers and namespaces may be there before, and after, they are true.
            if !key.1.starts_with("R#") && !is_namespace(key) {
                report.violations.push(format!("left over: {key:?}"));
            }
        }
    }

    /// Every item, by its keys.
    ///
    /// # Panics
    /// If the table cannot be read.
    pub async fn items(&self) -> BTreeMap<Address, Item> {
        let mut found = BTreeMap::new();
        let mut pages = self.client.scan().table_name(self.table).consistent_read(true).into_paginator().send();
        while let Some(page) = pages.next().await {
            let items = match page {
                Ok(page) => page.items.unwrap_or_default(),
                Err(error) => panic!("{error:?}"),
            };
            found.extend(items.into_iter().map(|item| ((text(&item, "pk"), text(&item, "sk")), item)));
        }
        found
    }
}

fn is_namespace((pk, sk): &Address) -> bool {
    sk.strip_prefix('=').is_some_and(|name| address(&Key::Namespace(name.to_owned())).0 == *pk)
}

fn text(item: &Item, name: &str) -> String {
    item.get(name).and_then(|value| value.as_s().ok()).cloned().unwrap_or_default()
}

/// All copies of a scope's settings are there and alike, or none is.
fn check_copies(scope: &Scope, found: &BTreeMap<Address, Item>, report: &mut Report) -> Vec<Address> {
    let copies: Vec<Address> = (0..COPIES).map(|copy| address(&Key::Settings(scope.clone(), copy))).collect();
    let contents: Vec<Option<Item>> = copies
        .iter()
        .map(|key| {
            let mut item = found.get(key)?.clone();
            item.remove("pk");
            Some(item)
        })
        .collect();
    report.require(contents.windows(2).all(|pair| pair[0] == pair[1]), || format!("copies of {scope:?} differ"));
    copies
}

impl SubjectItems {
    /// The head says what the rows say.
    fn check_head(&self, report: &mut Report) {
        let Self { subject, head, rows } = self;
        let live: Vec<&VersionRow> = rows.iter().filter(|row| row.is_live(head)).collect();
        let says = (head.total, head.live, head.highest, head.latest, head.mark);
        let highest = rows.iter().map(|row| row.version).max();
        let latest = live.iter().map(|row| row.version).max();
        let is = (rows.len() as u64, live.len() as u64, highest, latest, None);
        report.require(says == is, || format!("{subject}: head {says:?}, rows {is:?} (total, live, highest, latest)"));
        for row in rows {
            report.require(row.born <= head.tag, || format!("{subject} {}: born after the head's tag", row.version));
            report.expect(&Key::Version(subject.clone(), row.version));
            report.expect(&Key::Usage(subject.clone(), row.id, row.version));
        }
        if !rows.is_empty() || head.mode.is_some() || head.alias().is_some() {
            report.expect(&Key::Directory(subject.clone()));
        }
        if !rows.is_empty() && !subject.context().is_default() {
            report.expect(&Key::Context(subject.context().clone()));
        }
    }
}

/// Counts of references are the references there are, and each has its hint.
fn check_references(all: &[SubjectItems], report: &mut Report) {
    let mut of_versions: BTreeMap<(&Subject, Version), u64> = BTreeMap::new();
    let mut of_subjects: BTreeMap<&Subject, u64> = BTreeMap::new();
    for (items, row) in all.iter().flat_map(|items| items.rows.iter().map(move |row| (items, row))) {
        for target in &row.targets {
            *of_versions.entry((&target.subject, target.version)).or_default() += target.count;
            if target.subject != items.subject {
                *of_subjects.entry(&target.subject).or_default() += target.count;
            }
            report.expect(&Key::Referrer {
                target: target.subject.clone(),
                version: target.version,
                context: items.subject.context().clone(),
                id: row.id,
            });
        }
    }
    for SubjectItems { subject, head, rows } in all {
        let inrefs = of_subjects.remove(subject).unwrap_or(0);
        report.require(head.inrefs == inrefs, || format!("{subject}: inrefs {}, found {inrefs}", head.inrefs));
        for row in rows {
            let refs = of_versions.remove(&(subject, row.version)).unwrap_or(0);
            report.require(row.refs == refs, || format!("{subject} {}: refs {}, found {refs}", row.version, row.refs));
        }
    }
    report.require(of_versions.is_empty(), || format!("references to nothing: {of_versions:?}"));
}
