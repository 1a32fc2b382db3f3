//! JSON Schema, and the schemas of `OpenAPI` and Kubernetes.
//!
//! [`Keyword`] is the table of all keywords, and the only place that spells them. A schema is read
//! with its methods, and written with [`Entries`] in the order of a [`Dialect`]. [`Expressed`]
//! contains rules translated to keywords.
//!
//! A schema is checked as [`Shapes`]: [`Schema::compile`] creates them from a JSON Schema of any
//! draft, and other crates may create them from schemas with other meanings. [`check`] compares a
//! value with them. A [`Finding`] contains facts, and the caller turns them into messages.

mod alternatives;
mod check;
mod compile;
mod declared;
mod draft;
mod evaluated;
mod express;
mod finding;
mod format;
mod keyword;
mod meta;
mod pattern;
mod read;
mod registry;
mod rules;
mod shape;
mod types;
mod uri;
mod write;

pub use check::check;
pub use compile::{Nothing, Options, Schema, choices};
pub use declared::{declared, declared_resource};
pub use draft::{Draft, Drafts};
pub use express::{Expressed, QUANTITY_PATTERN};
pub use finding::{Finding, FindingKind, Hint};
pub use format::TextFormat;
pub use keyword::{Keyword, Operand, Vocabulary};
pub use pattern::Pattern;
pub use registry::{Retrieve, RetrieveError, SchemaError};
pub use rules::{
    MAX_RULE_COST, MAX_TOTAL_COST, RejectedRule, RuleError, rejected_rules, take_rejected_rules,
};
pub use shape::{Expression, Fields, Manner, Others, Shape, ShapeId, Shapes, Width};
pub use types::{Types, kind_of_type, type_name};
pub use uri::percent_decoded;
pub use write::{Dialect, Entries, array, map, schema};
