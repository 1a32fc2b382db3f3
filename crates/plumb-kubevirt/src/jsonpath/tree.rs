//! The trees that JSONPath templates are evaluated on, and the values that they select.

use super::{Literal, Scalar};

/// A tree that a JSONPath template can be evaluated on. Values are cheap to copy, and borrow from `'t`.
pub trait Tree<'t>: Copy {
    /// Whether this is null. A null has no fields and no elements, but can be selected.
    fn is_null(self) -> bool;

    /// Whether a value that was reached counts as present.
    fn exists(self) -> bool;

    /// The field of an object or the value of a key. Returns `None` if it is missing.
    fn field(self, name: &str) -> Option<Self>;

    /// The number of written members that a search for a field may have to look at.
    fn breadth(self) -> usize;

    /// The number of elements of a list. Returns `None` if this is not a list.
    fn length(self) -> Option<usize>;

    fn element(self, at: usize) -> Option<Self>;

    /// Calls `visit` with every member of an object or element of a list.
    fn children(self, visit: &mut dyn FnMut(Self));

    /// The value for a comparison. Returns `None` if it is not a scalar.
    fn scalar(self) -> Option<Scalar<'t>>;
}

/// A selected value: a value of the tree, or a literal of the template.
#[derive(Clone, Copy, Debug)]
pub enum Selected<'t, T> {
    Value(T),
    Literal(&'t Literal),
}

impl<'t, T: Tree<'t>> Selected<'t, T> {
    /// The value of the tree. Returns `None` for a literal of the template.
    pub fn value(&self) -> Option<T> {
        match self {
            Self::Value(value) => Some(*value),
            Self::Literal(_) => None,
        }
    }

    pub(super) fn exists(&self) -> bool {
        self.value().is_none_or(T::exists)
    }

    pub(super) fn scalar(&self) -> Option<Scalar<'t>> {
        match self {
            Self::Value(value) => value.scalar(),
            Self::Literal(literal) => Some(match literal {
                Literal::Text(text) => Scalar::Text(text.as_bytes()),
                Literal::Int(value) => Scalar::Int((*value).into()),
                Literal::Float(value) => Scalar::Float(*value),
                Literal::Bool(value) => Scalar::Bool(*value),
            }),
        }
    }
}
