//! Sets: dictionaries whose values are not used.

use std::sync::Arc;

use super::dict::Dict;
use super::table::Table;
use super::{Value, Values};
use crate::error::Result;
use crate::heap::{Heap, Tied};

/// A set in the order of insertion.
#[derive(Default)]
pub struct Set(pub(crate) Dict);

impl Set {
    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether the set contains a value. Fails if the value cannot be hashed.
    pub fn contains(&self, value: &Value) -> Result<bool> {
        self.0.look_up(value, |found| found.is_some())
    }

    /// Creates a set of these elements. Fails if one cannot be hashed.
    pub(crate) fn from_values(values: impl IntoIterator<Item = Value>) -> Result<Self> {
        let mut table = Table::default();
        for value in values {
            table.insert(value, Value::None)?;
        }
        Ok(Self(Dict::from(table)))
    }

    /// Adds an element. Returns whether it is new.
    pub(crate) fn insert(self: &Arc<Self>, heap: &Heap, element: Value) -> Result<bool> {
        if element.nests() && self.0.begins_to_nest() {
            heap.tie(Tied::Set(Arc::downgrade(self)));
        }
        self.0.build(element, Value::None)
    }

    /// Returns a copy of the elements, in the order of insertion.
    pub fn elements(&self) -> Vec<Value> {
        self.0.keys()
    }

    pub(crate) fn union(&self, others: Values) -> Result<Self> {
        Self::from_values(self.elements().into_iter().chain(others))
    }

    pub(crate) fn intersection(&self, other: &Self) -> Result<Self> {
        let (few, many) = if self.len() > other.len() { (other, self) } else { (self, other) };
        let mut kept = few.elements();
        kept.retain(|element| many.contains(element).unwrap_or(false));
        Self::from_values(kept)
    }

    pub(crate) fn symmetric_difference(&self, other: &Self) -> Result<Self> {
        Self::from_values(self.in_one_of(other))
    }

    pub(crate) fn difference(&self, other: &Self) -> Result<Self> {
        Self::from_values(self.without(other))
    }

    /// Returns the elements that are in exactly one of two sets.
    pub(crate) fn in_one_of(&self, other: &Self) -> Vec<Value> {
        let mut kept = self.without(other);
        kept.extend(other.without(self));
        kept
    }

    /// Returns whether all elements are in another set.
    pub(crate) fn is_subset(&self, other: &Self) -> bool {
        let is_there = |it: &Value| other.contains(it).unwrap_or(false);
        self.len() <= other.len() && self.elements().iter().all(is_there)
    }

    fn without(&self, other: &Self) -> Vec<Value> {
        let mut kept = self.elements();
        kept.retain(|element| !other.contains(element).unwrap_or(false));
        kept
    }
}
