//! The built-in files, which resolve without a reference: `google/protobuf`, `google/type` and `confluent`.
//!
//! Their texts are our own renderings of the public definitions, without comments.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::link::{Names, Origin};
use super::model::File;
use super::parse;

/// Path and text of each, in the order of paths.
static TEXTS: [(&str, &str); 32] = [
    ("confluent/meta.proto", include_str!("known/confluent/meta.proto")),
    ("confluent/type/decimal.proto", include_str!("known/confluent/type/decimal.proto")),
    ("confluent/type/variant.proto", include_str!("known/confluent/type/variant.proto")),
    ("confluent/types/decimal.proto", include_str!("known/confluent/types/decimal.proto")),
    ("google/protobuf/any.proto", include_str!("known/google/protobuf/any.proto")),
    ("google/protobuf/api.proto", include_str!("known/google/protobuf/api.proto")),
    ("google/protobuf/descriptor.proto", include_str!("known/google/protobuf/descriptor.proto")),
    ("google/protobuf/duration.proto", include_str!("known/google/protobuf/duration.proto")),
    ("google/protobuf/empty.proto", include_str!("known/google/protobuf/empty.proto")),
    ("google/protobuf/field_mask.proto", include_str!("known/google/protobuf/field_mask.proto")),
    ("google/protobuf/source_context.proto", include_str!("known/google/protobuf/source_context.proto")),
    ("google/protobuf/struct.proto", include_str!("known/google/protobuf/struct.proto")),
    ("google/protobuf/timestamp.proto", include_str!("known/google/protobuf/timestamp.proto")),
    ("google/protobuf/type.proto", include_str!("known/google/protobuf/type.proto")),
    ("google/protobuf/wrappers.proto", include_str!("known/google/protobuf/wrappers.proto")),
    ("google/type/calendar_period.proto", include_str!("known/google/type/calendar_period.proto")),
    ("google/type/color.proto", include_str!("known/google/type/color.proto")),
    ("google/type/date.proto", include_str!("known/google/type/date.proto")),
    ("google/type/datetime.proto", include_str!("known/google/type/datetime.proto")),
    ("google/type/dayofweek.proto", include_str!("known/google/type/dayofweek.proto")),
    ("google/type/decimal.proto", include_str!("known/google/type/decimal.proto")),
    ("google/type/expr.proto", include_str!("known/google/type/expr.proto")),
    ("google/type/fraction.proto", include_str!("known/google/type/fraction.proto")),
    ("google/type/interval.proto", include_str!("known/google/type/interval.proto")),
    ("google/type/latlng.proto", include_str!("known/google/type/latlng.proto")),
    ("google/type/localized_text.proto", include_str!("known/google/type/localized_text.proto")),
    ("google/type/money.proto", include_str!("known/google/type/money.proto")),
    ("google/type/month.proto", include_str!("known/google/type/month.proto")),
    ("google/type/phone_number.proto", include_str!("known/google/type/phone_number.proto")),
    ("google/type/postal_address.proto", include_str!("known/google/type/postal_address.proto")),
    ("google/type/quaternion.proto", include_str!("known/google/type/quaternion.proto")),
    ("google/type/timeofday.proto", include_str!("known/google/type/timeofday.proto")),
];

/// Indexes are those of `TEXTS`; a file that could not be read would be empty, which the tests below rule out.
static FILES: LazyLock<Vec<File>> =
    LazyLock::new(|| TEXTS.iter().map(|(_, text)| parse::read(text).unwrap_or_default()).collect());

static NAMES: LazyLock<Names<'static>> = LazyLock::new(|| {
    let mut names = Names::default();
    FILES.iter().enumerate().for_each(|(index, file)| names.add(file, Origin::Known(index)));
    names
});

static INDEX: LazyLock<HashMap<&str, usize>> =
    LazyLock::new(|| TEXTS.iter().enumerate().map(|(index, (path, _))| (*path, index)).collect());

/// Everything the built-in files define.
pub(super) fn names() -> &'static Names<'static> {
    &NAMES
}

/// The index of the built-in file of this path.
pub(super) fn index_of(path: &str) -> Option<usize> {
    INDEX.get(path).copied()
}

/// The built-in file of this path.
pub(super) fn file(path: &str) -> Option<&'static File> {
    index_of(path).and_then(|index| FILES.get(index))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::protobuf::text;

    #[test]
    fn the_built_in_files_can_be_read_and_are_as_we_print_them() {
        for (path, source) in TEXTS {
            let file = parse::read(source).unwrap_or_else(|error| panic!("{path}: {error}"));
            assert_eq!(text::print(&file).unwrap(), source, "{path}");
            assert!(file.imports.iter().chain(&file.public_imports).all(|import| index_of(import).is_some()), "{path}");
        }
        assert!(TEXTS.is_sorted_by(|one, next| one.0 < next.0));
    }
}
