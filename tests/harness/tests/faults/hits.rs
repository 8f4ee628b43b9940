//! One fault at one call of one operation, and what must hold then.

use registrar_harness::{Fault, InMemory, Point};
use registrar_registry::RegistryError;
use registrar_store::StoreError;

use crate::operations::{Operation, subjects};

/// Something that happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hit {
    /// It fails once.
    Once(Fault),
    /// It and all calls after it fail, until the client has given up.
    Outage(Fault),
    /// The process dies with the call on its way.
    Death(Point),
}

impl Hit {
    pub(crate) fn all() -> Vec<Self> {
        let outages = [Fault::Throttled, Fault::TimeoutBefore, Fault::TimeoutAfter];
        let once = Fault::ALL.into_iter().map(Self::Once);
        let deaths = [Point::Before, Point::After].map(Self::Death);
        once.chain(outages.map(Self::Outage)).chain(deaths).collect()
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Once(Fault::InternalError) => "500",
            Self::Once(Fault::InternalErrorAfter) => "500-done",
            Self::Once(Fault::Throttled) => "throttled",
            Self::Once(Fault::CancelledForLoad) => "cancelled",
            Self::Once(Fault::Conflict) => "conflict",
            Self::Once(Fault::TimeoutBefore) => "lost",
            Self::Once(Fault::TimeoutAfter) => "lost-done",
            Self::Outage(Fault::Throttled) => "all-throttled",
            Self::Outage(Fault::TimeoutAfter) => "all-lost-done",
            Self::Outage(_) => "all-lost",
            Self::Death(Point::Before) => "death",
            Self::Death(Point::After) => "death-done",
        }
    }

    pub(crate) fn can_strike(self, call: &str) -> bool {
        match self {
            Self::Once(fault) | Self::Outage(fault) => fault.can_hit(call),
            Self::Death(Point::Before) => true,
            Self::Death(Point::After) => Fault::TimeoutAfter.can_hit(call),
        }
    }
}

/// What a client knows after its first request.
enum First {
    Answered(String),
    Unknown,
}

/// Runs the operation with its `n`th call hit, then asks once more.
pub(crate) async fn strike(operation: Operation, hit: Hit, n: usize) -> Result<(), String> {
    let (expected, seen) = undisturbed(operation).await?;
    let at = operation.prepare().await;
    let first = ask(operation, hit, n, &at).await?;
    if at.faults.left() > 0 && !matches!(hit, Hit::Outage(_)) {
        return Err("the fault did not strike".to_owned());
    }
    at.faults.reset();
    match (&first, hit) {
        (First::Answered(answer), Hit::Outage(_)) => return Err(format!("answered {answer} without a table")),
        (First::Answered(answer), _) if *answer != expected => {
            return Err(format!("answered {answer}, not {expected}"));
        }
        (First::Unknown, Hit::Once(_)) => return Err("one fault was too many".to_owned()),
        (First::Answered(_), _) => sound(&at).await?,
        (First::Unknown, _) => {}
    }
    match operation.run(&at).await {
        Ok(answer) if answer == expected => {}
        Err(error) if operation.is_done_already(&error) => {}
        other => return Err(format!("asked again: {other:?}, not {expected}")),
    }
    let now = operation.seen_after(&at).await;
    if now != seen {
        return Err(format!("in the end {now}, not {seen}"));
    }
    sound(&at).await
}

/// The answer, and what there is to see afterwards, when nothing goes wrong.
async fn undisturbed(operation: Operation) -> Result<(String, String), String> {
    let at = operation.prepare().await;
    let answer = operation.run(&at).await.map_err(|error| format!("undisturbed: {error:?}"))?;
    sound(&at).await?;
    Ok((answer, operation.seen_after(&at).await))
}

async fn ask(operation: Operation, hit: Hit, n: usize, at: &InMemory) -> Result<First, String> {
    match hit {
        Hit::Once(fault) => at.faults.at_call(n, fault),
        Hit::Outage(fault) => at.faults.from_call(n, fault),
        Hit::Death(point) => {
            let mut stop = at.faults.stop_at_call(n, point);
            return tokio::select! {
                answer = operation.run(at) => Err(format!("went past its death: {answer:?}")),
                () = stop.reached() => Ok(First::Unknown),
            };
        }
    }
    match operation.run(at).await {
        Ok(answer) => Ok(First::Answered(answer)),
        Err(RegistryError::Store(StoreError::Exhausted(_))) => Ok(First::Unknown),
        Err(error) => Err(format!("failed with {error:?}")),
    }
}

async fn sound(at: &InMemory) -> Result<(), String> {
    let violations = at.audit.violations(&subjects()).await;
    if violations.is_empty() { Ok(()) } else { Err(violations.join("; ")) }
}
