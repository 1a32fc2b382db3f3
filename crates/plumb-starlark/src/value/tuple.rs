//! Tuples.

use std::ops::Deref;

use ecow::EcoVec;

use super::Value;

/// A fixed sequence of values.
#[derive(Clone, Default)]
pub struct Tuple(EcoVec<Value>);

impl Tuple {
    /// Returns the elements. Takes constant time.
    pub(crate) fn elements(&self) -> EcoVec<Value> {
        self.0.clone()
    }

    /// Moves out the elements that contain others, if nothing else refers to the elements.
    pub(crate) fn take_nested(&mut self, out: &mut Vec<Value>) {
        if self.0.is_unique() {
            self.0.make_mut().iter_mut().for_each(|it| it.take_nested(out));
        }
    }
}

impl Deref for Tuple {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0
    }
}

impl From<EcoVec<Value>> for Tuple {
    fn from(elements: EcoVec<Value>) -> Self {
        Self(elements)
    }
}

impl FromIterator<Value> for Tuple {
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Self {
        Self(elements.into_iter().collect())
    }
}
