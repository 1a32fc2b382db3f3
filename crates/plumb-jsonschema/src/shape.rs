//! A schema as it is checked: compiled once, each part by its number.

use hashbrown::HashMap;
use plumb_cel::Program;
use plumb_source::Text;
use plumb_validation::Constraint;
use plumb_value::Node;

use crate::format::TextFormat;
use crate::pattern::Pattern;
use crate::{Keyword, Types};

/// Up to this many fields a scan is faster than a hash.
const SCAN_LIMIT: usize = 8;

/// Names a [`Shape`] among [`Shapes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShapeId(u32);

/// Compiled schemas that refer to one another.
#[derive(Debug)]
pub struct Shapes {
    all: Vec<Shape>,
    /// How values are checked against them.
    pub manner: Manner,
    /// What `$dynamicRef` and `$recursiveRef` may lead to, by resource and anchor. The anchor of
    /// `$recursiveAnchor` is empty.
    pub(crate) dynamic: HashMap<(u32, String), ShapeId>,
}

/// In what way values are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// By the letter of JSON Schema: every keyword counts, and alternatives are reported as such.
    JsonSchema,
    /// As [`Self::JsonSchema`], but of several alternatives the nearest is reported.
    Explained,
    /// As an API server does it: a null is a field that is not given, a value of the wrong type has
    /// no further findings, and of several alternatives the nearest is reported.
    Kubernetes,
}

/// What may be in one place.
#[derive(Debug, Default)]
pub struct Shape {
    /// `None` if every type is valid.
    pub types: Option<Types>,
    pub is_nullable: bool,
    /// Rules about the value itself, by the keywords that they come from.
    pub rules: Vec<(Keyword, Constraint)>,
    pub pattern: Option<Pattern>,
    pub width: Option<Width>,
    pub fields: Fields,
    pub required: Vec<Text>,
    pub others: Others,
    pub items: Option<ShapeId>,
    pub all_of: Vec<ShapeId>,
    pub any_of: Vec<ShapeId>,
    pub one_of: Vec<ShapeId>,
    pub not: Option<ShapeId>,
    /// Whether items must differ, and by which of their keys; by their whole if there are none.
    pub unique: Option<Vec<String>>,
    /// The value if none is given, of custom resources.
    pub default: Option<Node>,
    /// Whether a whole number counts as a fraction, in custom resources: rules calculate with it.
    pub is_fraction: bool,
    /// Rules in CEL, of custom resources.
    pub expressions: Vec<Expression>,
    /// The resource that the schema is in, which decides where dynamic references lead.
    pub(crate) resource: u32,
    /// Keywords that few schemas have.
    pub(crate) rare: Option<Box<Rare>>,
}

/// What the rarer keywords of JSON Schema say.
#[derive(Debug, Default)]
pub(crate) struct Rare {
    /// The shapes of the first items; `items` is about those after them.
    pub(crate) first_items: Vec<ShapeId>,
    pub(crate) contains: Option<Contains>,
    pub(crate) patterns: Vec<(Pattern, ShapeId)>,
    pub(crate) names: Option<ShapeId>,
    /// Schemas of the whole map that count if it has a key.
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
    /// Whether the items that fit count as evaluated.
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
    /// What it leads to if no outer schema has the anchor.
    pub(crate) target: ShapeId,
}

/// A rule in CEL.
#[derive(Debug)]
pub struct Expression {
    pub program: Program,
    /// The author's message about a value that breaks it.
    pub message: Option<String>,
}

/// What is under keys that have no field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Others {
    #[default]
    Anything,
    Nothing,
    Of(ShapeId),
}

/// How many bits a number has, or what a string encodes.
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
    /// The positions of many fields.
    index: HashMap<Text, u32>,
}

impl Shapes {
    pub fn new(manner: Manner) -> Self {
        Self { all: Vec::new(), manner, dynamic: HashMap::new() }
    }

    pub fn add(&mut self, shape: Shape) -> ShapeId {
        let id = u32::try_from(self.all.len()).expect("there are fewer than 2^32 shapes");
        self.all.push(shape);
        ShapeId(id)
    }

    pub fn get(&self, id: ShapeId) -> &Shape {
        &self.all[id.0 as usize]
    }

    pub fn get_mut(&mut self, id: ShapeId) -> &mut Shape {
        &mut self.all[id.0 as usize]
    }
}

impl Shape {
    /// The shape of a value that must be of certain types.
    pub fn of_types(types: Types) -> Self {
        Self { types: Some(types), ..Self::default() }
    }

    /// The shape of what is under a key, by its name or as any other key.
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
    /// Sets the shape of a field, which is added if it is missing.
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

    pub fn get(&self, key: &Text) -> Option<ShapeId> {
        self.position(key).map(|at| self.entries[at].1)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Text, ShapeId)> {
        self.entries.iter().map(|(key, shape)| (key, *shape))
    }

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
