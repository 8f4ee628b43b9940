//! What a handler gets, and what it gives back.

use crate::HttpOptions;
use crate::dto::read::{Body, Mismatch, parse};
use crate::dto::schema_request;
use crate::error::Failure;
use crate::in_flight::InFlight;
use crate::page::{Limits, Page};
use crate::query::Query;
use crate::routes::Params;
use bytes::Bytes;
use registrar_formats::json_extent;
use registrar_formats::json_text::Value;
use registrar_model::{Subject, VersionSpec};
use registrar_registry::{Registry, RegistryError, SchemaRequest};
use serde::Serialize;
use std::sync::Arc;

/// What all requests of a service share.
pub(crate) struct Shared {
    pub(crate) registry: Registry,
    /// For requests that an alias was followed for.
    pub(crate) past_aliases: Registry,
    pub(crate) options: HttpOptions,
    /// What bodies and answers of all requests hold.
    pub(crate) in_flight: InFlight,
}

/// One request for one route.
pub(crate) struct Call {
    pub(crate) shared: Arc<Shared>,
    pub(crate) params: Params,
    pub(crate) query: Query,
    pub(crate) body: Bytes,
    /// Whether an alias was followed already.
    pub(crate) past_aliases: bool,
}

impl Call {
    pub(crate) fn registry(&self) -> &Registry {
        if self.past_aliases { &self.shared.past_aliases } else { &self.shared.registry }
    }

    /// The same request for the subject that its subject is an alias of. By id, the query names the subject.
    pub(crate) fn at(mut self, subject: &Subject) -> Self {
        self.past_aliases = true;
        match self.params.iter_mut().find(|(name, _)| *name == "subject") {
            Some((_, name)) => *name = subject.to_string(),
            None => self.query.set("subject", subject.to_string()),
        }
        self
    }

    pub(crate) fn options(&self) -> &HttpOptions {
        &self.shared.options
    }

    /// A path parameter; the route table's tests see to it that its pattern has one of this name.
    pub(crate) fn param(&self, name: &str) -> &str {
        self.params.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value)
    }

    pub(crate) fn subject(&self) -> Subject {
        Subject::parse(self.param("subject"))
    }

    /// The subject of a setting; `None` at the top level, whose path has none.
    pub(crate) fn scope(&self) -> Option<Subject> {
        self.params.iter().find(|(key, _)| *key == "subject").map(|(_, value)| Subject::parse(value))
    }

    pub(crate) fn version(&self) -> Result<VersionSpec, Failure> {
        let text = self.param("version");
        VersionSpec::parse(text).ok_or_else(|| RegistryError::InvalidVersion(text.to_owned()).into())
    }

    /// The id as a number of 32 bits, negative ones included: they are ids that nothing has.
    pub(crate) fn id(&self) -> Result<i32, Failure> {
        self.param("id").parse().map_err(|_| Failure::NotFound)
    }

    pub(crate) fn page(&self, limits: Limits) -> Result<Page, Failure> {
        Page::read(&self.query, limits)
    }

    /// Reads the body; `argument` names it in the message if there is none.
    pub(crate) fn read<T, E: Into<Failure>>(
        &self,
        argument: &'static str,
        read: impl FnOnce(Value<'_>) -> Result<T, E>,
    ) -> Result<T, Failure> {
        self.check_extent()?;
        match parse(&self.body).map_err(|Mismatch(message)| Failure::BadRequest(message))? {
            Body::Missing => Err(Failure::MissingBody(argument)),
            Body::Present(json) => read(json.root()).map_err(Into::into),
        }
    }

    /// Before a tree is made of the body, which takes many times its memory.
    fn check_extent(&self) -> Result<(), Failure> {
        let (nesting, values) = (self.options().max_nesting, self.options().max_values);
        if self.body.len() <= nesting.min(values) {
            return Ok(());
        }
        let extent = json_extent(&self.body);
        if extent.nesting > nesting {
            return Err(Failure::BodyTooDeep(nesting));
        }
        if extent.values > values { Err(Failure::BodyTooFull(values)) } else { Ok(()) }
    }

    /// Reads the body of register, lookup and compatibility.
    pub(crate) fn schema(&self, argument: &'static str) -> Result<SchemaRequest, Failure> {
        self.read(argument, schema_request::read)
    }
}

/// A body with status 200.
pub(crate) type Answer = Result<Bytes, Failure>;

/// A JSON answer.
pub(crate) fn json(body: &impl Serialize) -> Answer {
    serde_json::to_vec(body).map(Bytes::from).map_err(|error| Failure::Internal(error.to_string()))
}
