//! Associations as bytes.

use super::rules::index;
use super::{Reader, Writer};
use crate::StoreError;
use crate::items::ResourceItem;
use registrar_model::{Association, AssociationType, Guid, Lifecycle, Resource, Subject};

/// Orders of the stored bytes; never to be changed.
const TYPES: [AssociationType; 2] = [AssociationType::Key, AssociationType::Value];
const LIFECYCLES: [Lifecycle; 2] = [Lifecycle::Strong, Lifecycle::Weak];

pub(crate) fn encode_resource(resource: &Resource, associations: &[Association]) -> Vec<u8> {
    let mut w = Writer::new();
    w.text(&resource.name);
    w.text(&resource.namespace);
    w.text(&resource.id);
    w.list(associations.iter(), |w, association| {
        w.byte(index(&TYPES, &association.association_type));
        w.byte(index(&LIFECYCLES, &association.lifecycle));
        w.text(&association.subject.to_string());
        association.guid.0.iter().for_each(|&byte| w.byte(byte));
        w.number(association.created);
        w.number(association.updated);
    });
    w.finish()
}

pub(crate) fn decode_resource(bytes: &[u8]) -> Result<ResourceItem, StoreError> {
    let mut r = Reader::new(bytes)?;
    let resource = Resource { name: r.text()?, namespace: r.text()?, id: r.text()? };
    let associations = r.list(|r| {
        Ok(Association {
            association_type: r.choice(&TYPES)?,
            lifecycle: r.choice(&LIFECYCLES)?,
            subject: Subject::parse(&r.text()?),
            guid: guid(r)?,
            created: r.number()?,
            updated: r.number()?,
        })
    })?;
    Ok(ResourceItem { resource, associations })
}

fn guid(r: &mut Reader<'_>) -> Result<Guid, StoreError> {
    let mut bytes = [0; 16];
    for byte in &mut bytes {
        *byte = r.byte()?;
    }
    Ok(Guid(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let association = |association_type, lifecycle, subject: &str| Association {
            subject: Subject::parse(subject),
            guid: Guid([7; 16]),
            association_type,
            lifecycle,
            created: 1_700_000_000_000,
            updated: u64::MAX,
        };
        let resource = Resource { name: "t".into(), namespace: "c".into(), id: "a/b#%".into() };
        let associations = vec![
            association(AssociationType::Key, Lifecycle::Weak, "größe"),
            association(AssociationType::Value, Lifecycle::Strong, ":.c:t-value"),
        ];
        let bytes = encode_resource(&resource, &associations);
        assert_eq!(decode_resource(&bytes), Ok(ResourceItem { resource, associations }));
        for length in 0..bytes.len() {
            assert!(decode_resource(&bytes[..length]).is_err(), "cut at {length}");
        }
    }
}
