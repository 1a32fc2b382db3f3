//! Schemas of others as schemas of data values.
//!
//! [`import`] reads a `CustomResourceDefinition`, an `OpenAPI` document or a JSON Schema, and
//! writes a schema of data values: a sample with annotations. What such a schema cannot say stands
//! as a comment at its place, so that nothing is lost without a word. What Plumb exported comes
//! back as it was, its rules and their descriptions included.
//!
//! References are followed within the document. One that leads into itself ends in a value of any
//! type; the size of what is written is bounded, whatever the references add up to.

mod alternatives;
mod annotation;
mod condition;
mod convert;
mod expressions;
mod item;
mod keys;
mod keyword;
mod literal;
mod origin;
mod reference;
mod rules;
mod types;
mod words;
mod write;

use plumb_diagnostic::Failure;
use plumb_value::Document;

pub use origin::{AMBIGUOUS, DUPLICATE_KEY, NO_SCHEMA, NO_SUCH_NAME, TOO_LARGE};

/// Which schema to take of those that the documents hold.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The kind of a custom resource, or the name of a schema among the components of an API.
    pub name: Option<String>,
    /// The version of a custom resource: by default the one that is stored.
    pub version: Option<String>,
}

/// Writes the schema of data values that the documents of a file come to.
pub fn import(documents: &[Document], choice: &Choice) -> Result<String, Failure> {
    origin::check_unique(documents)?;
    let found = origin::find(documents, choice)?;
    let imported = convert::convert(&found)?;
    Ok(write::schema(&found, &imported))
}
