//! The syntax tree of an expression.

use std::ops::Range;
use std::sync::Arc;

use plumb_regexp::Regexp;

use crate::functions::Function;
use crate::macros::Macro;

/// How deep expressions may nest. Each level takes a few stack frames.
pub(crate) const MAX_DEPTH: u16 = 100;

#[derive(Debug)]
pub(crate) struct Expr {
    pub(crate) kind: Kind,
    /// Its bytes in the source.
    pub(crate) at: Range<usize>,
    /// The number of nested levels, including this one.
    pub(crate) depth: u16,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Literal(Literal),
    /// A name as it was written. The check replaces it by one of the next two variants.
    Name(String),
    /// An index: `self` is the first variable. The variables of macros follow, outermost first.
    Variable(usize),
    Type(&'static str),
    Select {
        operand: Box<Expr>,
        field: String,
        /// `.?` returns an optional value.
        is_optional: bool,
    },
    /// `has(operand.field)`
    Has {
        operand: Box<Expr>,
        field: String,
    },
    Index {
        operand: Box<Expr>,
        index: Box<Expr>,
        is_optional: bool,
    },
    Call(Box<Call>),
    Macro(Box<Comprehension>),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `a && b && c` and `a || b || c`: one flat list of any length.
    Logical(Logic, Vec<Expr>),
    Conditional(Box<[Expr; 3]>),
    List(Vec<Element>),
    Map(Vec<Entry>),
}

#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) name: String,
    /// The place of the name.
    pub(crate) name_at: Range<usize>,
    pub(crate) target: Option<Box<Expr>>,
    pub(crate) args: Vec<Expr>,
    /// Set by the check.
    pub(crate) function: Option<&'static Function>,
    /// The pattern, compiled once, if it is a literal in the expression.
    pub(crate) pattern: Option<Arc<Regexp>>,
}

/// A macro that evaluates expressions for each item of a range.
#[derive(Debug)]
pub(crate) struct Comprehension {
    pub(crate) r#macro: Macro,
    pub(crate) range: Expr,
    /// One name, or two names for an index or key and its value.
    pub(crate) names: Vec<String>,
    pub(crate) filter: Option<Expr>,
    pub(crate) body: Expr,
}

#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) value: Expr,
    pub(crate) is_optional: bool,
}

#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) key: Expr,
    pub(crate) value: Expr,
    pub(crate) is_optional: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Double(f64),
    String(String),
    Bytes(Vec<u8>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logic {
    And,
    Or,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
}

impl Operator {
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::In => "in",
        }
    }
}

impl Expr {
    pub(crate) fn new(kind: Kind, at: Range<usize>) -> Self {
        let depth = 1 + kind.depth_below();
        Self { kind, at, depth }
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Literal(Literal::String(text)) => Some(text),
            _ => None,
        }
    }
}

impl Kind {
    fn depth_below(&self) -> u16 {
        let deepest = |exprs: &mut dyn Iterator<Item = &Expr>| {
            exprs.map(|it| it.depth).max().unwrap_or_default()
        };
        match self {
            Self::Literal(_) | Self::Name(_) | Self::Variable(_) | Self::Type(_) => 0,
            Self::Select { operand, .. }
            | Self::Has { operand, .. }
            | Self::Not(operand)
            | Self::Negate(operand) => operand.depth,
            Self::Index { operand, index, .. } => operand.depth.max(index.depth),
            Self::Binary(_, left, right) => left.depth.max(right.depth),
            Self::Call(call) => deepest(&mut call.target.as_deref().into_iter().chain(&call.args)),
            Self::Logical(_, terms) => deepest(&mut terms.iter()),
            Self::Conditional(parts) => deepest(&mut parts.iter()),
            Self::List(elements) => deepest(&mut elements.iter().map(|it| &it.value)),
            Self::Map(entries) => deepest(&mut entries.iter().flat_map(|it| [&it.key, &it.value])),
            Self::Macro(it) => {
                deepest(&mut [&it.range, &it.body].into_iter().chain(it.filter.as_ref()))
            }
        }
    }
}
