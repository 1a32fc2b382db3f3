//! Operators that ytt's dialect does not have: `|` and `|=` of dictionaries, `-` and the order of
//! sets.

use std::sync::Arc;

use super::Thread;
use crate::Value;
use crate::builtins::add_items;
use crate::error::Result;
use crate::language::Language;
use crate::ops::CompareOp;
use crate::value::{Dict, Set};

/// Returns a new dictionary with the entries of both; those of the right one take precedence.
/// Returns `None` if one of the values is not a dictionary, or if the language has no such
/// operator.
pub(super) fn union(thread: &mut Thread<'_>, left: &Value, right: &Value) -> Result<Option<Value>> {
    let (Value::Dict(left), Value::Dict(right)) = (left, right) else {
        return Ok(None);
    };
    if thread.language() == Language::Ytt {
        return Ok(None);
    }
    let size = 2 * size_of::<Value>() * (left.len() + right.len());
    thread.check_memory(size)?;
    let union = Arc::new(Dict::new());
    thread.count_steps(left.len() + right.len())?;
    add_items(thread, &union, left.items())?;
    add_items(thread, &union, right.items())?;
    Ok(Some(Value::Dict(union)))
}

/// Adds the entries of the right dictionary to the left one. Returns false if there is nothing
/// to change in place, as for [`union`].
pub(super) fn unite(thread: &mut Thread<'_>, left: &Value, right: &Value) -> Result<bool> {
    let (Value::Dict(left), Value::Dict(right)) = (left, right) else {
        return Ok(false);
    };
    if thread.language() == Language::Ytt {
        return Ok(false);
    }
    let size = 2 * size_of::<Value>() * right.len();
    thread.check_memory(size)?;
    thread.count_first_change(left);
    thread.count_steps(right.len())?;
    thread.meter.ask(size)?;
    add_items(thread, left, right.items())?;
    Ok(true)
}

/// Returns the elements of the left set that are not in the right one. Returns `None` if one of
/// the values is not a set, or if the language has no such operator.
pub(super) fn difference(
    thread: &mut Thread<'_>,
    left: &Value,
    right: &Value,
) -> Result<Option<Value>> {
    let (Value::Set(left), Value::Set(right)) = (left, right) else {
        return Ok(None);
    };
    if thread.language() == Language::Ytt {
        return Ok(None);
    }
    thread.count_steps(left.len())?;
    thread.check_memory(left.len().saturating_mul(2 * size_of::<Value>()))?;
    Ok(Some(Value::Set(Arc::new(left.difference(right)?))))
}

/// Returns whether one set contains the other. Returns `None` if the operator tests equality, or if
/// the language has no order of sets.
pub(super) fn compare_sets(
    thread: &mut Thread<'_>,
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
    if thread.language() == Language::Ytt {
        return Ok(None);
    }
    thread.count_steps(few.len())?;
    Ok(Some(few.is_subset(many) && !(is_strict && few.len() == many.len())))
}
