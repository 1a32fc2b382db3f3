//! What is to be written: a sample with annotations and comments.

use plumb_source::Origin;
use plumb_validation::{Constraint, Verdict};
use plumb_value::{Array, Map, MapItem, Node, NodeKind};

pub(crate) const NULLABLE: &str = "schema/nullable";
pub(crate) const DEFAULT: &str = "schema/default";
pub(crate) const ANY_KEY: &str = "schema/any-key";
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
}

#[derive(Clone, Debug)]
pub(crate) enum Sample {
    /// A scalar, or a value of any type.
    Value(Node),
    Map(Vec<(String, Item)>),
    Array(Box<Item>),
}

/// Which values fit besides those like the sample.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kinds {
    /// Those like the sample, and no others.
    #[default]
    Sample,
    /// Null too.
    Nullable,
    /// These, whatever is in them.
    Named(Vec<NodeKind>),
    Any,
    /// Those that fit the alternatives.
    Choice,
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

    /// Whether a value is of the type that the item declares.
    pub(crate) fn fits(&self, node: &Node) -> bool {
        match (&self.kinds, node) {
            (Kinds::Any | Kinds::Choice, _) | (Kinds::Nullable, Node::Null) => true,
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
            (None, Sample::Map(items)) => {
                let items = items.iter().filter(|(_, item)| item.is_always_there());
                let items = items.map(|(key, item)| {
                    MapItem::new(key.as_str().into(), item.default_value(), Origin::Unknown)
                });
                Node::map(Map::new(items.collect(), Origin::Unknown))
            }
        }
    }

    /// Whether a value holds to the rules that have names.
    pub(crate) fn is_valid(&self, node: &Node) -> bool {
        let is_judged = |it: &Constraint| !node.is_null() || matches!(it, Constraint::NotNull);
        let mut judged = self.constraints.iter().filter(|it| is_judged(it));
        judged.all(|it| it.judge(node) == Verdict::Holds)
    }

    /// Lets null be, where that was not so yet.
    pub(crate) fn let_null_be(&mut self) {
        match &mut self.kinds {
            Kinds::Named(_) | Kinds::Choice if self.annotations.iter().any(|it| it == NULLABLE) => {
            }
            Kinds::Sample => {
                self.kinds = Kinds::Nullable;
                self.annotations.push(NULLABLE.to_owned());
            }
            Kinds::Named(kinds) if !kinds.contains(&NodeKind::Null) => {
                kinds.push(NodeKind::Null);
                self.annotations.push(NULLABLE.to_owned());
            }
            Kinds::Choice => self.annotations.push(NULLABLE.to_owned()),
            Kinds::Nullable | Kinds::Named(_) | Kinds::Any => {}
        }
    }

    /// Says by name that null may stand there too, so that the sample is the default. Returns
    /// whether that could be said.
    pub(crate) fn name_kinds(&mut self, sample: NodeKind, kinds: &Kinds) -> bool {
        let mut all = match kinds {
            Kinds::Nullable => vec![sample],
            Kinds::Named(kinds) => kinds.clone(),
            Kinds::Sample | Kinds::Any | Kinds::Choice => return false,
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

    fn is_always_there(&self) -> bool {
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

impl Sample {
    fn fits(&self, node: &Node) -> bool {
        match (self, node) {
            (Self::Value(Node::Float(_)), Node::Int(_) | Node::UInt(_)) => true,
            (Self::Value(sample), _) => sample.kind() == node.kind(),
            (Self::Array(item), Node::Array(array)) => {
                array.items.iter().all(|it| item.fits(&it.node))
            }
            (Self::Map(items), Node::Map(map)) => {
                let any_key = items.iter().find(|(_, it)| it.has(ANY_KEY));
                map.items().iter().all(|given| {
                    let named = items
                        .iter()
                        .find(|(key, it)| given.key.as_str() == Some(key) && !it.has(ANY_KEY));
                    named.or(any_key).is_some_and(|(_, item)| item.fits(&given.node))
                })
            }
            _ => false,
        }
    }
}
