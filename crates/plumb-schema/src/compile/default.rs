//! Defaults and examples: the values that come from the schema itself.

use plumb_diagnostic::Code;
use plumb_source::{Origin, Span};
use plumb_value::{Annotation, Array, Node};

use super::types::CHOICES;
use super::{Compiler, Kind, Sample};
use crate::annotation::{DEFAULT, EXAMPLE, EXAMPLES, TYPE};
use crate::conform::{conform_at, conform_value};
use crate::field::{Field, Type, as_default};
use crate::malformed::{Arguments, MalformedKind, WrongArgument};
use crate::mismatch::Mismatch;
use crate::report::SchemaError;
use crate::trail::Trail;
use crate::wrong_values::{Role, WrongValues};

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
        let mut declarations = [TYPE].into_iter().chain(CHOICES.iter().map(|(name, _)| *name));
        let declared_by = declarations.find_map(|name| sample.meta.annotation(name));
        check(mismatches, Role::Sample, sample, declared_by.and_then(|it| it.span))?;
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
        let (name, role) =
            if has_several { (EXAMPLES, Role::Examples) } else { (EXAMPLE, Role::Example) };
        let annotation = sample.meta.annotation(name);
        check(mismatches, role, sample, annotation.and_then(|it| it.span))
    }

    /// Returns the value of `@schema/default`, with defaults filled in.
    pub(super) fn default(
        &self,
        sample: &Sample<'_>,
        field: &Field,
    ) -> Result<Option<Node>, SchemaError> {
        let Some(given) = given_default(sample, field)? else {
            return Ok(None);
        };
        let (filled, mismatches) = conform_value(field, &given, field.type_origin(), self.work);
        let annotation = sample.meta.annotation(DEFAULT);
        check(mismatches, Role::Default, sample, annotation.and_then(|it| it.span))?;
        Ok(Some(filled.unwrap_or(given)))
    }
}

/// Returns the argument of `@schema/default`, with its place.
fn given_default(sample: &Sample<'_>, field: &Field) -> Result<Option<Node>, SchemaError> {
    let Some(annotation) = sample.meta.annotation(DEFAULT) else {
        return Ok(None);
    };
    if matches!(sample.kind, Kind::ArrayItem) {
        return Err(sample.malformed(annotation, MalformedKind::DefaultOfItem));
    }
    let found = match (annotation.kwargs.as_slice(), annotation.args.as_slice()) {
        ([_, ..], _) => WrongArgument::Keyword,
        (_, []) => WrongArgument::Nothing,
        (_, [value]) => match value.to_node() {
            Some(node) => return Ok(Some(placed(&node, sample.origin, annotation))),
            None => WrongArgument::Value(value.clone()),
        },
        (_, several) => WrongArgument::Several(several.len()),
    };
    let expected = Arguments::Default {
        type_name: field.type_name().into_owned(),
        declared_at: field.type_origin().span(),
    };
    Err(sample.wrong_arguments(annotation, expected, found))
}

/// Fails if there are mismatches. `annotation` is the one that contains the values, or declares the
/// type of a sample.
fn check(
    mismatches: Vec<Mismatch>,
    role: Role,
    sample: &Sample<'_>,
    annotation: Option<Span>,
) -> Result<(), SchemaError> {
    if mismatches.is_empty() {
        return Ok(());
    }
    let (declares, node) = (sample.declares(), sample.origin.span());
    let values = WrongValues { role, annotation, declares, node, mismatches };
    Err(SchemaError::Values(Box::new(values)))
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

/// Returns a value from an annotation. It gets the place of the annotated node if its only place is
/// the annotation itself.
pub(super) fn placed(node: &Node, origin: Origin, annotation: &Annotation) -> Node {
    let place = |it: Origin| match it.span() {
        Some(span) if !annotation.span.is_some_and(|own| own.contains(span)) => it,
        _ => as_default(origin),
    };
    node.with_origins(&place)
}
