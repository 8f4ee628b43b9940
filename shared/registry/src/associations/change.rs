//! Changing a resource's associations (rest-api.md appendix A): what is read, decided and committed.

use super::checks::{Info, Wanted, Wish};
use super::projection::{Projection, Stamp, State};
use super::schemas::Done;
use super::{Associated, AssociatedSchema, AssociationRequest, MutateOptions};
use crate::surroundings::Surroundings;
use crate::{Registered, Registry, RegistryError, VersionedSchema};
use registrar_model::{Association, AssociationType, Guid, Resource, Subject, TOPIC};
use registrar_store::{
    AssociatedSubject, AssociationChange, Outcome, ResourceItem, StepName, StoreError, change_associations,
};
use std::collections::{BTreeMap, BTreeSet};

impl Registry {
    /// Carries out all changes of one request at once, or none of them; only schemas that come with them are registered
    /// before, each by itself, after everything has been checked. Repeating a request is safe.
    pub async fn change_associations(
        &self,
        request: &AssociationRequest,
        options: &MutateOptions,
    ) -> Result<Associated, RegistryError> {
        let wanted = Wanted::read(request, options)?;
        if wanted.has_schemas() && !options.dry_run {
            // What is refused must not have registered any of them.
            Box::pin(self.change(&wanted, true)).await?;
        }
        let mut answer = Box::pin(self.change(&wanted, options.dry_run)).await?;
        answer.resource_name.clone_from(&request.resource_name);
        answer.resource_namespace.clone_from(&request.resource_namespace);
        answer.resource_id.clone_from(&wanted.id);
        Ok(answer)
    }

    /// Deletes a resource's associations, of some types or of all. With `cascade` the subjects of STRONG ones go, too,
    /// with all their versions and for good.
    pub async fn delete_associations(
        &self,
        id: &str,
        types: &[String],
        resource_type: Option<&str>,
        cascade: bool,
        dry_run: bool,
    ) -> Result<(), RegistryError> {
        if !super::query::is_topic(resource_type) {
            return Err(RegistryError::AssociationNotFound(id.to_owned()));
        }
        Box::pin(self.change(&Wanted::delete(id, types, cascade), dry_run)).await.map(drop)
    }

    async fn change(&self, wanted: &Wanted, dry_run: bool) -> Result<Associated, RegistryError> {
        let mut done = Done::new();
        let mut race = self.store.race();
        loop {
            if let Some(answer) = self.change_once(wanted, dry_run, &mut done).await? {
                return Ok(answer);
            }
            race.lost("change associations").await?;
        }
    }

    /// One attempt; `None` to start again: another writer was faster, or a schema has been registered.
    async fn change_once(
        &self,
        wanted: &Wanted,
        dry_run: bool,
        done: &mut Done,
    ) -> Result<Option<Associated>, RegistryError> {
        let state = self.association_state(wanted).await?;
        if let Some(swept) = state.around.values().find(|around| self.must_sweep(&around.head)) {
            self.sweep(&swept.subject).await?;
            return Ok(None);
        }
        let runtime = self.store.runtime();
        let guids = std::array::from_fn(|_| Guid(runtime.random_uuid()));
        let stamp = Stamp { now: runtime.now_millis(), guids };
        let mut projection = match Projection::of(wanted, &state, &stamp) {
            Ok(projection) => projection,
            Err(refusal) => return self.refuse_association(wanted, &state, refusal).await,
        };
        match self.see_to_schemas(&mut projection, &state, done, dry_run).await {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(refusal) => return self.refuse_association(wanted, &state, refusal).await,
        }
        let mut answer = Associated { resource_type: Some(TOPIC.to_owned()), ..Associated::default() };
        if dry_run {
            return Ok(Some(answer));
        }
        let after: Vec<Association> = projection.after.values().cloned().collect();
        if after != state.associations() && !self.commit_associations(wanted, &state, &projection, &after).await? {
            return Ok(None);
        }
        answer.associations = told(&projection, done);
        Ok(Some(answer))
    }

    /// Speaks a refusal, if all that it rests on still stands.
    async fn refuse_association(
        &self,
        wanted: &Wanted,
        state: &State,
        refusal: RegistryError,
    ) -> Result<Option<Associated>, RegistryError> {
        if matches!(refusal, RegistryError::Store(_)) {
            return Err(refusal);
        }
        let now = self.association_state(wanted).await?;
        let same = |before: &Surroundings, now: &Surroundings| {
            before.head.tag == now.head.tag
                && before.head.inrefs_revision == now.head.inrefs_revision
                && before.seen == now.seen
        };
        let stands = now.before == state.before
            && now.around.keys().eq(state.around.keys())
            && now.around.values().zip(state.around.values()).all(|(now, before)| same(before, now));
        if self.store.holds(StepName::RefusalResource, stands) { Err(refusal) } else { Ok(None) }
    }

    /// Reads the resource, then every subject that the request may touch.
    async fn association_state(&self, wanted: &Wanted) -> Result<State, RegistryError> {
        let before = match (&wanted.id, &wanted.names) {
            (Some(id), _) => self.store.resource(id).await?,
            (None, Some((name, namespace))) => newest(self.store.resources_named(name, Some(namespace)).await?),
            (None, None) => None,
        };
        let subjects = touched(wanted, before.as_ref());
        let fetched = self.store.fetch(subjects.iter().flat_map(Surroundings::keys)).await?;
        let mut around = BTreeMap::new();
        for subject in subjects {
            let read = Surroundings::read(&subject, &fetched)?;
            around.insert(subject, read);
        }
        Ok(State { before, around })
    }

    /// One transaction, then the sweep of the subjects that go; false if someone was faster.
    async fn commit_associations(
        &self,
        wanted: &Wanted,
        state: &State,
        projection: &Projection<'_>,
        after: &[Association],
    ) -> Result<bool, RegistryError> {
        let Some(resource) = resource(wanted, state) else {
            return Err(StoreError::Broken("a change of associations without a resource".to_owned()).into());
        };
        let subjects: Vec<AssociatedSubject<'_>> = changed(state.associations(), after)
            .into_iter()
            .filter_map(|subject| state.around.get(subject))
            .map(|around| AssociatedSubject { seen: around.seen(), goes: projection.going.contains(&around.subject) })
            .collect();
        if state.before.is_none() {
            self.store.put_namespace(&resource.namespace).await?;
        }
        let before = state.before.as_ref();
        let plan = change_associations(&AssociationChange { resource: &resource, before, after, subjects: &subjects });
        if self.store.commit(plan).await? != Outcome::Committed {
            return Ok(false);
        }
        for subject in &projection.going {
            self.sweep(subject).await?;
        }
        Ok(true)
    }
}

/// The resource as it was read or, for a new one, as the request names it.
fn resource(wanted: &Wanted, state: &State) -> Option<Resource> {
    let named = || {
        let (name, namespace) = wanted.names.clone()?;
        Some(Resource { name, namespace, id: wanted.id.clone()? })
    };
    state.before.as_ref().map(|item| item.resource.clone()).or_else(named)
}

/// Of several resources that had a name one after the other, the one that has it now.
fn newest(found: Vec<ResourceItem>) -> Option<ResourceItem> {
    let written = |item: &ResourceItem| item.associations.iter().map(|it| it.updated).max();
    found.into_iter().max_by(|a, b| written(a).cmp(&written(b)).then_with(|| a.resource.id.cmp(&b.resource.id)))
}

/// Every subject that the changes may concern: those named, the resource's own, and those of its associations.
fn touched(wanted: &Wanted, before: Option<&ResourceItem>) -> BTreeSet<Subject> {
    let known = |association_type: AssociationType| {
        let all = before.map_or(&[][..], |item| &item.associations);
        all.iter().find(|it| it.association_type == association_type).map(|it| it.subject.clone())
    };
    let named = |info: &Info| {
        let given = info.subject.clone().or_else(|| wanted.own_subject(info.association_type));
        [given, known(info.association_type)]
    };
    let of = |wish: &Wish| match wish {
        Wish::Create(info) | Wish::Upsert(info) => named(info).into_iter().flatten().collect::<Vec<_>>(),
        Wish::Delete { types, .. } => {
            let types = types.clone().unwrap_or_else(|| AssociationType::ALL.to_vec());
            types.into_iter().filter_map(known).collect()
        }
    };
    wanted.ops.iter().flat_map(of).collect()
}

/// The subjects of associations that came, went or changed.
fn changed<'a>(before: &'a [Association], after: &'a [Association]) -> BTreeSet<&'a Subject> {
    let gone = before.iter().filter(|old| !after.contains(old));
    let new = after.iter().filter(|new| !before.contains(new));
    gone.chain(new).map(|association| &association.subject).collect()
}

/// What the answer shows: what came or changed, in order of the request; after a delete, what is left.
fn told(projection: &Projection<'_>, done: &Done) -> Vec<AssociatedSchema> {
    let all: Vec<AssociationType> =
        if projection.deletes { projection.after.keys().copied().collect() } else { projection.written.clone() };
    let shown = |association_type: AssociationType| {
        let association = projection.after.get(&association_type)?.clone();
        let registered = done.get(&association_type).filter(|_| projection.written.contains(&association_type));
        let schema = registered.map(|registered| schema(&association.subject, registered));
        Some(AssociatedSchema { association, schema })
    };
    all.into_iter().filter_map(shown).collect()
}

fn schema(subject: &Subject, registered: &Registered) -> VersionedSchema {
    let Registered { id, version, guid, content, ts, deleted, .. } = registered.clone();
    VersionedSchema { subject: subject.clone(), version, id, guid, content, ts, deleted, tagged: Vec::new() }
}
