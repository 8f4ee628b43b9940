//! A resource with its associations: the same in the item that holds it and in those that it is found by.

use crate::StoreError;
use crate::attributes::{Attributes, Item};
use crate::codec::decode_resource;
use registrar_model::{Association, Resource};

pub(crate) const BODY: &str = "as";

/// A resource and what it is associated with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceItem {
    /// The resource.
    pub resource: Resource,
    /// Its associations, one for each type at most; beside a subject's head the one with that subject.
    pub associations: Vec<Association>,
}

impl ResourceItem {
    pub(crate) fn decode(item: &Item) -> Result<Self, StoreError> {
        decode_resource(Attributes(item).binary(BODY)?)
    }
}
