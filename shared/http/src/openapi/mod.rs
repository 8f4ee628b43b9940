//! The OpenAPI 3.1 document: what each route takes and answers, as data, and the document made of it.
//!
//! `docs/openapi.json` is the document as it is served. A test holds it against what [`document`] makes of the route
//! table and of the data here, and says how to write it anew. Nothing is made while the server runs; but what a handler
//! may read of the query is looked up here, so that a parameter that is not documented does not work.

mod operation;
mod operations;
mod parameters;
mod path_parameters;
mod prose;
mod render;
mod schemas;
mod shape;
mod types;

pub(crate) use operation::Operation;
pub use render::document;

use http::Method;

/// The document as served and checked in.
pub const DOCUMENT: &str = include_str!("../../../../docs/openapi.json");

/// What a route takes and answers.
pub(crate) fn operation(method: &Method, pattern: &str) -> Option<&'static Operation> {
    let mut all = operations::ALL.iter();
    all.find(|(own, path, _)| *path == pattern && *own == method.as_str()).map(|(_, _, operation)| *operation)
}

#[cfg(test)]
mod tests;
