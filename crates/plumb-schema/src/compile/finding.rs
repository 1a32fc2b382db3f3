//! The findings about a schema.

use plumb_diagnostic::Code;
use plumb_source::{Origin, Span};
use plumb_value::{Annotation, Array};

use super::{Kind, Sample};
use crate::annotation::NULLABLE;
use crate::malformed::{Arguments, Declares, Malformed, MalformedKind, WrongArgument};
use crate::report::SchemaError;

/// A value in a schema is null, which has no type.
///
/// Give a value of the right type. To make null the default, add `@schema/nullable`; to allow any
/// value, add `@schema/type any=True`.
pub const NULL_SAMPLE: Code = Code::new("schema/null-sample");

/// An array in a schema does not have exactly one item.
///
/// The item declares the type of all items. The default of an array is the empty array; set another
/// one with `@schema/default`.
pub const ARRAY_SHAPE: Code = Code::new("schema/array-shape");

/// An annotation of a schema has invalid arguments, or is in the wrong place.
///
/// The finding states what the annotation expects. The manual has an example of each annotation.
pub const MALFORMED_ANNOTATION: Code = Code::new("schema/malformed-annotation");

impl Sample<'_> {
    /// An annotation of the sample that is not valid, or not allowed at its place.
    pub(super) fn malformed(&self, annotation: &Annotation, kind: MalformedKind) -> SchemaError {
        let annotations = annotation.span.into_iter().collect();
        error(annotations, self.origin, self.declares(), kind)
    }

    /// An annotation of the sample with wrong arguments.
    pub(super) fn wrong_arguments(
        &self,
        annotation: &Annotation,
        expected: Arguments,
        found: WrongArgument,
    ) -> SchemaError {
        let annotation_name = annotation.name.to_string();
        let kind = MalformedKind::Arguments { annotation: annotation_name, expected, found };
        self.malformed(annotation, kind)
    }

    pub(super) fn null(&self) -> SchemaError {
        let is_nullable = self.meta.annotations().has(NULLABLE);
        error(Vec::new(), self.origin, self.declares(), MalformedKind::NullSample { is_nullable })
    }

    /// The error for the array of the sample.
    pub(super) fn array_shape(&self, array: &Array) -> SchemaError {
        let kind = MalformedKind::ArrayShape { n_items: array.items.len() };
        error(Vec::new(), array.origin, self.declares(), kind)
    }

    pub(super) fn declares(&self) -> Declares {
        match self.kind {
            Kind::Document => Declares::Document,
            Kind::MapItem(key) => Declares::Key(key.clone()),
            Kind::ArrayItem => Declares::Item,
            Kind::Alternative => Declares::Alternative,
        }
    }
}

pub(super) fn error(
    annotations: Vec<Span>,
    node: Origin,
    declares: Declares,
    kind: MalformedKind,
) -> SchemaError {
    let malformed = Malformed { annotations, node: node.span(), declares, kind };
    SchemaError::Malformed(Box::new(malformed))
}
