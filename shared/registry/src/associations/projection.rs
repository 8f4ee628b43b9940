//! What a request makes of a resource, change by change, given what was read. Nothing here reads.

use super::checks::{Info, Wanted, Wish, not_frozen};
use super::creation::{New, by_create, by_upsert};
use super::schemas::{Need, SchemaTask};
use crate::surroundings::Surroundings;
use crate::{Denied, RegistryError};
use registrar_model::{Association, AssociationType, Guid, Lifecycle, Subject};
use registrar_store::ResourceItem;
use std::collections::{BTreeMap, BTreeSet};

/// What was read for a request.
#[derive(Debug)]
pub(super) struct State {
    /// The resource, if it has associations.
    pub(super) before: Option<ResourceItem>,
    /// Every subject that the request may touch.
    pub(super) around: BTreeMap<Subject, Surroundings>,
}

impl State {
    pub(super) fn associations(&self) -> &[Association] {
        self.before.as_ref().map_or(&[], |item| &item.associations)
    }
}

/// What new associations are stamped with.
pub(super) struct Stamp {
    pub(super) now: u64,
    /// One for each type.
    pub(super) guids: [Guid; 2],
}

impl Stamp {
    fn guid(&self, association_type: AssociationType) -> Guid {
        self.guids[usize::from(association_type == AssociationType::Value)]
    }
}

/// The resource as the request leaves it.
pub(super) struct Projection<'a> {
    wanted: &'a Wanted,
    stamp: &'a Stamp,
    standings: BTreeMap<Subject, Standing<'a>>,
    /// Its associations, by type.
    pub(super) after: BTreeMap<AssociationType, Association>,
    /// The schemas to be registered, or known.
    pub(super) tasks: Vec<SchemaTask>,
    /// Which associations came or changed, in order of the request.
    pub(super) written: Vec<AssociationType>,
    /// The subjects that go with their associations.
    pub(super) going: BTreeSet<Subject>,
    /// Whether any was deleted.
    pub(super) deletes: bool,
}

/// A subject, counted forward.
struct Standing<'a> {
    around: &'a Surroundings,
    associations: u64,
    strong: u64,
    live: u64,
}

impl<'a> Projection<'a> {
    /// Carries the request out on what was read, or refuses it.
    pub(super) fn of(wanted: &'a Wanted, state: &'a State, stamp: &'a Stamp) -> Result<Self, RegistryError> {
        let standing = |around: &'a Surroundings| Standing {
            around,
            associations: around.head.associations,
            strong: around.head.strong,
            live: around.head.live,
        };
        let mut projection = Self {
            wanted,
            stamp,
            standings: state.around.iter().map(|(subject, around)| (subject.clone(), standing(around))).collect(),
            after: state.associations().iter().map(|it| (it.association_type, it.clone())).collect(),
            tasks: Vec::new(),
            written: Vec::new(),
            going: BTreeSet::new(),
            deletes: false,
        };
        projection.check_names(state)?;
        for run in wanted.ops.chunk_by(Wish::is_like) {
            for wish in run {
                match wish {
                    Wish::Create(info) => projection.create(info)?,
                    Wish::Upsert(info) => projection.upsert(info)?,
                    Wish::Delete { types, cascade } => projection.delete(types.as_deref(), *cascade)?,
                }
            }
            projection.check_lifecycles()?;
        }
        Ok(projection)
    }

    /// A topic has its id and its names for life.
    fn check_names(&self, state: &State) -> Result<(), RegistryError> {
        let (Some((name, namespace)), Some(known)) = (&self.wanted.names, &state.before) else { return Ok(()) };
        let pairs =
            [("resourceName", name, &known.resource.name), ("resourceNamespace", namespace, &known.resource.namespace)];
        match pairs.into_iter().find(|(_, given, known)| given != known) {
            None => Ok(()),
            Some((property, _, known)) => Err(RegistryError::association(
                property,
                format!("must be '{known}' as in the resource's associations"),
            )),
        }
    }

    /// A resource is a subject's owner for all its types, or for none.
    fn check_lifecycles(&self) -> Result<(), RegistryError> {
        let lifecycles: BTreeSet<Lifecycle> = self.after.values().map(|it| it.lifecycle).collect();
        if lifecycles.len() > 1 {
            let detail = "must be the same for all associations of a resource";
            return Err(RegistryError::association("lifecycle", detail));
        }
        Ok(())
    }

    fn standing(&self, subject: &Subject) -> Option<&Standing<'a>> {
        self.standings.get(subject)
    }

    fn imports(&self, subject: &Subject) -> bool {
        self.standing(subject).is_some_and(|standing| standing.around.mode().takes_ids())
    }

    fn check_writable(&self, subject: &Subject) -> Result<(), RegistryError> {
        if self.standing(subject).is_some_and(|standing| standing.around.mode().is_read_only()) {
            return Err(Denied::ReadOnly(Some(subject.clone())).into());
        }
        Ok(())
    }

    fn create(&mut self, info: &Info) -> Result<(), RegistryError> {
        let new = by_create(self.wanted, info)?;
        self.check_writable(&new.subject)?;
        self.check_mode(info, &new)?;
        self.check_version(info, &new.subject)?;
        let Some(old) = self.after.get(&info.association_type) else { return self.add(info, new) };
        if old.subject != new.subject || old.lifecycle != new.lifecycle {
            return Err(self.exists(info.association_type));
        }
        if info.schema.is_some() {
            self.ask(info, &new.subject, Need::Known);
        }
        Ok(())
    }

    fn upsert(&mut self, info: &Info) -> Result<(), RegistryError> {
        if let Some(old) = self.after.get(&info.association_type).cloned() {
            return self.update(info, &old);
        }
        let new = by_upsert(self.wanted, info)?;
        self.check_writable(&new.subject)?;
        if new.lifecycle == Lifecycle::Strong && !self.imports(&new.subject) {
            return Err(RegistryError::association("lifecycle", "an upsert cannot create a STRONG association"));
        }
        self.check_version(info, &new.subject)?;
        self.add(info, new)
    }

    /// An association stays as it is made; all that an upsert can bring is another schema for a STRONG one.
    fn update(&mut self, info: &Info, old: &Association) -> Result<(), RegistryError> {
        self.check_writable(&old.subject)?;
        if info.subject.as_ref().is_some_and(|subject| *subject != old.subject) {
            return Err(RegistryError::association("subject", "subject of association cannot be changed"));
        }
        if info.frozen.is_some_and(|frozen| frozen != old.lifecycle.is_frozen()) {
            return Err(RegistryError::association("frozen", "frozen attribute of association cannot be changed"));
        }
        match (old.lifecycle, info.lifecycle) {
            (Lifecycle::Strong, Some(Lifecycle::Weak)) => return Err(frozen(old)),
            (Lifecycle::Weak, Some(Lifecycle::Strong)) => return Err(not_frozen()),
            _ => {}
        }
        if info.schema.is_none() {
            return Ok(());
        }
        if old.lifecycle == Lifecycle::Weak {
            return Err(RegistryError::association("lifecycle", "cannot be WEAK when schema is provided"));
        }
        if self.imports(&old.subject) {
            return Err(imported_schema());
        }
        self.ask(info, &old.subject, Need::Any);
        Ok(())
    }

    /// In IMPORT versions come by themselves, and associations without them; elsewhere a topic's own subject is made
    /// with its first schema.
    fn check_mode(&self, info: &Info, new: &New) -> Result<(), RegistryError> {
        match (self.imports(&new.subject), info.schema.is_some()) {
            (true, true) => Err(imported_schema()),
            (false, false) if new.lifecycle == Lifecycle::Strong => {
                let detail = "schema must be provided when creating a frozen association";
                Err(RegistryError::association("schema", detail))
            }
            _ => Ok(()),
        }
    }

    fn check_version(&self, info: &Info, subject: &Subject) -> Result<(), RegistryError> {
        let live = self.standing(subject).map_or(0, |standing| standing.live);
        if info.schema.is_none() && live == 0 {
            return Err(RegistryError::NoActiveVersion(subject.clone()));
        }
        Ok(())
    }

    fn add(&mut self, info: &Info, new: New) -> Result<(), RegistryError> {
        let New { subject, lifecycle } = new;
        let strong = lifecycle == Lifecycle::Strong;
        if let Some(standing) = self.standings.get_mut(&subject) {
            if strong && standing.associations > 0 {
                return Err(RegistryError::SubjectAssociated(subject));
            }
            if standing.strong > 0 {
                return Err(RegistryError::SubjectStronglyAssociated(subject));
            }
            if strong && standing.around.head.inrefs > 0 {
                return Err(RegistryError::SubjectReferenced(subject));
            }
            standing.associations += 1;
            standing.strong += u64::from(strong);
        }
        if info.schema.is_some() {
            self.ask(info, &subject, Need::Only);
        }
        let association = Association {
            subject,
            guid: self.stamp.guid(info.association_type),
            association_type: info.association_type,
            lifecycle,
            created: self.stamp.now,
            updated: self.stamp.now,
        };
        self.written.push(info.association_type);
        self.after.insert(info.association_type, association);
        Ok(())
    }

    fn ask(&mut self, info: &Info, subject: &Subject, need: Need) {
        let Some(schema) = info.schema.clone() else { return };
        let (association_type, normalize) = (info.association_type, info.normalize);
        self.tasks.push(SchemaTask { association_type, subject: subject.clone(), schema, normalize, need });
    }

    /// A schema was registered for an association that is there.
    pub(super) fn touch(&mut self, association_type: AssociationType) {
        if let Some(association) = self.after.get_mut(&association_type) {
            association.updated = self.stamp.now;
            self.written.push(association_type);
        }
    }

    fn delete(&mut self, types: Option<&[AssociationType]>, cascade: bool) -> Result<(), RegistryError> {
        let named = |it: &&Association| types.is_none_or(|types| types.contains(&it.association_type));
        let gone: Vec<Association> = self.after.values().filter(named).cloned().collect();
        if gone.is_empty() {
            return Err(RegistryError::AssociationNotFound(self.resource_label()));
        }
        for old in gone {
            self.check_writable(&old.subject)?;
            let strong = old.lifecycle == Lifecycle::Strong;
            if strong && !cascade {
                return Err(frozen(&old));
            }
            let goes = strong && !self.imports(&old.subject);
            if let Some(standing) = self.standings.get_mut(&old.subject) {
                if goes && standing.around.head.inrefs > 0 {
                    return Err(RegistryError::SubjectReferenced(old.subject));
                }
                standing.associations = standing.associations.saturating_sub(1);
                standing.strong = standing.strong.saturating_sub(u64::from(strong));
                standing.live = if goes { 0 } else { standing.live };
            }
            if goes {
                self.going.insert(old.subject.clone());
            }
            self.after.remove(&old.association_type);
        }
        self.deletes = true;
        Ok(())
    }

    /// As messages name the resource: by its id, or by its name where a dry run gave none.
    fn resource_label(&self) -> String {
        let name = || self.wanted.names.as_ref().map(|(name, _)| name.clone()).unwrap_or_default();
        self.wanted.id.clone().unwrap_or_else(name)
    }

    /// The refusal of a create where another association is.
    pub(super) fn exists(&self, association_type: AssociationType) -> RegistryError {
        RegistryError::AssociationExists(association_type, self.resource_label())
    }
}

fn frozen(association: &Association) -> RegistryError {
    RegistryError::AssociationFrozen(association.association_type, association.subject.clone())
}

fn imported_schema() -> RegistryError {
    RegistryError::association("schema", "cannot be provided in IMPORT mode")
}
