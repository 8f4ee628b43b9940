//! The memory of `ClientRequestToken`s: a transaction sent twice under one token is carried out once.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use dynoxide::DynoxideError;
use serde::Deserialize;

use crate::digest::Digest;

/// How long DynamoDB remembers a token.
const WINDOW: Duration = Duration::from_mins(10);
/// How many tokens are remembered at most, the oldest forgotten first: about 10 MB. A token is of use only to the call
/// that made it, which has long ended by then.
const REMEMBERED: usize = 65_536;
/// Longer tokens are for the database to refuse.
const TOKEN_BYTES: usize = 36;
/// What a replay costs per action of up to 4 KB: it is charged as a transactional read.
const REPLAY_READ_UNITS: f64 = 2.0;

/// A transaction that has a token.
#[derive(Debug)]
pub(crate) struct Transaction<'a> {
    token: Cow<'a, str>,
    items: Digest,
    body: &'a [u8],
}

impl<'a> Transaction<'a> {
    /// Reads what matters here from a request that the database has understood; `None` if it has no usable token.
    pub(crate) fn of(body: &'a [u8]) -> Result<Option<Self>, DynoxideError> {
        let envelope: Envelope<'a> = read(body)?;
        let token = envelope.token.filter(|token| token.len() <= TOKEN_BYTES);
        Ok(token.map(|token| Self { token, items: envelope.items, body }))
    }
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(rename = "ClientRequestToken", borrow, default)]
    token: Option<Cow<'a, str>>,
    #[serde(rename = "TransactItems")]
    items: Digest,
}

/// The tokens of transactions that were committed.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    memory: Mutex<Memory>,
}

impl Tokens {
    /// Runs the transaction, or answers for it if it has been committed under this token before. A transaction that
    /// fails is not remembered: sent again, it is tried again.
    ///
    /// The memory is held while the transaction runs, so a twin of it waits and is then a replay. That costs nothing:
    /// the database runs one transaction at a time as well.
    pub(crate) fn once(
        &self,
        transaction: &Transaction<'_>,
        run: impl FnOnce() -> Result<Vec<u8>, DynoxideError>,
    ) -> Result<Vec<u8>, DynoxideError> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        memory.forget_old(now);
        match memory.committed.get(transaction.token.as_ref()) {
            Some(items) if *items == transaction.items => replay(transaction.body),
            Some(_) => Err(DynoxideError::IdempotentParameterMismatchException(
                "the token was used for a transaction with other parameters".to_owned(),
            )),
            None => {
                let answer = run()?;
                memory.remember(transaction, now);
                Ok(answer)
            }
        }
    }
}

#[derive(Debug, Default)]
struct Memory {
    committed: HashMap<Arc<str>, Digest>,
    /// Oldest first.
    order: VecDeque<(Instant, Arc<str>)>,
}

impl Memory {
    fn forget_old(&mut self, now: Instant) {
        while let Some((committed_at, token)) = self.order.front() {
            if self.order.len() < REMEMBERED && now.duration_since(*committed_at) < WINDOW {
                return;
            }
            self.committed.remove(token);
            self.order.pop_front();
        }
    }

    fn remember(&mut self, transaction: &Transaction<'_>, now: Instant) {
        let token: Arc<str> = Arc::from(transaction.token.as_ref());
        self.committed.insert(Arc::clone(&token), transaction.items);
        self.order.push_back((now, token));
    }
}

/// The answer to a transaction that was committed before.
fn replay(body: &[u8]) -> Result<Vec<u8>, DynoxideError> {
    let request: Replayed<'_> = read(body)?;
    if request.capacity.is_none_or(|wanted| wanted == "NONE") {
        return Ok(b"{}".to_vec());
    }
    let mut units = BTreeMap::new();
    for action in request.items.iter().flat_map(HashMap::values) {
        *units.entry(action.table.as_ref()).or_insert(0.0) += REPLAY_READ_UNITS;
    }
    let consumed: Vec<_> = units
        .into_iter()
        .map(|(table, units)| {
            serde_json::json!({ "TableName": table, "CapacityUnits": units, "ReadCapacityUnits": units })
        })
        .collect();
    Ok(serde_json::json!({ "ConsumedCapacity": consumed }).to_string().into_bytes())
}

#[derive(Deserialize)]
struct Replayed<'a> {
    #[serde(rename = "ReturnConsumedCapacity", borrow, default)]
    capacity: Option<Cow<'a, str>>,
    /// One member each: the kind of action.
    #[serde(rename = "TransactItems", borrow)]
    items: Vec<HashMap<Cow<'a, str>, Action<'a>>>,
}

#[derive(Deserialize)]
struct Action<'a> {
    #[serde(rename = "TableName", borrow)]
    table: Cow<'a, str>,
}

fn read<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, DynoxideError> {
    serde_json::from_slice(body).map_err(|e| DynoxideError::SerializationException(e.to_string()))
}
