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
    pub(crate) fn value(&self) -> &Value {
        match self {
            Self::Value(value) => value,
            Self::Empty | Self::Variable(_) | Self::Iterator(_) => &Value::None,
        }
    }

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
