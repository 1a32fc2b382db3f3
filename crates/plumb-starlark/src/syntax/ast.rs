//! The syntax tree.
//!
//! Expressions are in one vector and refer to each other by number, so that a chain of a million
//! operators is neither built nor dropped by recursion. Positions are offsets into the joined text;
//! [`Script::span`](crate::piece::Script::span) converts them to source spans.

use plumb_source::Text;

use crate::Value;
use crate::ops::{BinaryOp, CompareOp};
use crate::piece::Effect;

pub(crate) struct Ast {
    pub(crate) exprs: Vec<Expr>,
    pub(crate) functions: Vec<Function>,
    pub(crate) body: Vec<Stmt>,
    /// Names by [`Symbol`].
    pub(crate) names: Vec<Text>,
    /// How many [`Ident`]s there are.
    pub(crate) idents: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ExprId(pub(crate) u32);

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct FunctionId(pub(crate) u32);

/// A name, stored once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Symbol(pub(crate) u32);

/// One occurrence of a name that refers to a variable.
#[derive(Clone, Copy)]
pub(crate) struct Ident {
    pub(crate) name: Symbol,
    pub(crate) at: u32,
    /// The number of this occurrence in the program.
    pub(crate) number: u32,
}

pub(crate) enum Expr {
    Ident(Ident),
    Literal { value: Value, at: u32 },
    Paren { inner: ExprId, at: u32 },
    List { items: Box<[ExprId]>, at: u32 },
    Tuple { items: Box<[ExprId]>, at: u32 },
    Dict { entries: Box<[Entry]>, at: u32 },
    Comprehension(Box<Comprehension>),
    Conditional { condition: ExprId, then: ExprId, otherwise: ExprId },
    Unary { op: UnaryOp, operand: ExprId, at: u32 },
    Binary { op: Operator, left: ExprId, right: ExprId, at: u32 },
    Dot { object: ExprId, name: Symbol, at: u32 },
    Index { object: ExprId, key: ExprId, at: u32 },
    Slice { object: ExprId, bounds: Box<[Option<ExprId>; 3]>, at: u32 },
    Call { function: ExprId, args: Box<[Arg]>, at: u32 },
    Lambda(FunctionId),
    Host { op: u32, effect: Effect, args: Box<[Arg]>, at: u32 },
}

/// The operator between two operands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Or,
    And,
    NotIn,
    Compare(CompareOp),
    Binary(BinaryOp),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOp {
    Minus,
    Plus,
    Invert,
    Not,
}

#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) key: ExprId,
    pub(crate) value: ExprId,
    pub(crate) colon: u32,
}

pub(crate) struct Comprehension {
    pub(crate) body: ComprehensionBody,
    /// The first is always a [`Clause::For`].
    pub(crate) clauses: Vec<Clause>,
    pub(crate) at: u32,
}

#[derive(Clone, Copy)]
pub(crate) enum ComprehensionBody {
    List(ExprId),
    Dict(Entry),
}

#[derive(Clone, Copy)]
pub(crate) enum Clause {
    For { target: ExprId, iterable: ExprId, at: u32 },
    If(ExprId),
}

#[derive(Clone, Copy)]
pub(crate) enum Arg {
    Positional(ExprId),
    Named { name: Symbol, value: ExprId, at: u32 },
    Args { value: ExprId, at: u32 },
    Kwargs { value: ExprId, at: u32 },
}

pub(crate) struct Function {
    pub(crate) name: Option<Symbol>,
    pub(crate) params: Vec<Param>,
    pub(crate) body: Body,
    pub(crate) at: u32,
    /// The end of the header, for the span of the function.
    pub(crate) end: u32,
}

pub(crate) enum Body {
    Statements(Vec<Stmt>),
    Expression(ExprId),
}

#[derive(Clone, Copy)]
pub(crate) enum Param {
    Required(Ident),
    Optional {
        ident: Ident,
        default: ExprId,
        at: u32,
    },
    /// `*` or `*args`
    Star {
        ident: Option<Ident>,
        at: u32,
    },
    /// `**kwargs`
    StarStar {
        ident: Ident,
        at: u32,
    },
}

pub(crate) enum Stmt {
    Expr(ExprId),
    Assign {
        target: ExprId,
        value: ExprId,
        at: u32,
    },
    /// `target op= value`
    Augment {
        op: BinaryOp,
        target: ExprId,
        value: ExprId,
        at: u32,
    },
    Def {
        ident: Ident,
        function: FunctionId,
    },
    If(Box<If>),
    For {
        target: ExprId,
        iterable: ExprId,
        body: Box<[Stmt]>,
        at: u32,
    },
    While {
        condition: ExprId,
        body: Vec<Stmt>,
    },
    Break(u32),
    Continue(u32),
    Return {
        value: Option<ExprId>,
        at: u32,
    },
    Load(Box<Load>),
}

/// The branches of `if`, each with its condition.
pub(crate) struct If {
    pub(crate) branches: Vec<(ExprId, Vec<Stmt>)>,
    pub(crate) otherwise: Vec<Stmt>,
}

pub(crate) struct Load {
    pub(crate) module: Text,
    pub(crate) names: Vec<LoadedName>,
    pub(crate) at: u32,
}

pub(crate) struct LoadedName {
    pub(crate) from: Text,
    pub(crate) from_at: u32,
    pub(crate) to: Ident,
}

impl Ast {
    pub(crate) fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    pub(crate) fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    pub(crate) fn name(&self, symbol: Symbol) -> &Text {
        &self.names[symbol.0 as usize]
    }

    /// Returns the expression without its parentheses.
    pub(crate) fn unparen(&self, mut id: ExprId) -> ExprId {
        while let Expr::Paren { inner, .. } = *self.expr(id) {
            id = inner;
        }
        id
    }

    /// Returns the operand that an expression begins with, if an operator follows it.
    pub(crate) fn leading(&self, id: ExprId) -> Option<ExprId> {
        match *self.expr(id) {
            Expr::Binary { left, .. } => Some(left),
            Expr::Dot { object, .. } | Expr::Index { object, .. } | Expr::Slice { object, .. } => {
                Some(object)
            }
            Expr::Call { function, .. } => Some(function),
            Expr::Conditional { .. }
            | Expr::Ident(_)
            | Expr::Literal { .. }
            | Expr::Paren { .. }
            | Expr::List { .. }
            | Expr::Tuple { .. }
            | Expr::Dict { .. }
            | Expr::Comprehension(_)
            | Expr::Unary { .. }
            | Expr::Lambda(_)
            | Expr::Host { .. } => None,
        }
    }

    /// Returns the offset at which an expression begins.
    pub(crate) fn start(&self, mut id: ExprId) -> u32 {
        loop {
            id = match (self.leading(id), self.expr(id)) {
                (Some(leading), _) => leading,
                (None, Expr::Conditional { then, .. }) => *then,
                (None, _) => break,
            };
        }
        match self.expr(id) {
            Expr::Ident(ident) => ident.at,
            Expr::Literal { at, .. }
            | Expr::Paren { at, .. }
            | Expr::List { at, .. }
            | Expr::Tuple { at, .. }
            | Expr::Dict { at, .. }
            | Expr::Unary { at, .. }
            | Expr::Host { at, .. } => *at,
            Expr::Comprehension(comprehension) => comprehension.at,
            Expr::Lambda(function) => self.function(*function).at,
            Expr::Binary { .. }
            | Expr::Dot { .. }
            | Expr::Index { .. }
            | Expr::Slice { .. }
            | Expr::Call { .. }
            | Expr::Conditional { .. } => unreachable!("these have a leading operand"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_and_statements_are_no_larger_than_four_words() {
        assert!(size_of::<Expr>() <= 32);
        assert!(size_of::<Stmt>() <= 32);
    }
}
