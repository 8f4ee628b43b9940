//! Schemas that come with associations: registered by the ordinary operation, before the association is made.
//!
//! The two are not one transaction: a schema of a subject may go a long way (its own ids, references, chunks), and one
//! request may bring two. If a process dies in between, a version stands without its association, as if it had been
//! registered alone; the same request again finds it and goes on.

use super::projection::{Projection, State};
use crate::{RegisterOptions, Registered, Registry, RegistryError, SchemaRequest};
use registrar_model::{AssociationType, Subject};
use std::collections::BTreeMap;

/// A schema that an association was sent with.
#[derive(Clone, Debug)]
pub(super) struct SchemaTask {
    pub(super) association_type: AssociationType,
    pub(super) subject: Subject,
    pub(super) schema: SchemaRequest,
    pub(super) normalize: bool,
    pub(super) need: Need,
}

/// What the subject must be with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// It has the schema: a create that is repeated.
    Known,
    /// It has no other: a create of what belongs to a topic.
    Only,
    /// It takes the schema.
    Any,
}

/// The schemas registered so far, by the association they came with.
pub(super) type Done = BTreeMap<AssociationType, Registered>;

impl Registry {
    /// Sees to all schemas; false if one was registered, so that everything has to be read again.
    pub(super) async fn see_to_schemas(
        &self,
        projection: &mut Projection<'_>,
        state: &State,
        done: &mut Done,
        dry_run: bool,
    ) -> Result<bool, RegistryError> {
        let mut settled = true;
        for task in std::mem::take(&mut projection.tasks) {
            if let Some(registered) = done.get(&task.association_type) {
                if task.need == Need::Only && !is_only(state, &task.subject, registered) {
                    return Err(others_exist());
                }
                if task.need == Need::Any && registered.is_new {
                    projection.touch(task.association_type);
                }
                continue;
            }
            let total = state.around.get(&task.subject).map_or(0, |around| around.head.total);
            // What must not be registered is rehearsed.
            let rehearses = dry_run || task.need == Need::Known || (task.need == Need::Only && total > 0);
            let registered = match self.register_with(&task, rehearses).await {
                // What the subject has is told first.
                Err(RegistryError::IncompatibleAssociation(_)) if task.need == Need::Only => return Err(others_exist()),
                Err(RegistryError::IncompatibleAssociation(_)) if task.need == Need::Known => {
                    return Err(projection.exists(task.association_type));
                }
                outcome => outcome?,
            };
            match task.need {
                Need::Known if registered.is_new => return Err(projection.exists(task.association_type)),
                Need::Only if rehearses && total > u64::from(!registered.is_new) => return Err(others_exist()),
                _ => {}
            }
            settled &= rehearses || !registered.is_new;
            done.insert(task.association_type, registered);
        }
        Ok(settled)
    }

    async fn register_with(&self, task: &SchemaTask, dry_run: bool) -> Result<Registered, RegistryError> {
        let options = RegisterOptions { normalize: task.normalize, dry_run, ..RegisterOptions::default() };
        let registered = Box::pin(self.past_aliases().register(&task.subject, task.schema.clone(), &options)).await;
        registered.map_err(|error| match error {
            RegistryError::Incompatible(_, messages) => RegistryError::IncompatibleAssociation(messages),
            error => error,
        })
    }
}

/// Whether the subject, as it was read, has this version and never another.
fn is_only(state: &State, subject: &Subject, registered: &Registered) -> bool {
    let head = state.around.get(subject).map(|around| &around.head);
    head.is_some_and(|head| head.total == 1 && head.live == 1 && head.latest == Some(registered.version))
}

fn others_exist() -> RegistryError {
    let detail = "cannot create a frozen association when schemas already exist in the subject";
    RegistryError::association("frozen", detail)
}
