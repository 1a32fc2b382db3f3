//! From a schema document to its type tree.
//!
//! The first problem ends it, in the order in which ytt looks: the annotations that decide the
//! type, what is below the node, the node itself, its documentation, its default, its rules.

mod annotation;

use plumb_diagnostic::{Code, Failure};
use plumb_source::{Origin, Sources};
use plumb_validation::Validation;
use plumb_value::{Array, ArrayItem, Document, Map, MapItem, Meta, Node};

use crate::conform::conform_value;
use crate::field::{ArrayType, Field, MapType, Scalar, Schema, Type, as_default};
use crate::mismatch::Mismatch;
use crate::report::{Block, Refusal, Report};
use crate::string_defaults::STRING_DEFAULTS;

pub use annotation::MALFORMED_ANNOTATION;

/// A node of a schema is null, which says nothing about its type.
///
/// Give a sample value. To make null the default, annotate the node with `@schema/nullable`; to
/// allow any value, with `@schema/type any=True`.
pub const NULL_SAMPLE: Code = Code::new("schema/null-sample");

/// An array in a schema does not have exactly one item.
///
/// The one item is a sample of what the array holds. The default of an array is an empty list;
/// another one is set with `@schema/default`.
pub const ARRAY_SHAPE: Code = Code::new("schema/array-shape");

/// The value of a `@schema/default` does not conform to the node that it is the default of.
///
/// Change the default, or the sample value that decides the type.
pub const DEFAULT_MISMATCH: Code = Code::new("schema/default-mismatch");

/// The value of a `@schema/examples` does not conform to the node that it is an example of.
///
/// Change the example, or the sample value that decides the type.
pub const EXAMPLE_MISMATCH: Code = Code::new("schema/example-mismatch");

/// A node within one of any type is annotated as if its type mattered.
///
/// Remove the inner annotations, or `@schema/type any=True` from the outer node.
pub const SCHEMA_WITHIN_ANY: Code = Code::new("schema/within-any");

impl Schema {
    /// Reads a schema from its document, all overlays applied.
    pub fn compile(document: &Document, sources: &Sources) -> Result<Self, Failure> {
        let compiler = Compiler { sources };
        let sample = Sample {
            kind: Kind::Document,
            node: &document.node,
            meta: &document.meta,
            origin: document.origin,
        };
        match compiler.field(&sample) {
            Ok(root) => Ok(Self::new(root)),
            Err(refusal) => Err(refusal.into_failure(sources)),
        }
    }
}

struct Compiler<'a> {
    sources: &'a Sources,
}

/// A node of the schema that declares a field.
struct Sample<'a> {
    kind: Kind,
    node: &'a Node,
    meta: &'a Meta,
    origin: Origin,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Document,
    MapItem,
    ArrayItem,
}

impl Compiler<'_> {
    fn field(&self, sample: &Sample<'_>) -> Result<Field, Refusal> {
        let is_any = self.is_any(sample)?;
        let is_nullable = self.is_nullable(sample)?;
        let ty = self.ty(sample, is_any, is_nullable)?;
        let default = match &ty {
            _ if is_nullable => Node::Null,
            Type::Map(map) => Node::Map(map.items().clone()),
            Type::Array(_) => Node::array(Array::new(Vec::new(), as_default(sample.origin))),
            Type::Scalar(_) | Type::Any => sample.node.clone(),
        };
        let mut field = Field {
            ty,
            is_nullable,
            origin: sample.origin,
            default,
            docs: self.documentation(sample)?,
            validation: None,
        };
        self.check_examples(sample, &field)?;
        if let Some(default) = self.default(sample, &field)? {
            field.default = default;
        }
        field.validation = self.validation(sample, &field.ty)?;
        Ok(field)
    }

    fn ty(&self, sample: &Sample<'_>, is_any: bool, is_nullable: bool) -> Result<Type, Refusal> {
        if is_any {
            check_within_any(sample.node)?;
            return Ok(Type::Any);
        }
        match self.infer(sample) {
            Ok(ty) => Ok(ty),
            // ytt quotes what is wrong below a nullable node.
            Err(refusal) if is_nullable && !sample.node.is_null() => Err(refusal.quoted()),
            Err(refusal) => Err(refusal),
        }
    }

    fn infer(&self, sample: &Sample<'_>) -> Result<Type, Refusal> {
        match sample.node {
            Node::Null => Err(null_sample(sample.origin)),
            Node::Bool(_) => Ok(Type::Scalar(Scalar::Boolean)),
            Node::Int(_) | Node::UInt(_) => Ok(Type::Scalar(Scalar::Integer)),
            Node::Float(_) => Ok(Type::Scalar(Scalar::Float)),
            Node::String(_) => Ok(Type::Scalar(Scalar::String)),
            Node::Map(map) => self.map(map).map(Type::Map),
            Node::Array(array) => self.array(array).map(Type::Array),
        }
    }

    fn map(&self, map: &Map) -> Result<MapType, Refusal> {
        let mut fields = Vec::with_capacity(map.len());
        let mut items = Vec::with_capacity(map.len());
        for item in map.items() {
            let field = self.field(&Sample {
                kind: Kind::MapItem,
                node: &item.node,
                meta: &item.meta,
                origin: item.origin,
            })?;
            let origin = as_default(item.origin);
            items.push(MapItem::new(item.key.clone(), field.default.clone(), origin));
            fields.push(field);
        }
        let items = Map::new(items, as_default(map.origin));
        Ok(MapType::new(fields, items, map.origin))
    }

    fn array(&self, array: &Array) -> Result<ArrayType, Refusal> {
        let [item] = array.items.as_slice() else {
            return Err(array_shape(array));
        };
        let ArrayItem { node, origin, meta } = item;
        let sample = Sample { kind: Kind::ArrayItem, node, meta, origin: *origin };
        Ok(ArrayType { item: Box::new(self.field(&sample)?), origin: array.origin })
    }

    /// The rules of the node itself, or those that strings have by default.
    fn validation(&self, sample: &Sample<'_>, ty: &Type) -> Result<Option<Validation>, Refusal> {
        let of_strings = || {
            let annotation = sample.meta.annotation(STRING_DEFAULTS);
            annotation.filter(|_| matches!(ty, Type::Scalar(Scalar::String)))
        };
        let annotation = sample.meta.annotation("schema/validation").or_else(of_strings);
        let Some(annotation) = annotation else {
            return Ok(None);
        };
        Validation::from_annotation(annotation).map(Some).map_err(|problem| {
            Refusal::Line(Box::new(problem.report(&annotation.name, self.sources)))
        })
    }

    fn check_examples(&self, sample: &Sample<'_>, field: &Field) -> Result<(), Refusal> {
        let mut mismatches = Vec::new();
        for example in &field.docs.examples {
            let (_, found) = conform_value(field, &example.value, field.type_origin());
            mismatches.extend(found);
        }
        let summary = "Invalid schema - @schema/examples has wrong type";
        self.unless_empty(&mismatches, EXAMPLE_MISMATCH, summary, sample, "schema/examples", "by")
    }

    /// The value of `@schema/default`, filled in.
    fn default(&self, sample: &Sample<'_>, field: &Field) -> Result<Option<Node>, Refusal> {
        let Some(given) = self.given_default(sample, field)? else {
            return Ok(None);
        };
        let (filled, mismatches) = conform_value(field, &given, field.type_origin());
        let summary = "Invalid schema - @schema/default is wrong type";
        self.unless_empty(&mismatches, DEFAULT_MISMATCH, summary, sample, "schema/default", "at")?;
        Ok(Some(filled.unwrap_or(given)))
    }

    fn unless_empty(
        &self,
        mismatches: &[Mismatch],
        code: Code,
        summary: &str,
        sample: &Sample<'_>,
        annotation: &str,
        preposition: &str,
    ) -> Result<(), Refusal> {
        if mismatches.is_empty() {
            return Ok(());
        }
        let span = sample.meta.annotation(annotation).and_then(|it| it.span);
        let place = plumb_validation::report::place(span, self.sources);
        let found = format!(" ({preposition} {place})");
        let blocks = mismatches.iter();
        let blocks = blocks.map(|it| Block::within(it, span, &found, self.sources)).collect();
        let summary = summary.to_owned();
        Err(Refusal::Report(Box::new(Report { code, summary, blocks, quoted: None })))
    }
}

/// Within a node of any type there is nothing to declare.
fn check_within_any(node: &Node) -> Result<(), Refusal> {
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

fn undeclared(meta: &Meta, origin: Origin) -> Result<(), Refusal> {
    let names = ["schema/nullable", "schema/type", "schema/default"];
    let annotations: Vec<_> = names.iter().filter_map(|name| meta.annotation(name)).collect();
    if annotations.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = annotations.iter().map(|it| &*it.name).collect();
    let block = Block {
        description: "Schema was specified within an \"any type\" fragment".to_owned(),
        annotations: annotations.iter().filter_map(|it| it.span).collect(),
        node: origin.span(),
        found: format!("@{} annotation(s)", names.join(", @")),
        expected: "no '@schema/...' on nodes within a node annotated '@schema/type any=True'".to_owned(),
        hints: vec![
            "an \"any type\" fragment has no constraints; nested schema annotations conflict and are disallowed"
                .to_owned(),
        ],
        calculated: None,
    };
    Err(refusal(SCHEMA_WITHIN_ANY, "Invalid schema", block))
}

fn null_sample(origin: Origin) -> Refusal {
    let hints = [
        "in YAML, omitting a value implies null.",
        "to set the default value to null, annotate with @schema/nullable.",
        "to allow any value, annotate with @schema/type any=True.",
    ];
    let block = Block {
        node: origin.span(),
        found: "null value".to_owned(),
        expected: "non-null value".to_owned(),
        hints: hints.map(str::to_owned).into(),
        ..Block::default()
    };
    refusal(NULL_SAMPLE, "Invalid schema - null value not allowed here", block)
}

fn array_shape(array: &Array) -> Refusal {
    let hints = [
        "in schema, the one item of the array implies the type of its elements.",
        "in schema, the default value for an array is always an empty list.",
        "default values can be overridden via a data values overlay.",
    ];
    let block = Block {
        node: array.origin.span(),
        found: format!("{} array items", array.items.len()),
        expected: "exactly 1 array item, of the desired type".to_owned(),
        hints: hints.map(str::to_owned).into(),
        ..Block::default()
    };
    refusal(ARRAY_SHAPE, "Invalid schema - wrong number of items in array definition", block)
}

fn refusal(code: Code, summary: &str, block: Block) -> Refusal {
    let (summary, blocks) = (summary.to_owned(), vec![block]);
    Refusal::Report(Box::new(Report { code, summary, blocks, quoted: None }))
}
