//! Lists (rest-api.md §4.1 to §4.3).

use crate::alias::{self, Aliases};
use crate::associations::each;
use crate::{
    Limit, ListedSchema, Registry, RegistryError, ResourceAssociation, SchemasQuery, SubjectFilter, VersionFilter,
};
use futures_util::future::try_join_all;
use registrar_model::{JavaString, SchemaContent, Subject, SubjectPrefix};
use registrar_store::{DirectoryEntry, SubjectState, VersionRow};

/// How many subjects, or contexts, are read side by side.
const SIDE_BY_SIDE: usize = 16;

impl Registry {
    /// Subjects sorted by their text form.
    pub async fn subjects(&self, prefix: &SubjectPrefix, filter: SubjectFilter) -> Result<Vec<Subject>, RegistryError> {
        let mut subjects = shown(&self.entries(prefix).await?, filter);
        sort(&mut subjects);
        Ok(subjects)
    }

    async fn entries(&self, prefix: &SubjectPrefix) -> Result<Vec<DirectoryEntry>, RegistryError> {
        let contexts = match prefix {
            SubjectPrefix::Within(context, _) => vec![context.clone()],
            SubjectPrefix::Everywhere(_) => self.all_contexts().await?,
        };
        let mut entries = Vec::new();
        for contexts in contexts.chunks(SIDE_BY_SIDE) {
            let lists = contexts.iter().map(|context| self.store.directory(context, prefix.name()));
            entries.extend(try_join_all(lists).await?.into_iter().flatten());
        }
        Ok(entries)
    }

    /// Versions of a subject, ascending by absolute value; soft-deleted ones negative where asked for.
    pub async fn versions(&self, subject: &Subject, filter: VersionFilter) -> Result<Vec<i64>, RegistryError> {
        let counts_deleted = filter.deleted || filter.deleted_only;
        let shows_deleted = counts_deleted || filter.deleted_as_negative;
        let (head, rows) = self.rows(subject, shows_deleted).await?;
        self.check_alias(subject, &head)?;
        let exists = if counts_deleted { head.total > 0 } else { head.live > 0 };
        if !exists {
            return Err(RegistryError::SubjectNotFound(subject.clone()));
        }
        let number = |row: &VersionRow| {
            let number = i64::from(row.version.get());
            match (row.is_live(&head), filter) {
                (live, VersionFilter { deleted_as_negative: true, .. }) => Some(if live { number } else { -number }),
                (live, VersionFilter { deleted_only: true, .. }) => (!live).then_some(number),
                _ => Some(number),
            }
        };
        Ok(rows.iter().filter_map(number).collect())
    }

    /// Schemas sorted by subject and version, filtered, then paged.
    pub async fn schemas(&self, query: &SchemasQuery) -> Result<Vec<ListedSchema>, RegistryError> {
        let filter = if query.deleted { SubjectFilter::WithDeleted } else { SubjectFilter::Live };
        let entries = self.entries(&query.prefix).await?;
        let aliases = if query.aliases { alias::among(&entries) } else { Aliases::new() };
        let mut subjects = shown(&entries, filter);
        subjects.extend(aliases.keys().cloned());
        sort(&mut subjects);
        subjects.dedup();
        // Nobody knows how much this will be; of such lists one at a time is made.
        self.before_heavy_work().await;
        let mut found = Vec::new();
        for subjects in subjects.chunks(SIDE_BY_SIDE) {
            let lists = try_join_all(subjects.iter().map(|subject| self.listed(subject, query))).await?;
            found.extend(lists.into_iter().flatten());
            // Without a filter on content, what lies behind the page need not be read.
            if query.rule_type.is_empty() && found.len() >= query.offset.saturating_add(query.limit) {
                break;
            }
        }
        if !query.rule_type.is_empty() {
            let rows = found.iter_mut().map(|listed| (listed.subject.context().clone(), &mut listed.row));
            let mut matching =
                self.with_contents(rows, |content| has_rule(content, &query.rule_type)).await?.into_iter();
            found.retain(|_| matching.next().unwrap_or(false));
        }
        let mut page: Vec<Listed> = found.into_iter().skip(query.offset).take(query.limit).collect();
        let limit = self.settings.max_answer_bytes;
        let mut left = limit;
        let rows = page.iter_mut().map(|listed| (listed.subject.context().clone(), &mut listed.row));
        if !self.fill_within(rows, &mut left).await? {
            return Err(Limit::AnswerBytes(limit).into());
        }
        let mut schemas = Vec::new();
        for Listed { subject, row, deleted, associations } in page {
            // Deleted for good while the list was being read.
            if row.content.is_some() {
                let schema = self.versioned(&subject, row, deleted, "").await?;
                let aliases = aliases.get(&subject).cloned().unwrap_or_default();
                schemas.push(ListedSchema { schema, aliases, associations });
            }
        }
        Ok(schemas)
    }

    async fn listed(&self, subject: &Subject, query: &SchemasQuery) -> Result<Vec<Listed>, RegistryError> {
        let associations = match &query.associations {
            None => Vec::new(),
            Some(wanted) => {
                let all = self.store.associations_with(subject).await?.into_iter().flat_map(each).collect();
                let Some(shown) = wanted.select(all) else { return Ok(Vec::new()) };
                shown
            }
        };
        let (head, rows) = self.rows(subject, query.deleted).await?;
        let first = if query.latest_only { rows.len().saturating_sub(1) } else { 0 };
        let listed = |row: VersionRow| Listed {
            subject: subject.clone(),
            deleted: !row.is_live(&head),
            row,
            associations: associations.clone(),
        };
        Ok(rows.into_iter().skip(first).map(listed).collect())
    }
}

fn shown(entries: &[DirectoryEntry], filter: SubjectFilter) -> Vec<Subject> {
    let shown = |entry: &&DirectoryEntry| match filter {
        SubjectFilter::Live => entry.state == Some(SubjectState::Live),
        SubjectFilter::WithDeleted => entry.state.is_some(),
        SubjectFilter::OnlyDeleted => entry.state == Some(SubjectState::OnlyDeleted),
    };
    entries.iter().filter(shown).map(|entry| entry.subject.clone()).collect()
}

/// As Java sorts strings: clients and tests compare with that order.
fn sort(subjects: &mut [Subject]) {
    subjects.sort_by_cached_key(|subject| JavaString(subject.to_string()));
}

struct Listed {
    subject: Subject,
    row: VersionRow,
    deleted: bool,
    associations: Vec<ResourceAssociation>,
}

fn has_rule(content: &SchemaContent, rule_type: &str) -> bool {
    let rules = content.rule_set.as_ref();
    rules.is_some_and(|rules| rules.rules().any(|rule| rule.rule_type.as_deref() == Some(rule_type)))
}
