//! What a version refers to, as bytes: kept beside the version so that a delete can release it without the schema.

use super::{Reader, Writer};
use crate::StoreError;
use crate::items::Target;
use registrar_model::{Subject, Version};

pub(crate) fn encode_targets(targets: &[Target]) -> Vec<u8> {
    let mut w = Writer::new();
    w.list(targets.iter(), |w, target| {
        w.text(&target.subject.to_string());
        w.number(u64::from(target.version.get()));
        w.number(target.count);
    });
    w.finish()
}

pub(crate) fn decode_targets(bytes: &[u8]) -> Result<Vec<Target>, StoreError> {
    let mut r = Reader::new(bytes)?;
    r.list(|r| {
        let subject = Subject::parse(&r.text()?);
        let number = i64::try_from(r.number()?).unwrap_or(0);
        let version = Version::new(number).ok_or_else(|| StoreError::Broken(format!("stored version {number}")))?;
        Ok(Target { subject, version, count: r.number()? })
    })
}
