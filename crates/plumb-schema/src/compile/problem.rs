//! The problems of a schema, in ytt's words if it has them.

use plumb_diagnostic::Code;
use plumb_source::message::plain;
use plumb_source::{Message, Origin, message};
use plumb_validation::report::place;
use plumb_value::{Annotation, Array};

use super::{Compiler, Sample};
use crate::report::{Block, Report, SchemaError};

/// A value in a schema is null, which does not have a type.
///
/// Give a value of the right type. To make null the default, add `@schema/nullable`; to allow any
/// value, add `@schema/type any=True`.
pub const NULL_SAMPLE: Code = Code::new("schema/null-sample");

/// An array in a schema does not have exactly one item.
///
/// The item declares the type of all items. The default of an array is the empty array; set another
/// one with `@schema/default`.
pub const ARRAY_SHAPE: Code = Code::new("schema/array-shape");

/// An annotation of a schema has arguments that it does not take, or is in the wrong place.
///
/// The finding says what the annotation expects; the manual has an example of each one.
pub const MALFORMED_ANNOTATION: Code = Code::new("schema/malformed-annotation");

impl Compiler<'_> {
    pub(super) fn syntax_error(
        &self,
        sample: &Sample<'_>,
        annotation: &Annotation,
        found: impl Into<Message>,
        expected: impl Into<Message>,
        hints: Vec<Message>,
    ) -> SchemaError {
        let name = &annotation.name;
        let block = Block {
            description: message!("syntax error in @{} annotation", plain(name)),
            found: self.by(message!("{} in @{}", found.into(), plain(name)), annotation),
            expected: expected.into(),
            hints,
            ..Block::default()
        };
        malformed(sample, annotation, block)
    }

    pub(super) fn by(&self, found: impl Into<Message>, annotation: &Annotation) -> Message {
        message!("{} (by {})", found.into(), plain(place(annotation.span, self.sources)))
    }
}

/// An annotation that is not valid, or not allowed at its place.
pub(super) fn malformed(sample: &Sample<'_>, annotation: &Annotation, block: Block) -> SchemaError {
    let block = Block {
        annotations: annotation.span.into_iter().collect(),
        node: sample.origin.span(),
        ..block
    };
    refusal(MALFORMED_ANNOTATION, "Invalid schema", block)
}

pub(super) fn null_sample(origin: Origin) -> SchemaError {
    let hints = [
        "in YAML, omitting a value implies null.",
        "to set the default value to null, annotate with @schema/nullable.",
        "to allow any value, annotate with @schema/type any=True.",
    ];
    let block = Block {
        node: origin.span(),
        found: "null value".into(),
        expected: "non-null value".into(),
        hints: hints.map(Message::from).into(),
        ..Block::default()
    };
    refusal(NULL_SAMPLE, "Invalid schema - null value not allowed here", block)
}

pub(super) fn array_shape(array: &Array) -> SchemaError {
    let hints = [
        "in schema, the one item of the array implies the type of its elements.",
        "in schema, the default value for an array is always an empty list.",
        "default values can be overridden via a data values overlay.",
    ];
    let block = Block {
        node: array.origin.span(),
        found: message!("{} array items", array.items.len()),
        expected: "exactly 1 array item, of the desired type".into(),
        hints: hints.map(Message::from).into(),
        ..Block::default()
    };
    refusal(ARRAY_SHAPE, "Invalid schema - wrong number of items in array definition", block)
}

pub(super) fn refusal(code: Code, summary: &'static str, block: Block) -> SchemaError {
    let (summary, blocks) = (summary, vec![block]);
    SchemaError::Report(Box::new(Report { code, summary, blocks, quoted: None }))
}
