//! The reading half of the byte format. Bounds are checked at every step: damaged bytes are an error, never a panic.

use super::{FORMAT, SEALED_FORMAT};
use crate::StoreError;
use registrar_model::JavaString;

/// Takes values off a buffer.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
    sealed: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self, StoreError> {
        match bytes.split_first() {
            Some((&FORMAT, rest)) => Ok(Self { rest, sealed: false }),
            Some((&SEALED_FORMAT, rest)) => Ok(Self { rest, sealed: true }),
            Some((other, _)) => Err(StoreError::Broken(format!(
                "stored value has format {other}, this version reads {FORMAT} and {SEALED_FORMAT}"
            ))),
            None => Err(truncated()),
        }
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], StoreError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or_else(truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, StoreError> {
        Ok(self.take(1)?[0])
    }

    pub(crate) fn number(&mut self) -> Result<u64, StoreError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(truncated())
    }

    pub(crate) fn signed(&mut self) -> Result<i32, StoreError> {
        let bytes = <[u8; 4]>::try_from(self.take(4)?).map_err(|_| truncated())?;
        Ok(i32::from_be_bytes(bytes))
    }

    pub(crate) fn text(&mut self) -> Result<String, StoreError> {
        let text = std::str::from_utf8(self.bytes()?)
            .map_err(|_| StoreError::Broken("stored text is not UTF-8".to_owned()))?;
        Ok(text.to_owned())
    }

    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], StoreError> {
        let length = usize::try_from(self.number()?).map_err(|_| truncated())?;
        self.take(length)
    }

    /// A text that is sorted as Java sorts it.
    pub(crate) fn java(&mut self) -> Result<JavaString, StoreError> {
        self.text().map(JavaString)
    }

    /// Whether metadata properties say of themselves if they are sealed.
    pub(crate) fn is_sealed(&self) -> bool {
        self.sealed
    }

    pub(crate) fn flag(&mut self) -> Result<bool, StoreError> {
        Ok(self.byte()? != 0)
    }

    pub(crate) fn optional<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        if self.flag()? { read(self).map(Some) } else { Ok(None) }
    }

    /// Reads a list into any collection.
    pub(crate) fn list<T, C: FromIterator<T>>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, StoreError>,
    ) -> Result<C, StoreError> {
        let length = self.number()?;
        (0..length).map(|_| read(self)).collect()
    }

    /// One of a fixed set of values, written as its index.
    pub(crate) fn choice<T: Copy>(&mut self, all: &[T]) -> Result<T, StoreError> {
        let index = usize::from(self.byte()?);
        all.get(index).copied().ok_or_else(|| StoreError::Broken(format!("stored value has unknown choice {index}")))
    }
}

fn truncated() -> StoreError {
    StoreError::Broken("stored value is cut short".to_owned())
}
