//! Defaults and examples: the values that come from the schema itself.

use plumb_diagnostic::Code;
use plumb_source::message::plain;
use plumb_source::{Message, Origin, message};
use plumb_validation::report::place;
use plumb_value::{Annotation, Array, Node};

use super::finding::{MALFORMED_ANNOTATION, refusal, syntax_error};
use super::{Compiler, Kind, Sample};
use crate::annotation::{DEFAULT, EXAMPLE, EXAMPLES};
use crate::conform::{conform_at, conform_value};
use crate::field::{Field, Type, as_default};
use crate::mismatch::Mismatch;
use crate::report::{Entry, EntryWords, Report, SchemaError};
use crate::trail::Trail;

/// The value of a `@schema/default` does not conform to the type of its node.
///
/// Change the default, or the sample value, which determines the type.
pub const DEFAULT_MISMATCH: Code = Code::new("schema/default-mismatch");

/// The default of a node contradicts the type in its annotations.
///
/// Change the default, the names in `@schema/type`, or the alternatives.
pub const DEFAULT_CONTRADICTION: Code = Code::new("schema/default-contradiction");

/// The value of a `@schema/example` or `@schema/examples` is not valid for its node: it has another
/// type, or breaks a rule.
///
/// Change the example, the sample value, which determines the type, or the rule.
pub const EXAMPLE_MISMATCH: Code = Code::new("schema/example-mismatch");

impl Compiler<'_> {
    /// A sample that determines the default but not the type must conform to the type.
    pub(super) fn check_inferred_default(
        &self,
        sample: &Sample<'_>,
        field: &mut Field,
    ) -> Result<(), SchemaError> {
        let decides_type = match (&field.ty, sample.node) {
            (Type::Kinds(_) | Type::Choice(_) | Type::Scalar(_), _) => false,
            // An array declared by name may have any sample.
            (Type::Array(_), node) => matches!(node, Node::Array(_)),
            (Type::Map(_) | Type::Any, _) => true,
        };
        let is_replaced = sample.meta.annotations().has(DEFAULT);
        if field.default.is_null() && field.is_nullable || decides_type || is_replaced {
            return Ok(());
        }
        let trail = match sample.kind {
            Kind::MapItem(key) => Trail::Key(&Trail::Root, key),
            Kind::ArrayItem => Trail::Index(&Trail::Root, 0),
            Kind::Document | Kind::Alternative => Trail::Root,
        };
        let (default, origin) = (&field.default, field.type_origin());
        let (filled, mismatches) = conform_at(field, default, origin, &trail, self.work);
        if !mismatches.is_empty() {
            let entries = mismatches.into_iter().map(|it| Entry::of(it, None)).collect();
            let summary = "Invalid schema - default contradicts the declared type";
            let report = Report::new(DEFAULT_CONTRADICTION, summary, entries);
            return Err(SchemaError::Report(Box::new(report)));
        }
        if let Some(filled) = filled {
            field.default = filled;
        }
        Ok(())
    }

    pub(super) fn check_examples(
        &self,
        sample: &Sample<'_>,
        field: &Field,
    ) -> Result<(), SchemaError> {
        let mut mismatches = Vec::new();
        for example in &field.docs.examples {
            let origin = field.type_origin();
            let (_, found) = conform_value(field, &example.value, origin, self.work);
            mismatches.extend(found);
        }
        let has_several = sample.meta.annotations().has(EXAMPLES);
        let (name, summary) = if has_several {
            (EXAMPLES, "Invalid schema - @schema/examples has wrong type")
        } else {
            (EXAMPLE, "Invalid schema - @schema/example has wrong type")
        };
        Self::unless_empty(mismatches, EXAMPLE_MISMATCH, summary, sample, name)
    }

    /// Returns the value of `@schema/default`, with defaults filled in.
    pub(super) fn default(
        &self,
        sample: &Sample<'_>,
        field: &Field,
    ) -> Result<Option<Node>, SchemaError> {
        let Some(given) = self.given_default(sample, field)? else {
            return Ok(None);
        };
        let (filled, mismatches) = conform_value(field, &given, field.type_origin(), self.work);
        let summary = "Invalid schema - @schema/default is wrong type";
        Self::unless_empty(mismatches, DEFAULT_MISMATCH, summary, sample, DEFAULT)?;
        Ok(Some(filled.unwrap_or(given)))
    }

    /// Returns the argument of `@schema/default`, with its place.
    fn given_default(
        &self,
        sample: &Sample<'_>,
        field: &Field,
    ) -> Result<Option<Node>, SchemaError> {
        let Some(annotation) = sample.meta.annotation(DEFAULT) else {
            return Ok(None);
        };
        if matches!(sample.kind, Kind::ArrayItem) {
            return Err(misplaced_default(sample, annotation));
        }
        let (found, hints) = match (annotation.kwargs.as_slice(), annotation.args.as_slice()) {
            ([_, ..], _) => {
                let hints = [
                    "this annotation only accepts one argument: the default value.",
                    "value must be in Starlark format, e.g.: {'key': 'value'}, True.",
                ];
                (Message::from("keyword argument"), hints.map(Message::from).into())
            }
            (_, []) => (Message::from("missing value"), Vec::new()),
            (_, [value]) => match value.to_node() {
                Some(node) => return Ok(Some(placed(&node, sample.origin, annotation))),
                None => (message!("{} value", value.type_name()), Vec::new()),
            },
            (_, several) => (message!("{} values", several.len()), Vec::new()),
        };
        let declared_at = place(field.type_origin().span(), self.sources);
        let expected = message!("{} (by {})", plain(field.type_name()), plain(declared_at));
        Err(syntax_error(sample, annotation, found, expected, hints))
    }

    fn unless_empty(
        mismatches: Vec<Mismatch>,
        code: Code,
        summary: &'static str,
        sample: &Sample<'_>,
        annotation: &str,
    ) -> Result<(), SchemaError> {
        if mismatches.is_empty() {
            return Ok(());
        }
        let span = sample.meta.annotation(annotation).and_then(|it| it.span);
        let entries = mismatches.into_iter().map(|it| Entry::of(it, span));
        Err(SchemaError::Report(Box::new(Report::new(code, summary, entries.collect()))))
    }
}

/// Returns the value of a node for which no value is given.
pub(super) fn inferred_default(sample: &Sample<'_>, ty: &Type, is_nullable: bool) -> Node {
    match (ty, sample.node) {
        _ if is_nullable => Node::Null,
        (Type::Map(map), _) => Node::Map(map.default().clone()),
        (Type::Array(_), Node::Array(array)) if array.items.len() == 1 => {
            Node::array(Array::new(Vec::new(), as_default(sample.origin)))
        }
        (Type::Choice(_), node) => node.with_origins(&as_default),
        _ => sample.node.clone(),
    }
}

fn misplaced_default(sample: &Sample<'_>, annotation: &Annotation) -> SchemaError {
    let hints = [
        "do you mean to set a default value for the array?",
        "set an array's default by annotating its parent.",
    ];
    let words = EntryWords { hints: hints.map(Message::from).into(), ..EntryWords::default() };
    let summary = "Invalid schema - @schema/default not supported on array item";
    let annotations = annotation.span.into_iter().collect();
    refusal(MALFORMED_ANNOTATION, summary, annotations, sample.origin, words).quoted()
}

/// Returns a value from an annotation. It gets the place of the annotated node if its only place is
/// the annotation itself.
pub(super) fn placed(node: &Node, origin: Origin, annotation: &Annotation) -> Node {
    let place = |it: Origin| match it.span() {
        Some(span) if !annotation.span.is_some_and(|own| own.contains(span)) => it,
        _ => as_default(origin),
    };
    node.with_origins(&place)
}
