//! Validates documents against the schemas of Kubernetes.
//!
//! A [`Catalog`] contains schemas by group, version and kind: those of `OpenAPI` documents, of JSON
//! Schemas in separate files, and of custom resources. [`Catalog::check`] validates a document
//! against its schema, and is strict about fields that the schema does not have, because an API
//! server drops them silently. Each schema is compiled once into shapes of `plumb-jsonschema`, when
//! it is first needed.
//!
//! A null counts as a missing field, as it does for an API server. Custom resources are first
//! completed with the defaults of their schema, and are last validated against its CEL rules.

mod catalog;
mod compile;
mod fields;
mod fill;
mod finding;
mod keyword;
mod kind;
mod meta;
mod policy;
mod resource;
mod structure;

pub use catalog::{Catalog, SchemaFile, UncheckedRule};
pub use fields::Field;
pub use finding::{NOT_VALID, REQUIRED, RULE_BROKEN, TOO_COMPLEX, UNKNOWN_FIELD, WRONG_TYPE};
pub use plumb_jsonschema::RejectedRule;
pub use policy::{RejectedExpression, rejected_expressions};
pub use resource::{Interest, Resource, rejected_rules, resources, unidentified};
pub use structure::{StructureError, structure_errors};
