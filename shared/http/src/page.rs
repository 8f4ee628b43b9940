//! Pagination (rest-api.md §1.7), applied after all filtering.

use crate::error::Failure;
use crate::query::Query;

/// How many items a list answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Where the client names none, or one out of range.
    pub default: u32,
    /// The highest a client may name.
    pub max: u32,
}

/// The part of a list that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) offset: usize,
    pub(crate) limit: usize,
}

impl Page {
    /// Reads `offset` and `limit`. A limit outside 1 to the maximum means the default; it is not clamped. A negative
    /// offset, which Confluent answers with 500, means 0.
    pub(crate) fn read(query: &Query, limits: Limits) -> Result<Self, Failure> {
        let offset = query.integer("offset", 0)?;
        let limit = u32::try_from(query.integer("limit", -1)?).ok();
        let limit = limit.filter(|limit| (1..=limits.max).contains(limit)).unwrap_or(limits.default);
        Ok(Self { offset: usize::try_from(offset).unwrap_or(0), limit: usize::try_from(limit).unwrap_or(usize::MAX) })
    }

    /// The items of the page.
    pub(crate) fn of<T>(self, items: Vec<T>) -> Vec<T> {
        items.into_iter().skip(self.offset).take(self.limit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_out_of_range_mean_the_default() {
        let limits = Limits { default: 1000, max: 1000 };
        for (raw, offset, limit) in [
            ("", 0, 1000),
            ("limit=3", 0, 3),
            ("limit=1000", 0, 1000),
            ("limit=1001", 0, 1000),
            ("limit=0", 0, 1000),
            ("limit=-1&offset=2", 2, 1000),
            ("offset=-5", 0, 1000),
        ] {
            let page = Page::read(&Query::parse(raw).unwrap(), limits).unwrap();
            assert_eq!(page, Page { offset, limit }, "{raw}");
        }
        assert_eq!(Page { offset: 1, limit: 2 }.of(vec![1, 2, 3, 4]), [2, 3]);
        assert!(Page { offset: 9, limit: 2 }.of(vec![1, 2, 3, 4]).is_empty());
    }
}
