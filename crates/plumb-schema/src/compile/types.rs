//! The annotations of a node that determine its type.

use plumb_diagnostic::{Code, nearest};
use plumb_source::message::{plain, secret};
use plumb_source::{Message, Origin, message};
use plumb_validation::report::place;
use plumb_validation::{Choice, Mode};
use plumb_value::{Annotation, Datum, Meta, Node, NodeKind};

use super::default::placed;
use super::finding::{malformed, refusal, syntax_error};
use super::{Compiler, Kind, MAX_IN_ALTERNATIVES, MAX_NESTED, Sample};
use crate::annotation::{ALL_OF, ANY_KEY, ANY_OF, DEFAULT, NULLABLE, ONE_OF, TYPE};
use crate::field::{ArrayType, Docs, Field, Scalar, Type};
use crate::report::{EntryWords, SchemaError, WrongArgument};

/// A node within a node of any type has annotations about its type.
///
/// Remove the inner annotations, or `@schema/type any=True` from the outer node.
pub const SCHEMA_WITHIN_ANY: Code = Code::new("schema/within-any");

const TYPE_NAMES: &str = "one or more of \"string\", \"int\", \"float\", \"bool\", \"array\", \"map\", \"any\", \"null\"";

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
const CHOICES: [(&str, Mode); 3] =
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
            return Err(malformed(sample, annotation, not_a_type(annotation)));
        }
        let mut declared = DeclaredType::Inferred;
        for (name, value) in &annotation.kwargs {
            let (found, wrong_argument) = match (&**name, value) {
                ("any", Datum::Node(Node::Bool(true))) => {
                    declared = DeclaredType::Any;
                    continue;
                }
                ("any", Datum::Node(Node::Bool(false))) => {
                    declared = DeclaredType::Inferred;
                    continue;
                }
                ("any", value) => (value.type_name(), WrongArgument::AnyValue(value.clone())),
                (name, _) => {
                    ("another keyword argument", WrongArgument::TypeKeyword(name.to_owned()))
                }
            };
            let words = EntryWords {
                description: message!("`{}` in @schema/type is not valid", secret(name)),
                found: found.into(),
                found_in: annotation.span,
                expected: message!("{TYPE_NAMES}, or any=True"),
                wrong_argument: Some(wrong_argument),
                ..EntryWords::default()
            };
            return Err(malformed(sample, annotation, words));
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
                    let words = EntryWords {
                        description: "unknown name in @schema/type annotation".into(),
                        found: message!("\"{}\"", secret(name)),
                        found_in: annotation.span,
                        expected: TYPE_NAMES.into(),
                        hints: meant_type(name).into_iter().collect(),
                        ..EntryWords::default()
                    };
                    return Err(malformed(sample, annotation, words));
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
                self.array(array).map(Type::Array)?
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
        Err(malformed(
            sample,
            annotation,
            EntryWords {
                description: "@schema/nullable has a keyword argument".into(),
                found: "a keyword argument".into(),
                found_in: annotation.span,
                expected: "no argument".into(),
                wrong_argument: Some(WrongArgument::NullableKeyword),
                ..EntryWords::default()
            },
        ))
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
            return Err(Self::second_declaration(sample, second, &annotation.name));
        }
        let refuse = |found: Message, hints: Vec<Message>| {
            let expected = "one or more schemas: values, or what functions return";
            Err(syntax_error(sample, annotation, found, expected, hints))
        };
        if !annotation.kwargs.is_empty() {
            return refuse("keyword argument".into(), Vec::new());
        }
        if annotation.args.is_empty() {
            return refuse("missing value".into(), Vec::new());
        }
        self.check_alternatives(sample, annotation)?;
        let is_strict = self.is_strict(sample);
        let inner = Self { is_strict, is_overlay: false, n_around: self.n_around + 1, ..*self };
        let mut alternatives = Vec::with_capacity(annotation.args.len());
        for arg in &annotation.args {
            let (node, meta) = match arg {
                Datum::Documents(documents) => match documents.as_slice() {
                    [document] => (document.node.clone(), document.meta.clone()),
                    several => {
                        return refuse(message!("{} documents", several.len()), Vec::new());
                    }
                },
                Datum::Function(function) => {
                    let help = message!("call it: `{}()`", plain(function.name()));
                    return refuse("function".into(), vec![help]);
                }
                Datum::Node(Node::Array(array)) if array.items.len() > 1 => {
                    let help = "remove the brackets: a list would be the schema of an array, and must have one item";
                    return refuse(
                        message!("list of {} items", array.items.len()),
                        vec![help.into()],
                    );
                }
                arg => match arg.to_node() {
                    Some(node) => (node, Meta::default()),
                    None => return refuse(message!("{} value", arg.type_name()), Vec::new()),
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
        choices.next().map_or(Ok(()), |choice| Err(Self::second_declaration(sample, choice, TYPE)))
    }

    /// The error for an annotation that declares the type a second time.
    fn second_declaration(
        sample: &Sample<'_>,
        annotation: &Annotation,
        first: &str,
    ) -> SchemaError {
        let found = message!("second declaration, besides @{},", plain(first));
        let expected = "one annotation that declares the type";
        syntax_error(sample, annotation, found, expected, Vec::new())
    }

    /// Checks that alternatives are not nested too deeply, and that there are not too many.
    fn check_alternatives(
        &self,
        sample: &Sample<'_>,
        annotation: &Annotation,
    ) -> Result<(), SchemaError> {
        let refuse = |found: &'static str, expected: String| {
            Err(syntax_error(sample, annotation, found, plain(expected), Vec::new()))
        };
        if self.n_around >= MAX_NESTED {
            return refuse("more levels", format!("alternatives of at most {MAX_NESTED} levels"));
        }
        if self.n_in_alternatives.get() > MAX_IN_ALTERNATIVES {
            let expected = format!("at most {MAX_IN_ALTERNATIVES} nodes in all alternatives");
            return refuse("more nodes", expected);
        }
        Ok(())
    }

    /// Checks that a map describes its other keys only once.
    pub(super) fn check_first_any_key(
        &self,
        sample: &Sample<'_>,
        earlier: Option<&Field>,
    ) -> Result<(), SchemaError> {
        let (Some(earlier), Some(annotation)) = (earlier, sample.meta.annotation(ANY_KEY)) else {
            return Ok(());
        };
        let earlier = place(earlier.origin.span(), self.sources);
        let words = EntryWords {
            description: "a map can have one item annotated @schema/any-key".into(),
            found: "second @schema/any-key".into(),
            found_in: annotation.span,
            expected: message!("one (at {})", plain(earlier)),
            ..EntryWords::default()
        };
        Err(malformed(sample, annotation, words))
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
pub(super) fn check_within_any(node: &Node) -> Result<(), SchemaError> {
    match node {
        Node::Map(map) => map.items().iter().try_for_each(|item| {
            undeclared(&item.meta, item.origin)?;
            check_within_any(&item.node)
        }),
        Node::Array(array) => array.items.iter().try_for_each(|item| {
            undeclared(&item.meta, item.origin)?;
            check_within_any(&item.node)
        }),
        Node::Null
        | Node::Bool(_)
        | Node::Int(_)
        | Node::UInt(_)
        | Node::Float(_)
        | Node::String(_) => Ok(()),
    }
}

fn undeclared(meta: &Meta, origin: Origin) -> Result<(), SchemaError> {
    let names = [NULLABLE, TYPE, DEFAULT];
    let annotations: Vec<_> = names.iter().filter_map(|name| meta.annotation(name)).collect();
    if annotations.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = annotations.iter().map(|it| &*it.name).collect();
    let words = EntryWords {
        description: "Schema was specified within an \"any type\" fragment".into(),
        found: message!("@{} annotation(s)", plain(names.join(", @"))),
        expected: "no '@schema/...' on nodes within a node annotated '@schema/type any=True'".into(),
        hints: vec![
            "an \"any type\" fragment has no constraints; nested schema annotations conflict and are disallowed"
                .into(),
        ],
        ..EntryWords::default()
    };
    let annotations = annotations.iter().filter_map(|it| it.span).collect();
    Err(refusal(SCHEMA_WITHIN_ANY, "Invalid schema", annotations, origin, words))
}

/// The problem of arguments of `@schema/type` that are not all names.
fn not_a_type(annotation: &Annotation) -> EntryWords {
    let other = annotation.args.iter().find(|it| it.as_str().is_none());
    let (found, hints) = match other {
        None => (Message::from("no argument"), Vec::new()),
        Some(Datum::Node(Node::Array(_)) | Datum::Tuple(_)) => {
            ("a list".into(), vec!["write the names without brackets".into()])
        }
        Some(Datum::Function(function)) => {
            let name = meant_name(function.name()).unwrap_or(function.name());
            ("a function".into(), vec![message!("write the name in quotes: \"{}\"", plain(name))])
        }
        Some(other) => (message!("a value of type {}", other.type_name()), Vec::new()),
    };
    EntryWords {
        description: "@schema/type does not name a type".into(),
        found,
        found_in: annotation.span,
        expected: message!("{TYPE_NAMES}, or any=True"),
        hints,
        wrong_argument: Some(WrongArgument::NoType),
    }
}

/// The hint for a name that is not a type.
fn meant_type(written: &str) -> Option<Message> {
    meant_name(written).map(|name| message!("did you mean \"{}\"?", plain(name)))
}

fn meant_name(written: &str) -> Option<&'static str> {
    let written = written.to_lowercase();
    let known = TYPES.iter().find(|(name, others)| *name == written || others.contains(&&*written));
    known.map(|(name, _)| *name).or_else(|| nearest(&written, TYPES.iter().map(|(name, _)| *name)))
}
