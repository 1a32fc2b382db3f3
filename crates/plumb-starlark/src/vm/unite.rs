//! Operators that ytt's dialect does not have: `|` and `|=` of dictionaries, `-` and the order of sets.

use std::sync::Arc;

use super::Thread;
use crate::Value;
use crate::builtins::add_items;
use crate::error::Result;
use crate::language::Language;
use crate::ops::CompareOp;
use crate::value::{Dict, Set};

impl Thread<'_> {
    /// Returns a new dictionary with the entries of both; those of the right one win. Returns `None`
    /// if one of the values is not a dictionary, or if the language has no such operator.
    pub(super) fn union(&mut self, left: &Value, right: &Value) -> Result<Option<Value>> {
        let (Value::Dict(left), Value::Dict(right)) = (left, right) else {
            return Ok(None);
        };
        if self.language() == Language::Ytt {
            return Ok(None);
        }
        let size = 2 * size_of::<Value>() * (left.len() + right.len());
        self.check_memory(size)?;
        let union = Arc::new(Dict::new());
        self.count_steps(left.len() + right.len())?;
        add_items(self, &union, left.items())?;
        add_items(self, &union, right.items())?;
        Ok(Some(Value::Dict(union)))
    }

    /// Adds the entries of the right dictionary to the left one. Returns false if there is nothing
    /// to change in place, as for [`Thread::union`].
    pub(super) fn unite(&mut self, left: &Value, right: &Value) -> Result<bool> {
        let (Value::Dict(left), Value::Dict(right)) = (left, right) else {
            return Ok(false);
        };
        if self.language() == Language::Ytt {
            return Ok(false);
        }
        let size = 2 * size_of::<Value>() * right.len();
        self.check_memory(size)?;
        self.count_steps(right.len())?;
        self.meter.ask(size)?;
        add_items(self, left, right.items())?;
        Ok(true)
    }
    /// Returns the elements of the left set that are not in the right one. Returns `None` if one of
    /// the values is not a set, or if the language has no such operator.
    pub(super) fn difference(&mut self, left: &Value, right: &Value) -> Result<Option<Value>> {
        let (Value::Set(left), Value::Set(right)) = (left, right) else {
            return Ok(None);
        };
        if self.language() == Language::Ytt {
            return Ok(None);
        }
        self.count_steps(left.len())?;
        self.check_memory(left.len().saturating_mul(2 * size_of::<Value>()))?;
        Ok(Some(Value::Set(Arc::new(left.difference(right)?))))
    }

    /// Returns whether one set contains the other. Returns `None` if the operator is about equality,
    /// or if the language has no order of sets.
    pub(super) fn compare_sets(
        &mut self,
        op: CompareOp,
        left: &Set,
        right: &Set,
    ) -> Result<Option<bool>> {
        let (few, many, is_strict) = match op {
            CompareOp::Equal | CompareOp::NotEqual => return Ok(None),
            CompareOp::Less => (left, right, true),
            CompareOp::LessOrEqual => (left, right, false),
            CompareOp::Greater => (right, left, true),
            CompareOp::GreaterOrEqual => (right, left, false),
        };
        if self.language() == Language::Ytt {
            return Ok(None);
        }
        self.count_steps(few.len())?;
        Ok(Some(few.is_subset(many) && !(is_strict && few.len() == many.len())))
    }
}
