//! Tags of any language: found, added and removed.

use registrar_formats::{EntityKind, NamedText, Schema, Strictness, TagEdit, TaggedEntity, parse};

/// Changes tags where there are some and where the names of references, taken for paths, lead to. What has changed must be
/// read back as the same.
pub(super) fn tag(schema: &Schema, references: &[NamedText]) {
    let inline = schema.inline_tags();
    let Ok(entities) = schema.tagged_entities() else { return };
    for reference in references {
        for kind in EntityKind::ALL {
            let path = reference.name.clone();
            let edit = TagEdit { path, kind, add: vec!["new".to_owned()], remove: Vec::new() };
            if let Ok(edited) = schema.with_tags(&[edit]) {
                read_back(&edited, references);
            }
        }
    }
    // Those of what an Avro schema refers to are no tags of its text.
    let has_own = references.is_empty();
    let own = |tag: &String| inline.as_ref().map_or(true, |inline| inline.contains(tag));
    let known = |entity: &&TaggedEntity| !has_own || entity.tags.iter().all(own);
    assert_eq!(entities.iter().find(|one| !known(one)), None, "not among {inline:?}");
    let added = edits(&entities, &["a new tag".to_owned()], |_| vec!["no tag".to_owned()]);
    let removed = edits(&entities, &[], |entity| entity.tags.clone());
    for edits in [added, removed] {
        match schema.with_tags(&edits) {
            Ok(edited) => read_back(&edited, references),
            Err(error) => assert!(!has_own || inline.is_err(), "{}\n{edits:?}\n{error}", schema.text()),
        }
    }
}

fn edits(entities: &[TaggedEntity], add: &[String], remove: impl Fn(&TaggedEntity) -> Vec<String>) -> Vec<TagEdit> {
    let edit =
        |one: &TaggedEntity| TagEdit { path: one.path.clone(), kind: one.kind, add: add.to_vec(), remove: remove(one) };
    entities.iter().map(edit).collect()
}

fn read_back(edited: &Schema, references: &[NamedText]) {
    match parse(edited.schema_type(), edited.text(), references, Strictness::Existing) {
        Ok(again) => assert_eq!(again.text(), edited.text(), "edited tags are read back as another text"),
        Err(error) => panic!("{}\nis edited and cannot be read back: {error}", edited.text()),
    }
}
