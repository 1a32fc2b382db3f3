//! Match and merge one document onto another.
//!
//! The left side is the existing document; the right side is the overlay, whose `@overlay/…`
//! annotations declare what each of its items matches and does. There are three entry points:
//! [`apply_to_files`] for the output of templates, [`merge_document`] for data values and schemas,
//! and [`apply`] for templates that call `overlay.apply`. None of them knows the template language:
//! functions that users write are [`Callable`](plumb_value::Callable)s, and the matchers of the
//! `overlay` module are a [`Matcher`], which is evaluated without a call into the interpreter.
//!
//! Maps and arrays are copied only on the path to a change. Items are found by hash: keys of maps,
//! array items by the value of a key, documents by the scalars that a subset names.

mod annotation;
mod apply;
mod assertion;
mod candidates;
mod clean;
mod duplicate;
mod edit;
mod engine;
mod error;
mod expectation;
mod finding;
mod index;
mod item;
mod leaf;
mod left;
mod level;
mod matcher;
mod operation;
mod select;
mod subset;
mod warning;

pub use annotation::ANNOTATIONS;
pub use apply::{
    FileDocuments, apply, apply_to_documents, apply_to_files, is_overlay, merge_document,
    merge_plain_document,
};
pub use error::OverlayError;
pub use finding::{
    ASSERTION_FAILED, Activity, BAD_ARGUMENT, BAD_OPERATION, DUPLICATE_KEY, FUNCTION_FAILED,
    FunctionFailed, MATCH_COUNT, MISSING_KEY, NO_DOCUMENT, NO_MATCH, OverlayItem, OverlayItemKind,
    WITHOUT_EFFECT, WRONG_TYPE,
};
pub use matcher::{Matcher, MatcherName};
pub use subset::Mismatch;
pub use warning::{SECOND_ITEM, SET_TO_NULL, outside_overlays};
