//! A registry as everyone can see it, when nobody does anything.

use std::collections::BTreeSet;
use std::fmt::Write;

use registrar_harness::schemas::{number, subject};
use registrar_model::{ContextName, Guid, SchemaId, Subject, SubjectPrefix};
use registrar_registry::{IdQuery, Registry, RegistryError, SubjectFilter, VersionFilter, VersionOptions};

use crate::perform::{associations_of, id_token, settings_of, version};
use crate::scenario::Scenario;

/// What is left of a scenario.
#[derive(Clone, Debug, Default)]
pub struct Left {
    /// All but the contexts, in words. Ids are tokens.
    pub text: String,
    /// The contexts that are listed.
    pub contexts: BTreeSet<ContextName>,
}

impl Left {
    /// Whether the contexts of an order can be those that were `seen`: registrations that failed may have `noted` more,
    /// which then are empty, or the rest would differ.
    pub fn contexts_fit(&self, seen: &Self, noted: &BTreeSet<ContextName>) -> bool {
        self.contexts.is_subset(&seen.contexts)
            && seen.contexts.difference(&self.contexts).all(|more| noted.contains(more))
    }
}

/// All of it. Aliases are not followed.
pub async fn observe(registry: &Registry, scenario: &Scenario) -> Left {
    let registry = &registry.past_aliases();
    let mut seen = Seen::default();
    for name in &scenario.subjects {
        if let Err(error) = seen.subject(registry, &subject(name)).await {
            let _ = writeln!(seen.text, "{name}: {error:?}");
        }
    }
    for scope in scenario.scopes() {
        let target = scope.as_deref().map(subject);
        for mode in [false, true] {
            let set = settings_of(registry, target.as_ref(), mode).await;
            seen.line(&format!("{scope:?} {set:?}"));
        }
    }
    if let Err(error) = seen.rest(registry).await {
        let _ = writeln!(seen.text, "{error:?}");
    }
    let contexts = registry.contexts().await.unwrap_or_default().into_iter().collect();
    Left { text: seen.text, contexts }
}

/// What the number of an id is replaced with, in the order in which ids are met.
pub fn rename_ids(text: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut renamed = String::new();
    let mut pieces = text.split("<id ");
    renamed.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let (id, rest) = piece.split_once('>').unwrap_or((piece, ""));
        let known = names.iter().position(|name| *name == id);
        let at = known.unwrap_or(names.len());
        if known.is_none() {
            names.push(id);
        }
        let _ = write!(renamed, "<{at}>{rest}");
    }
    renamed
}

#[derive(Default)]
struct Seen {
    text: String,
    ids: BTreeSet<(ContextName, SchemaId)>,
    guids: BTreeSet<Guid>,
}

impl Seen {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    async fn subject(&mut self, registry: &Registry, subject: &Subject) -> Result<(), RegistryError> {
        let all = VersionFilter { deleted: true, ..VersionFilter::default() };
        let versions = match registry.versions(subject, all).await {
            Ok(versions) => versions,
            Err(RegistryError::SubjectNotFound(_)) => Vec::new(),
            Err(error) => return Err(error),
        };
        self.line(&format!("{subject} {versions:?}"));
        for each in versions {
            let options = VersionOptions { deleted: true, ..VersionOptions::default() };
            let found = registry.version(subject, number(each), &options).await?;
            self.ids.insert((found.subject.context().clone(), found.id));
            self.guids.insert(found.guid);
            let line = version(registry, subject, number(each), true).await?;
            let referrers = registry.referenced_by(subject, number(each), true).await?.len();
            self.line(&format!("  {line}, {referrers} referrers"));
        }
        let associations = associations_of(registry, &subject.to_string()).await?;
        self.line(&format!("  associations: {associations}"));
        for mode in [false, true] {
            let set = settings_of(registry, Some(subject), mode).await;
            self.line(&format!("  {set:?}"));
        }
        Ok(())
    }

    async fn rest(&mut self, registry: &Registry) -> Result<(), RegistryError> {
        for filter in [SubjectFilter::Live, SubjectFilter::OnlyDeleted] {
            let subjects = registry.subjects(&SubjectPrefix::parse(":*:"), filter).await?;
            let names: Vec<String> = subjects.iter().map(ToString::to_string).collect();
            self.line(&format!("{filter:?} {names:?}"));
        }
        for guid in std::mem::take(&mut self.guids) {
            // Which ids these are is told below, and their order is that of their numbers.
            let ids = registry.ids_of_guid(guid).await?;
            self.line(&format!("{guid}: {} ids", ids.len()));
        }
        let mut lines = Vec::new();
        for (context, id) in std::mem::take(&mut self.ids) {
            let query = IdQuery { subject: Some(context.qualified()), deleted: true, ..IdQuery::default() };
            let found = registry.schema_by_id(id, &query).await?;
            let versions = registry.versions_of_id(id, &query).await?;
            let users = format!("{versions:?}");
            lines.push((found.guid, users, id_token(&context, id)));
        }
        // In an order that does not depend on the numbers.
        lines.sort();
        for (guid, users, id) in lines {
            self.line(&format!("{id} is {guid} in {users}"));
        }
        Ok(())
    }
}
