//! Finding associations: by subject, by resource, by name. Strongly consistent, one round trip but for lists of all.

use super::{
    Associated, AssociatedSchema, AssociationFilter, AssociationGet, ListedLifecycle, ResourceAssociation,
    SubjectAssociations,
};
use crate::{Registry, RegistryError, VersionOptions};
use futures_util::future::{try_join, try_join_all};
use registrar_model::{ANY_NAME, Association, AssociationType, Lifecycle, Subject, TOPIC, VersionSpec};
use registrar_store::ResourceItem;

/// How many namespaces are read side by side.
const SIDE_BY_SIDE: usize = 16;

impl AssociationFilter {
    fn admits(&self, association: &Association) -> bool {
        let types = &self.association_types;
        let of_type = types.is_empty() || types.iter().any(|name| *name == association.association_type.name());
        of_type && self.lifecycle.is_none_or(|lifecycle| lifecycle == association.lifecycle)
    }

    /// There are topics only.
    fn admits_topics(&self) -> bool {
        is_topic(self.resource_type.as_deref())
    }
}

impl SubjectAssociations {
    /// What to show of a subject's associations; `None` to leave its schemas out.
    pub(crate) fn select(&self, all: Vec<ResourceAssociation>) -> Option<Vec<ResourceAssociation>> {
        let filter = AssociationFilter {
            resource_type: self.resource_type.clone(),
            association_types: self.association_types.clone(),
            lifecycle: None,
        };
        let matches = |found: &ResourceAssociation| filter.admits_topics() && filter.admits(&found.association);
        let matching: Vec<ResourceAssociation> = all.into_iter().filter(matches).collect();
        if matching.is_empty() {
            return self.lifecycles.contains(&ListedLifecycle::None).then(Vec::new);
        }
        let wanted = |lifecycle: Lifecycle| {
            self.lifecycles.is_empty() || self.lifecycles.contains(&ListedLifecycle::Some(lifecycle))
        };
        let shown: Vec<_> = matching.into_iter().filter(|found| wanted(found.association.lifecycle)).collect();
        (!shown.is_empty()).then_some(shown)
    }
}

impl Registry {
    /// The associations of a resource. Sorted by type.
    pub async fn associations_of_resource(
        &self,
        id: &str,
        filter: &AssociationFilter,
    ) -> Result<Vec<ResourceAssociation>, RegistryError> {
        if !filter.admits_topics() {
            return Ok(Vec::new());
        }
        Ok(listed(self.store.resource(id).await?, filter))
    }

    /// The associations of all resources with these names, `-` standing for any. Sorted by name, namespace, type and
    /// subject.
    pub async fn associations_by_name(
        &self,
        namespace: &str,
        name: &str,
        filter: &AssociationFilter,
    ) -> Result<Vec<ResourceAssociation>, RegistryError> {
        if !filter.admits_topics() {
            return Ok(Vec::new());
        }
        let namespace = Some(namespace).filter(|namespace| *namespace != ANY_NAME);
        let found = match (namespace, name) {
            (Some(namespace), ANY_NAME) => self.store.resources_in(namespace).await?,
            (None, ANY_NAME) => self.all_resources().await?,
            (namespace, name) => self.store.resources_named(name, namespace).await?,
        };
        Ok(listed(found, filter))
    }

    /// The associations with a subject, whose name must be given in normal form (the reference compares texts). Sorted
    /// likewise.
    pub async fn associations_of_subject(
        &self,
        name: &str,
        filter: &AssociationFilter,
    ) -> Result<Vec<ResourceAssociation>, RegistryError> {
        let subject = Subject::parse(name);
        if !filter.admits_topics() || subject.to_string() != name {
            return Ok(Vec::new());
        }
        let found = async { self.store.associations_with(&subject).await.map_err(RegistryError::from) };
        let (found, ()) = try_join(found, self.check_alias_of(&subject)).await?;
        Ok(listed(found, filter))
    }

    async fn all_resources(&self) -> Result<Vec<ResourceItem>, RegistryError> {
        let namespaces = self.store.namespaces().await?;
        let mut all = Vec::new();
        for namespaces in namespaces.chunks(SIDE_BY_SIDE) {
            let lists = namespaces.iter().map(|namespace| self.store.resources_in(namespace));
            all.extend(try_join_all(lists).await?.into_iter().flatten());
        }
        Ok(all)
    }

    /// One entry of a batch read. A resource that is not known has no associations.
    pub async fn get_associations(
        &self,
        get: &AssociationGet,
        with_schemas: bool,
    ) -> Result<Associated, RegistryError> {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let (id, name) = (given(&get.resource_id), given(&get.resource_name));
        let namespace = given(&get.resource_namespace);
        let found = match (&id, &name, &namespace) {
            (Some(id), _, _) => self.associations_of_resource(id, &get.filter).await?,
            (None, Some(name), Some(namespace)) => self.associations_by_name(namespace, name, &get.filter).await?,
            (None, None, _) => return Err(RegistryError::empty_association_member("resourceName")),
            (None, Some(_), None) => return Err(RegistryError::empty_association_member("resourceNamespace")),
        };
        let mut answer = Associated {
            resource_name: name,
            resource_namespace: namespace,
            resource_id: id,
            resource_type: Some(given(&get.filter.resource_type).unwrap_or_else(|| TOPIC.to_owned())),
            associations: Vec::new(),
        };
        if let Some(first) = found.first().filter(|first| found.iter().all(|other| other.resource == first.resource)) {
            let resource = first.resource.clone();
            answer.resource_name = Some(resource.name);
            answer.resource_namespace = Some(resource.namespace);
            answer.resource_id = Some(resource.id);
        }
        for ResourceAssociation { association, .. } in found {
            let schema = if with_schemas { self.latest_schema(&association.subject).await? } else { None };
            answer.associations.push(AssociatedSchema { association, schema });
        }
        Ok(answer)
    }

    async fn latest_schema(&self, subject: &Subject) -> Result<Option<crate::VersionedSchema>, RegistryError> {
        match self.past_aliases().version(subject, VersionSpec::Latest, &VersionOptions::default()).await {
            Ok(schema) => Ok(Some(schema)),
            Err(RegistryError::SubjectNotFound(_) | RegistryError::VersionNotFound(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Whether a resource type, `topic` where absent, is the one there is.
pub(super) fn is_topic(resource_type: Option<&str>) -> bool {
    resource_type.is_none_or(|name| name.is_empty() || name == TOPIC)
}

fn listed(found: impl IntoIterator<Item = ResourceItem>, filter: &AssociationFilter) -> Vec<ResourceAssociation> {
    let mut listed: Vec<ResourceAssociation> = found.into_iter().flat_map(each).collect();
    listed.retain(|found| filter.admits(&found.association));
    listed.sort_by(|a, b| order(a).cmp(&order(b)));
    listed
}

/// Each association with its resource.
pub(crate) fn each(item: ResourceItem) -> impl Iterator<Item = ResourceAssociation> {
    let ResourceItem { resource, associations } = item;
    associations.into_iter().map(move |association| ResourceAssociation { resource: resource.clone(), association })
}

/// By name, namespace, association type and subject (there is one resource type), then by id.
fn order(found: &ResourceAssociation) -> (&str, &str, AssociationType, String, &str) {
    let ResourceAssociation { resource, association } = found;
    let subject = association.subject.to_string();
    (&resource.name, &resource.namespace, association.association_type, subject, &resource.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use registrar_model::{Guid, Resource};

    fn found(lifecycle: Lifecycle, association_type: AssociationType) -> ResourceAssociation {
        let subject = Subject::parse("s");
        let association =
            Association { subject, guid: Guid([0; 16]), association_type, lifecycle, created: 1, updated: 1 };
        let resource = Resource { name: "t".into(), namespace: "c".into(), id: "i".into() };
        ResourceAssociation { resource, association }
    }

    #[test]
    fn schemas_by_associations() {
        use ListedLifecycle::{None as No, Some as With};
        let (weak, strong) = (With(Lifecycle::Weak), With(Lifecycle::Strong));
        let weak_key = || vec![found(Lifecycle::Weak, AssociationType::Key)];
        for (lifecycles, types, all, shown) in [
            (vec![], vec![], weak_key(), Some(1)),
            (vec![], vec!["value"], weak_key(), None),
            (vec![], vec![], vec![], None),
            (vec![weak], vec!["key"], weak_key(), Some(1)),
            (vec![strong], vec![], weak_key(), None),
            (vec![No], vec![], weak_key(), None),
            (vec![No], vec![], vec![], Some(0)),
            (vec![No], vec!["value"], weak_key(), Some(0)),
            (vec![No, strong], vec![], weak_key(), None),
            (vec![No, weak], vec![], weak_key(), Some(1)),
            (vec![strong, weak], vec![], weak_key(), Some(1)),
        ] {
            let association_types = types.iter().map(|name: &&str| (*name).to_owned()).collect();
            let filter = SubjectAssociations { resource_type: None, association_types, lifecycles: lifecycles.clone() };
            let count = all.len();
            let selected = filter.select(all).map(|shown| shown.len());
            assert_eq!(selected, shown, "{lifecycles:?} {types:?} of {count}");
        }
        let other = SubjectAssociations { resource_type: Some("queue".into()), ..SubjectAssociations::default() };
        assert!(other.select(weak_key()).is_none());
    }
}
