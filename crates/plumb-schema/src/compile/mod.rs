//! Compiles a schema document to its type tree.
//!
//! The first problem ends the compilation. The order is the same as in ytt: the annotations that
//! determine the type, the nodes below, the node itself, its documentation, its default, its rules.

mod default;
mod documentation;
mod finding;
mod sample_rule;
mod types;

use std::cell::Cell;
use std::sync::Arc;

use plumb_diagnostic::Failure;
use plumb_source::{Origin, Sources, Span};
use plumb_validation::{AnnotationError, Constraint, Mode, Rule, Validation, Work, is_same_value};
use plumb_value::{Array, ArrayItem, Datum, Document, Map, MapItem, Meta, Node, NodeKind};

use crate::annotation::{ALLOW_EMPTY, ANY_KEY, MAY_BE_PRESENT, REQUIRED, STRING_DEFAULTS, TYPE};
use crate::conform::conform_value;
use crate::declared;
use crate::field::{ArrayType, Field, MapType, Presence, Scalar, Schema, Type, as_default};
use crate::fractions;
use crate::prepare::STRICT;
use crate::report::SchemaError;
use crate::secret;

use default::inferred_default;
use types::{DeclaredType, anything, array_of_anything, check_within_any};

pub use default::{DEFAULT_CONTRADICTION, DEFAULT_MISMATCH, EXAMPLE_MISMATCH};
pub use finding::{ARRAY_SHAPE, MALFORMED_ANNOTATION, NULL_SAMPLE};
pub(crate) use types::meant_name;
pub use types::{SCHEMA_WITHIN_ANY, type_names};

/// The overlay operation that does not change the value.
const NOOP: &str = "overlay/noop";

impl Schema {
    /// Compiles a schema from its document, after all overlays were applied. Fails if the document
    /// is not a valid schema. The cost of checking its defaults and examples is counted with
    /// `work`.
    pub fn compile(
        document: &Document,
        sources: &Sources,
        work: &Work<'_>,
    ) -> Result<Self, Failure> {
        let alternatives = Cell::default();
        let compiler = Compiler::new(sources, false, &alternatives, work);
        compiler.document(document).map(Self::new)
    }

    /// Returns whether compiling a document finds all mistakes that checking it would find, because
    /// no part of it is left out.
    pub fn is_checked_by_compiling(document: &Document) -> bool {
        let is_noop = |meta: &Meta| meta.annotations().has(NOOP);
        !is_noop(&document.meta) && !document.node.descendants().any(|(meta, _)| is_noop(meta))
    }

    /// Checks a document that is a schema, or part of one, before it is merged with others.
    pub fn check(document: &Document, sources: &Sources, work: &Work<'_>) -> Result<(), Failure> {
        let alternatives = Cell::default();
        let compiler = Compiler::new(sources, true, &alternatives, work);
        if compiler.is_unused(&document.meta) {
            return Ok(());
        }
        compiler.document(document).map(drop)
    }
}

struct Compiler<'a> {
    sources: &'a Sources,
    /// Whether all keys must have a value in the end, independently of the declarations. This is
    /// set in alternatives of a strict node.
    is_strict: bool,
    /// Whether the document will be merged into others: it may then have nodes that declare
    /// nothing.
    is_overlay: bool,
    /// The number of fields in all alternatives so far.
    n_in_alternatives: &'a Cell<usize>,
    /// The number of nested alternatives around the node.
    n_around: usize,
    work: &'a Work<'a>,
}

/// The maximum nesting of alternatives. Each level increases the time to check a value, although
/// the schema only grows by a line.
const MAX_NESTED: usize = 64;

/// The maximum number of fields in all alternatives. A schema can share its parts, and each use is
/// counted.
const MAX_IN_ALTERNATIVES: usize = 50_000;

/// A node of the schema that declares a field.
struct Sample<'a> {
    kind: Kind<'a>,
    node: &'a Node,
    meta: &'a Meta,
    origin: Origin,
}

#[derive(Clone, Copy)]
enum Kind<'a> {
    Document,
    MapItem(&'a Node),
    ArrayItem,
    Alternative,
}

impl<'a> Compiler<'a> {
    fn new(
        sources: &'a Sources,
        is_overlay: bool,
        n_in_alternatives: &'a Cell<usize>,
        work: &'a Work<'a>,
    ) -> Self {
        Self { sources, is_strict: false, is_overlay, n_in_alternatives, n_around: 0, work }
    }

    fn document(&self, document: &Document) -> Result<Field, Failure> {
        let sample = Sample {
            kind: Kind::Document,
            node: &document.node,
            meta: &document.meta,
            origin: document.origin,
        };
        self.field(&sample).map_err(|refusal| refusal.into_failure(self.sources))
    }

    /// Returns whether the overlay only uses the annotations of a node. They are checked at the
    /// node that they are merged into.
    fn is_unused(&self, meta: &Meta) -> bool {
        self.is_overlay && meta.annotations().has(NOOP)
    }

    /// Compiles a field. The result must not be used if the budget is exhausted.
    fn field(&self, sample: &Sample<'_>) -> Result<Field, SchemaError> {
        if !self.can_pay(sample) {
            return Ok(anything(sample.origin));
        }
        if self.n_around > 0 {
            self.n_in_alternatives.update(|it| it + 1);
        }
        let declared = Self::declared_type(sample)?;
        let is_nullable = Self::is_nullable(sample)?;
        let (ty, lets_null_be) = self.ty(sample, &declared, is_nullable)?;
        let mut field = Field {
            default: inferred_default(sample, &ty, is_nullable),
            ty,
            is_nullable: is_nullable || lets_null_be,
            origin: sample.origin,
            docs: documentation::documentation(sample, self.is_strict(sample))?.into(),
            validations: Vec::new(),
            has_secret: false,
            foreign_default: None,
        };
        self.check_inferred_default(sample, &mut field)?;
        self.check_examples(sample, &field)?;
        field.has_secret = field.docs.is_secret || secret::is_in(&field.ty);
        if field.has_secret {
            field.docs.remove_examples();
        }
        if let Some(default) = self.default(sample, &field)? {
            field.default = default;
        }
        share_default(&mut field, self.work);
        let mut validations = self.validations(sample, &field)?;
        fractions::declare(&field, &mut validations);
        field.validations = validations;
        Ok(field)
    }

    /// Counts the memory of a field, with copies of the values in its annotations. Shared parts of
    /// a schema are compiled for each use.
    fn can_pay(&self, sample: &Sample<'_>) -> bool {
        const FIELD: usize = size_of::<Field>() + 2 * size_of::<MapItem>();
        let data = sample.meta.annotations().iter().flat_map(|annotation| {
            annotation.args.iter().chain(annotation.kwargs.iter().map(|(_, value)| value))
        });
        let work = self.work;
        work.count(1) && work.build(FIELD) && { data }.all(|it| can_pay_for(it, work))
    }

    fn is_strict(&self, sample: &Sample<'_>) -> bool {
        self.is_strict || sample.meta.annotations().has(STRICT)
    }

    /// Returns the type, and whether its declaration allows null.
    fn ty(
        &self,
        sample: &Sample<'_>,
        declared: &DeclaredType,
        is_nullable: bool,
    ) -> Result<(Type, bool), SchemaError> {
        if !matches!(declared, DeclaredType::Inferred) {
            Self::check_no_choice(sample)?;
        }
        match declared {
            DeclaredType::Any => {
                let declared_at = sample.meta.annotation(TYPE).and_then(|it| it.span);
                check_within_any(sample.node, declared_at)?;
                return Ok((Type::Any, false));
            }
            DeclaredType::Kinds(kinds) => return self.of_kinds(sample, kinds),
            DeclaredType::Inferred => {}
        }
        if let Some(choice) = self.choice(sample)? {
            return Ok((Type::Choice(Box::new(choice)), false));
        }
        match self.infer(sample) {
            Ok(ty) => Ok((ty, false)),
            Err(error) if is_nullable && !sample.node.is_null() => {
                Err(SchemaError::BelowNullable(Box::new(error)))
            }
            Err(error) => Err(error),
        }
    }

    fn infer(&self, sample: &Sample<'_>) -> Result<Type, SchemaError> {
        match sample.node {
            Node::Null if self.is_strict(sample) => Ok(Type::Any),
            Node::Null => Err(sample.null()),
            Node::Bool(_) => Ok(Type::Scalar(Scalar::Boolean)),
            Node::Int(_) | Node::UInt(_) => Ok(Type::Scalar(Scalar::Integer)),
            Node::Float(_) => Ok(Type::Scalar(Scalar::Float)),
            Node::String(_) => Ok(Type::Scalar(Scalar::String)),
            Node::Map(map) => self.map(map).map(|it| Type::Map(Box::new(it))),
            Node::Array(array) if array.items.is_empty() && self.is_strict(sample) => {
                Ok(Type::Array(array_of_anything(array.origin)))
            }
            Node::Array(array) => self.array(sample, array).map(Type::Array),
        }
    }

    fn map(&self, map: &Map) -> Result<MapType, SchemaError> {
        let mut fields = Vec::with_capacity(map.len());
        let mut items = Vec::with_capacity(map.len());
        let mut presence = Vec::with_capacity(map.len());
        let mut any_key = None;
        let mut refused = Vec::new();
        for item in map.items().iter().filter(|it| !self.is_unused(&it.meta)) {
            let sample = Sample {
                kind: Kind::MapItem(&item.key),
                node: &item.node,
                meta: &item.meta,
                origin: item.origin,
            };
            let field = match self.field(&sample) {
                Ok(field) => field,
                Err(refusal) => {
                    refused.push(refusal);
                    continue;
                }
            };
            if item.meta.annotations().has(ANY_KEY) {
                Self::check_first_any_key(&sample, any_key.as_ref())?;
                any_key = Some(field);
                continue;
            }
            let origin = as_default(item.origin);
            items.push(MapItem::new(item.key.clone(), field.default.clone(), origin));
            fields.push(field);
            presence.push(presence_of(&item.meta));
        }
        if refused.len() > 1 {
            return Err(SchemaError::Several(refused));
        }
        if let Some(refusal) = refused.pop() {
            return Err(refusal);
        }
        let items = Map::new(items, as_default(map.origin));
        Ok(MapType::new(fields, items, presence, any_key, map.origin))
    }

    /// Compiles the array of a sample.
    fn array(&self, around: &Sample<'_>, array: &Array) -> Result<ArrayType, SchemaError> {
        let [item] = array.items.as_slice() else {
            return Err(around.array_shape(array));
        };
        let ArrayItem { node, origin, meta } = item;
        if self.is_unused(meta) {
            return Ok(array_of_anything(array.origin));
        }
        let sample = Sample { kind: Kind::ArrayItem, node, meta, origin: *origin };
        Ok(ArrayType { item: Box::new(self.field(&sample)?), origin: array.origin })
    }

    /// Returns the rules of the node itself, or the default rules of strings. In a strict schema,
    /// the first rule is that a key must have a value.
    fn validations(
        &self,
        sample: &Sample<'_>,
        field: &Field,
    ) -> Result<Vec<Validation>, SchemaError> {
        let mut validations = Vec::new();
        let may_be_empty = sample.meta.annotations().has(ALLOW_EMPTY);
        let is_key = matches!(sample.kind, Kind::MapItem(_));
        if self.is_strict(sample) && is_key && !may_be_empty && can_be_empty(&field.ty) {
            let opening = sample.meta.annotation(STRICT).and_then(|it| it.span);
            let span = opening.or_else(|| sample.origin.span());
            validations.push(not_empty(span, field.is_nullable));
        }
        let own = crate::RULES;
        let mut annotations: Vec<_> =
            own.iter().filter_map(|name| sample.meta.annotation(name)).collect();
        if annotations.is_empty() && matches!(field.ty, Type::Scalar(Scalar::String)) {
            annotations.extend(sample.meta.annotation(STRING_DEFAULTS));
        }
        validations.reserve_exact(annotations.len());
        for annotation in annotations {
            let malformed = |problem: AnnotationError| {
                SchemaError::Rule(Box::new(problem.report(&annotation.name, self.sources)))
            };
            let mut validation = Validation::from_annotation(annotation).map_err(malformed)?;
            if !validation.count(self.work) {
                break;
            }
            // Other parts of the schema may declare more keys of the value.
            if !self.is_overlay && has_expressions(&validation) {
                let declared = Arc::new(declared::of(&field.ty));
                validation.check_types(&declared).map_err(malformed)?;
            }
            sample_rule::bind(&mut validation, sample.node);
            validations.push(validation);
        }
        Ok(validations)
    }
}

fn has_expressions(validation: &Validation) -> bool {
    let mut rules = validation.rules.iter();
    rules.any(|it| matches!(it.assertion.constraint(), Some(Constraint::Cel(_))))
}

fn presence_of(meta: &Meta) -> Presence {
    let annotations = meta.annotations();
    if annotations.has(REQUIRED) {
        Presence::Required
    } else if annotations.has(MAY_BE_PRESENT) {
        Presence::WhenGiven
    } else {
        Presence::Always
    }
}

fn can_pay_for(datum: &Datum, work: &Work<'_>) -> bool {
    match datum {
        Datum::Node(node) => work.build_copy(node),
        Datum::Tuple(items) => items.iter().all(|it| can_pay_for(it, work)),
        Datum::Documents(documents) => documents.iter().all(|it| work.build_copy(&it.node)),
        Datum::Function(_) | Datum::Opaque(_) => true,
    }
}

/// Passes the default of a node to its alternatives. An alternative that the default fits uses it
/// as its own default, so that missing keys are always filled in the same way.
fn share_default(field: &mut Field, work: &Work<'_>) {
    let Type::Choice(choice) = &mut field.ty else {
        return;
    };
    for alternative in &mut choice.alternatives {
        let (_, mismatches) = conform_value(alternative, &field.default, field.origin, work);
        if mismatches.is_empty() {
            alternative.foreign_default = None;
            take_default(alternative, &field.default, work);
        } else if choice.mode != Mode::AllOf {
            alternative.foreign_default = Some(field.default.clone());
        }
    }
}

/// Replaces the default of a field with a value that fits it, key by key. Keys that the value lacks
/// keep the default of the field.
fn take_default(field: &mut Field, value: &Node, work: &Work<'_>) {
    // Its alternatives already have this default.
    if is_identical(&field.default, value, work) {
        return;
    }
    if let (Type::Map(ty), Node::Map(map)) = (&mut field.ty, value) {
        ty.change_fields(|key, field| {
            if let Some(at) = map.position(key) {
                take_default(field, &map.items()[at].node, work);
            }
        });
    }
    field.default = match (&field.ty, value) {
        (Type::Map(ty), Node::Map(map)) if !field.is_nullable && ty.brings_all(map) => {
            Node::Map(ty.default().clone())
        }
        _ => conform_value(field, value, field.origin, work).0.unwrap_or_else(|| value.clone()),
    };
    share_default(field, work);
}

/// Returns whether two values are written in the same way, except for their places.
fn is_identical(left: &Node, right: &Node, work: &Work<'_>) -> bool {
    if !work.count(1) {
        return true;
    }
    match (left, right) {
        _ if left.is_same_object(right) => true,
        (Node::Map(left), Node::Map(right)) => {
            left.len() == right.len()
                && left.items().iter().zip(right.items()).all(|(left, right)| {
                    is_identical(&left.key, &right.key, work)
                        && is_identical(&left.node, &right.node, work)
                })
        }
        (Node::Array(left), Node::Array(right)) => {
            left.items.len() == right.items.len()
                && left
                    .items
                    .iter()
                    .zip(&right.items)
                    .all(|(left, right)| is_identical(&left.node, &right.node, work))
        }
        _ => left.kind() == right.kind() && is_same_value(left, right),
    }
}

/// Returns whether a type has values that count as empty: `false` and maps do not.
fn can_be_empty(ty: &Type) -> bool {
    match ty {
        Type::Map(_) | Type::Scalar(Scalar::Boolean) => false,
        Type::Array(_) | Type::Scalar(_) | Type::Any => true,
        Type::Kinds(kinds) => {
            kinds.iter().any(|kind| !matches!(kind, NodeKind::Map | NodeKind::Boolean))
        }
        Type::Choice(choice) => {
            choice.alternatives.iter().any(|it| it.is_nullable || can_be_empty(&it.ty))
        }
    }
}

/// The rule of a strict schema. `span` is the place that makes the schema strict.
fn not_empty(span: Option<Span>, lets_null_be: bool) -> Validation {
    let rule = Rule {
        assertion: Constraint::NotEmpty { lets_null_be }.into(),
        description: None,
        message: None,
        ordinal: 1,
        is_named: false,
        span: None,
    };
    Validation { rules: vec![rule], when: None, span, uses: None }
}
