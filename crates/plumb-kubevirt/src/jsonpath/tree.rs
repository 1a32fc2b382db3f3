//! What templates are evaluated over, and what they select of it.

use super::{Literal, Scalar};

/// What a template can be evaluated over. Values are cheap to copy, and borrow from a `'t` tree.
pub trait Tree<'t>: Copy {
    /// A null has no fields and no elements, but may be selected.
    fn is_null(self) -> bool;

    /// Whether a value that was reached counts as being there.
    fn exists(self) -> bool;

    /// The field of an object or the value of a key.
    fn field(self, name: &str) -> Option<Self>;

    /// How many written members may have to be looked at to find a field.
    fn breadth(self) -> usize;

    /// The number of elements of a list; none if it is not a list.
    fn length(self) -> Option<usize>;

    fn element(self, at: usize) -> Option<Self>;

    /// Calls `visit` with every member of an object or element of a list.
    fn children(self, visit: &mut dyn FnMut(Self));

    /// The value for a comparison; none if it is not a scalar.
    fn scalar(self) -> Option<Scalar<'t>>;
}

/// What a template selects: values of the tree, or what the template itself holds.
#[derive(Clone, Copy, Debug)]
pub enum Selected<'t, T> {
    Value(T),
    Literal(&'t Literal),
}

impl<'t, T: Tree<'t>> Selected<'t, T> {
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
