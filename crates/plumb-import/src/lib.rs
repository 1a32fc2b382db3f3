//! Imports foreign schemas as schemas of data values.
//!
//! [`import`] reads a `CustomResourceDefinition`, an `OpenAPI` document or a JSON Schema, and
//! writes a schema of data values: a sample with annotations. Parts that such a schema cannot
//! express become comments, so that nothing is lost silently. A schema that Plumb exported is
//! imported unchanged, including its rules and their descriptions.
//!
//! [`helm`] imports a Helm chart: a schema of data values, and templates from the output of Helm.
//!
//! References are followed within the document. A recursive reference ends in a value of any type.
//! The size of the output is limited, even if the references expand to more.

mod alternatives;
mod annotation;
mod condition;
mod convert;
mod expressions;
mod helm;
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

pub use helm::{Chart, HelmImport, HelmOutput, NO_CHART, NOT_RENDERED, helm};
pub use origin::{AMBIGUOUS, DUPLICATE_KEY, NO_SCHEMA, NO_SUCH_NAME, TOO_LARGE};

/// Which of the schemas in the documents to import.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The kind of a custom resource, or the name of a schema among the components of an API.
    pub name: Option<String>,
    /// The version of a custom resource. Default: the storage version.
    pub version: Option<String>,
}

/// A schema of data values that was imported.
#[derive(Clone, Debug)]
pub struct Import {
    /// What it was imported from, such as `the custom resource Backup, example.com/v1`.
    pub origin: String,
    /// The text of the schema.
    pub text: String,
}

/// Imports a schema from the documents of a file as a schema of data values.
///
/// # Errors
///
/// If the documents contain no schema or not exactly one that matches the choice, or if the schema
/// is too large.
pub fn import(documents: &[Document], choice: &Choice) -> Result<Import, Failure> {
    origin::check_unique(documents)?;
    let found = origin::find(documents, choice)?;
    let imported = convert::convert(&found)?;
    Ok(Import { text: write::text(&found.title, &imported), origin: found.title })
}
