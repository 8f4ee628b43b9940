//! A registry as everyone can see it, when nobody does anything.

use std::collections::BTreeSet;
use std::fmt::Write;

use registrar_harness::schemas::{number, subject};
use registrar_model::{ContextName, Guid, SchemaId, Subject, SubjectPrefix};
use registrar_registry::{IdQuery, Registry, RegistryError, SubjectFilter, VersionFilter, VersionOptions};

use crate::operation::{associations_of, id_token, version};

/// All of it, in words. Ids are tokens.
pub async fn observe(registry: &Registry, subjects: &[&str]) -> String {
    let mut seen = Seen::default();
    for name in subjects {
        if let Err(error) = seen.subject(registry, &subject(name)).await {
            let _ = writeln!(seen.text, "{name}: {error:?}");
        }
    }
    if let Err(error) = seen.rest(registry).await {
        let _ = writeln!(seen.text, "{error:?}");
    }
    seen.text
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
        let config = registry.config(Some(subject), false).await.map(|config| config.level);
        let mode = registry.mode(Some(subject), false).await;
        self.line(&format!("  {config:?} {mode:?}"));
        Ok(())
    }

    async fn rest(&mut self, registry: &Registry) -> Result<(), RegistryError> {
        // One that is empty may have been left behind by a registration that was refused.
        for context in registry.contexts().await? {
            let within = SubjectPrefix::parse(&format!(":{}:", context.as_str()));
            if !registry.subjects(&within, SubjectFilter::WithDeleted).await?.is_empty() {
                self.line(&format!("{context:?}"));
            }
        }
        for filter in [SubjectFilter::Live, SubjectFilter::OnlyDeleted] {
            let subjects = registry.subjects(&SubjectPrefix::parse(":*:"), filter).await?;
            let names: Vec<String> = subjects.iter().map(ToString::to_string).collect();
            self.line(&format!("{filter:?} {names:?}"));
        }
        let config = registry.config(None, false).await?;
        let mode = registry.mode(None, false).await?;
        self.line(&format!("{:?} {mode:?}", config.level));
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
