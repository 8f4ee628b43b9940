//! Associations: every item that tells of one tells the same, and the heads count them.

use std::collections::{BTreeMap, BTreeSet};

use registrar_model::{Lifecycle, Subject};
use registrar_store::{Key, ResourceItem, StoreError};

use super::{Audit, Report, SubjectItems};

impl Audit {
    /// A resource that is missing from its namespace is told as left over.
    pub(super) async fn check_associations(&self, all: &[SubjectItems], report: &mut Report) -> Result<(), StoreError> {
        let mut counts: BTreeMap<Subject, (u64, u64)> = BTreeMap::new();
        for namespace in self.store.namespaces().await? {
            for item in self.store.resources_in(&namespace).await? {
                self.check_resource(&item, report).await?;
                for association in item.associations {
                    let (all, strong) = counts.entry(association.subject).or_default();
                    *all += 1;
                    *strong += u64::from(association.lifecycle == Lifecycle::Strong);
                }
            }
        }
        for SubjectItems { subject, head, .. } in all {
            let found = counts.remove(subject).unwrap_or_default();
            let says = (head.associations, head.strong);
            report
                .require(says == found, || format!("{subject}: head {says:?}, found {found:?} (associations, strong)"));
            report.require(found.0 == 0 || head.live > 0, || format!("{subject}: associated without a live version"));
            report.require(found.1 == 0 || found.0 == 1, || format!("{subject}: a STRONG association and another"));
            report.require(found.1 == 0 || head.inrefs == 0, || format!("{subject}: belongs to a topic, referred to"));
        }
        report.require(counts.is_empty(), || format!("associations with unknown subjects: {counts:?}"));
        Ok(())
    }

    async fn check_resource(&self, item: &ResourceItem, report: &mut Report) -> Result<(), StoreError> {
        let resource = &item.resource;
        report.expect(&Key::Resource(resource.id.clone()));
        report.expect(&Key::ResourceByName(resource.clone()));
        report.expect(&Key::ResourceByNamespace(resource.clone()));
        let by_id = self.store.resource(&resource.id).await?;
        report.require(by_id.as_ref() == Some(item), || format!("{resource:?}: by id {by_id:?}, not {item:?}"));
        let by_name = self.store.resources_named(&resource.name, Some(&resource.namespace)).await?;
        report.require(by_name.contains(item), || format!("{resource:?}: by name {by_name:?}, not {item:?}"));
        let types: BTreeSet<_> = item.associations.iter().map(|it| it.association_type).collect();
        report.require(types.len() == item.associations.len() && !types.is_empty(), || format!("{item:?}: types"));
        let lifecycles: BTreeSet<_> = item.associations.iter().map(|it| it.lifecycle).collect();
        report.require(lifecycles.len() < 2, || format!("{item:?}: STRONG and WEAK"));
        for association in &item.associations {
            let subject = association.subject.clone();
            report.expect(&Key::Association(subject.clone(), resource.id.clone(), association.association_type));
            let alone = ResourceItem { resource: resource.clone(), associations: vec![association.clone()] };
            let beside = self.store.associations_with(&subject).await?;
            report.require(beside.contains(&alone), || format!("{subject}: has {beside:?}, not {alone:?}"));
        }
        Ok(())
    }
}
