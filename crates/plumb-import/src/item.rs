//! The nodes to write: samples with annotations and comments.

use std::collections::HashMap;
use std::rc::Rc;

use plumb_source::Origin;
use plumb_validation::{Choices, Constraint, Mode, import_cel};
use plumb_value::{Array, Map, MapItem, Node, NodeKind};

use crate::alternatives::required_each;
use crate::annotation::{Annotation, Argument, Expression};
use crate::literal::is_sayable;
use crate::words::Named;

/// One node of the schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Item {
    /// The parts that cannot be expressed, as comments.
    pub(crate) notes: Vec<String>,
    pub(crate) annotations: Vec<Annotation>,
    /// The arguments of `@schema/validation`.
    pub(crate) rules: Vec<Argument>,
    pub(crate) sample: Sample,
    /// The kinds of values that are accepted in addition to those of the sample.
    pub(crate) kinds: Kinds,
    /// The default value, if the sample does not show it.
    pub(crate) default: Option<Node>,
    /// Whether a value below it must be given.
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
    /// Whether the last item is for all keys that are not named.
    has_any_key: bool,
}

/// The values that are accepted in addition to those like the sample.
#[derive(Clone, Debug, Default)]
pub(crate) enum Kinds {
    /// Only those like the sample.
    #[default]
    Sample,
    /// Null too.
    Nullable,
    /// Values of these kinds, with any contents.
    Named(Vec<NodeKind>),
    Any,
    /// Values that match any of the alternatives, or all of them.
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
        let annotations = vec![Annotation::AnyType];
        Self { annotations, kinds: Kinds::Any, ..Self::of(node) }
    }

    /// Whether a value is of the type that the item declares, and can be written.
    pub(crate) fn fits(&self, node: &Node) -> bool {
        is_sayable(node) && self.is_type_of(node)
    }

    fn is_type_of(&self, node: &Node) -> bool {
        match (&self.kinds, node) {
            (Kinds::Any, _) | (Kinds::Nullable, Node::Null) => true,
            (Kinds::Choice(..), Node::Null) if self.is_nullable() => true,
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

    /// The default value.
    pub(crate) fn default_value(&self) -> Node {
        match (&self.default, &self.sample) {
            (Some(default), _) => default.clone(),
            (None, _) if self.is_nullable() => Node::Null,
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

    /// The size of the texts of this item in bytes, without nested items.
    pub(crate) fn n_bytes(&self) -> usize {
        let notes = self.notes.iter().map(String::len);
        let annotations = self.annotations.iter().map(|it| it.to_string().len());
        let rules = self.rules.iter().map(|it| it.to_string().len());
        notes.chain(annotations).chain(rules).sum()
    }

    /// Whether a value satisfies the named rules.
    pub(crate) fn is_valid(&self, node: &Node) -> bool {
        let is_checked = |it: &Constraint| !node.is_null() || matches!(it, Constraint::NotNull);
        let constraints = self.rules.iter().flat_map(Argument::constraints);
        let mut checked = constraints.filter(|it| is_checked(it));
        checked.all(|it| it.check(node).is_positive())
    }

    /// Whether the default value is not valid, so that a value must be given.
    pub(crate) fn asks_for_something(&self) -> bool {
        self.asks_below
            || self.has_rule("not_null") && self.is_nullable()
            || !self.rules.is_empty() && !self.is_valid(&self.default_value())
    }

    /// A given value, completed with the defaults below it.
    pub(crate) fn completed(&self, node: &Node) -> Node {
        match (&self.sample, node) {
            (Sample::Map(keys), Node::Map(map)) => {
                let is_given = |key: &str| map.get_str(key).is_some();
                let declared = keys.items.iter();
                let declared = declared
                    .filter(|(key, it)| it.is_always_there() || !it.is_any_key() && is_given(key));
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

    /// Makes the item accept null.
    pub(crate) fn accept_null(&mut self) {
        match &mut self.kinds {
            Kinds::Named(_) | Kinds::Choice(..) if has_nullable(&self.annotations) => {}
            Kinds::Sample => {
                self.kinds = Kinds::Nullable;
                self.annotations.push(Annotation::Nullable);
            }
            Kinds::Named(kinds) if !kinds.contains(&NodeKind::Null) => {
                kinds.push(NodeKind::Null);
                self.annotations.push(Annotation::Nullable);
            }
            Kinds::Choice(..) => self.annotations.push(Annotation::Nullable),
            Kinds::Nullable | Kinds::Named(_) | Kinds::Any => {}
        }
    }

    /// Adds an annotation that names the accepted kinds, including null, so that the sample stays
    /// the default. Returns whether that was possible.
    pub(crate) fn name_kinds(&mut self, sample: NodeKind, kinds: &Kinds) -> bool {
        let mut all = match kinds {
            Kinds::Nullable => vec![sample],
            Kinds::Named(kinds) => kinds.clone(),
            Kinds::Sample | Kinds::Any | Kinds::Choice(..) => return false,
        };
        if !all.contains(&NodeKind::Null) {
            all.push(NodeKind::Null);
        }
        self.annotations.retain(|it| {
            !matches!(it, Annotation::Nullable | Annotation::AnyType | Annotation::Types(_))
        });
        self.annotations.push(Annotation::Types(all));
        true
    }

    pub(crate) fn is_nullable(&self) -> bool {
        has_nullable(&self.annotations)
    }

    pub(crate) fn is_any_key(&self) -> bool {
        self.annotations.iter().any(|it| matches!(it, Annotation::AnyKey))
    }

    pub(crate) fn is_always_there(&self) -> bool {
        let is_optional = |it: &Annotation| matches!(it, Annotation::MayBePresent);
        !self.is_any_key() && !self.is_required() && !self.annotations.iter().any(is_optional)
    }

    pub(crate) fn is_required(&self) -> bool {
        self.annotations.iter().any(|it| matches!(it, Annotation::Required))
    }

    /// Adds the rule that the value must not be null.
    pub(crate) fn forbid_null(&mut self) {
        if !self.has_rule("not_null") {
            self.rules.insert(0, Argument::not_null());
        }
    }

    /// Adds a condition in CEL. Returns whether null satisfies it: this matters because rules are
    /// not applied to null. Returns `None` if the condition cannot be expressed.
    pub(crate) fn add_condition(&mut self, condition: &str) -> Option<bool> {
        const NOT_NULL: &str = "!(type(self) == null_type)";
        let entry = MapItem::new("rule".into(), condition.into(), Origin::Unknown);
        let import = import_cel(&Node::map(Map::new(vec![entry], Origin::Unknown)));
        let admits_null =
            import.constraint.as_ref().is_some_and(|it| it.check(&Node::Null).is_positive());
        let expression = Expression::new(import)?;
        if !admits_null && self.is_type_of(&Node::Null) {
            if !matches!(self.kinds, Kinds::Any) {
                return None;
            }
            self.forbid_null();
        }
        if condition == "true" || condition == NOT_NULL {
            return Some(admits_null);
        }
        let own = self.rules.iter_mut().find_map(|it| match it {
            Argument::Cel(expressions) => Some(expressions),
            Argument::Named(..) => None,
        });
        match own {
            Some(expressions) => expressions.push(expression),
            None => self.rules.push(Argument::Cel(vec![expression])),
        }
        Some(admits_null)
    }

    /// Adds the rule that exactly one of several keys is not null, if that is what the alternatives
    /// require. Returns whether they do.
    pub(crate) fn add_one_not_null(&mut self, alternatives: &Node) -> bool {
        let keys = alternatives.as_array().and_then(required_each);
        let Some(keys) = keys.filter(|_| !self.has_rule("one_not_null")) else {
            return false;
        };
        let shown: Vec<String> = keys.iter().map(Node::repr).collect();
        let shown = format!("[{}]", shown.join(", "));
        let choices = Choices { values: keys, shown: shown.clone() };
        let named = Named::new("one_not_null", shown, Constraint::OneNotNull(Some(choices)));
        self.rules.push(Argument::Named(named, None));
        true
    }

    pub(crate) fn has_rule(&self, name: &str) -> bool {
        self.rules.iter().any(|it| it.is(name))
    }
}

fn has_nullable(annotations: &[Annotation]) -> bool {
    annotations.iter().any(|it| matches!(it, Annotation::Nullable))
}

impl Keys {
    /// Each key must occur once.
    pub(crate) fn new(items: Vec<(String, Item)>) -> Self {
        let has_any_key = items.last().is_some_and(|(_, it)| it.is_any_key());
        let n_named = items.len() - usize::from(has_any_key);
        let named = items[..n_named].iter().enumerate();
        let positions = named.map(|(at, (key, _))| (key.clone(), at)).collect();
        Self { items, positions, has_any_key }
    }

    pub(crate) fn items(&self) -> &[(String, Item)] {
        &self.items
    }

    /// Only the items may be changed, not their keys.
    pub(crate) fn items_mut(&mut self) -> impl Iterator<Item = (&str, &mut Item)> {
        self.items.iter_mut().map(|(key, item)| (key.as_str(), item))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    fn names(&self, key: &Node) -> bool {
        key.as_str().is_some_and(|it| self.positions.contains_key(it))
    }

    /// The item for a key: the one with that name, or the one for all other keys.
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
