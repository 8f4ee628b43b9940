//! Strongly consistent reads of single items, in batches.

use crate::attributes::Item;
use crate::codec::Vault;
use crate::fault::{Fault, classify};
use crate::items::{Fingerprint, Head, Lookup, SchemaItem, SettingsItem, VersionRow};
use crate::key::{Key, Scope};
use crate::keyring::{Keyring, Place};
use crate::{StepName, Store, StoreError, attributes::Attributes};
use aws_sdk_dynamodb::types::{AttributeValue, KeysAndAttributes};
use registrar_model::{ContextName, SchemaId, Sha256Hash, Subject, Version};
use std::collections::{HashMap, HashSet};

/// Most keys of one `BatchGetItem`.
const BATCH: usize = 100;

/// Items as read, by their key. Each was current at some moment of the call, not all at the same one.
#[derive(Debug, Default)]
pub struct Fetched {
    items: HashMap<(String, String), Item>,
    keys: Keyring,
}

impl Fetched {
    fn item(&self, key: &Key) -> Option<&Item> {
        self.items.get(&(key.pk(), key.sk()))
    }

    /// A subject's head; all zero where absent.
    pub fn head(&self, subject: &Subject) -> Result<Head, StoreError> {
        let vault = Vault { keys: &self.keys, place: Place::Subject(subject) };
        Head::decode(self.item(&Key::Head(subject.clone())), &vault)
    }

    /// One version of a subject.
    pub fn version(&self, subject: &Subject, version: Version) -> Result<Option<VersionRow>, StoreError> {
        self.item(&Key::Version(subject.clone(), version)).map(VersionRow::decode).transpose()
    }

    /// The version with one content.
    pub fn lookup(&self, subject: &Subject, equality: Sha256Hash) -> Result<Option<Lookup>, StoreError> {
        self.item(&Key::Lookup(subject.clone(), equality)).map(Lookup::decode).transpose()
    }

    /// One copy of a scope's settings; nothing set where absent.
    pub fn settings(&self, scope: &Scope, copy: u8) -> Result<SettingsItem, StoreError> {
        SettingsItem::decode(self.item(&Key::Settings(scope.clone(), copy)), scope, &self.keys)
    }

    /// The id of a content.
    pub fn fingerprint(&self, context: &ContextName, hash: Sha256Hash) -> Result<Option<Fingerprint>, StoreError> {
        self.item(&Key::Fingerprint(context.clone(), hash)).map(Fingerprint::decode).transpose()
    }

    /// A further id of a content.
    pub fn other_id(
        &self,
        context: &ContextName,
        hash: Sha256Hash,
        id: SchemaId,
    ) -> Result<Option<Fingerprint>, StoreError> {
        self.item(&Key::OtherId(context.clone(), hash, id)).map(Fingerprint::decode).transpose()
    }

    /// The exact content hash that an id stands for.
    pub fn schema_hash(&self, context: &ContextName, id: SchemaId) -> Result<Option<Sha256Hash>, StoreError> {
        let Some(item) = self.item(&Key::Schema(context.clone(), id)) else { return Ok(None) };
        Attributes(item).digest(crate::items::HASH).map(|hash| Some(Sha256Hash(hash)))
    }

    /// A schema whose body is in one item; `None` if it is absent or in chunks (see [`Store::schema`]).
    pub(crate) fn whole_schema(&self, context: &ContextName, id: SchemaId) -> Result<Option<SchemaItem>, StoreError> {
        let Some(item) = self.item(&Key::Schema(context.clone(), id)) else { return Ok(None) };
        let mut head = crate::items::SchemaHead::decode(item)?;
        head.body.take().map(|body| head.complete(&body, &self.keys)).transpose()
    }
}

impl Store {
    /// Reads items by key, in any order, each strongly consistent. One round trip up to 100 keys or 16 MB. Keys that are
    /// too long for the table are as good as absent.
    pub async fn fetch(&self, keys: impl IntoIterator<Item = Key>) -> Result<Fetched, StoreError> {
        let mut seen = HashSet::new();
        let keys: Vec<Item> =
            keys.into_iter().filter(|key| key.fits() && seen.insert(key.clone())).map(|key| key_item(&key)).collect();
        let mut fetched = Fetched { items: HashMap::new(), keys: self.keys.clone() };
        for batch in keys.chunks(BATCH) {
            self.fetch_batch(batch.to_vec(), &mut fetched).await?;
        }
        Ok(fetched)
    }

    async fn fetch_batch(&self, mut keys: Vec<Item>, fetched: &mut Fetched) -> Result<(), StoreError> {
        let mut race = self.race();
        while !keys.is_empty() {
            let request = KeysAndAttributes::builder()
                .set_keys(Some(keys.clone()))
                .consistent_read(self.takes(StepName::StrongRead))
                .build();
            let request = request.map_err(|error| StoreError::Broken(error.to_string()))?;
            let answer = self.client.batch_get_item().request_items(&*self.table, request).send().await;
            let answer = match answer.map_err(|error| classify(&error)) {
                Ok(answer) => answer,
                Err(Fault::Final(error)) => return Err(error),
                Err(Fault::Passing(why)) => {
                    race.failed(&why).await?;
                    continue;
                }
            };
            for item in answer.responses.unwrap_or_default().into_values().flatten() {
                fetched.items.insert(address(&item)?, item);
            }
            let mut unprocessed = answer.unprocessed_keys.unwrap_or_default();
            keys = unprocessed.remove(&*self.table).map(|rest| rest.keys).unwrap_or_default();
            if !keys.is_empty() {
                race.failed("keys left unprocessed").await?;
            }
        }
        Ok(())
    }

    /// A schema by id, in one round trip unless its body is in chunks.
    pub async fn schema(&self, context: &ContextName, id: SchemaId) -> Result<Option<SchemaItem>, StoreError> {
        let Some(item) = self.get(&Key::Schema(context.clone(), id)).await? else { return Ok(None) };
        let mut head = crate::items::SchemaHead::decode(&item)?;
        if let Some(body) = head.body.take() {
            return head.complete(&body, &self.keys).map(Some);
        }
        self.chunked_schema(context, id, head).await
    }

    /// Chunks go with their schema in one transaction; that some are missing means that it is being deleted right now.
    async fn chunked_schema(
        &self,
        context: &ContextName,
        id: SchemaId,
        head: crate::items::SchemaHead,
    ) -> Result<Option<SchemaItem>, StoreError> {
        let keys: Vec<Key> = (0..head.chunks).map(|number| Key::Chunk(context.clone(), id, number)).collect();
        let fetched = self.fetch(keys.clone()).await?;
        let mut body = Vec::new();
        for key in &keys {
            let Some(item) = fetched.item(key) else { return Ok(None) };
            body.extend_from_slice(Attributes(item).binary(crate::items::BODY)?);
        }
        head.complete(&body, &self.keys).map(Some)
    }

    /// Expands the content that a version row carries itself; false if it stands elsewhere.
    pub fn expand(&self, row: &mut VersionRow) -> Result<bool, StoreError> {
        row.expand(&self.keys)
    }

    /// Several schemas of one context; absent ones are left out.
    pub async fn schemas(
        &self,
        context: &ContextName,
        ids: &[SchemaId],
    ) -> Result<HashMap<SchemaId, SchemaItem>, StoreError> {
        let fetched = self.fetch(ids.iter().map(|id| Key::Schema(context.clone(), *id))).await?;
        let mut schemas = HashMap::new();
        for &id in ids {
            let whole = fetched.whole_schema(context, id)?;
            let known = fetched.schema_hash(context, id)?.is_some();
            let schema = if whole.is_none() && known { self.schema(context, id).await? } else { whole };
            schemas.extend(schema.map(|schema| (id, schema)));
        }
        Ok(schemas)
    }

    pub(crate) async fn get(&self, key: &Key) -> Result<Option<Item>, StoreError> {
        if !key.fits() {
            return Ok(None);
        }
        let mut race = self.race();
        loop {
            let strong = self.takes(StepName::StrongRead);
            let call =
                self.client.get_item().table_name(&*self.table).set_key(Some(key_item(key))).consistent_read(strong);
            match call.send().await.map_err(|error| classify(&error)) {
                Ok(answer) => return Ok(answer.item),
                Err(Fault::Final(error)) => return Err(error),
                Err(Fault::Passing(why)) => race.failed(&why).await?,
            }
        }
    }
}

/// A key as an item.
pub(crate) fn key_item(key: &Key) -> Item {
    HashMap::from([("pk".to_owned(), AttributeValue::S(key.pk())), ("sk".to_owned(), AttributeValue::S(key.sk()))])
}

fn address(item: &Item) -> Result<(String, String), StoreError> {
    let item = Attributes(item);
    Ok((item.text("pk")?.to_owned(), item.text("sk")?.to_owned()))
}
