//! The findings about a schema.

use plumb_diagnostic::Code;
use plumb_source::message::plain;
use plumb_source::{Message, Origin, Span, message};
use plumb_value::{Annotation, Array};

use super::Sample;
use crate::report::{Entry, EntryKind, EntryWords, Report, SchemaError};

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

/// An annotation whose arguments or place are wrong.
pub(super) fn syntax_error(
    sample: &Sample<'_>,
    annotation: &Annotation,
    found: impl Into<Message>,
    expected: impl Into<Message>,
    hints: Vec<Message>,
) -> SchemaError {
    let name = &annotation.name;
    let words = EntryWords {
        description: message!("syntax error in @{} annotation", plain(name)),
        found: message!("{} in @{}", found.into(), plain(name)),
        found_in: annotation.span,
        expected: expected.into(),
        hints,
        ..EntryWords::default()
    };
    malformed(sample, annotation, words)
}

/// An annotation that is not valid, or not allowed at its place.
pub(super) fn malformed(
    sample: &Sample<'_>,
    annotation: &Annotation,
    words: EntryWords,
) -> SchemaError {
    let annotations = annotation.span.into_iter().collect();
    refusal(MALFORMED_ANNOTATION, "Invalid schema", annotations, sample.origin, words)
}

pub(super) fn null_sample(origin: Origin) -> SchemaError {
    let hints = [
        "in YAML, omitting a value implies null.",
        "to set the default value to null, annotate with @schema/nullable.",
        "to allow any value, annotate with @schema/type any=True.",
    ];
    let words = EntryWords {
        found: "null value".into(),
        expected: "non-null value".into(),
        hints: hints.map(Message::from).into(),
        ..EntryWords::default()
    };
    let summary = "Invalid schema - null value not allowed here";
    refusal(NULL_SAMPLE, summary, Vec::new(), origin, words)
}

pub(super) fn array_shape(array: &Array) -> SchemaError {
    let hints = [
        "in schema, the one item of the array implies the type of its elements.",
        "in schema, the default value for an array is always an empty list.",
        "default values can be overridden via a data values overlay.",
    ];
    let words = EntryWords {
        found: message!("{} array items", array.items.len()),
        expected: "exactly 1 array item, of the desired type".into(),
        hints: hints.map(Message::from).into(),
        ..EntryWords::default()
    };
    let summary = "Invalid schema - wrong number of items in array definition";
    refusal(ARRAY_SHAPE, summary, Vec::new(), array.origin, words)
}

pub(super) fn refusal(
    code: Code,
    summary: &'static str,
    annotations: Vec<Span>,
    node: Origin,
    words: EntryWords,
) -> SchemaError {
    let entry = Entry { annotations, node: node.span(), kind: EntryKind::Words(Box::new(words)) };
    SchemaError::Report(Box::new(Report::new(code, summary, vec![entry])))
}
