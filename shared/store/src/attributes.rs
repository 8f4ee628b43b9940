//! Reading and writing single attributes of items.

use crate::StoreError;
use aws_sdk_dynamodb::types::AttributeValue;
use aws_smithy_types::Blob;
use std::collections::HashMap;

/// An item as the SDK hands it over.
pub(crate) type Item = HashMap<String, AttributeValue>;

/// A number attribute.
pub(crate) fn number(value: impl Into<i128>) -> AttributeValue {
    let value: i128 = value.into();
    AttributeValue::N(value.to_string())
}

/// A binary attribute.
pub(crate) fn binary(bytes: impl Into<Vec<u8>>) -> AttributeValue {
    AttributeValue::B(Blob::new(bytes))
}

/// Read access to the attributes of one item, with errors that name the attribute.
pub(crate) struct Attributes<'a>(pub(crate) &'a Item);

impl<'a> Attributes<'a> {
    pub(crate) fn text(&self, name: &str) -> Result<&'a str, StoreError> {
        match self.0.get(name) {
            Some(AttributeValue::S(text)) => Ok(text),
            other => Err(wrong(name, other)),
        }
    }

    pub(crate) fn optional_text(&self, name: &str) -> Result<Option<&'a str>, StoreError> {
        if self.0.contains_key(name) { self.text(name).map(Some) } else { Ok(None) }
    }

    /// A number that must be there and fit.
    pub(crate) fn number<N: TryFrom<u64>>(&self, name: &str) -> Result<N, StoreError> {
        self.optional_number(name)?.ok_or_else(|| wrong(name, None))
    }

    pub(crate) fn optional_number<N: TryFrom<u64>>(&self, name: &str) -> Result<Option<N>, StoreError> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        let AttributeValue::N(text) = value else { return Err(wrong(name, Some(value))) };
        let parsed = text.parse::<u64>().ok().and_then(|n| N::try_from(n).ok());
        parsed.map(Some).ok_or_else(|| wrong(name, Some(value)))
    }

    /// A number that counts as 0 where it is absent.
    pub(crate) fn count(&self, name: &str) -> Result<u64, StoreError> {
        Ok(self.optional_number(name)?.unwrap_or(0))
    }

    /// A flag that counts as false where it is absent.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, StoreError> {
        match self.0.get(name) {
            None => Ok(false),
            Some(AttributeValue::Bool(flag)) => Ok(*flag),
            other => Err(wrong(name, other)),
        }
    }

    pub(crate) fn binary(&self, name: &str) -> Result<&'a [u8], StoreError> {
        self.optional_binary(name)?.ok_or_else(|| wrong(name, None))
    }

    pub(crate) fn optional_binary(&self, name: &str) -> Result<Option<&'a [u8]>, StoreError> {
        match self.0.get(name) {
            None => Ok(None),
            Some(AttributeValue::B(blob)) => Ok(Some(blob.as_ref())),
            other => Err(wrong(name, other)),
        }
    }

    pub(crate) fn optional_digest<const N: usize>(&self, name: &str) -> Result<Option<[u8; N]>, StoreError> {
        if self.0.contains_key(name) { self.digest(name).map(Some) } else { Ok(None) }
    }

    /// Exactly `N` bytes.
    pub(crate) fn digest<const N: usize>(&self, name: &str) -> Result<[u8; N], StoreError> {
        <[u8; N]>::try_from(self.binary(name)?).map_err(|_| wrong(name, self.0.get(name)))
    }
}

/// An attribute that is missing or not what this version writes.
pub(crate) fn wrong(name: &str, found: Option<&AttributeValue>) -> StoreError {
    StoreError::Broken(found.map_or_else(
        || format!("attribute {name} is missing"),
        |value| format!("attribute {name} cannot be read: {value:?}"),
    ))
}
