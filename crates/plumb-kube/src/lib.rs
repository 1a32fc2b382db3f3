//! Documents against the schemas of Kubernetes.
//!
//! A [`Catalog`] holds schemas by group, version and kind: those of `OpenAPI` documents, of JSON
//! Schemas in files of their own, and of custom resources. [`Catalog::check`] holds a document to
//! its schema, and is strict about fields that the schema does not have: an API server drops them
//! without a word. Each schema is compiled once to the shapes of
//! `plumb-jsonschema`, when the first document asks for it.
//!
//! A null counts as a field that is not given, as it does for an API server. Custom resources are
//! completed with the defaults of their schema first, and held to its rules in CEL in the end.

mod catalog;
mod compile;
mod fill;
mod finding;
mod keyword;
mod kind;
mod meta;
mod resource;

pub use catalog::{Catalog, SchemaFile, UncheckedRule};
pub use finding::{BROKEN_RULE, NOT_VALID, REQUIRED, TOO_COMPLEX, UNKNOWN_FIELD, WRONG_TYPE};
pub use resource::{Interest, Resource, resources};
