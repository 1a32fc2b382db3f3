//! The effects of operators on values.

mod attribute;
pub(crate) mod binary;
pub(crate) mod index;
mod interpolate;
pub(crate) mod slice;
mod unary;

use std::cmp::Ordering;

pub use index::IndexRange;

pub(crate) use attribute::{
    attribute_names, find_attribute, get_attribute, no_attribute, set_attribute,
};
pub(crate) use binary::{add_in_place, binary, extend, join, product_size, small, sum_size};
pub(crate) use index::{get_index, no_index, out_of_range, set_index};
pub(crate) use interpolate::interpolate;
pub(crate) use slice::{indices, slice};
pub(crate) use unary::unary;

/// Operators that compute a value from two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    In,
}

/// Operators that compare. Each is the set of the orders for which it is true: one bit for each of
/// less, equal and greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareOp {
    Less = 0b001,
    Equal = 0b010,
    LessOrEqual = 0b011,
    Greater = 0b100,
    NotEqual = 0b101,
    GreaterOrEqual = 0b110,
}

impl BinaryOp {
    /// Returns the operator as written in a program, such as `+`.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::FloorDivide => "//",
            Self::Modulo => "%",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::In => "in",
        }
    }
}

impl CompareOp {
    /// Returns the operator as written in a program, such as `<=`.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }

    /// Returns whether the comparison of two integers is true.
    #[inline]
    pub(crate) fn holds_for(self, left: i64, right: i64) -> bool {
        let order = u8::from(left >= right) + u8::from(left > right);
        self as u8 >> order & 1 != 0
    }

    /// Returns whether the comparison is true for two values in that order.
    #[inline]
    pub fn holds(self, order: Ordering) -> bool {
        let bit = match order {
            Ordering::Less => 0b001,
            Ordering::Equal => 0b010,
            Ordering::Greater => 0b100,
        };
        self as u8 & bit != 0
    }
}
