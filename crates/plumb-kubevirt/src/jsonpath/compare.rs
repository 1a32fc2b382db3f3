//! Compares scalars: only those of the same kind are comparable.

use std::cmp::Ordering;

use plumb_value::Node;

use super::{Operator, SelectErrorKind};

/// A value that can be compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar<'t> {
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(&'t [u8]),
}

impl Operator {
    pub(super) fn holds(
        self,
        left: Scalar<'_>,
        right: Scalar<'_>,
    ) -> Result<bool, SelectErrorKind> {
        if let (Scalar::Bool(left), Scalar::Bool(right)) = (left, right) {
            return match self {
                Self::Equal => Ok(left == right),
                Self::NotEqual => Ok(left != right),
                Self::Less | Self::LessOrEqual | Self::Greater | Self::GreaterOrEqual => {
                    Err(SelectErrorKind::NotComparable)
                }
            };
        }
        let order = match (left, right) {
            (Scalar::Int(left), Scalar::Int(right)) => Some(left.cmp(&right)),
            (Scalar::Float(left), Scalar::Float(right)) => left.partial_cmp(&right),
            (Scalar::Text(left), Scalar::Text(right)) => Some(left.cmp(right)),
            _ => return Err(SelectErrorKind::NotComparable),
        };
        Ok(match self {
            Self::Equal => order == Some(Ordering::Equal),
            Self::NotEqual => order != Some(Ordering::Equal),
            Self::Less => order == Some(Ordering::Less),
            Self::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Self::Greater => order == Some(Ordering::Greater),
            Self::GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        })
    }
}

impl<'t> Scalar<'t> {
    /// The scalar of a node. Returns `None` if the node cannot be compared, such as a list or a
    /// map.
    pub fn of(node: &'t Node) -> Option<Self> {
        match node {
            Node::Bool(value) => Some(Self::Bool(*value)),
            Node::Int(value) => Some(Self::Int((*value).into())),
            Node::UInt(value) => Some(Self::Int((*value).into())),
            Node::Float(value) => Some(Self::Float(*value)),
            Node::String(text) => Some(Self::Text(text.as_bytes())),
            Node::Null | Node::Map(_) | Node::Array(_) => None,
        }
    }
}
