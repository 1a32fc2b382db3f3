//! From a schema document to its type tree.
//!
//! The first problem ends it, in the order in which ytt looks: the annotations that decide the
//! type, what is below the node, the node itself, its documentation, its default, its rules.

mod annotation;

use plumb_diagnostic::{Code, Failure};
use plumb_source::{Origin, Sources};
use plumb_validation::{Assertion, Constraint, Rule, Validation};
use plumb_value::{Array, ArrayItem, Document, Map, MapItem, Meta, Node, NodeKind};

use crate::conform::conform_value;
use crate::field::{
    ArrayType, Documentation, Field, MapType, Presence, Scalar, Schema, Type, as_default,
};
use crate::mismatch::Mismatch;
use crate::prepare::{STRICT, STRING_DEFAULTS};
use crate::report::{Block, Refusal, Report};

use annotation::{ALLOW_EMPTY, ANY_KEY, DeclaredType, MAY_BE_PRESENT};

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

/// The value of a node contradicts what its annotations say about the type.
///
/// The value is the default. Change it, or the names in `@schema/type`, or the alternatives.
pub const DEFAULT_CONTRADICTION: Code = Code::new("schema/default-contradiction");

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
        let compiler = Compiler { sources, is_strict: false };
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
    /// Whether all keys must end up with a value, whatever their nodes say: within alternatives of
    /// a node for which that holds.
    is_strict: bool,
}

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

impl Compiler<'_> {
    fn field(&self, sample: &Sample<'_>) -> Result<Field, Refusal> {
        let declared = self.declared_type(sample)?;
        let is_nullable = self.is_nullable(sample)?;
        let (ty, lets_null_be) = self.ty(sample, &declared, is_nullable)?;
        let mut field = Field {
            default: inferred_default(sample, &ty, is_nullable),
            ty,
            is_nullable: is_nullable || lets_null_be,
            origin: sample.origin,
            docs: self.documentation(sample)?,
            validations: Vec::new(),
        };
        self.check_inferred_default(sample, &mut field)?;
        self.check_examples(sample, &field)?;
        if let Some(default) = self.default(sample, &field)? {
            field.default = default;
        }
        field.validations = self.validations(sample, &field)?;
        Ok(field)
    }

    fn is_strict(&self, sample: &Sample<'_>) -> bool {
        self.is_strict || sample.meta.annotations().has(STRICT)
    }

    /// The type, and whether its declaration lets null be.
    fn ty(
        &self,
        sample: &Sample<'_>,
        declared: &DeclaredType,
        is_nullable: bool,
    ) -> Result<(Type, bool), Refusal> {
        match declared {
            DeclaredType::Any => {
                check_within_any(sample.node)?;
                return Ok((Type::Any, false));
            }
            DeclaredType::Kinds(kinds) => return self.of_kinds(sample, kinds),
            DeclaredType::Inferred => {}
        }
        if let Some(choice) = self.choice(sample)? {
            return Ok((Type::Choice(choice), false));
        }
        match self.infer(sample) {
            Ok(ty) => Ok((ty, false)),
            // ytt quotes what is wrong below a nullable node.
            Err(refusal) if is_nullable && !sample.node.is_null() => Err(refusal.quoted()),
            Err(refusal) => Err(refusal),
        }
    }

    /// The type that is meant by kinds by name. One array or scalar says no more than a sample
    /// does; a map by name is open.
    fn of_kinds(&self, sample: &Sample<'_>, kinds: &[NodeKind]) -> Result<(Type, bool), Refusal> {
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

    fn infer(&self, sample: &Sample<'_>) -> Result<Type, Refusal> {
        match sample.node {
            Node::Null if self.is_strict(sample) => Ok(Type::Any),
            Node::Null => Err(null_sample(sample.origin)),
            Node::Bool(_) => Ok(Type::Scalar(Scalar::Boolean)),
            Node::Int(_) | Node::UInt(_) => Ok(Type::Scalar(Scalar::Integer)),
            Node::Float(_) => Ok(Type::Scalar(Scalar::Float)),
            Node::String(_) => Ok(Type::Scalar(Scalar::String)),
            Node::Map(map) => self.map(map).map(Type::Map),
            Node::Array(array) if array.items.is_empty() && self.is_strict(sample) => {
                Ok(Type::Array(array_of_anything(array.origin)))
            }
            Node::Array(array) => self.array(array).map(Type::Array),
        }
    }

    fn map(&self, map: &Map) -> Result<MapType, Refusal> {
        let mut fields = Vec::with_capacity(map.len());
        let mut items = Vec::with_capacity(map.len());
        let mut presence = Vec::with_capacity(map.len());
        let mut any_key = None;
        for item in map.items() {
            let sample = Sample {
                kind: Kind::MapItem(&item.key),
                node: &item.node,
                meta: &item.meta,
                origin: item.origin,
            };
            let field = self.field(&sample)?;
            if item.meta.annotations().has(ANY_KEY) {
                self.check_first_any_key(&sample, any_key.as_ref())?;
                any_key = Some(field);
                continue;
            }
            let origin = as_default(item.origin);
            items.push(MapItem::new(item.key.clone(), field.default.clone(), origin));
            fields.push(field);
            let is_optional = item.meta.annotations().has(MAY_BE_PRESENT);
            presence.push(if is_optional { Presence::WhenGiven } else { Presence::Always });
        }
        let items = Map::new(items, as_default(map.origin));
        Ok(MapType::new(fields, items, presence, any_key, map.origin))
    }

    fn array(&self, array: &Array) -> Result<ArrayType, Refusal> {
        let [item] = array.items.as_slice() else {
            return Err(array_shape(array));
        };
        let ArrayItem { node, origin, meta } = item;
        let sample = Sample { kind: Kind::ArrayItem, node, meta, origin: *origin };
        Ok(ArrayType { item: Box::new(self.field(&sample)?), origin: array.origin })
    }

    /// The rules of the node itself, or those that strings have by default. In a strict schema, a
    /// key must have a value before anything else.
    fn validations(&self, sample: &Sample<'_>, field: &Field) -> Result<Vec<Validation>, Refusal> {
        let mut validations = Vec::new();
        let may_be_empty = sample.meta.annotations().has(ALLOW_EMPTY);
        if self.is_strict(sample) && matches!(sample.kind, Kind::MapItem(_)) && !may_be_empty {
            validations.push(not_empty(sample.origin, field.is_nullable));
        }
        let own = ["schema/validation", "schema/validate"];
        let mut annotations: Vec<_> =
            own.iter().filter_map(|name| sample.meta.annotation(name)).collect();
        if annotations.is_empty() && matches!(field.ty, Type::Scalar(Scalar::String)) {
            annotations.extend(sample.meta.annotation(STRING_DEFAULTS));
        }
        for annotation in annotations {
            let validation = Validation::from_annotation(annotation).map_err(|problem| {
                Refusal::Line(Box::new(problem.report(&annotation.name, self.sources)))
            })?;
            validations.push(validation);
        }
        Ok(validations)
    }

    /// A sample that decides the default but not the type must conform to the type.
    fn check_inferred_default(
        &self,
        sample: &Sample<'_>,
        field: &mut Field,
    ) -> Result<(), Refusal> {
        let decides_type = !matches!(field.ty, Type::Kinds(_) | Type::Choice(_) | Type::Scalar(_));
        let is_replaced = sample.meta.annotations().has("schema/default");
        if field.default.is_null() && field.is_nullable || decides_type || is_replaced {
            return Ok(());
        }
        let (filled, mismatches) = conform_value(field, &field.default, field.type_origin());
        if !mismatches.is_empty() {
            let blocks = mismatches.iter().map(|it| Block::of(it, self.sources)).collect();
            let summary = "Invalid schema - default contradicts the declared type".to_owned();
            let code = DEFAULT_CONTRADICTION;
            return Err(Refusal::Report(Box::new(Report { code, summary, blocks, quoted: None })));
        }
        if let Some(filled) = filled {
            field.default = filled;
        }
        Ok(())
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

/// What a node is where nothing is given.
fn inferred_default(sample: &Sample<'_>, ty: &Type, is_nullable: bool) -> Node {
    match (ty, sample.node) {
        _ if is_nullable => Node::Null,
        (Type::Map(map), _) => Node::Map(map.default().clone()),
        (Type::Array(_), Node::Array(array)) if array.items.len() == 1 => {
            Node::array(Array::new(Vec::new(), as_default(sample.origin)))
        }
        _ => sample.node.clone(),
    }
}

fn array_of_anything(origin: Origin) -> ArrayType {
    let item = Field {
        ty: Type::Any,
        is_nullable: false,
        origin,
        default: Node::Null,
        docs: Documentation::default(),
        validations: Vec::new(),
    };
    ArrayType { item: Box::new(item), origin }
}

fn not_empty(origin: Origin, lets_null_be: bool) -> Validation {
    let rule = Rule {
        assertion: Assertion::Constraint(Constraint::NotEmpty { lets_null_be }),
        description: None,
        message: None,
        ordinal: 1,
    };
    Validation { rules: vec![rule], when: None, span: origin.span() }
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
