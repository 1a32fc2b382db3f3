//! The functions of the crate without a limit on steps.

use plumb_diagnostic::{Diagnostic, Failure};
use plumb_schema::{CrdNames, Dialect, DroppedNulls, Mismatch, Schema, Touched};
use plumb_source::Sources;
use plumb_validation::{AnnotationError, Parents, Violation, Work};
use plumb_value::Document;

pub(crate) fn compile(document: &Document, sources: &Sources) -> Result<Schema, Failure> {
    Work::uncounted(|work| Schema::compile(document, sources, work))
}

pub(crate) fn conform(
    schema: &Schema,
    document: &mut Document,
    touched: Touched<'_>,
) -> Vec<Mismatch> {
    Work::uncounted(|work| plumb_schema::conform(schema, document, touched, work))
}

pub(crate) fn validate(
    schema: &Schema,
    values: &mut Document,
    index: usize,
    parents: Parents,
) -> Result<Vec<Violation>, Vec<AnnotationError>> {
    Work::uncounted(|work| plumb_schema::validate(schema, values, index, parents, work))
}

pub(crate) fn openapi(schema: &Schema) -> Document {
    Work::uncounted(|work| plumb_schema::openapi(schema, Dialect::OpenApi, work))
}

pub(crate) fn json_schema(schema: &Schema) -> Document {
    Work::uncounted(|work| plumb_schema::json_schema(schema, work))
}

pub(crate) fn crd(schema: &Schema) -> (Document, Vec<Diagnostic>) {
    Work::uncounted(|work| {
        plumb_schema::crd(schema, &CrdNames::default(), DroppedNulls::Accept, work)
    })
}
