//! A schema as it is checked: compiled once, each part by its number.

use plumb_cel::Program;
use plumb_regexp::Regexp;
use plumb_validation::Constraint;
use plumb_value::{Map, Node};

/// Names a [`Shape`] among all.
pub(crate) type ShapeId = usize;

/// What may stand in one place.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    /// None where any type will do.
    pub(crate) types: Option<Types>,
    pub(crate) is_nullable: bool,
    /// Rules about the value itself.
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) pattern: Option<Regexp>,
    pub(crate) width: Option<Width>,
    /// The fields of a map with their shapes, as numbers: found by hash if there are many.
    pub(crate) fields: Option<Map>,
    pub(crate) required: Vec<String>,
    pub(crate) others: Others,
    pub(crate) items: Option<ShapeId>,
    pub(crate) all_of: Vec<ShapeId>,
    pub(crate) any_of: Vec<ShapeId>,
    pub(crate) one_of: Vec<ShapeId>,
    pub(crate) not: Option<ShapeId>,
    /// Whether items must differ, and by which of their keys; by all they are if there are none.
    pub(crate) unique: Option<Vec<String>>,
    /// The value where none is given, of custom resources.
    pub(crate) default: Option<Node>,
    /// Whether a whole number counts as a fraction, in custom resources: rules calculate with it.
    pub(crate) is_fraction: bool,
    /// Rules in CEL, of custom resources.
    pub(crate) rules: Vec<Expression>,
}

/// A rule in CEL.
#[derive(Debug)]
pub(crate) struct Expression {
    pub(crate) program: Program,
    /// What its author says about a value that breaks it.
    pub(crate) message: Option<String>,
}

/// What stands under keys that have no field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Others {
    #[default]
    Anything,
    Nothing,
    Of(ShapeId),
}

/// How many bits a number has, or what a string encodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    Int32,
    Int64,
    Base64,
}

/// A set of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Types(u8);

impl Types {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(2);
    pub(crate) const INTEGER: Self = Self(4);
    pub(crate) const NUMBER: Self = Self(8);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const MAP: Self = Self(32);
    pub(crate) const ARRAY: Self = Self(64);

    const NAMED: [(Self, &'static str); 7] = [
        (Self::BOOLEAN, "a boolean"),
        (Self::INTEGER, "an integer"),
        (Self::NUMBER, "a number"),
        (Self::STRING, "a string"),
        (Self::MAP, "a map"),
        (Self::ARRAY, "an array"),
        (Self::NULL, "null"),
    ];

    pub(crate) fn of_name(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "object" => Self::MAP,
            "array" => Self::ARRAY,
            _ => Self::NONE,
        }
    }

    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn lets_in(self, node: &Node) -> bool {
        match node {
            Node::Null => self.has(Self::NULL),
            Node::Bool(_) => self.has(Self::BOOLEAN),
            Node::Int(_) | Node::UInt(_) => self.has(Self::INTEGER) || self.has(Self::NUMBER),
            Node::Float(value) => {
                self.has(Self::NUMBER) || self.has(Self::INTEGER) && value.fract() == 0.0
            }
            Node::String(_) => self.has(Self::STRING),
            Node::Map(_) => self.has(Self::MAP),
            Node::Array(_) => self.has(Self::ARRAY),
        }
    }

    /// The types in a sentence: `an integer or a string`.
    pub(crate) fn words(self) -> String {
        let names = Self::NAMED.iter().filter(|(it, _)| self.has(*it)).map(|(_, name)| *name);
        names.collect::<Vec<_>>().join(" or ")
    }
}
