//! What is to be written: a sample with annotations and comments.

use std::collections::HashMap;
use std::rc::Rc;

use plumb_source::Origin;
use plumb_validation::{Constraint, Mode, Verdict};
use plumb_value::{Array, Map, MapItem, Node, NodeKind};

use crate::literal::is_sayable;

pub(crate) const NULLABLE: &str = "schema/nullable";
pub(crate) const DEPRECATED: &str = "schema/deprecated";
pub(crate) const DEFAULT: &str = "schema/default";
pub(crate) const ANY_KEY: &str = "schema/any-key";
/// The rule for what must be given.
pub(crate) const NOT_NULL: &str = "not_null=";
pub(crate) const MAY_BE_PRESENT: &str = "schema/key-may-be-present";

/// One node of the schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Item {
    /// What cannot be said, as comments.
    pub(crate) notes: Vec<String>,
    /// Annotations without their `#@`, but that of the rules.
    pub(crate) annotations: Vec<String>,
    /// The arguments of `@schema/validation`.
    pub(crate) rules: Vec<String>,
    /// What those of the rules that have names ask for.
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) sample: Sample,
    /// What may stand there besides what the sample shows.
    pub(crate) kinds: Kinds,
    /// The value where none is given, where the sample does not show it.
    pub(crate) default: Option<Node>,
    /// Whether something must be given below it.
    pub(crate) asks_below: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Sample {
    /// A scalar, or a value of any type.
    Value(Node),
    Map(Keys),
    Array(Box<Item>),
}

/// The items of a map, found by their keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    items: Vec<(String, Item)>,
    positions: HashMap<String, usize>,
    /// The last item may stand for all keys that are not named.
    has_any_key: bool,
}

/// Which values fit besides those like the sample.
#[derive(Clone, Debug, Default)]
pub(crate) enum Kinds {
    /// Those like the sample, and no others.
    #[default]
    Sample,
    /// Null too.
    Nullable,
    /// These, whatever is in them.
    Named(Vec<NodeKind>),
    Any,
    /// Those that fit any of the alternatives, or all.
    Choice(Mode, Vec<Rc<Item>>),
}

impl Default for Sample {
    fn default() -> Self {
        Self::Value(Node::Null)
    }
}

impl Item {
    pub(crate) fn of(node: Node) -> Self {
        Self { sample: Sample::Value(node), ..Self::default() }
    }

    /// A value of any type.
    pub(crate) fn any(node: Node) -> Self {
        let annotations = vec!["schema/type any=True".to_owned()];
        Self { annotations, kinds: Kinds::Any, ..Self::of(node) }
    }

    /// Whether a value is of the type that the item declares, and can be written.
    pub(crate) fn fits(&self, node: &Node) -> bool {
        is_sayable(node) && self.is_type_of(node)
    }

    fn is_type_of(&self, node: &Node) -> bool {
        match (&self.kinds, node) {
            (Kinds::Any, _) | (Kinds::Nullable, Node::Null) => true,
            (Kinds::Choice(..), Node::Null) if self.has(NULLABLE) => true,
            (Kinds::Choice(Mode::AllOf, all), _) => all.iter().all(|it| it.is_type_of(node)),
            (Kinds::Choice(Mode::AnyOf | Mode::OneOf, any), _) => {
                any.iter().any(|it| it.is_type_of(node))
            }
            (Kinds::Named(kinds), _) => {
                kinds.contains(&node.kind())
                    || kinds.contains(&NodeKind::Float) && node.kind() == NodeKind::Integer
            }
            (Kinds::Sample | Kinds::Nullable, _) => self.sample.fits(node),
        }
    }

    /// The value where none is given.
    pub(crate) fn default_value(&self) -> Node {
        match (&self.default, &self.sample) {
            (Some(default), _) => default.clone(),
            (None, _) if self.has(NULLABLE) => Node::Null,
            (None, Sample::Value(node)) => node.clone(),
            (None, Sample::Array(_)) => Node::array(Array::default()),
            (None, Sample::Map(keys)) => {
                let items = keys.items.iter().filter(|(_, item)| item.is_always_there());
                let items = items.map(|(key, item)| {
                    MapItem::new(key.as_str().into(), item.default_value(), Origin::Unknown)
                });
                Node::map(Map::new(items.collect(), Origin::Unknown))
            }
        }
    }

    /// How long its own texts are, without those of what is below.
    pub(crate) fn n_bytes(&self) -> usize {
        let texts = self.notes.iter().chain(&self.annotations).chain(&self.rules);
        texts.map(String::len).sum()
    }

    /// Whether a value holds to the rules that have names.
    pub(crate) fn is_valid(&self, node: &Node) -> bool {
        let is_judged = |it: &Constraint| !node.is_null() || matches!(it, Constraint::NotNull);
        let mut judged = self.constraints.iter().filter(|it| is_judged(it));
        judged.all(|it| it.judge(node) == Verdict::Holds)
    }

    /// Whether the value that is there where none is given is not enough.
    pub(crate) fn asks_for_something(&self) -> bool {
        let must_be_given = self.rules.iter().any(|it| it.starts_with(NOT_NULL));
        self.asks_below
            || must_be_given && self.has(NULLABLE)
            || !self.constraints.is_empty() && !self.is_valid(&self.default_value())
    }

    /// A given value with what is filled in below it.
    pub(crate) fn completed(&self, node: &Node) -> Node {
        match (&self.sample, node) {
            (Sample::Map(keys), Node::Map(map)) => {
                let is_given = |key: &str| map.get_str(key).is_some();
                let declared = keys.items.iter();
                let declared = declared
                    .filter(|(key, it)| it.is_always_there() || !it.has(ANY_KEY) && is_given(key));
                let declared = declared.map(|(key, item)| {
                    let given = map.get_str(key).map(|it| item.completed(it));
                    (Node::from(key.as_str()), given.unwrap_or_else(|| item.default_value()))
                });
                let others = map.items().iter().filter(|it| !keys.names(&it.key));
                let others = others.map(|it| (it.key.clone(), it.node.clone()));
                let all = declared.chain(others);
                let all = all.map(|(key, node)| MapItem::new(key, node, Origin::Unknown));
                Node::map(Map::new(all.collect(), Origin::Unknown))
            }
            (Sample::Array(item), Node::Array(array)) => {
                let mut array = Array::clone(array);
                for it in &mut array.items {
                    it.node = item.completed(&it.node);
                }
                Node::array(array)
            }
            _ => node.clone(),
        }
    }

    /// Lets null be, where that was not so yet.
    pub(crate) fn let_null_be(&mut self) {
        match &mut self.kinds {
            Kinds::Named(_) | Kinds::Choice(..)
                if self.annotations.iter().any(|it| it == NULLABLE) => {}
            Kinds::Sample => {
                self.kinds = Kinds::Nullable;
                self.annotations.push(NULLABLE.to_owned());
            }
            Kinds::Named(kinds) if !kinds.contains(&NodeKind::Null) => {
                kinds.push(NodeKind::Null);
                self.annotations.push(NULLABLE.to_owned());
            }
            Kinds::Choice(..) => self.annotations.push(NULLABLE.to_owned()),
            Kinds::Nullable | Kinds::Named(_) | Kinds::Any => {}
        }
    }

    /// Says by name that null may stand there too, so that the sample is the default. Returns
    /// whether that could be said.
    pub(crate) fn name_kinds(&mut self, sample: NodeKind, kinds: &Kinds) -> bool {
        let mut all = match kinds {
            Kinds::Nullable => vec![sample],
            Kinds::Named(kinds) => kinds.clone(),
            Kinds::Sample | Kinds::Any | Kinds::Choice(..) => return false,
        };
        if !all.contains(&NodeKind::Null) {
            all.push(NodeKind::Null);
        }
        self.annotations.retain(|it| it != NULLABLE && !it.starts_with("schema/type "));
        self.annotations.push(type_annotation(&all));
        true
    }

    pub(crate) fn has(&self, annotation: &str) -> bool {
        self.annotations.iter().any(|it| it == annotation)
    }

    pub(crate) fn is_always_there(&self) -> bool {
        !self.has(ANY_KEY) && !self.has(MAY_BE_PRESENT)
    }
}

/// The annotation that names kinds.
pub(crate) fn type_annotation(kinds: &[NodeKind]) -> String {
    let name = |kind: &NodeKind| match kind {
        NodeKind::Null => "\"null\"",
        NodeKind::Boolean => "\"bool\"",
        NodeKind::Integer => "\"int\"",
        NodeKind::Float => "\"float\"",
        NodeKind::String => "\"string\"",
        NodeKind::Map => "\"map\"",
        NodeKind::Array => "\"array\"",
    };
    let names: Vec<&str> = kinds.iter().map(name).collect();
    format!("schema/type {}", names.join(", "))
}

impl Keys {
    /// Each key is there once.
    pub(crate) fn new(items: Vec<(String, Item)>) -> Self {
        let has_any_key = items.last().is_some_and(|(_, it)| it.has(ANY_KEY));
        let n_named = items.len() - usize::from(has_any_key);
        let named = items[..n_named].iter().enumerate();
        let positions = named.map(|(at, (key, _))| (key.clone(), at)).collect();
        Self { items, positions, has_any_key }
    }

    pub(crate) fn items(&self) -> &[(String, Item)] {
        &self.items
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    fn names(&self, key: &Node) -> bool {
        key.as_str().is_some_and(|it| self.positions.contains_key(it))
    }

    /// The item for a key: the one of that name, or the one for all others.
    fn get(&self, key: &Node) -> Option<&Item> {
        let named = key.as_str().and_then(|it| self.positions.get(it)).map(|&at| &self.items[at]);
        let others = || self.items.last().filter(|_| self.has_any_key);
        named.or_else(others).map(|(_, item)| item)
    }
}

impl Sample {
    fn fits(&self, node: &Node) -> bool {
        match (self, node) {
            (Self::Value(Node::Float(_)), Node::Int(_) | Node::UInt(_)) => true,
            (Self::Value(sample), _) => sample.kind() == node.kind(),
            (Self::Array(item), Node::Array(array)) => {
                array.items.iter().all(|it| item.is_type_of(&it.node))
            }
            (Self::Map(keys), Node::Map(map)) => map
                .items()
                .iter()
                .all(|given| keys.get(&given.key).is_some_and(|it| it.is_type_of(&given.node))),
            _ => false,
        }
    }
}
