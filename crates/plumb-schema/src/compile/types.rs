//! The annotations of a node that determine its type.

use plumb_diagnostic::{Code, nearest};
use plumb_source::{Origin, Span};
use plumb_validation::{Choice, Mode};
use plumb_value::{Annotation, Datum, Meta, Node, NodeKind};

use super::default::placed;
use super::finding::error;
use super::{Compiler, Kind, MAX_IN_ALTERNATIVES, MAX_NESTED, Sample};
use crate::annotation::{ALL_OF, ANY_KEY, ANY_OF, DEFAULT, NULLABLE, ONE_OF, TYPE};
use crate::field::{ArrayType, Docs, Field, Scalar, Type};
use crate::malformed::{Arguments, Declares, MalformedKind, WrongArgument, WrongType};
use crate::report::SchemaError;

/// A node within a node of any type has annotations about its type.
///
/// Remove the inner annotations, or `@schema/type any=True` from the outer node.
pub const SCHEMA_WITHIN_ANY: Code = Code::new("schema/within-any");

/// The names of types, each with its names in other languages and schemas.
const TYPES: [(&str, &[&str]); 8] = [
    ("string", &["str", "text"]),
    ("int", &["integer", "number"]),
    ("float", &["double", "decimal"]),
    ("bool", &["boolean"]),
    ("array", &["list", "sequence"]),
    ("map", &["object", "dict", "mapping"]),
    ("any", &[]),
    ("null", &["none", "nil"]),
];

/// The annotations that declare alternatives.
pub(super) const CHOICES: [(&str, Mode); 3] =
    [(ANY_OF, Mode::AnyOf), (ALL_OF, Mode::AllOf), (ONE_OF, Mode::OneOf)];

/// The type that `@schema/type` declares.
pub(super) enum DeclaredType {
    Inferred,
    Any,
    Kinds(Vec<NodeKind>),
}

impl Compiler<'_> {
    /// Reads `@schema/type any=True`, or kinds by name.
    pub(super) fn declared_type(sample: &Sample<'_>) -> Result<DeclaredType, SchemaError> {
        let Some(annotation) = sample.meta.annotation(TYPE) else {
            return Ok(DeclaredType::Inferred);
        };
        let are_names = !annotation.args.is_empty()
            && annotation.args.iter().all(|arg| arg.as_str().is_some())
            && annotation.kwargs.is_empty();
        if are_names {
            return Self::kinds(sample, annotation);
        }
        if annotation.kwargs.is_empty() {
            return Err(not_a_type(sample, annotation));
        }
        let mut declared = DeclaredType::Inferred;
        for (name, value) in &annotation.kwargs {
            let wrong = match (&**name, value) {
                ("any", Datum::Node(Node::Bool(true))) => {
                    declared = DeclaredType::Any;
                    continue;
                }
                ("any", Datum::Node(Node::Bool(false))) => {
                    declared = DeclaredType::Inferred;
                    continue;
                }
                ("any", value) => WrongType::AnyValue(value.clone()),
                (name, _) => WrongType::Keyword(name.to_owned()),
            };
            return Err(sample.malformed(annotation, MalformedKind::Type(wrong)));
        }
        Ok(declared)
    }

    fn kinds(sample: &Sample<'_>, annotation: &Annotation) -> Result<DeclaredType, SchemaError> {
        let mut kinds = Vec::new();
        for name in annotation.args.iter().filter_map(Datum::as_str) {
            let kind = match name {
                "any" => return Ok(DeclaredType::Any),
                "string" => NodeKind::String,
                "int" => NodeKind::Integer,
                "float" => NodeKind::Float,
                "bool" => NodeKind::Boolean,
                "array" => NodeKind::Array,
                "map" => NodeKind::Map,
                "null" => NodeKind::Null,
                _ => {
                    let (name, meant) = (name.to_owned(), meant_name(name));
                    let wrong = WrongType::Unknown { name, meant };
                    return Err(sample.malformed(annotation, MalformedKind::Type(wrong)));
                }
            };
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        Ok(DeclaredType::Kinds(kinds))
    }

    /// Returns the type for kinds by name. A single array or scalar is equivalent to a sample. A
    /// map by name accepts any keys.
    pub(super) fn of_kinds(
        &self,
        sample: &Sample<'_>,
        kinds: &[NodeKind],
    ) -> Result<(Type, bool), SchemaError> {
        let lets_null_be = kinds.contains(&NodeKind::Null);
        let kinds: Vec<NodeKind> =
            kinds.iter().copied().filter(|kind| *kind != NodeKind::Null).collect();
        let ty = match (kinds.as_slice(), sample.node) {
            ([NodeKind::Boolean], _) => Type::Scalar(Scalar::Boolean),
            ([NodeKind::Integer], _) => Type::Scalar(Scalar::Integer),
            ([NodeKind::Float], _) => Type::Scalar(Scalar::Float),
            ([NodeKind::String], _) => Type::Scalar(Scalar::String),
            ([NodeKind::Array], Node::Array(array)) if array.items.len() == 1 => {
                self.array(sample, array).map(Type::Array)?
            }
            ([NodeKind::Array], _) => Type::Array(array_of_anything(sample.origin)),
            _ => Type::Kinds(kinds),
        };
        Ok((ty, lets_null_be))
    }

    pub(super) fn is_nullable(sample: &Sample<'_>) -> Result<bool, SchemaError> {
        let Some(annotation) = sample.meta.annotation(NULLABLE) else {
            return Ok(false);
        };
        if annotation.kwargs.is_empty() {
            return Ok(true);
        }
        Err(sample.malformed(annotation, MalformedKind::NullableKeyword))
    }

    /// Reads `@schema/any-of`, `@schema/all-of` or `@schema/one-of`. A node has at most one of
    /// them.
    pub(super) fn choice(&self, sample: &Sample<'_>) -> Result<Option<Choice<Field>>, SchemaError> {
        let mut given =
            CHOICES.iter().filter_map(|&(name, mode)| Some((sample.meta.annotation(name)?, mode)));
        let Some((annotation, mode)) = given.next() else {
            return Ok(None);
        };
        if let Some((second, _)) = given.next() {
            return Err(second_declaration(sample, second, annotation));
        }
        let refuse =
            |found| Err(sample.wrong_arguments(annotation, Arguments::Alternatives, found));
        if !annotation.kwargs.is_empty() {
            return refuse(WrongArgument::Keyword);
        }
        if annotation.args.is_empty() {
            return refuse(WrongArgument::Nothing);
        }
        self.check_alternatives(sample, annotation)?;
        let is_strict = self.is_strict(sample);
        let inner = Self { is_strict, is_overlay: false, n_around: self.n_around + 1, ..*self };
        let mut alternatives = Vec::with_capacity(annotation.args.len());
        for arg in &annotation.args {
            let (node, meta) = match arg {
                Datum::Documents(documents) => match documents.as_slice() {
                    [document] => (document.node.clone(), document.meta.clone()),
                    several => return refuse(WrongArgument::Documents(several.len())),
                },
                Datum::Node(Node::Array(array)) if array.items.len() > 1 => {
                    return refuse(WrongArgument::List(array.items.len()));
                }
                arg => match arg.to_node() {
                    Some(node) => (node, Meta::default()),
                    None => return refuse(WrongArgument::Value(arg.clone())),
                },
            };
            let node = placed(&node, sample.origin, annotation);
            let (kind, origin) = (Kind::Alternative, sample.origin);
            alternatives.push(inner.field(&Sample { kind, node: &node, meta: &meta, origin })?);
        }
        let declared_at = annotation.span.map_or(Origin::Unknown, Origin::Written);
        Ok(Some(Choice { mode, alternatives, declared_at }))
    }

    /// Checks that no alternatives are declared next to a type by name: they would have no effect.
    pub(super) fn check_no_choice(sample: &Sample<'_>) -> Result<(), SchemaError> {
        let mut choices = CHOICES.iter().filter_map(|(name, _)| sample.meta.annotation(name));
        match (sample.meta.annotation(TYPE), choices.next()) {
            (Some(first), Some(choice)) => Err(second_declaration(sample, choice, first)),
            _ => Ok(()),
        }
    }

    /// Checks that alternatives are not nested too deeply, and that there are not too many.
    fn check_alternatives(
        &self,
        sample: &Sample<'_>,
        annotation: &Annotation,
    ) -> Result<(), SchemaError> {
        let name = || annotation.name.to_string();
        let kind = if self.n_around >= MAX_NESTED {
            MalformedKind::TooDeep { annotation: name(), max: MAX_NESTED }
        } else if self.n_in_alternatives.get() > MAX_IN_ALTERNATIVES {
            MalformedKind::TooMany { annotation: name(), max: MAX_IN_ALTERNATIVES }
        } else {
            return Ok(());
        };
        Err(sample.malformed(annotation, kind))
    }

    /// Checks that a map describes its other keys only once.
    pub(super) fn check_first_any_key(
        sample: &Sample<'_>,
        earlier: Option<&Field>,
    ) -> Result<(), SchemaError> {
        let (Some(earlier), Some(annotation)) = (earlier, sample.meta.annotation(ANY_KEY)) else {
            return Ok(());
        };
        let earlier = earlier.origin.span();
        Err(sample.malformed(annotation, MalformedKind::SecondAnyKey { earlier }))
    }
}

pub(super) fn array_of_anything(origin: Origin) -> ArrayType {
    ArrayType { item: Box::new(anything(origin)), origin }
}

/// A field with any value.
pub(super) fn anything(origin: Origin) -> Field {
    Field {
        ty: Type::Any,
        is_nullable: false,
        origin,
        default: Node::Null,
        docs: Docs::default(),
        validations: Vec::new(),
        has_secret: false,
        foreign_default: None,
    }
}

/// Checks that nothing is declared within a node of any type.
pub(super) fn check_within_any(node: &Node, any_at: Option<Span>) -> Result<(), SchemaError> {
    match node {
        Node::Map(map) => map.items().iter().try_for_each(|item| {
            undeclared(&item.meta, item.origin, any_at, || Declares::Key(item.key.clone()))?;
            check_within_any(&item.node, any_at)
        }),
        Node::Array(array) => array.items.iter().try_for_each(|item| {
            undeclared(&item.meta, item.origin, any_at, || Declares::Item)?;
            check_within_any(&item.node, any_at)
        }),
        Node::Null
        | Node::Bool(_)
        | Node::Int(_)
        | Node::UInt(_)
        | Node::Float(_)
        | Node::String(_) => Ok(()),
    }
}

fn undeclared(
    meta: &Meta,
    origin: Origin,
    declared_at: Option<Span>,
    declares: impl FnOnce() -> Declares,
) -> Result<(), SchemaError> {
    let names = [NULLABLE, TYPE, DEFAULT];
    let annotations: Vec<_> = names.iter().filter_map(|name| meta.annotation(name)).collect();
    if annotations.is_empty() {
        return Ok(());
    }
    let names = annotations.iter().map(|it| it.name.to_string()).collect();
    let annotations = annotations.iter().filter_map(|it| it.span).collect();
    Err(error(annotations, origin, declares(), MalformedKind::WithinAny { names, declared_at }))
}

/// The error for an annotation that declares the type a second time.
fn second_declaration(
    sample: &Sample<'_>,
    annotation: &Annotation,
    first: &Annotation,
) -> SchemaError {
    let kind = MalformedKind::SecondType {
        annotation: annotation.name.to_string(),
        first: first.name.to_string(),
        first_at: first.span,
    };
    sample.malformed(annotation, kind)
}

/// The error for arguments of `@schema/type` that are not all names.
fn not_a_type(sample: &Sample<'_>, annotation: &Annotation) -> SchemaError {
    let wrong = match annotation.args.iter().find(|it| it.as_str().is_none()) {
        None => WrongType::Nothing,
        Some(other) => WrongType::NotAName(other.clone()),
    };
    sample.malformed(annotation, MalformedKind::Type(wrong))
}

/// The names of types.
pub fn type_names() -> impl Iterator<Item = &'static str> {
    TYPES.iter().map(|(name, _)| *name)
}

/// Returns the type that may have been meant by a name.
pub(crate) fn meant_name(written: &str) -> Option<&'static str> {
    let written = written.to_lowercase();
    let known = TYPES.iter().find(|(name, others)| *name == written || others.contains(&&*written));
    known.map(|(name, _)| *name).or_else(|| nearest(&written, type_names()))
}
