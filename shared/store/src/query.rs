//! Strongly consistent reads of ranges.

use crate::attributes::{Attributes, Item};
use crate::fault::{Fault, classify};
use crate::items::{DirectoryEntry, ResourceItem, Usage, VersionRow};
use crate::key::{self, Key, SHARDS};
use crate::read::key_item;
use crate::{StepName, Store, StoreError};
use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::try_join_all;
use registrar_model::{ContextName, Guid, SchemaId, Subject, Version};

/// How many rows a search from the newest takes at first: mostly the first of them is the one.
const FIRST_ROWS: i32 = 10;

/// A range of one partition: sort keys that start with a prefix.
#[derive(Clone)]
pub(crate) struct Range {
    pk: String,
    prefix: String,
    /// Where to go on from, excluded.
    after: Option<Item>,
    /// From the end.
    backward: bool,
    /// How many items at most.
    limit: Option<i32>,
}

impl Range {
    pub(crate) fn all(pk: String, prefix: impl Into<String>) -> Self {
        Self { pk, prefix: prefix.into(), after: None, backward: false, limit: None }
    }

    fn last(pk: String, prefix: impl Into<String>) -> Self {
        Self { pk, prefix: prefix.into(), after: None, backward: true, limit: Some(1) }
    }
}

impl Store {
    /// Every version row of a subject, ascending. Rows may be newer than a head read before; see `docs/STORAGE.md`.
    pub async fn versions(&self, subject: &Subject) -> Result<Vec<VersionRow>, StoreError> {
        let items = self.query(Range::all(key::subject_pk(subject), key::VERSION_PREFIX)).await?;
        items.iter().map(VersionRow::decode).collect()
    }

    /// The version row with the highest number.
    pub async fn highest_version(&self, subject: &Subject) -> Result<Option<VersionRow>, StoreError> {
        let items = self.query(Range::last(key::subject_pk(subject), key::VERSION_PREFIX)).await?;
        items.first().map(VersionRow::decode).transpose()
    }

    /// The highest version below `version` whose row is `wanted`: one small read if it is near.
    pub async fn highest_below(
        &self,
        subject: &Subject,
        version: Version,
        wanted: impl Fn(&VersionRow) -> bool,
    ) -> Result<Option<Version>, StoreError> {
        let below = Some(key_item(&Key::Version(subject.clone(), version)));
        let last = Range::last(key::subject_pk(subject), key::VERSION_PREFIX);
        let mut range = Range { after: below, limit: Some(FIRST_ROWS), ..last };
        loop {
            let items = self.query(range.clone()).await?;
            let rows = items.iter().map(VersionRow::decode).collect::<Result<Vec<_>, _>>()?;
            if let Some(row) = rows.iter().find(|row| wanted(row)) {
                return Ok(Some(row.version));
            }
            let more = range.limit.is_some_and(|limit| rows.len() >= limit.unsigned_abs() as usize);
            let Some(lowest) = rows.last().filter(|_| more) else { return Ok(None) };
            range.after = Some(key_item(&Key::Version(subject.clone(), lowest.version)));
            range.limit = None;
        }
    }

    /// Every user of an id, ordered by subject and version.
    pub async fn usages(&self, context: &ContextName, id: SchemaId) -> Result<Vec<Usage>, StoreError> {
        let items = self.query(Range::all(key::schema_pk(context, id), key::USAGE_PREFIX)).await?;
        items.iter().map(|item| Usage::decode(context, item)).collect()
    }

    /// One user of an id: the last in order.
    pub async fn any_usage(&self, context: &ContextName, id: SchemaId) -> Result<Option<Usage>, StoreError> {
        let items = self.query(Range::last(key::schema_pk(context, id), key::USAGE_PREFIX)).await?;
        items.first().map(|item| Usage::decode(context, item)).transpose()
    }

    /// The highest version of one subject with an id.
    pub async fn usage_in(&self, subject: &Subject, id: SchemaId) -> Result<Option<Usage>, StoreError> {
        let pk = key::schema_pk(subject.context(), id);
        let items = self.query(Range::last(pk, key::usage_prefix(subject))).await?;
        items.first().map(|item| Usage::decode(subject.context(), item)).transpose()
    }

    /// Schemas that may refer to a subject, or to one version of it: hints, put before their registration commits.
    pub async fn referrers(
        &self,
        target: &Subject,
        version: Option<Version>,
    ) -> Result<Vec<(ContextName, SchemaId)>, StoreError> {
        let items = self.query(Range::all(key::subject_pk(target), key::referrer_prefix(version))).await?;
        let mut referrers = items.iter().map(referrer).collect::<Result<Vec<_>, _>>()?;
        referrers.sort();
        referrers.dedup();
        Ok(referrers)
    }

    /// The subjects of a context whose names start so, sorted by name.
    pub async fn directory(&self, context: &ContextName, prefix: &str) -> Result<Vec<DirectoryEntry>, StoreError> {
        let shards = (0..SHARDS)
            .map(|shard| self.query(Range::all(key::directory_pk(context, shard), key::directory_prefix(prefix))));
        let items = try_join_all(shards).await?.into_iter().flatten();
        let mut entries = items.map(|item| DirectoryEntry::decode(context, &item)).collect::<Result<Vec<_>, _>>()?;
        entries.sort_by(|a, b| a.subject.cmp(&b.subject));
        Ok(entries)
    }

    /// The contexts that ever held a schema, but the default one, sorted.
    pub async fn contexts(&self) -> Result<Vec<ContextName>, StoreError> {
        let items = self.query(Range::all(key::CONTEXTS_PK.to_owned(), ".")).await?;
        items.iter().map(|item| context_name(Attributes(item).text("sk")?)).collect()
    }

    /// Where a content has an id, sorted by context and id.
    pub async fn guid(&self, guid: Guid) -> Result<Vec<(ContextName, SchemaId)>, StoreError> {
        let items = self.query(Range::all(key::guid_pk(guid), ".")).await?;
        let mut ids = items.iter().map(context_and_id).collect::<Result<Vec<_>, _>>()?;
        ids.sort();
        Ok(ids)
    }

    /// A resource with its associations.
    pub async fn resource(&self, id: &str) -> Result<Option<ResourceItem>, StoreError> {
        self.get(&Key::Resource(id.to_owned())).await?.as_ref().map(ResourceItem::decode).transpose()
    }

    /// The resources of a name, in one namespace or in any.
    pub async fn resources_named(&self, name: &str, namespace: Option<&str>) -> Result<Vec<ResourceItem>, StoreError> {
        let prefix = namespace.map(key::namespace_prefix).unwrap_or_default();
        self.resources(Range::all(key::resource_name_pk(name), prefix)).await
    }

    /// The resources of a namespace.
    pub async fn resources_in(&self, namespace: &str) -> Result<Vec<ResourceItem>, StoreError> {
        self.resources(Range::all(key::namespace_pk(namespace), "")).await
    }

    /// The associations with a subject: each resource with only those.
    pub async fn associations_with(&self, subject: &Subject) -> Result<Vec<ResourceItem>, StoreError> {
        self.resources(Range::all(key::subject_pk(subject), key::ASSOCIATION_PREFIX)).await
    }

    /// The namespaces that may have resources, sorted.
    pub async fn namespaces(&self) -> Result<Vec<String>, StoreError> {
        let items = self.query(Range::all(key::NAMESPACES_PK.to_owned(), "=")).await?;
        items.iter().map(|item| Ok(Attributes(item).text("sk")?.trim_start_matches('=').to_owned())).collect()
    }

    async fn resources(&self, range: Range) -> Result<Vec<ResourceItem>, StoreError> {
        self.query(range).await?.iter().map(ResourceItem::decode).collect()
    }

    pub(crate) async fn query(&self, range: Range) -> Result<Vec<Item>, StoreError> {
        if !key::fits(&range.pk, &range.prefix) {
            return Ok(Vec::new());
        }
        let mut race = self.race();
        let mut items = Vec::new();
        let mut start = range.after;
        loop {
            let call = self
                .client
                .query()
                .table_name(&*self.table)
                .consistent_read(self.takes(StepName::StrongRead))
                .scan_index_forward(!range.backward)
                .set_limit(range.limit)
                .set_exclusive_start_key(start.clone())
                .expression_attribute_values(":pk", AttributeValue::S(range.pk.clone()));
            // A key may not be empty, and so nothing may be compared with an empty one.
            let call = if range.prefix.is_empty() {
                call.key_condition_expression("pk = :pk")
            } else {
                call.key_condition_expression("pk = :pk AND begins_with(sk, :sk)")
                    .expression_attribute_values(":sk", AttributeValue::S(range.prefix.clone()))
            };
            match call.send().await.map_err(|error| classify(&error)) {
                Ok(page) => {
                    items.extend(page.items.unwrap_or_default());
                    let next = page.last_evaluated_key.filter(|key| !key.is_empty());
                    // A page may be empty and not the last, but who is sent on to where he was would never come to an end.
                    if next.is_some() && next == start {
                        race.failed("a range goes on where it was").await?;
                    }
                    start = next;
                    let enough = range.limit.is_some_and(|limit| items.len() >= limit.unsigned_abs() as usize);
                    if start.is_none() || enough {
                        return Ok(items);
                    }
                }
                Err(Fault::Final(error)) => return Err(error),
                Err(Fault::Passing(why)) => race.failed(&why).await?,
            }
        }
    }
}

/// Reads `R#version#context#id`.
fn referrer(item: &Item) -> Result<(ContextName, SchemaId), StoreError> {
    let sk = Attributes(item).text("sk")?;
    let rest = sk.splitn(3, '#').nth(2).ok_or_else(|| StoreError::Broken(format!("referrer key {sk}")))?;
    parse_context_and_id(rest)
}

fn context_and_id(item: &Item) -> Result<(ContextName, SchemaId), StoreError> {
    parse_context_and_id(Attributes(item).text("sk")?)
}

fn parse_context_and_id(text: &str) -> Result<(ContextName, SchemaId), StoreError> {
    let bad = || StoreError::Broken(format!("key part {text}"));
    let (context, id) = text.split_once('#').ok_or_else(bad)?;
    let id = id.parse().ok().and_then(SchemaId::new).ok_or_else(bad)?;
    Ok((context_name(&key::unescape(context))?, id))
}

fn context_name(text: &str) -> Result<ContextName, StoreError> {
    ContextName::parse(text).ok_or_else(|| StoreError::Broken(format!("context {text}")))
}
