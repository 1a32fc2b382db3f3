//! The content of a register.

use std::sync::Arc;

use ecow::EcoVec;

use crate::Value;
use crate::value::function::SharedVariable;
use crate::value::table::Table;
use crate::value::{Dict, List, Values};

/// One register: a value, or something that only the virtual machine sees.
#[derive(Default)]
pub(crate) enum Slot {
    /// Not assigned.
    #[default]
    Empty,
    Value(Value),
    /// A variable that an inner function also sees.
    Variable(Arc<SharedVariable>),
    /// A loop in progress.
    Iterator(Box<Values>),
    /// The elements of a list that is not complete: nothing else refers to them, so adding to them
    /// needs no lock.
    Elements(EcoVec<Value>),
    /// The entries of a dictionary that is not complete.
    Entries(Box<Table>),
}

impl Slot {
    /// Returns the value of a register that, as the compiler knows, contains one.
    #[inline]
    pub(crate) fn value(&self) -> &Value {
        match self {
            Self::Value(value) => value,
            Self::Empty
            | Self::Variable(_)
            | Self::Iterator(_)
            | Self::Elements(_)
            | Self::Entries(_) => &Value::None,
        }
    }

    /// Replaces the content with a value. Most registers contain a number or nothing, so that
    /// nothing must be dropped.
    #[inline]
    pub(crate) fn set(&mut self, value: Value) {
        if self.is_plain() {
            std::mem::forget(std::mem::replace(self, Self::Value(value)));
        } else {
            *self = Self::Value(value);
        }
    }

    /// Like [`set`](Self::set), for an integer. A register that contains one keeps its form.
    #[inline]
    pub(crate) fn set_int(&mut self, value: i64) {
        if let Self::Value(Value::Int(old)) = self {
            *old = value;
        } else {
            self.set(Value::Int(value));
        }
    }

    /// Empties the register.
    #[inline]
    pub(crate) fn clear(&mut self) {
        if self.is_plain() {
            std::mem::forget(std::mem::take(self));
        } else {
            *self = Self::Empty;
        }
    }

    /// Drops what the register owns. A number may stay in a register that is not in use.
    #[inline]
    pub(crate) fn release(&mut self) {
        if !self.is_plain() {
            *self = Self::Empty;
        }
    }

    /// Returns whether the content owns no memory.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        match self {
            Self::Value(value) => value.is_plain(),
            Self::Empty => true,
            Self::Variable(_) | Self::Iterator(_) | Self::Elements(_) | Self::Entries(_) => false,
        }
    }

    /// Moves the value out of a register that, as the compiler knows, contains one.
    #[inline]
    pub(crate) fn take(&mut self) -> Value {
        match std::mem::take(self) {
            Self::Value(value) => value,
            _ => Value::None,
        }
    }

    /// Makes a value of a list or a dictionary that is complete.
    pub(crate) fn finish(&mut self) {
        *self = Self::Value(match std::mem::take(self) {
            Self::Elements(elements) => Value::List(Arc::new(List::from(elements))),
            Self::Entries(table) => Value::Dict(Arc::new(Dict::from(*table))),
            mut other => other.take(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_is_no_larger_than_a_value() {
        assert_eq!(size_of::<Slot>(), size_of::<Value>());
    }
}
