//! The type tree: what may stand at each place of a document.

use std::sync::{Arc, OnceLock};

use plumb_source::Origin;
use plumb_validation::{Declared, Validation};
use plumb_value::{Document, Map, Node, NodeKind};

use crate::mismatch::AllowedKeys;

/// What data values must look like, and what they are where nothing is given.
#[derive(Clone, Debug)]
pub struct Schema {
    root: Arc<Field>,
    /// Whether anyone declared anything.
    is_declared: bool,
}

/// What may stand in one place: as a document, as the value of a key, or as an item of an array.
#[derive(Debug)]
pub struct Field {
    pub ty: Type,
    /// Whether null may stand there too.
    pub is_nullable: bool,
    /// The document or item of the schema that declares it.
    pub origin: Origin,
    /// The value where none is given. It conforms to the type.
    pub default: Node,
    pub docs: Documentation,
    pub validation: Option<Validation>,
}

#[derive(Debug)]
pub enum Type {
    Scalar(Scalar),
    Map(MapType),
    Array(ArrayType),
    /// No constraint at all.
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    Boolean,
    Integer,
    /// Integers are let in too, and stay what they are.
    Float,
    String,
}

/// A map with these keys and no others.
#[derive(Debug)]
pub struct MapType {
    fields: Vec<Field>,
    /// The item that stands for each field where nothing is given, in the order of the fields:
    /// at once the default of the map, and the way to find a field by its key.
    items: Arc<Map>,
    pub origin: Origin,
    /// Worked out when the first key is refused.
    allowed_keys: OnceLock<AllowedKeys>,
}

/// An array of any number of items of one type.
#[derive(Debug)]
pub struct ArrayType {
    pub item: Box<Field>,
    pub origin: Origin,
}

/// What people are told about a field.
#[derive(Clone, Debug, Default)]
pub struct Documentation {
    pub title: String,
    pub description: String,
    pub examples: Vec<Example>,
    /// Why the field should no longer be used.
    pub deprecation: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Example {
    pub description: String,
    pub value: Node,
}

impl Schema {
    pub(crate) fn new(root: Field) -> Self {
        Self { root: Arc::new(root), is_declared: true }
    }

    /// The schema of those who wrote none: anything goes.
    pub fn undeclared() -> Self {
        let root = Field {
            ty: Type::Any,
            is_nullable: false,
            origin: Origin::Unknown,
            default: Node::Null,
            docs: Documentation::default(),
            validation: None,
        };
        Self { root: Arc::new(root), is_declared: false }
    }

    pub fn root(&self) -> &Field {
        &self.root
    }

    /// The data values where nothing is given; none where there is no schema.
    pub fn defaults(&self) -> Option<Document> {
        let origin = as_default(self.root.origin);
        self.is_declared.then(|| Document::new(self.root.default.clone(), origin))
    }
}

impl Field {
    /// The place that speaks for the type: what ytt names behind `expected`.
    pub(crate) fn type_origin(&self) -> Origin {
        match &self.ty {
            Type::Map(map) if !self.is_nullable => map.origin,
            Type::Array(array) if !self.is_nullable => array.origin,
            Type::Scalar(_) | Type::Any | Type::Map(_) | Type::Array(_) => self.origin,
        }
    }

    /// The name of the type as ytt has it.
    pub(crate) fn type_name(&self) -> &'static str {
        match &self.ty {
            Type::Any => "any",
            _ if self.is_nullable => "null",
            ty => ty.name(),
        }
    }
}

impl Type {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Scalar(Scalar::Boolean) => "boolean",
            Self::Scalar(Scalar::Integer) => "integer",
            Self::Scalar(Scalar::Float) => "float",
            Self::Scalar(Scalar::String) => "string",
            Self::Map(_) => "map",
            Self::Array(_) => "array",
            Self::Any => "any",
        }
    }
}

impl MapType {
    /// `items` holds the default of each field, in order.
    pub(crate) fn new(fields: Vec<Field>, items: Map, origin: Origin) -> Self {
        debug_assert_eq!(fields.len(), items.len(), "an item for each field");
        Self { fields, items: Arc::new(items), origin, allowed_keys: OnceLock::new() }
    }

    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The key of each field, with its default.
    pub(crate) fn items(&self) -> &Arc<Map> {
        &self.items
    }

    /// The keys with their fields, in the order of the schema.
    pub fn entries(&self) -> impl Iterator<Item = (&Node, &Field)> {
        self.items.items().iter().map(|item| &item.key).zip(&self.fields)
    }

    pub(crate) fn position(&self, key: &Node) -> Option<usize> {
        self.items.position(key)
    }

    pub(crate) fn allowed_keys(&self) -> &AllowedKeys {
        self.allowed_keys.get_or_init(|| AllowedKeys::of(self))
    }
}

impl Declared for Field {
    fn validation(&self) -> Option<&Validation> {
        self.validation.as_ref()
    }

    fn entry(&self, key: &Node) -> Option<&Self> {
        match &self.ty {
            Type::Map(map) => map.position(key).map(|at| &map.fields[at]),
            Type::Scalar(_) | Type::Array(_) | Type::Any => None,
        }
    }

    fn item(&self) -> Option<&Self> {
        match &self.ty {
            Type::Array(array) => Some(&array.item),
            Type::Scalar(_) | Type::Map(_) | Type::Any => None,
        }
    }
}

/// The same place, for a value that was filled in from there.
pub(crate) fn as_default(origin: Origin) -> Origin {
    origin.span().map_or(Origin::Unknown, Origin::Default)
}

impl Scalar {
    pub(crate) fn kind(self) -> NodeKind {
        match self {
            Self::Boolean => NodeKind::Boolean,
            Self::Integer => NodeKind::Integer,
            Self::Float => NodeKind::Float,
            Self::String => NodeKind::String,
        }
    }
}
