//! The content of a register.

use std::sync::Arc;

use crate::Value;
use crate::value::Values;
use crate::value::function::SharedVariable;

/// One register: a value, or something that only the machine sees.
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
}

impl Slot {
    /// Returns the value of a register that, as the compiler knows, contains one.
    #[inline]
    pub(crate) fn value(&self) -> &Value {
        match self {
            Self::Value(value) => value,
            Self::Empty | Self::Variable(_) | Self::Iterator(_) => &Value::None,
        }
    }

    /// Replaces the content with a value. Most registers contain a number or nothing, and then
    /// there is nothing to drop.
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

    /// Returns whether the content owns no memory.
    #[inline]
    fn is_plain(&self) -> bool {
        matches!(
            self,
            Self::Empty
                | Self::Value(Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_))
        )
    }

    #[inline]
    pub(crate) fn take(&mut self) -> Value {
        match std::mem::take(self) {
            Self::Value(value) => value,
            Self::Empty | Self::Variable(_) | Self::Iterator(_) => Value::None,
        }
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
