//! A table with a process over it.

use registrar_harness::{InMemory, in_memory_registry};
use registrar_http::{HttpOptions, HttpService, service};
use registrar_model::Subject;
use registrar_registry::{Registry, Settings};
use serde_json::Value;

use crate::contents::Contents;
use crate::row::Ask;
use crate::time::Time;

/// A registry over a table of its own.
pub(crate) struct Place {
    at: InMemory,
    time: Time,
    service: HttpService,
}

/// What a client is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl Answer {
    /// Whether it says no more than that the table did not do its part, in one of several answers or altogether.
    pub(crate) fn is_failure(&self) -> bool {
        self.status >= 500 || (self.status == 207 && self.body.contains("\"error_code\":500"))
    }

    /// Whether it is one of these: codes of errors, or bodies.
    pub(crate) fn is_one_of(&self, answers: &[Value]) -> bool {
        let body: Value = serde_json::from_str(&self.body).unwrap_or_default();
        answers.iter().any(|answer| *answer == body || (answer.is_number() && *answer == body["error_code"]))
    }
}

impl Place {
    /// An empty one.
    pub(crate) async fn empty() -> Self {
        let time = Time::default();
        let at = in_memory_registry(time.runtime(1)).await;
        let service = service(at.registry.clone(), HttpOptions::default());
        Self { at, time, service }
    }

    /// One with these contents.
    pub(crate) async fn with(contents: &Contents) -> Self {
        let place = Self::empty().await;
        place.at.put_items(contents.items()).await;
        place.at.faults.reset();
        place
    }

    pub(crate) fn faults(&self) -> &registrar_harness::Faults {
        &self.at.faults
    }

    pub(crate) fn time(&self) -> &Time {
        &self.time
    }

    /// The same table after the death of the process: nothing it had in memory is left.
    pub(crate) fn reborn(self) -> Self {
        let faults = self.at.faults.http_client();
        let store = self.at.store_through(self.time.runtime(2), |_| faults);
        let service = service(Registry::new(store, Settings::default()), HttpOptions::default());
        Self { service, ..self }
    }

    pub(crate) async fn ask(&self, ask: &Ask) -> Answer {
        let answer = Box::pin(self.service.answer(ask.request())).await;
        let status = answer.status().as_u16();
        Answer { status, body: String::from_utf8_lossy(answer.body()).into_owned() }
    }

    pub(crate) async fn contents(&self) -> Contents {
        Contents::of(self.at.audit.items().await)
    }

    /// What is wrong with the table.
    pub(crate) async fn audit(&self) -> Result<(), String> {
        let subjects: Vec<Subject> = self.contents().await.subjects();
        let violations = self.at.audit.violations(&subjects).await;
        if violations.is_empty() { Ok(()) } else { Err(violations.join("; ")) }
    }
}
