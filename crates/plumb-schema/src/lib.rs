//! Declared types of data values: their defaults, checks of values, and exports.
//!
//! A schema document is a sample of the data values, with annotations. [`prepare`] is called on
//! each such document, before they are merged; [`Schema::compile`] compiles the result to a tree of
//! [`Field`]s; [`Schema::defaults`] returns the initial data values; [`conform`] fills in missing
//! values and finds values that do not conform; [`validate`] runs the rules at the end;
//! [`openapi`], [`json_schema`] and [`crd`] export the schema.
//!
//! Documents and schemas are walked by recursion: 10,000 levels need a few megabytes of stack.

mod all_of;
mod annotation;
mod compile;
mod conform;
mod declared;
mod deprecation;
mod example;
mod export;
mod field;
mod fractions;
mod given;
mod ignored;
mod key_type;
pub mod malformed;
mod mismatch;
mod nearest;
mod permit;
mod prepare;
pub mod report;
mod secret;
mod settle;
mod touched;
mod trail;
pub mod wrong_values;

pub use all_of::CONTRADICTING_PARTS;
pub use annotation::{ANNOTATIONS, RULES};
pub use compile::{
    ARRAY_SHAPE, DEFAULT_CONTRADICTION, DEFAULT_MISMATCH, EXAMPLE_MISMATCH, MALFORMED_ANNOTATION,
    NULL_SAMPLE, SCHEMA_WITHIN_ANY, type_names,
};
pub use conform::conform;
pub use deprecation::{DEPRECATED, deprecations};
pub use export::{CrdNames, DroppedNulls, NOT_IN_CRD, NameError, crd, json_schema, openapi};
pub use field::{
    ArrayType, Docs, Documentation, Example, Field, MapType, Presence, Scalar, Schema, Type,
};
pub use ignored::{WITHOUT_EFFECT, kept_rules, outside_schema, within_any, without_schema};
pub use key_type::{KEY_TYPE, nameless_keys};
pub use mismatch::{
    Calculated, DeclaredKeys, Mismatch, MismatchKind, TYPE_MISMATCH, UNKNOWN_KEY, UndeclaredKey,
};
pub use permit::{permit_new_keys, with_undeclared_keys_permitted};
pub use plumb_jsonschema::Dialect;
pub use prepare::{ATTACH, WrongAttach, prepare};
pub use report::failure;
pub use secret::masked;
pub use settle::{validate, validate_rest};
pub use touched::Touched;
