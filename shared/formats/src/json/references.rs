//! What `$ref` refers to. Nothing is ever fetched (json-diff-rules.md §0; jsonschema-crate.md, "too lax").

use super::dialect::Dialect;
use super::documents::{Documents, Found};
use super::uri;
use crate::SchemaError;

/// What a reference leads to.
pub(super) enum Target {
    Place(Found),
    /// A meta-schema that comes with the implementation, by its URI.
    MetaSchema(String),
}

/// Finds what `reference`, written in `from`, refers to.
pub(super) fn find(
    documents: &mut Documents<'_>,
    dialect: Dialect,
    from: &Found,
    reference: &str,
) -> Result<Target, SchemaError> {
    if reference.is_empty() {
        return Err(SchemaError::new("a reference that is empty"));
    }
    if dialect == Dialect::Modern {
        find_modern(documents, from, reference)
    } else {
        find_classic(documents, dialect, from, reference)
    }
}

/// The older drafts: the fragment of a reference within the document is looked up as an id first.
fn find_classic(
    documents: &mut Documents<'_>,
    dialect: Dialect,
    from: &Found,
    reference: &str,
) -> Result<Target, SchemaError> {
    if reference.starts_with('#') {
        return in_document(documents, from.document, reference).map(Target::Place);
    }
    uri::check(reference).map_err(SchemaError::new)?;
    let full = uri::resolve(&from.base, reference);
    if let Some(found) = documents.by_id(from.document, &full) {
        return Ok(Target::Place(found));
    }
    let (document, fragment) = uri::split_fragment(&full);
    let fragment = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
    if let Some(document) = documents.by_uri(document)? {
        return in_document(documents, document, &fragment).map(Target::Place);
    }
    // The schema itself, by its own URI.
    if uri::split_fragment(&documents.top(0).base).0 == document {
        return in_document(documents, 0, &fragment).map(Target::Place);
    }
    if dialect.knows_meta_schema(document) {
        return Ok(Target::MetaSchema(full.strip_suffix('#').unwrap_or(&full).to_owned()));
    }
    Err(unknown(document))
}

/// Older drafts: an id, or a pointer. What comes before the first `/` is ignored, so that `#foo` is the whole document.
fn in_document(documents: &mut Documents<'_>, document: usize, fragment: &str) -> Result<Found, SchemaError> {
    let top = documents.top(document);
    if fragment.is_empty() {
        return Ok(top);
    }
    if let Some(found) = documents.by_id(document, fragment) {
        return Ok(found);
    }
    // Java's `split` gives no empty steps at the end.
    let steps = fragment.trim_end_matches('/').split('/').skip(1);
    documents.walk(top, steps)
}

fn find_modern(documents: &mut Documents<'_>, from: &Found, reference: &str) -> Result<Target, SchemaError> {
    let (written, fragment) = uri::split_fragment(reference);
    if !reference.starts_with('#') {
        uri::check(reference).map_err(SchemaError::new)?;
    }
    let full = uri::resolve(&from.base, written);
    let document = if written.is_empty() { uri::split_fragment(&from.base).0.to_owned() } else { full };
    let fragment = fragment.filter(|fragment| !fragment.is_empty());
    let Some(top) = find_document(documents, from, written, &document)? else {
        if Dialect::Modern.knows_meta_schema(&document) {
            let fragment = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
            return Ok(Target::MetaSchema(document + &fragment));
        }
        return Err(unknown(&document));
    };
    let Some(fragment) = fragment else {
        return Ok(Target::Place(top));
    };
    let anchor = format!("{}#{fragment}", uri::split_fragment(&top.base).0);
    if let Some(found) = documents.by_anchor(&anchor) {
        return Ok(Target::Place(found));
    }
    let Some(pointer) = fragment.strip_prefix('/') else {
        return Err(SchemaError::new(format!("neither an anchor nor a pointer: #{fragment}")));
    };
    documents.walk(top, pointer.split('/')).map(Target::Place)
}

/// Newer drafts: a reference by the name as it is written comes before one by the full URI.
fn find_document(
    documents: &mut Documents<'_>,
    from: &Found,
    written: &str,
    full: &str,
) -> Result<Option<Found>, SchemaError> {
    if written.is_empty() {
        // Within the resource, or the document if it has no URI of its own.
        return Ok(Some(documents.by_anchor(full).unwrap_or_else(|| documents.top(from.document))));
    }
    if let Some(document) = documents.by_uri(written)? {
        return Ok(Some(documents.top(document)));
    }
    if let Some(found) = documents.by_anchor(full) {
        return Ok(Some(found));
    }
    Ok(documents.by_uri(full)?.map(|document| documents.top(document)))
}

/// Why there is nothing of this name: it would have to be fetched.
fn unknown(document: &str) -> SchemaError {
    match uri::scheme(document) {
        Some("http" | "https") => {
            SchemaError::new(format!("Remote schema reference fetching over HTTP(S) is disabled: {document}"))
        }
        Some(scheme) => SchemaError::new(format!("unknown protocol {scheme}: {document}")),
        None => SchemaError::new(format!("no reference has the name {document}")),
    }
}
