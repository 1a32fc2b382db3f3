//! The effects of operators on values.

mod attribute;
pub(crate) mod binary;
pub(crate) mod index;
mod interpolate;
pub(crate) mod slice;
mod unary;

pub use index::IndexRange;

pub(crate) use attribute::{attribute_names, find_attribute, get_attribute, set_attribute};
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

/// Operators that compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareOp {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
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

    /// Returns whether the comparison is true for two values in that order.
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }
}
