//! The differences between two values.

use std::collections::{HashMap, HashSet};

use plumb_source::Origin;
use plumb_value::{Array, ArrayItem, Map, MapItem, Node, Step};

use super::name::child;
use super::path::Path;
use super::{Difference, DifferenceKind, Value};

/// Keys that identify the items of a list, the most usual ones first.
const IDENTIFYING: [&str; 7] = ["name", "key", "id", "containerPort", "port", "mountPath", "ip"];

/// All differences between two values, outer ones first.
pub(super) fn differences(old: &Value, new: &Value) -> Vec<Difference> {
    let mut walk = Walk { path: Path::default(), found: Vec::new() };
    walk.nodes(old, new);
    walk.found
}

/// Adds the values inside a value that contain no other values.
pub(super) fn leaves(value: &Value, path: &mut Path, out: &mut Vec<(String, Value)>) {
    match &value.node {
        Node::Map(map) if !map.is_empty() => {
            for item in map.items() {
                path.push_key(&item.key);
                leaves(&Value::new(&item.node, item.origin), path, out);
                path.pop();
            }
        }
        Node::Array(array) if !array.items.is_empty() => {
            for (at, item) in array.items.iter().enumerate() {
                path.push_index(at);
                leaves(&Value::new(&item.node, item.origin), path, out);
                path.pop();
            }
        }
        _ => out.push((path.text(), value.clone())),
    }
}

impl Value {
    fn new(node: &Node, origin: Origin) -> Self {
        Self { node: node.clone(), place: origin.span() }
    }
}

struct Walk {
    path: Path,
    found: Vec<Difference>,
}

impl Walk {
    fn nodes(&mut self, old: &Value, new: &Value) {
        match (&old.node, &new.node) {
            (Node::Map(old), Node::Map(new)) => self.maps(old, new),
            (Node::Array(old_items), Node::Array(new_items)) => {
                match by_identity(old_items, new_items) {
                    Some(key) => self.named(key, (old, old_items), (new, new_items)),
                    None => self.arrays(&old_items.items, &new_items.items),
                }
            }
            (left, right) if is_equal_scalar(left, right) => {}
            _ => self.add(DifferenceKind::Changed, Some(old), Some(new)),
        }
    }

    fn add(&mut self, kind: DifferenceKind, old: Option<&Value>, new: Option<&Value>) {
        let (old, new) = (old.cloned(), new.cloned());
        self.found.push(Difference { path: self.path.text(), old, new, kind });
    }

    fn maps(&mut self, old: &Map, new: &Map) {
        for item in new.items() {
            self.path.push_key(&item.key);
            let value = Value::new(&item.node, item.origin);
            match old.get(&item.key) {
                Some(before) => self.nodes(&Value::new(&before.node, before.origin), &value),
                None => self.add(DifferenceKind::Added, None, Some(&value)),
            }
            self.path.pop();
        }
        for item in old.items().iter().filter(|it| new.get(&it.key).is_none()) {
            self.path.push_key(&item.key);
            let value = Value::new(&item.node, item.origin);
            self.add(DifferenceKind::Removed, Some(&value), None);
            self.path.pop();
        }
    }

    /// Compares lists whose items are identified by the value of a key.
    fn named(&mut self, key: &str, old: (&Value, &Array), new: (&Value, &Array)) {
        let ((old, old_items), (new, new_items)) = (old, new);
        let index = |array: &Array| -> HashMap<String, usize> {
            let items = array.items.iter().enumerate();
            items.filter_map(|(at, it)| Some((identity(it, key)?, at))).collect()
        };
        let (in_old, in_new) = (index(old_items), index(new_items));
        let mut order = Vec::new();
        for (at, item) in old_items.items.iter().enumerate() {
            let name = identity(item, key).unwrap_or_default();
            match in_new.get(&name) {
                Some(&after) => order.push(after),
                None => {
                    self.push(key, &name, at);
                    let value = Value::new(&item.node, item.origin);
                    self.add(DifferenceKind::Removed, Some(&value), None);
                    self.path.pop();
                }
            }
        }
        for (at, item) in new_items.items.iter().enumerate() {
            let name = identity(item, key).unwrap_or_default();
            let value = Value::new(&item.node, item.origin);
            self.push(key, &name, at);
            match in_old.get(&name).map(|&before| &old_items.items[before]) {
                Some(before) => self.nodes(&Value::new(&before.node, before.origin), &value),
                None => self.add(DifferenceKind::Added, None, Some(&value)),
            }
            self.path.pop();
        }
        if !order.is_sorted() {
            self.add(DifferenceKind::Reordered, Some(old), Some(new));
        }
    }

    /// Adds a step. Only names become part of a path: the values of other keys may be secret.
    fn push(&mut self, key: &str, name: &str, at: usize) {
        match key {
            "name" => self.path.push_name(name),
            _ => self.path.push_index(at),
        }
    }

    /// Compares lists by position. Equal items at the start and at the end are left out, so that an
    /// item that was inserted in the middle is reported as one added item.
    fn arrays(&mut self, old: &[ArrayItem], new: &[ArrayItem]) {
        // If the number of items is the same, a comparison by position finds the differences.
        let is_longer = old.len() != new.len();
        let is_same =
            |(old, new): &(&ArrayItem, &ArrayItem)| is_longer && is_equal(&old.node, &new.node);
        let n_before = old.iter().zip(new).take_while(is_same).count();
        let (old_rest, new_rest) = (&old[n_before..], &new[n_before..]);
        let n_after = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(is_same).count();
        let old = &old_rest[..old_rest.len() - n_after];
        let new = &new_rest[..new_rest.len() - n_after];
        for at in 0..old.len().max(new.len()) {
            self.path.push_index(n_before + at);
            let value = |it: &ArrayItem| Value::new(&it.node, it.origin);
            match (old.get(at).map(value), new.get(at).map(value)) {
                (Some(old), Some(new)) => self.nodes(&old, &new),
                (None, Some(new)) => self.add(DifferenceKind::Added, None, Some(&new)),
                (Some(old), None) => self.add(DifferenceKind::Removed, Some(&old), None),
                (None, None) => {}
            }
            self.path.pop();
        }
    }
}

/// The key that identifies all items of two lists. Returns `None` if there is no such key.
fn by_identity(old: &Array, new: &Array) -> Option<&'static str> {
    let is_unique = |array: &Array, key: &str| {
        let mut seen = HashSet::new();
        array.items.iter().all(|it| identity(it, key).is_some_and(|it| seen.insert(it)))
    };
    let is_empty = old.items.is_empty() && new.items.is_empty();
    IDENTIFYING.into_iter().find(|key| !is_empty && is_unique(old, key) && is_unique(new, key))
}

/// The value of a key of a map that is a scalar, as text.
fn identity(item: &ArrayItem, key: &str) -> Option<String> {
    let node = child(&item.node, key).filter(|it| !it.is_collection() && !it.is_null())?;
    Some(Step::of_key(node).to_string())
}

/// Whether two values have no differences. Lists of different lengths differ without a comparison.
fn is_equal(old: &Node, new: &Node) -> bool {
    match (old, new) {
        (Node::Map(old), Node::Map(new)) => {
            let is_in_new = |item: &MapItem| {
                new.get(&item.key).is_some_and(|it| is_equal(&item.node, &it.node))
            };
            old.len() == new.len() && old.items().iter().all(is_in_new)
        }
        (Node::Array(old), Node::Array(new)) => {
            let mut items = old.items.iter().zip(&new.items);
            old.items.len() == new.items.len()
                && items.all(|(old, new)| is_equal(&old.node, &new.node))
        }
        (old, new) => is_equal_scalar(old, new),
    }
}

#[expect(clippy::float_cmp, reason = "the printed value is exact")]
fn is_equal_scalar(left: &Node, right: &Node) -> bool {
    match (left, right) {
        (Node::Null, Node::Null) => true,
        (Node::Bool(left), Node::Bool(right)) => left == right,
        (Node::Int(left), Node::Int(right)) => left == right,
        (Node::UInt(left), Node::UInt(right)) => left == right,
        (Node::String(left), Node::String(right)) => left == right,
        _ => match (number(left), number(right)) {
            (Some(left), Some(right)) => left == right || left.is_nan() && right.is_nan(),
            _ => false,
        },
    }
}

#[expect(clippy::cast_precision_loss, reason = "the other number does not have a higher precision")]
fn number(node: &Node) -> Option<f64> {
    match node {
        Node::Int(number) => Some(*number as f64),
        Node::UInt(number) => Some(*number as f64),
        Node::Float(number) => Some(*number),
        _ => None,
    }
}
