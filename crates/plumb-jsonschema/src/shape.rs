//! The compiled form of a schema, against which values are checked. Each part has a number.

use std::sync::Arc;

use hashbrown::HashMap;
use plumb_cel::{Declared, Program};
use plumb_source::Text;
use plumb_validation::Constraint;
use plumb_value::Node;

use crate::format::TextFormat;
use crate::pattern::Pattern;
use crate::{Keyword, Types};

/// Up to this number of fields, a scan is faster than a hash lookup.
const SCAN_LIMIT: usize = 8;

/// Identifies a [`Shape`] among [`Shapes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShapeId(u32);

/// Compiled schemas that refer to one another.
#[derive(Debug)]
pub struct Shapes {
    all: Vec<Shape>,
    /// How values are checked against the shapes.
    pub manner: Manner,
    /// The possible targets of `$dynamicRef` and `$recursiveRef`, by resource and anchor. The
    /// anchor of `$recursiveAnchor` is empty.
    pub(crate) dynamic: HashMap<(u32, String), ShapeId>,
}

/// In what way values are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Exactly as JSON Schema defines it: every keyword is applied, and alternatives are reported
    /// as such.
    JsonSchema,
    /// Like [`Self::JsonSchema`], but of several alternatives the nearest is reported.
    Explained,
    /// As in an API server: null is the same as a missing field, a value of the wrong type has no
    /// further findings, and of several alternatives the nearest is reported.
    Kubernetes,
}

/// What is valid at one place of a document.
#[derive(Debug, Default)]
pub struct Shape {
    /// The valid types; `None` if every type is valid.
    pub types: Option<Types>,
    /// Whether null is valid in addition to `types`.
    pub is_nullable: bool,
    /// Rules for the value itself, with the keywords that declare them.
    pub rules: Vec<(Keyword, Constraint)>,
    /// The regular expression that a string must match.
    pub pattern: Option<Pattern>,
    /// The range of an integer, or the encoding of a string.
    pub width: Option<Width>,
    /// The shapes of the declared keys of a map.
    pub fields: Fields,
    /// The keys that a map must have.
    pub required: Vec<Text>,
    /// What is valid for keys that `fields` does not declare.
    pub others: Others,
    /// The shape of the items of an array; `None` if every item is valid.
    pub items: Option<ShapeId>,
    /// The value must satisfy all of these.
    pub all_of: Vec<ShapeId>,
    /// The value must satisfy at least one of these, unless the list is empty.
    pub any_of: Vec<ShapeId>,
    /// The value must satisfy exactly one of these, unless the list is empty.
    pub one_of: Vec<ShapeId>,
    /// The value must not satisfy this.
    pub not: Option<ShapeId>,
    /// Whether items must be different, and in which of their keys. An empty list compares whole
    /// items.
    pub unique: Option<Vec<String>>,
    /// The default of a field, in custom resources.
    pub default: Option<Node>,
    /// Whether an integer becomes a float before CEL rules are evaluated, in custom resources.
    pub is_fraction: bool,
    /// Rules in CEL, of custom resources.
    pub expressions: Vec<Expression>,
    /// The resource that contains the schema. The targets of dynamic references depend on it.
    pub(crate) resource: u32,
    /// Keywords that few schemas have.
    pub(crate) rare: Option<Box<Rare>>,
}

/// The less common keywords of JSON Schema.
#[derive(Debug, Default)]
pub(crate) struct Rare {
    /// The shapes of the first items; `items` applies to the items after them.
    pub(crate) first_items: Vec<ShapeId>,
    pub(crate) contains: Option<Contains>,
    pub(crate) patterns: Vec<(Pattern, ShapeId)>,
    pub(crate) names: Option<ShapeId>,
    /// Schemas that the whole map must satisfy if it has a key.
    pub(crate) dependent: Vec<(Text, ShapeId)>,
    pub(crate) dependent_required: Vec<(Text, Vec<Text>)>,
    pub(crate) condition: Option<Condition>,
    pub(crate) dynamic: Vec<Dynamic>,
    pub(crate) format: Option<TextFormat>,
    pub(crate) unevaluated_items: Option<ShapeId>,
    pub(crate) unevaluated_properties: Option<ShapeId>,
}

#[derive(Debug)]
pub(crate) struct Contains {
    pub(crate) shape: ShapeId,
    pub(crate) least: u64,
    pub(crate) most: Option<u64>,
    /// Whether the matching items count as evaluated.
    pub(crate) evaluates: bool,
}

#[derive(Debug)]
pub(crate) struct Condition {
    pub(crate) test: ShapeId,
    pub(crate) then: Option<ShapeId>,
    pub(crate) otherwise: Option<ShapeId>,
}

/// A reference whose target depends on the schemas that led to it.
#[derive(Debug)]
pub(crate) struct Dynamic {
    pub(crate) anchor: String,
    /// The target if no outer schema has the anchor.
    pub(crate) target: ShapeId,
}

/// A rule in CEL.
#[derive(Debug)]
pub struct Expression {
    /// The compiled rule.
    pub program: Program,
    /// The message that the author wrote for values that break the rule.
    pub message: Option<String>,
    /// The expression that computes a message for values that break the rule.
    pub message_program: Option<Program>,
    /// What the schema declares about the value.
    pub declared: Option<Arc<Declared>>,
}

/// What is valid for keys without a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Others {
    #[default]
    Anything,
    Nothing,
    Of(ShapeId),
}

/// The number of bits of an integer, or the encoding of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    Int32,
    Int64,
    Base64,
}

/// The fields of a map with their shapes, in the order of the schema.
#[derive(Debug, Default)]
pub struct Fields {
    entries: Vec<(Text, ShapeId)>,
    /// The positions of the fields; only used if there are many.
    index: HashMap<Text, u32>,
}

impl Shapes {
    /// Creates an empty collection of shapes.
    pub fn new(manner: Manner) -> Self {
        Self { all: Vec::new(), manner, dynamic: HashMap::new() }
    }

    /// Adds a shape and returns its number.
    pub fn add(&mut self, shape: Shape) -> ShapeId {
        let id = u32::try_from(self.all.len()).expect("there are fewer than 2^32 shapes");
        self.all.push(shape);
        ShapeId(id)
    }

    /// Returns the shape with a number. The number must come from these shapes.
    pub fn get(&self, id: ShapeId) -> &Shape {
        &self.all[id.0 as usize]
    }

    /// Returns the shape with a number, to be changed. The number must come from these shapes.
    pub fn get_mut(&mut self, id: ShapeId) -> &mut Shape {
        &mut self.all[id.0 as usize]
    }
}

impl Shape {
    /// A shape that accepts any value of these types.
    pub fn of_types(types: Types) -> Self {
        Self { types: Some(types), ..Self::default() }
    }

    /// Returns the shape of the value of a key: the shape of its field, or the shape for all other
    /// keys. Returns `None` if neither has a shape.
    pub fn field(&self, key: &Text) -> Option<ShapeId> {
        match (self.fields.get(key), self.others) {
            (Some(field), _) => Some(field),
            (None, Others::Of(others)) => Some(others),
            (None, Others::Anything | Others::Nothing) => None,
        }
    }

    pub(crate) fn rare(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    /// Whether no value is valid.
    pub(crate) fn is_never(&self) -> bool {
        self.types.is_some_and(Types::is_empty)
    }
}

impl Fields {
    /// Sets the shape of a field. The field is added if it is missing.
    pub fn set(&mut self, key: &Text, shape: ShapeId) {
        match self.position(key) {
            Some(at) => self.entries[at].1 = shape,
            None => {
                self.entries.push((key.clone(), shape));
                if self.entries.len() > SCAN_LIMIT {
                    self.add_to_index();
                }
            }
        }
    }

    /// Returns the shape of a field, or `None` if there is no such field.
    pub fn get(&self, key: &Text) -> Option<ShapeId> {
        self.position(key).map(|at| self.entries[at].1)
    }

    /// The fields and their shapes, in the order of the schema.
    pub fn iter(&self) -> impl Iterator<Item = (&Text, ShapeId)> {
        self.entries.iter().map(|(key, shape)| (key, *shape))
    }

    /// Returns whether there are no fields.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn position(&self, key: &Text) -> Option<usize> {
        if self.entries.len() <= SCAN_LIMIT {
            return self.entries.iter().position(|(it, _)| it == key);
        }
        self.index.get(key).map(|at| *at as usize)
    }

    fn add_to_index(&mut self) {
        for at in self.index.len()..self.entries.len() {
            let position = u32::try_from(at).expect("a map has fewer than 2^32 fields");
            self.index.insert(self.entries[at].0.clone(), position);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_whether_few_or_many() {
        let mut fields = Fields::default();
        for at in 0..20 {
            fields.set(&Text::from(format!("key{at}")), ShapeId(at));
            for known in 0..=at {
                assert_eq!(fields.get(&Text::from(format!("key{known}"))), Some(ShapeId(known)));
            }
        }
        fields.set(&Text::from("key3"), ShapeId(99));
        assert_eq!(fields.get(&Text::from("key3")), Some(ShapeId(99)));
        assert_eq!(fields.iter().count(), 20);
        assert_eq!(fields.get(&Text::from("key20")), None);
    }
}
