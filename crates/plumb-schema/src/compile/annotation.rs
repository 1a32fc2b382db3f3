//! The arguments of the `@schema/…` annotations.

use std::sync::Arc;

use plumb_diagnostic::Code;
use plumb_source::Origin;
use plumb_validation::report::place;
use plumb_validation::{Choice, Mode};
use plumb_value::{Annotation, Array, ArrayItem, Datum, Map, MapItem, Meta, Node, NodeKind};

use super::{Compiler, Kind, Sample, refusal};
use crate::field::{Documentation, Example, Field, as_default};
use crate::report::{Block, Refusal};

/// An annotation of a schema has arguments that it does not take, or stands where it cannot.
///
/// The finding says what the annotation expects.
pub const MALFORMED_ANNOTATION: Code = Code::new("schema/malformed-annotation");

pub(super) const ANY_KEY: &str = "schema/any-key";
pub(super) const MAY_BE_PRESENT: &str = "schema/key-may-be-present";
pub(super) const ALLOW_EMPTY: &str = "schema/allow-empty";

const TYPE_NAMES: &str = "one or more of \"string\", \"int\", \"float\", \"bool\", \"array\", \"map\", \"any\", \"null\"";
const ONE_STRING: &str = "this annotation only accepts one argument: a string.";
const EXAMPLE: &str =
    "2-tuple containing description (string) and example value (of expected type)";

/// What `@schema/type` says.
pub(super) enum DeclaredType {
    Inferred,
    Any,
    Kinds(Vec<NodeKind>),
}

impl Compiler<'_> {
    /// `@schema/type any=True`, or kinds by name.
    pub(super) fn declared_type(&self, sample: &Sample<'_>) -> Result<DeclaredType, Refusal> {
        let Some(annotation) = sample.meta.annotation("schema/type") else {
            return Ok(DeclaredType::Inferred);
        };
        let are_names = !annotation.args.is_empty()
            && annotation.args.iter().all(|arg| arg.as_str().is_some())
            && annotation.kwargs.is_empty();
        if are_names {
            return self.kinds(sample, annotation);
        }
        if annotation.kwargs.is_empty() {
            return Err(self.problem(
                sample,
                annotation,
                Block {
                    description:
                        "expected @schema/type annotation to have keyword argument and value"
                            .to_owned(),
                    found: self.by("missing keyword argument and value", annotation),
                    expected: "valid keyword argument and value".to_owned(),
                    hints: vec!["Supported key-value pairs are 'any=True', 'any=False'".to_owned()],
                    ..Block::default()
                },
            ));
        }
        let mut declared = DeclaredType::Inferred;
        for (name, value) in &annotation.kwargs {
            let (found, expected) = match (&**name, value) {
                ("any", Datum::Node(Node::Bool(true))) => {
                    declared = DeclaredType::Any;
                    continue;
                }
                ("any", Datum::Node(Node::Bool(false))) => {
                    declared = DeclaredType::Inferred;
                    continue;
                }
                ("any", value) => (go_type_name(value), "starlark.Bool"),
                (name, _) => (name, "A valid kwarg"),
            };
            return Err(self.problem(
                sample,
                annotation,
                Block {
                    description: "unknown @schema/type annotation keyword argument".to_owned(),
                    found: self.by(found, annotation),
                    expected: expected.to_owned(),
                    hints: vec!["Supported kwargs are 'any'".to_owned()],
                    ..Block::default()
                },
            ));
        }
        Ok(declared)
    }

    fn kinds(&self, sample: &Sample<'_>, annotation: &Annotation) -> Result<DeclaredType, Refusal> {
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
                    let block = Block {
                        description: "unknown name in @schema/type annotation".to_owned(),
                        found: self.by(&format!("\"{name}\""), annotation),
                        expected: TYPE_NAMES.to_owned(),
                        ..Block::default()
                    };
                    return Err(self.problem(sample, annotation, block));
                }
            };
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        Ok(DeclaredType::Kinds(kinds))
    }

    /// `@schema/any-of`, `@schema/all-of` or `@schema/one-of`, of which a node has one at most.
    pub(super) fn choice(&self, sample: &Sample<'_>) -> Result<Option<Choice<Field>>, Refusal> {
        let modes = [
            ("schema/any-of", Mode::AnyOf),
            ("schema/all-of", Mode::AllOf),
            ("schema/one-of", Mode::OneOf),
        ];
        let mut given =
            modes.iter().filter_map(|&(name, mode)| Some((sample.meta.annotation(name)?, mode)));
        let Some((annotation, mode)) = given.next() else {
            return Ok(None);
        };
        let refuse = |annotation: &Annotation, found: &str| {
            let expected = "schemas: functions that return YAML, or values".to_owned();
            Err(self.syntax_error(sample, annotation, found, expected, Vec::new()))
        };
        if let Some((second, _)) = given.next() {
            return refuse(second, "second set of alternatives");
        }
        if !annotation.kwargs.is_empty() {
            return refuse(annotation, "keyword argument");
        }
        if annotation.args.is_empty() {
            return refuse(annotation, "missing value");
        }
        let inner = Self { sources: self.sources, is_strict: self.is_strict(sample) };
        let mut alternatives = Vec::with_capacity(annotation.args.len());
        for arg in &annotation.args {
            let (node, meta) = match arg {
                Datum::Documents(documents) => match documents.as_slice() {
                    [document] => (document.node.clone(), document.meta.clone()),
                    several => return refuse(annotation, &format!("{} documents", several.len())),
                },
                arg => match arg.to_node() {
                    Some(node) => (node, Meta::default()),
                    None => return refuse(annotation, &format!("{} value", arg.type_name())),
                },
            };
            let node = placed(&node, sample.origin, annotation);
            let (kind, origin) = (Kind::Alternative, sample.origin);
            alternatives.push(inner.field(&Sample { kind, node: &node, meta: &meta, origin })?);
        }
        Ok(Some(Choice { mode, alternatives }))
    }

    /// A map describes its other keys once.
    pub(super) fn check_first_any_key(
        &self,
        sample: &Sample<'_>,
        earlier: Option<&Field>,
    ) -> Result<(), Refusal> {
        let (Some(earlier), Some(annotation)) = (earlier, sample.meta.annotation(ANY_KEY)) else {
            return Ok(());
        };
        let earlier = place(earlier.origin.span(), self.sources);
        let block = Block {
            description: "a map can have one item annotated @schema/any-key".to_owned(),
            found: self.by("second @schema/any-key", annotation),
            expected: format!("one (at {earlier})"),
            ..Block::default()
        };
        Err(self.problem(sample, annotation, block))
    }

    pub(super) fn is_nullable(&self, sample: &Sample<'_>) -> Result<bool, Refusal> {
        let Some(annotation) = sample.meta.annotation("schema/nullable") else {
            return Ok(false);
        };
        if annotation.kwargs.is_empty() {
            return Ok(true);
        }
        Err(self.problem(
            sample,
            annotation,
            Block {
                description:
                    "expected @schema/nullable annotation to not contain any keyword arguments"
                        .to_owned(),
                found: self.by("keyword argument in @schema/nullable", annotation),
                expected: "starlark.Bool".to_owned(),
                hints: vec!["Supported kwargs are 'any'".to_owned()],
                ..Block::default()
            },
        ))
    }

    pub(super) fn documentation(&self, sample: &Sample<'_>) -> Result<Documentation, Refusal> {
        self.check_places(sample)?;
        let description = match self.one_string(sample, "schema/desc")? {
            Some(description) => description,
            None => self.one_string(sample, "schema/doc")?.unwrap_or_default(),
        };
        let title = match (self.one_string(sample, "schema/title")?, sample.kind) {
            (Some(title), _) => title,
            (None, Kind::MapItem(key)) if self.is_strict(sample) => humanized(key),
            (None, _) => String::new(),
        };
        let mut examples = self.example(sample)?;
        examples.extend(self.examples(sample)?);
        let deprecation = self.deprecation(sample)?;
        Ok(Documentation { title, description, examples, deprecation })
    }

    fn deprecation(&self, sample: &Sample<'_>) -> Result<Option<String>, Refusal> {
        if let Some(annotation) = sample.meta.annotation("schema/deprecated")
            && matches!(sample.kind, Kind::Document)
        {
            let hints = [
                "do you mean to deprecate the entire schema document?",
                "use schema/deprecated on individual keys.",
            ];
            return Err(self.problem(
                sample,
                annotation,
                Block {
                    description: "@schema/deprecated not supported on a document".to_owned(),
                    hints: hints.map(str::to_owned).into(),
                    ..Block::default()
                },
            ));
        }
        self.one_string(sample, "schema/deprecated")
    }

    /// The string that is the only argument of an annotation.
    fn one_string(&self, sample: &Sample<'_>, name: &str) -> Result<Option<String>, Refusal> {
        let Some(annotation) = sample.meta.annotation(name) else {
            return Ok(None);
        };
        let (found, hints) = match (annotation.kwargs.as_slice(), annotation.args.as_slice()) {
            ([_, ..], _) => ("keyword argument".to_owned(), vec![ONE_STRING.to_owned()]),
            (_, []) => ("missing value".to_owned(), Vec::new()),
            (_, [Datum::Node(Node::String(text))]) => return Ok(Some(text.to_string())),
            (_, [_]) => ("Non-string value".to_owned(), Vec::new()),
            (_, several) => (format!("{} values", several.len()), Vec::new()),
        };
        Err(self.syntax_error(sample, annotation, &found, "string".to_owned(), hints))
    }

    /// Annotations about keys stand on the items of maps, and take no arguments.
    fn check_places(&self, sample: &Sample<'_>) -> Result<(), Refusal> {
        for name in [ANY_KEY, MAY_BE_PRESENT, ALLOW_EMPTY] {
            let Some(annotation) = sample.meta.annotation(name) else {
                continue;
            };
            let has_arguments = !annotation.args.is_empty() || !annotation.kwargs.is_empty();
            let found = match sample.kind {
                Kind::MapItem(_) if !has_arguments => continue,
                Kind::MapItem(_) => "argument",
                Kind::Document | Kind::ArrayItem | Kind::Alternative => "no map item",
            };
            let expected = "no argument, on an item of a map".to_owned();
            return Err(self.syntax_error(sample, annotation, found, expected, Vec::new()));
        }
        Ok(())
    }

    /// `@schema/example` has one value, and no description.
    fn example(&self, sample: &Sample<'_>) -> Result<Vec<Example>, Refusal> {
        let Some(annotation) = sample.meta.annotation("schema/example") else {
            return Ok(Vec::new());
        };
        let value = match (annotation.kwargs.as_slice(), annotation.args.as_slice()) {
            ([], [value]) => value.to_node(),
            _ => None,
        };
        let Some(value) = value else {
            let found = "something other than one value";
            let expected = "one example value (of expected type)".to_owned();
            return Err(self.syntax_error(sample, annotation, found, expected, Vec::new()));
        };
        let value = placed(&value, sample.origin, annotation);
        Ok(vec![Example { description: String::new(), value }])
    }

    fn examples(&self, sample: &Sample<'_>) -> Result<Vec<Example>, Refusal> {
        let Some(annotation) = sample.meta.annotation("schema/examples") else {
            return Ok(Vec::new());
        };
        let refuse = |found: &str| {
            self.syntax_error(sample, annotation, found, EXAMPLE.to_owned(), Vec::new())
        };
        if !annotation.kwargs.is_empty() {
            return Err(refuse("keyword argument"));
        }
        if annotation.args.is_empty() {
            return Err(refuse("missing value"));
        }
        let examples = annotation.args.iter().map(|arg| {
            let Datum::Tuple(items) = arg else {
                return Err(self.wrong_example(sample, annotation, arg.type_name()));
            };
            match items.as_slice() {
                [description, value] => {
                    let Some(description) = description.as_str() else {
                        let found = format!("{} value", description.type_name());
                        return Err(self.wrong_example(sample, annotation, &found));
                    };
                    let Some(value) = value.to_node() else {
                        let found = format!("{} value", value.type_name());
                        return Err(self.wrong_example(sample, annotation, &found));
                    };
                    let value = placed(&value, sample.origin, annotation);
                    Ok(Example { description: description.to_owned(), value })
                }
                [] | [_] => Err(refuse("empty tuple")),
                several => Err(refuse(&format!("{}-tuple argument", several.len()))),
            }
        });
        examples.collect()
    }

    /// The argument of `@schema/default`, in its place.
    pub(super) fn given_default(
        &self,
        sample: &Sample<'_>,
        field: &Field,
    ) -> Result<Option<Node>, Refusal> {
        let Some(annotation) = sample.meta.annotation("schema/default") else {
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
                ("keyword argument".to_owned(), hints.map(str::to_owned).into())
            }
            (_, []) => ("missing value".to_owned(), Vec::new()),
            (_, [value]) => match value.to_node() {
                Some(node) => return Ok(Some(placed(&node, sample.origin, annotation))),
                None => (format!("{} value", value.type_name()), Vec::new()),
            },
            (_, several) => (format!("{} values", several.len()), Vec::new()),
        };
        let declared_at = place(field.type_origin().span(), self.sources);
        let expected = format!("{} (by {declared_at})", field.type_name());
        Err(self.syntax_error(sample, annotation, &found, expected, hints))
    }

    fn syntax_error(
        &self,
        sample: &Sample<'_>,
        annotation: &Annotation,
        found: &str,
        expected: String,
        hints: Vec<String>,
    ) -> Refusal {
        let name = &annotation.name;
        let block = Block {
            description: format!("syntax error in @{name} annotation"),
            found: self.by(&format!("{found} in @{name}"), annotation),
            expected,
            hints,
            ..Block::default()
        };
        self.problem(sample, annotation, block)
    }

    fn wrong_example(&self, sample: &Sample<'_>, annotation: &Annotation, found: &str) -> Refusal {
        let at = place(annotation.span, self.sources);
        let block = Block {
            description: "syntax error in @schema/examples annotation".to_owned(),
            found: format!("{found} for @schema/examples (at {at})"),
            expected: EXAMPLE.to_owned(),
            ..Block::default()
        };
        self.problem(sample, annotation, block)
    }

    #[expect(clippy::unused_self, reason = "reads as the other makers of problems do")]
    fn problem(&self, sample: &Sample<'_>, annotation: &Annotation, block: Block) -> Refusal {
        let block = Block {
            annotations: annotation.span.into_iter().collect(),
            node: sample.origin.span(),
            ..block
        };
        refusal(MALFORMED_ANNOTATION, "Invalid schema", block)
    }

    fn by(&self, found: &str, annotation: &Annotation) -> String {
        format!("{found} (by {})", place(annotation.span, self.sources))
    }
}

/// A key as a title: `app_domain` becomes `App domain`.
fn humanized(key: &Node) -> String {
    let key = key.as_str().map_or_else(|| key.repr(), str::to_owned);
    let spaced = key.replace(|it: char| !it.is_alphanumeric(), " ");
    let words = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut characters = words.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

fn misplaced_default(sample: &Sample<'_>, annotation: &Annotation) -> Refusal {
    let hints = [
        "do you mean to set a default value for the array?",
        "set an array's default by annotating its parent.",
    ];
    let block = Block {
        annotations: annotation.span.into_iter().collect(),
        node: sample.origin.span(),
        hints: hints.map(str::to_owned).into(),
        ..Block::default()
    };
    let summary = "Invalid schema - @schema/default not supported on array item";
    refusal(MALFORMED_ANNOTATION, summary, block).quoted()
}

/// A value that an annotation holds, with the place of the annotated node where it has none but
/// the annotation itself.
fn placed(node: &Node, origin: Origin, annotation: &Annotation) -> Node {
    let place = |it: Origin| match it.span() {
        Some(span) if !annotation.span.is_some_and(|own| own.contains(span)) => it,
        _ => as_default(origin),
    };
    match node {
        Node::Map(map) => {
            let items = map.items().iter().map(|item| MapItem {
                key: item.key.clone(),
                node: placed(&item.node, origin, annotation),
                origin: place(item.origin),
                meta: item.meta.clone(),
            });
            Node::Map(Arc::new(Map::new(items.collect(), place(map.origin))))
        }
        Node::Array(array) => {
            let items = array.items.iter().map(|item| ArrayItem {
                node: placed(&item.node, origin, annotation),
                origin: place(item.origin),
                meta: item.meta.clone(),
            });
            Node::array(Array::new(items.collect(), place(array.origin)))
        }
        scalar => scalar.clone(),
    }
}

/// The type of a value as the code of ytt calls it.
fn go_type_name(datum: &Datum) -> &'static str {
    match datum {
        Datum::Node(Node::Null) => "starlark.NoneType",
        Datum::Node(Node::Bool(_)) => "starlark.Bool",
        Datum::Node(Node::Int(_) | Node::UInt(_)) => "starlark.Int",
        Datum::Node(Node::Float(_)) => "starlark.Float",
        Datum::Node(Node::String(_)) => "starlark.String",
        Datum::Node(Node::Map(_)) => "*starlark.Dict",
        Datum::Node(Node::Array(_)) => "*starlark.List",
        Datum::Tuple(_) => "starlark.Tuple",
        Datum::Documents(_) => "*yamltemplate.YAMLFragment",
        Datum::Function(_) => "*starlark.Function",
        Datum::Opaque(_) => "*core.StarlarkStruct",
    }
}
