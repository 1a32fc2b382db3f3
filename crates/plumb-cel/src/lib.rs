//! Rules in the Common Expression Language (CEL), with what Kubernetes adds to it for the
//! `x-kubernetes-validations` of its resources.
//!
//! A [`Program`] is an expression that was read and checked: its names are known, its functions get
//! as many arguments as they take, its regular expressions compile. [`Program::holds`] evaluates it
//! with a value as `self`, in place, nothing copied. Both tell what is wrong by a range of the
//! expression's text, and never quote a value, which may be secret.
//!
//! **Invariant:** whatever the expression and the value, evaluation ends: each step of it, and each
//! character or item that a function looks at, is paid for from a budget. An expression nests only
//! so deep, so that neither reading nor evaluating it takes much stack.

mod ast;
mod check;
mod error;
mod evaluate;
mod functions;
mod macros;
mod operate;
mod parse;
mod quote;
mod token;
mod value;

pub use error::{CompileError, Fault, FaultKind};
pub use quote::{field_name, quoted};

use plumb_value::Node;

/// The steps that one evaluation may take: what Kubernetes lets one rule cost.
pub const STEP_LIMIT: u64 = 1_000_000;

/// An expression that is ready to be evaluated.
#[derive(Debug)]
pub struct Program {
    source: String,
    root: ast::Expr,
}

impl Program {
    pub fn compile(source: &str) -> Result<Self, CompileError> {
        let mut root = parse::parse(source)?;
        check::check(&mut root)?;
        Ok(Self { source: source.to_owned(), root })
    }

    /// The expression as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the expression is true of a value, its `self`.
    pub fn holds(&self, value: &Node) -> Result<bool, Fault> {
        evaluate::holds(&self.root, &self.source, value, STEP_LIMIT)
    }
}
